// Before a choice is made: what it gains, what it would do, and what a piece is for. Everything shown comes from the server,
// worked out by the rules from what the player may know.

import { make, partsOf, place } from "./board.js";
import { Card } from "./card.js";
import { ask, capital, h, icon, lang, memory, say } from "./ui.js";

const REST = 380; // milliseconds that a pointer rests on a piece before it is explained
const PRESS = 480; // that a finger stays on it
const LABEL = 13; // CSS pixels of a label
const coarse = matchMedia("(pointer: coarse)");

/** Is a choice shown by a first click and made by the second? As long as nobody has said: on touch screens. */
export const confirms = () => (memory.get("confirm") ?? (coarse.matches ? "on" : "off")) === "on";

export class Preview {
  /**
   * @param {Board} board
   * @param {{table: string, shape: () => string, now: () => object | null, shown: () => object | null}} facts
   *   the view whose moves are offered, null if none are; the view on the board
   */
  constructor(board, facts) {
    Object.assign(this, facts);
    this.board = board;
    this.card = new Card();
    this.ghosts = board.svg.appendChild(make("g", { class: "ghosts", "aria-hidden": "true" }));
    this.labels = board.svg.appendChild(make("g", { class: "labels", "aria-hidden": "true" }));
    this.gains = { moves: {}, aliases: {} };
    this.answers = new Map(); // what was asked about the position on the board
    this.position = "";
    this.over = ""; // the sprite that the pointer rests on
    this.held = null; // the path of a move that waits for a second click
    this.timer = null;
    board.holds = (id, made) => this.#holds(id, made);
    board.addEventListener("step", () => this.#redraw());
    const { svg } = board;
    svg.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.#moved(event));
    svg.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !this.held && this.hide());
    svg.addEventListener("pointerdown", (event) => this.#pressed(event));
    for (const kind of ["pointerup", "pointercancel"]) svg.addEventListener(kind, () => clearTimeout(this.pressing));
    svg.addEventListener("click", (event) => this.#swallow(event), { capture: true });
    svg.addEventListener("contextmenu", (event) => this.#asked(event));
    svg.addEventListener("focusin", (event) => event.target.matches?.(".sprite:focus-visible") && this.#rest([event.target.dataset.id], REST));
    svg.addEventListener("focusout", () => !this.held && this.hide());
    addEventListener("scroll", ({ target }) => this.card.open && target.contains(svg) && this.cancel(), { passive: true, capture: true });
    addEventListener("keydown", (event) => this.#key(event), { capture: true });
  }

  /** A position is on the board: forget what belongs to another, and find out what its moves gain. */
  async offer() {
    const [view, shown] = [this.now(), this.shown()];
    const position = JSON.stringify([shown?.at, shown?.viewer, this.shape(), view?.moves.map(({ code }) => code)]);
    if (position === this.position) return this.#redraw();
    this.position = position;
    this.answers.clear();
    this.gains = { moves: {}, aliases: {} };
    this.cancel();
    this.#redraw();
    if (!view?.moves.length) return undefined;
    const found = await ask("GET", `/api/tables/${this.table}/gains?seat=${view.viewer}`).catch(() => null);
    if (!found || this.position !== position) return undefined;
    this.gains = found;
    return this.#redraw();
  }

  /** Show what clicks would do, without a card; null: nothing any more. */
  async ghost(path) {
    const made = path && (await this.#preview(path));
    if (made) this.#haunt(made);
    else if (!this.card.open) this.#clear();
  }

  hide() {
    clearTimeout(this.timer);
    this.over = "";
    this.card.hide();
    this.#clear();
  }

  /** Let go of a move that waits for its second click; true if there was one, or a card was open. */
  cancel() {
    const was = this.held !== null || this.card.open;
    this.held = null;
    for (const group of this.board.layer.querySelectorAll(".held")) group.classList.remove("held");
    this.hide();
    return was;
  }

  // --- When -----------------------------------------------------------------------------------------------------

  #under({ clientX, clientY, target }) {
    const there = [target, ...document.elementsFromPoint(clientX, clientY)].map((element) => element.closest?.(".sprite"));
    return [...new Set(there)].filter((group) => group && this.board.layer.contains(group) && group.dataset.id).map((group) => group.dataset.id);
  }

  #moved(event) {
    const under = this.#under(event);
    if (under[0] === this.over) return;
    if (this.held) return;
    this.hide();
    if (under.length) this.#rest(under, REST);
  }

  #rest(under, after) {
    this.over = under[0];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#show(under), after);
  }

  #pressed(event) {
    clearTimeout(this.pressing);
    this.swallows = false;
    if (event.pointerType === "mouse") return clearTimeout(this.timer); // a click is no question
    const under = this.#under(event);
    if (!under.length) return undefined;
    this.pressing = setTimeout(() => {
      this.swallows = true;
      this.cancel();
      this.#show(under);
    }, PRESS);
    return undefined;
  }

  /** The click that ends a long press means nothing. */
  #swallow(event) {
    if (!this.swallows) return;
    this.swallows = false;
    event.stopImmediatePropagation();
  }

  /** A right click, or what a browser makes of a long press. */
  #asked(event) {
    const under = this.#under(event);
    if (!under.length) return;
    event.preventDefault();
    clearTimeout(this.pressing);
    this.swallows = event.pointerType === "touch";
    this.#show(under);
  }

