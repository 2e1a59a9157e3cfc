// A chart of chances: a line a seat in its colour and with strokes of its own, read with the pointer or with the arrow keys.

import { emblem, h, say } from "./ui.js";

const SVG = "http://www.w3.org/2000/svg";
const STROKES = ["", "9 4", "2.5 4", "11 4 2.5 4"]; // told apart without colours
const HEIGHT = 152;
const EDGE = { left: 42, right: 26, top: 10, bottom: 22 };
const SIGN = 17; // size of the signs at the ends of the lines

export const percent = (chance) => Math.round(100 * chance);

function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export class Chart {
  /** @param {(n: number) => void} goTo shows a position */
  constructor(goTo) {
    this.goTo = goTo;
    this.points = []; // [{number, chances}] in order
    this.costly = [];
    this.pointed = null; // the point under the pointer
    this.svg = make("svg", { class: "chart", role: "slider", tabindex: 0, "aria-label": say("analysis.chart") });
    this.told = h("p.chances", { "aria-hidden": "true" });
    this.place = h("div.chart-place", {}, this.svg, this.told);
    this.svg.addEventListener("keydown", (event) => this.#pressed(event));
    this.svg.addEventListener("pointermove", (event) => this.#read(this.#nearest(event)));
    this.svg.addEventListener("pointerleave", () => this.#read(null));
    this.svg.addEventListener("click", (event) => {
      const point = this.#nearest(event);
      if (point) this.goTo(point.number);
    });
    new ResizeObserver(() => this.#redraw()).observe(this.place);
  }

  /** Draw what is known; `end`: who has won, as chances; `turn`: the number of the move that turned the game. */
  draw(view, decisions, end, turn = undefined) {
    this.view = view;
    this.turn = decisions.find(({ number }) => number === turn);
    this.svg.classList.toggle("first-look", decisions.some(({ by }) => by !== "search"));
    this.pointed = null;
    this.points = decisions.map(({ number, seat, chances }) => ({ number, seat, chances }));
    this.ending = end && decisions.length ? { number: view.number, chances: end } : null;
    this.#redraw();
  }

  /** The decisions that are marked on the lines of those who made them. */
  accuse(costly) {
    this.costly = costly;
    this.#redraw();
  }

  mark(at) {
    this.marked = at;
    this.#point();
  }

  #read(point) {
    this.pointed = point;
    this.#point();
  }

  /** The points that can be read, the end among them. */
  get #all() {
    return this.ending ? [...this.points, this.ending] : this.points;
  }

  /** The point of the position on the screen, or the last before it. */
  #at() {
    return this.#all.findLast(({ number }) => number <= (this.marked ?? Infinity)) ?? this.#all[0];
  }

  #x(number) {
    return EDGE.left + (number / Math.max(1, this.view.number)) * (this.width - EDGE.left - EDGE.right);
  }

  #y(chance) {
    return EDGE.top + (1 - chance) * (HEIGHT - EDGE.top - EDGE.bottom);
  }

  #redraw() {
    this.width = Math.round(this.place.clientWidth);
    if (!this.view || !this.width) return;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.cursor = make("line", { class: "cursor", y1: EDGE.top, y2: HEIGHT - EDGE.bottom });
    this.dots = make("g");
    const lines = this.view.players.map((player) => this.#line(player));
    this.svg.replaceChildren(this.#grid(), ...this.#turned(), this.cursor, ...lines, ...this.#signs(), ...this.#accused(), this.dots);
    this.#point();
  }

  #grid() {
    const grid = make("g", { class: "grid" });
    for (const chance of [0, 0.5, 1]) {
      const y = this.#y(chance);
      grid.append(make("line", { x1: EDGE.left, x2: this.width - EDGE.right, y1: y, y2: y }), make("text", { x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, `${percent(chance)} %`));
    }
    const last = this.view.number;
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => last / size <= this.width / 60) ?? 5000;
    for (let n = 0; n <= last; n += step) grid.append(make("text", { x: this.#x(n), y: HEIGHT - 5, "text-anchor": "middle" }, String(n)));
    return grid;
  }

  #line({ seat, colour }) {
    const path = this.#all.map(({ number, chances }, n) => `${n ? "L" : "M"}${this.#x(number).toFixed(1)} ${this.#y(chances[seat]).toFixed(1)}`).join("");
    return make("g", { class: `seat in-${colour}` }, make("path", { class: "shade", d: path }), make("path", { d: path, "stroke-dasharray": STROKES[seat % STROKES.length] }));
  }

  /** The sign of each seat at the end of its line; signs that would lie on each other are moved apart. */
  #signs() {
    const last = this.#all.at(-1);
    if (!last) return [];
    const signs = this.view.players.map(({ seat, colour }) => ({ seat, colour, y: this.#y(last.chances[seat]) })).sort((one, other) => one.y - other.y);
    signs.forEach((sign, n) => n && (sign.y = Math.max(sign.y, signs[n - 1].y + SIGN + 1)));
    const most = HEIGHT - SIGN / 2 - 1;
    signs.reverse().forEach((sign, n) => (sign.y = Math.min(sign.y, n ? signs[n - 1].y - SIGN - 1 : most)));
    return signs.map(({ seat, colour, y }) => make("use", { class: `in-${colour}`, href: `#emblem-${seat}`, x: this.#x(last.number) + 5, y: y - SIGN / 2, width: SIGN, height: SIGN }));
  }

  #accused() {
    return this.costly.map(({ number, seat, chances }) => make("circle", { class: "accused", cx: this.#x(number), cy: this.#y(chances[seat]), r: 3.4 }));
  }

  /** Where the game turned. */
  #turned() {
    if (!this.turn) return [];
    const x = this.#x(this.turn.number);
    return [make("line", { class: "turned", x1: x, x2: x, y1: EDGE.top - 4, y2: HEIGHT - EDGE.bottom }), make("path", { class: "turned-sign", d: `M${x} ${EDGE.top + 5}l-6 -10h12z` })];
  }

  #nearest(event) {
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * this.width;
    let best = null;
    for (const point of this.#all) if (!best || Math.abs(this.#x(point.number) - x) < Math.abs(this.#x(best.number) - x)) best = point;
    return best;
  }

  /** Tell of the point under the pointer, until it leaves or a key is pressed; else of the position on the screen. */
  #point() {
    if (!this.cursor) return;
    const point = this.pointed ?? this.#at();
    this.cursor.classList.toggle("unseen-line", !point);
    if (!point) return;
    const x = this.#x(point.number);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    this.dots.replaceChildren(...this.view.players.map(({ seat, colour }) => make("circle", { class: `dot-on in-${colour}`, cx: x, cy: this.#y(point.chances[seat]), r: 4.5 })));
    const when = point === this.ending ? say("analysis.end") : say("analysis.moment", { n: point.number + 1 });
    const chances = this.view.players.map(({ seat, name }) => say("analysis.chance", { name, percent: percent(point.chances[seat]) }));
    this.told.replaceChildren(h("span.when", {}, when), ...this.view.players.map(({ seat, colour }) => h("span.of", {}, emblem(seat, colour), `${percent(point.chances[seat])} %`)));
    const facts = { min: 0, max: this.view.number, now: point.number, text: [when, ...chances].join(say("analysis.and")) };
    for (const [name, value] of Object.entries(facts)) this.svg.setAttribute(`aria-value${name}`, value);
  }

  #pressed(event) {
    const all = this.#all;
    const here = all.indexOf(this.#at());
    const there = { ArrowLeft: here - 1, ArrowDown: here - 1, ArrowRight: here + 1, ArrowUp: here + 1, Home: 0, End: all.length - 1 }[event.key];
    if (there === undefined || !all.length) return;
    event.preventDefault();
    this.pointed = null;
    this.goTo(all[Math.max(0, Math.min(there, all.length - 1))].number);
  }
}
