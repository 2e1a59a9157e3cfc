// What is wrong with the looks of a page, found in its DOM (see looks.py).

const name = (element) => {
  const id = element.closest?.("[data-id]")?.dataset.id ?? element.id;
  return `${element.tagName.toLowerCase()}${id ? "#" + id : "." + (element.className.baseVal ?? element.className)}`;
};
const shown = (element) => {
  if (!element.checkVisibility({visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true})) return false;
  if (element.closest(".unseen, noscript, .skip, [aria-hidden=true] .gain")) return false;
  const around = element.closest("details.text-board:not([open])");
  return !around || around.matches(":focus-within");
};

/** Texts smaller than the least size; letters of a board count as large as they are on the screen. */
function smallType(least) {
  const found = new Map();
  const texts = document.createTreeWalker(document.querySelector("dialog[open]") ?? document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.textContent.trim() || element.closest("script, style, title, option, desc") || !shown(element)) continue;
    const inBoard = element instanceof SVGElement;
    const matrix = inBoard ? element.getScreenCTM() : null;
    const size = parseFloat(getComputedStyle(element).fontSize) * (matrix ? Math.hypot(matrix.c, matrix.d) : 1);
    if (size < least - 0.05) found.set(name(element), size);
  }
  return [...found].map(([name, size]) => `type of ${size.toFixed(1)} px: ${name}`);
}

/** Parts of the page that lie on each other or reach out of the window; what a scrolled page has under its bars; what is cut off. */
function parts() {
  const found = [];
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} px wide`);
  const fixed = (element) => ["fixed", "sticky"].includes(getComputedStyle(element).position);
  const parts = [...document.querySelectorAll(".head, .players, .prompt, .last, #board, .moves, .log, .tools")].filter(shown);
  const boxes = () => parts.map((part) => [part, part.getBoundingClientRect()]).filter(([, box]) => box.width && box.height);
  const lap = (one, other) => Math.min(Math.min(one.right, other.right) - Math.max(one.left, other.left), Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
  const compare = (which, when) => {
    const all = boxes();
    all.forEach(([one, box], n) => all.slice(n + 1).forEach(([other, its]) => {
      if (which(one, other) && lap(box, its) > 1) found.push(`${name(one)} and ${name(other)} overlap ${when}`);
    }));
  };
  compare((one, other) => !(fixed(one) || fixed(other)), "");
  const scroll = [scrollX, scrollY];
  scrollTo({top: 0, behavior: "instant"});
  compare((one, other) => [one, other].some((part) => getComputedStyle(part).position === "sticky") && ![one, other].some((part) => getComputedStyle(part).position === "fixed"), "at the top of the page");
  scrollTo({top: page.scrollHeight, behavior: "instant"});
  compare((one, other) => [one, other].some((part) => getComputedStyle(part).position === "fixed") && ![one, other].some((part) => getComputedStyle(part).position === "sticky"), "at the end of the page");
  scrollTo({top: scroll[1], left: scroll[0], behavior: "instant"});
  if (page.scrollHeight <= innerHeight + 1) for (const [part, box] of boxes()) {
    if (box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1 || box.top < -1) found.push(`${name(part)} reaches out of the window`);
  }
  for (const dialog of document.querySelectorAll("dialog[open]")) {
    const box = dialog.getBoundingClientRect();
    if (box.right > innerWidth || box.bottom > innerHeight || box.left < 0 || box.top < 0) found.push(`the dialog ${name(dialog)} reaches out of the window`);
  }
  for (const place of document.querySelectorAll(".points-scroll")) {
    if (shown(place) && place.scrollWidth > place.clientWidth + 1) found.push("the table of points is wider than its place");
  }
  // What no program should print.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim();
    if (/^(null|undefined|NaN|\[object .*)$/.test(text) && shown(texts.currentNode.parentElement)) found.push(`the page says ${text}: ${name(texts.currentNode.parentElement)}`);
  }
  // Names, and on all but phones what game it is, are never shortened.
  for (const element of document.querySelectorAll(`.player .name-text, .points .name-text${innerWidth < 700 ? "" : ", .head-title"}`)) {
    if (shown(element) && element.scrollWidth > element.clientWidth + 1) found.push(`${name(element)} is shortened: ${element.textContent}`);
  }
  // What is cut off without a sign of it.
  for (const element of document.querySelectorAll("button, a, .prompt, .last, th, td, dd, dt, .player, .gain, label, summary, h1, h2, h3")) {
    if (!shown(element) || getComputedStyle(element).textOverflow === "ellipsis" || !element.clientWidth) continue;
    const clipped = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "auto";
    if (clipped && !element.querySelector(".unseen")) found.push(`${name(element)} is too narrow for its text: ${element.textContent.slice(0, 40)}`);
  }
  return [...new Set(found)];
}

/** Texts of the board that lie on each other, except those that a later symbol covers, and texts that reach out of the board. */
function board() {
  const board = document.getElementById("board");
  if (!board || !shown(board) || document.querySelector("dialog:modal")) return [];
  const found = [];
  const frame = board.getBoundingClientRect();
  const sprites = [...board.querySelectorAll(".sprite:not(.gone)")];
  const texts = [];
  const symbols = [];
  sprites.forEach((group, number) => {
    const text = group.querySelector("text");
    const use = group.querySelector("use:not(.halo)");
    if (text) {
      const box = text.getBoundingClientRect();
      const trim = 0.3 * box.height;  // the box of a font is higher than its letters
      texts.push({group, number, left: box.left, right: box.right, top: box.top + trim / 2, bottom: box.bottom - trim / 2});
      if (box.left < frame.left - 2 || box.right > frame.right + 2) found.push(`${name(group)} reaches out of the board: ${text.textContent}`);
    }
    if (use) {
      // Not the bounding box, which counts what a symbol clips away.
      const matrix = group.getScreenCTM();
      const [wide, high] = [use.width.baseVal.value * Math.hypot(matrix.a, matrix.b), use.height.baseVal.value * Math.hypot(matrix.c, matrix.d)];
      symbols.push({number, left: matrix.e - wide / 2, right: matrix.e + wide / 2, top: matrix.f - high / 2, bottom: matrix.f + high / 2});
    }
  });
  const area = (box) => Math.max(0, box.right - box.left) * Math.max(0, box.bottom - box.top);
  const shared = (one, other) => Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) * Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
  const seen = texts.filter((text) => !symbols.some((symbol) => symbol.number > text.number && shared(symbol, text) > 0.25 * area(text)));
  seen.forEach((one, n) => seen.slice(n + 1).forEach((other) => {
    if (shared(one, other) > 0.15 * Math.min(area(one), area(other))) found.push(`${name(one.group)} and ${name(other.group)} overlap: ${one.group.textContent.slice(-20)} | ${other.group.textContent.slice(-20)}`);
  }));
  return found;
}

/** Controls too small for a finger. */
function smallTargets(least) {
  const found = [];
  const around = document.querySelector("dialog[open]") ?? document.body;
  for (const control of around.querySelectorAll("button, a, input, select, summary")) {
    if (!shown(control)) continue;
    const box = (control.closest("label") ?? control).getBoundingClientRect();
    const inText = control.matches("p a, li a") && getComputedStyle(control).display === "inline";
    if (!inText && box.width && Math.min(box.width, box.height) < least - 0.5) found.push(`target of ${box.width.toFixed(0)} x ${box.height.toFixed(0)} px: ${name(control)} ${control.dataset.key ?? ""}`);
  }
  return [...new Set(found)];
}