  #key(event) {
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && this.cancel()) event.stopImmediatePropagation();
    else if (["i", "?"].includes(event.key) && !event.target.closest?.("input, textarea") && !event.ctrlKey && !event.metaKey) this.board.explore();
  }

  /** A click that completes a move: the first shows what it would do, the second makes it. */
  #holds(id, { path }) {
    clearTimeout(this.timer);
    const key = path.join(" ");
    if (!confirms() || this.held === key) {
      this.cancel();
      return false;
    }
    this.cancel();
    this.held = key;
    this.board.groups.get(id)?.classList.add("held");
    this.#show([id]);
    return true;
  }

  // --- What -----------------------------------------------------------------------------------------------------

  /** Ask once about the position on the board. */
  #once(key, request) {
    const position = this.position;
    if (!this.answers.has(key)) this.answers.set(key, request().catch(() => null));
    return this.answers.get(key).then((answer) => (this.position === position ? answer : null));
  }

  #preview(path) {
    const query = new URLSearchParams({ lang, shape: this.shape() });
    const seat = this.now()?.viewer;
    return this.#once(`do ${path.join(" ")}`, () => ask("POST", `/api/tables/${this.table}/preview?${query}`, { seat, chosen: path }).then(({ preview }) => preview));
  }

  #explain(under) {
    const { viewer, at, number } = this.shown();
    const body = { under: under.slice(0, 16), viewer, at: at === number ? null : at };
    const query = new URLSearchParams({ lang, shape: this.shape() });
    return this.#once(`is ${under.join(" ")}`, () => ask("POST", `/api/tables/${this.table}/explain?${query}`, body).then(({ explanation }) => explanation));
  }

  /** Show what there is to say about sprites, the topmost first: at once what is known here, then what the server says. */
  async #show(under) {
    if (!this.shown() || this.shown().status === "waiting") return;
    const { board } = this;
    const useful = [".lit", ".alias, .closed"].map((kind) => under.find((id) => board.groups.get(id)?.matches(kind))).find(Boolean);
    const named = useful ?? under.find((id) => board.drawn.get(id)?.alt);
    const group = board.groups.get(named ?? under[0]);
    if (!group) return;
    const made = useful && this.now() ? board.completes(useful) : null;
    this.over = under[0];
    const draw = (explained, done) => {
      const name = made ? made.move.sentence : capital(board.drawn.get(named)?.alt ?? "");
      const text = explained?.text;
      if (!name && !text) return;
      this.card.show(group, board.frame(named ?? under[0]), [
        name && h("strong", {}, name),
        board.closed[named] && h("p.closed-reason", {}, icon("close"), board.closed[named]),
        done && doing(done, made),
        text && h("p.explanation", {}, text),
        this.held && h("p.again", {}, icon("check"), say("live.confirm_again")),
      ]);
    };
    draw(null, null);
    const [explained, done] = await Promise.all([this.#explain([...new Set([named ?? under[0], ...under])]), made && this.#preview(made.path)]);
    if (this.over !== under[0]) return;
    draw(explained, done);
    if (done) this.#haunt(done);
  }

  #clear() {
    for (const group of this.board.layer.querySelectorAll(".leaving")) group.classList.remove("leaving");
    this.ghosts.replaceChildren();
  }

  /** The pieces as they would be, and the points where they come from. */
  #haunt({ ghosts, gains }) {
    const { svg, drawn } = this.board;
    const scale = svg.getScreenCTM()?.a || 1;
    this.#clear();
    const parts = [];
    for (const { id, symbol, x = 0, y = 0, width = 0 } of ghosts) {
      const from = drawn.get(id);
      if (!from) continue;
      this.board.groups.get(id).classList.add("leaving");
      const far = Math.hypot(x - (from.x ?? 0), y - (from.y ?? 0)) > 18;
      if (symbol && far && width < 3 * (from.width ?? 0) && (from.width ?? 0) < 3 * width) parts.push(make("line", { x1: from.x ?? 0, y1: from.y ?? 0, x2: x, y2: y, "stroke-width": 2.2 / scale }));
    }
    for (const sprite of ghosts) {
      const group = make("g", { class: "ghost" });
      group.style.transform = place(sprite);
      if (sprite.colour) group.style.color = `var(--${sprite.colour})`;
      group.style.setProperty("--mark", sprite.colour ? `var(--on-${sprite.colour})` : "");
      group.append(...partsOf(sprite));
      parts.push(group);
    }
    const places = new Map(); // several gains may come from one place
    for (const { amount, x, y } of gains.filter((gain) => gain.x !== null)) places.set(`${x} ${y}`, { x, y, words: [places.get(`${x} ${y}`)?.words, amount].filter(Boolean).join(" ") });
    for (const { x, y, words } of places.values()) parts.push(label(words, x, y - 16 / scale, (LABEL + 3) / scale));
    this.ghosts.replaceChildren(...parts);
  }

  /** What each thing that may be chosen gains at once. */
  #redraw() {
    const { board } = this;
    const scale = board.svg.getScreenCTM()?.a || 1;
    const parts = [];
    for (const group of this.now() ? board.layer.querySelectorAll(".lit, .alias") : []) {
      const { id } = group.dataset;
      const text = this.#gain(id);
      const { x = 0, y = 0, width = 0, height = 0 } = board.drawn.get(id);
      const size = LABEL / scale;
      if (text) parts.push(label(text, x + width / 2 - size * 0.7, Math.max(size, y - height / 2 + size * 0.5), size));
    }
    this.labels.replaceChildren(...parts);
  }

  #gain(id) {
    const { board, gains } = this;
    if (gains.aliases[id] && board.groups.get(id).matches(".alias")) return gains.aliases[id];
    const step = board.chosen.length;
    const going = board.open.filter((move) => move.path[step] === id);
    const moves = going.length ? going : [board.completes(id)?.move].filter(Boolean);
    const all = [...new Set(moves.map(({ code }) => gains.moves[code] ?? ""))];
    if (all.length < 2) return all[0];
    const most = Math.max(...all.map((amount) => Number(amount) || 0));
    return most > 0 ? `≤ +${most}` : "";
  }
}

/** What a choice would do, in words. */
function doing({ lines, open, outlook }, made) {
  const said = lines.filter((line) => line !== made.move.sentence);
  return h("div.doing", {},
    said.length ? h("ul", { "aria-label": say("live.preview") }, said.map((line) => h("li", {}, line))) : null,
    outlook ? h("p", {}, outlook) : null,
    open ? h("p.open", {}, say("live.preview_open")) : null);
}

/** A text on a plate, in the units of the board. */
function label(words, x, y, size) {
  const group = make("g", { class: /^[-✕]/.test(words) ? "plate bad" : "plate" });
  group.style.transform = place({ x, y });
  const width = size * (0.62 * words.length + 0.7);
  const text = make("text", { y: size * 0.35, "font-size": size, "text-anchor": "middle", "font-weight": "bold" });
  text.textContent = words;
  group.append(make("rect", { x: -width / 2, y: -size * 0.7, width, height: size * 1.4, rx: size * 0.5 }), text);
  return group;
}
