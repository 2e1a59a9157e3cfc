// The lesson beside the board: a card that says what to see and do, and a light on what it speaks of.

import { ask, at, attempt, h, icon, memory, say } from "./ui.js";

const PARTS = { "@prompt": "prompt", "@players": "players", "@moves": "moves" };
const AROUND = 7; // pixels of light around a sprite
const ROOF = 76; // pixels at the top of a phone that the prompt covers
const LOOK_EVERY = 150; // milliseconds: sprites travel, pages scroll
const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");

const shape = (tag, attributes) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

export class Lesson {
  /**
   * @param {Board} board
   * @param {{table: string, game: string, changed: () => void}} place `changed` is called when other moves may be made
   */
  constructor(board, { table, game, changed }) {
    this.steps = JSON.parse(document.getElementById("lesson-steps").textContent);
    Object.assign(this, { board, table, game, changed });
    this.card = document.getElementById("lesson");
    this.step = Number(memory.get(`lesson:${table}`) ?? -1); // the one that is shown
    this.skipTo = null; // the step whose position is being reached
    this.number = -1; // moves made at the position on the board
    this.note = ""; // what was said to a wrong try
    this.ready = false; // does the position of the step stand on the board?
    this.drawn = "";
    this.lights = "";
    this.shade = shape("svg", { class: "spotlight", "aria-hidden": "true" });
    document.body.append(this.shade);
    this.timer = setInterval(() => this.#light(), LOOK_EVERY);
    addEventListener("scroll", () => this.#light(), { passive: true });
    addEventListener("resize", () => this.#light());
  }

  /** Is there anything left to teach? */
  get runs() {
    return this.step < this.steps.length;
  }

  /** Is something to be read before the next move? */
  get holds() {
    return this.runs && (!this.ready || !this.steps[this.step]?.moves);
  }

  /** Has the position been reached to which moves were skipped? */
  arrives(view) {
    return this.skipTo !== null && view.number >= this.steps[this.skipTo].at;
  }

  /** Show the step of a position; `ready`: it stands on the board. */
  draw(view, ready) {
    if (!this.runs) return this.#close();
    const held = this.holds;
    if (this.number !== view.number) this.note = "";
    this.number = view.number;
    const reached = ready && this.arrives(view) ? this.skipTo : null;
    if (reached !== null) this.skipTo = null;
    this.ready = ready && this.skipTo === null;
    if (this.ready) {
      const step = reached ?? this.#stepAt(view.number);
      if (step === null) return this.#reach(view.number);
      this.#take(step);
    }
    this.#drawCard();
    this.#light();
    if (this.holds !== held) this.changed();
    return undefined;
  }

  /** Answer a move that is not the one the lesson speaks of. */
  answer(reason) {
    this.note = reason;
    this.#drawCard();
    this.nudge();
  }

  /** Draw the eye to the card. */
  nudge() {
    if (!still.matches) this.card.animate([{ translate: "0" }, { translate: "-5px" }, { translate: "5px" }, { translate: "0" }], 260);
  }

  /** Is a step said of the position after so many moves? */
  #covers({ at, end, moves }, number) {
    return moves ? at <= number && number < end : at === number;
  }

  #stepAt(number) {
    const { steps, step } = this;
    if (steps[step] && this.#covers(steps[step], number)) return step;
    const found = [...steps.keys()].filter((n) => this.#covers(steps[n], number));
    return found.find((n) => n > step) ?? found[0] ?? null;
  }

  /** No step is said of this position: skip on to the next, or the lesson is over. */
  #reach(number) {
    const next = this.steps.findIndex((step) => step.at > number);
    if (next >= 0) return this.#skip(next);
    this.#take(this.steps.length);
    return this.#close();
  }

  #take(step) {
    if (step === this.step) return;
    this.step = step;
    this.note = "";
    memory.set(`lesson:${this.table}`, step);
    this.lights = "";
    this.sought = false;
  }

  #skip(step) {
    this.skipTo = step;
    this.#drawCard();
    return attempt(null, () => ask("POST", `/api/tables/${this.table}/lesson`, { step })).then((done) => {
      if (!done) this.skipTo = null;
    });
  }

  /** Go on reading. */
  #next() {
    const next = this.step + 1;
    if (next >= this.steps.length) return this.#finish();
    if (this.steps[next].at > this.number) return this.#skip(next);
    return this.#turnTo(next);
  }

  /** Let the match go on as any other. */
  async #finish() {
    const step = this.steps.length;
    if (!(await attempt(null, () => ask("POST", `/api/tables/${this.table}/lesson`, { step })))) return;
    this.#take(step);
    this.#close();
    this.changed();
  }

  #turnTo(step) {
    this.#take(step);
    this.#drawCard();
    this.changed();
  }

  #close() {
    clearInterval(this.timer);
    this.card.hidden = true;
    this.shade.remove();
    document.body.classList.remove("learning");
  }

  #drawCard() {
    const { step, steps, note } = this;
    const shown = steps[step];
    if (!shown) return;
    const waits = !this.ready || this.skipTo !== null;
    const key = JSON.stringify([step, note, waits, this.skipTo]);
    if (key === this.drawn) return;
    this.drawn = key;
    const last = step === steps.length - 1;
    const button = (name, words, onclick, first = false) => h(first ? "button.first" : "button.plain", { type: "button", "data-key": name, onclick }, first ? null : icon("back"), words, first ? icon("on") : null);
    const parts = [];
    if (waits) parts.push(h("span.watch", {}, icon(this.skipTo === null ? "eye" : "now"), say(this.skipTo === null ? "lesson.watch" : "lesson.later")));
    else if (shown.moves) parts.push(h("span.watch.mine", {}, icon("reed"), say("lesson.do")));
    else if (last) parts.push(h("a.button", { href: at(`/new/${this.game}`), "data-key": "lesson-new" }, say("lesson.new")), button("lesson-next", say("lesson.play_on"), () => this.#next(), true));
    else parts.push(button("lesson-next", say("lesson.next"), () => this.#next(), true));
    if (!waits && !last && step && this.#covers(steps[step - 1], this.number) && !steps[step - 1].moves) parts.unshift(button("lesson-back", say("lesson.back"), () => this.#turnTo(step - 1)));
    const focused = this.card.contains(document.activeElement);
    document.body.classList.add("learning");
    this.card.hidden = false;
    this.card.replaceChildren(
      h("div.lesson-head", {}, h("strong", {}, say(last ? "lesson.done" : "lesson.step", { n: step + 1, count: steps.length })), h("a.button.plain.icon-button", { href: at("/"), "data-key": "lesson-leave", "aria-label": say("lesson.leave"), title: say("lesson.leave") }, icon("close"))),
      h("progress", { value: step + 1, max: steps.length, "aria-hidden": "true" }),
      h("p", { role: "status", "aria-live": "polite" }, shown.text),
      ...(note ? [h("p.note", { role: "alert" }, icon("lamp"), h("span", {}, note))] : []),
      h("div.row", {}, parts),
    );
    if (focused) this.card.querySelector("button.first")?.focus({ preventScroll: true });
    this.#light();
  }

  // --- The light ----------------------------------------------------------------------------------------------------------

  /** Where in the window that is which a step speaks of. */
  #places() {
    const found = [];
    for (const name of this.steps[this.step].lit) {
      if (PARTS[name]) {
        const element = document.getElementById(PARTS[name]);
        const { left, top, right, bottom } = element.getBoundingClientRect();
        if (element.checkVisibility()) found.push({ left, top, right, bottom, part: true });
        continue;
      }
      const ids = [...this.board.groups.keys()].filter((id) => (name.endsWith("*") ? id.startsWith(name.slice(0, -1)) : id === name));
      const boxes = ids.filter((id) => this.board.drawn.has(id)).map((id) => this.board.frame(id));
      if (boxes.length) found.push({ left: Math.min(...boxes.map((box) => box.left)), top: Math.min(...boxes.map((box) => box.top)), right: Math.max(...boxes.map((box) => box.right)), bottom: Math.max(...boxes.map((box) => box.bottom)) });
    }
    return found;
  }

  #light() {
    const floor = this.#floor();
    const dark = this.runs && this.ready && this.steps[this.step]?.lit.length && !document.querySelector("dialog[open]");
    const all = dark ? this.#places() : [];
    if (all.length && !this.sought && performance.now() >= this.board.restsAt) this.#seek(all, floor);
    const places = all.map((box) => ({ ...box, top: Math.max(box.top, this.#roof(box)), bottom: Math.min(box.bottom, floor - AROUND) })).filter(({ top, bottom }) => top < bottom);
    const lights = JSON.stringify([places.map(({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round)), innerWidth, innerHeight]);
    if (lights === this.lights) return;
    this.lights = lights;
    this.shade.replaceChildren();
    if (!all.length) return;
    const boxes = places.map(({ left, top, right, bottom }) => ({ x: left - AROUND, y: top - AROUND, width: right - left + 2 * AROUND, height: bottom - top + 2 * AROUND, rx: 12 }));
    const mask = shape("mask", { id: "lit", maskUnits: "userSpaceOnUse" });
    mask.append(shape("rect", { width: "100%", height: "100%", fill: "#fff" }), ...boxes.map((box) => shape("rect", { ...box, fill: "#000" })));
    this.shade.append(mask, shape("rect", { class: "dark", width: "100%", height: "100%", mask: "url(#lit)" }));
    const rings = shape("g", { mask: "url(#lit)" }); // where lights meet, one ring goes around both
    rings.append(...boxes.map((box) => shape("rect", { ...box, class: "ring" })));
    this.shade.append(rings);
  }

  /** Where a box of the board begins to be seen: the prompt lies over it where the page is scrolled on a phone. */
  #roof({ left, right, part }) {
    const prompt = document.getElementById("prompt");
    const over = prompt.getBoundingClientRect();
    return part || getComputedStyle(prompt).position !== "sticky" || left > over.right || right < over.left ? -Infinity : over.bottom + AROUND;
  }

  /** Where the card begins if it lies over the page, as on a phone; else the end of the window. */
  #floor() {
    return getComputedStyle(this.card).position === "fixed" && !this.card.hidden ? this.card.getBoundingClientRect().top : innerHeight;
  }

  /** Scroll to the light if it is out of sight. */
  #seek(places, floor) {
    this.sought = true;
    const roof = floor < innerHeight ? ROOF : 0;
    const span = (boxes) => [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
    let [top, bottom] = span(places);
    if (bottom - top > floor - roof) [top, bottom] = span(places.slice(0, 1)); // not all of it fits
    if (top >= roof && bottom <= floor) return;
    const by = bottom - top > floor - roof ? top - roof : (top + bottom) / 2 - (roof + floor) / 2;
    scrollBy({ top: by, behavior: still.matches ? "instant" : "smooth" });
  }
}
