// What a step shows besides the pieces: points that rise where they are earned and at their player, and banners.

import { BANNER, LEAD, LONGEST, NEXT, STAYS } from "./step_player.js";
import { h } from "./ui.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const SVG = "http://www.w3.org/2000/svg";

export class Effects {
  constructor(board) {
    this.board = board;
    this.timers = new Set();
    this.shown = new Set();
  }

  /** Show what happened in the move that led to a view, after a while. */
  play(view, tempo, after) {
    const { happened } = view;
    const whole = happened.reduce((sum, { banner }) => sum + (banner ? BANNER : NEXT), LEAD);
    const speed = tempo * Math.min(1, LONGEST / whole);
    let at = after + LEAD * speed;
    happened.forEach((one, number) => {
      this.#later(at, () => (one.banner ? this.#banner(view, happened, number, speed) : this.#gain(one, tempo)));
      at += (one.banner ? BANNER : NEXT) * speed;
    });
  }

  /** Take everything away. */
  stop() {
    for (const timer of this.timers) clearTimeout(timer);
    for (const element of this.shown) element.remove();
    this.timers.clear();
    this.shown.clear();
  }

  #later(wait, work) {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, wait);
    this.timers.add(timer);
  }

  #put(place, element, stays, frames) {
    place.append(element);
    this.shown.add(element);
    if (!still.matches) element.animate(frames, { duration: stays, fill: "forwards", easing: "ease-out" });
    this.#later(stays, () => {
      element.remove();
      this.shown.delete(element);
    });
  }

  #gain({ seat, amount, reason, place }, tempo) {
    const bad = /^[-✕]/.test(amount) ? ".bad" : "";
    const row = document.querySelector(`.player[data-seat="${seat}"]`);
    const come = [{ opacity: 0, translate: "0 8px" }, { opacity: 1, translate: "0 0", offset: 0.12 }, { opacity: 1, translate: "0 -2px", offset: 0.8 }, { opacity: 0, translate: "0 -8px" }];
    if (row) this.#put(gainsOf(row), h(`span.gain${bad}`, { "aria-hidden": "true" }, h("b", {}, amount), " ", reason), STAYS * tempo, come);
    const sprite = this.board.drawn.get(place);
    if (sprite) this.#rise(sprite, amount, bad, STAYS * tempo);
  }

  /** The amount, rising from a sprite. */
  #rise({ x = 0, y = 0 }, amount, bad, stays) {
    const { svg } = this.board;
    const scale = svg.getScreenCTM()?.a || 1;
    const text = document.createElementNS(SVG, "text");
    const size = 30 / scale;
    for (const [key, value] of Object.entries({ class: `rising${bad ? " bad" : ""}`, x, y: y + size / 3, "font-size": size, "text-anchor": "middle", "aria-hidden": "true" })) text.setAttribute(key, value);
    text.textContent = amount;
    const up = (by) => `translate(0, ${(-by * size).toFixed(1)}px)`;
    this.#put(svg, text, stays, [{ opacity: 0, transform: up(0) }, { opacity: 1, transform: up(0.4), offset: 0.15 }, { opacity: 1, transform: up(1.2), offset: 0.75 }, { opacity: 0, transform: up(1.6) }]);
  }

  /** A banner, with what the events after it brought to whom. */
  #banner(view, happened, number, speed) {
    const end = happened.findIndex((one, n) => n > number && one.banner);
    const sums = new Map();
    for (const { seat, points } of happened.slice(number + 1, end < 0 ? undefined : end)) sums.set(seat, (sums.get(seat) ?? 0) + points);
    const rows = [...sums].filter(([, points]) => points).sort(([one], [other]) => one - other);
    const summary = rows.map(([seat, points]) => h("span", {}, `${view.players[seat]?.name ?? ""} `, h("b", {}, points > 0 ? `+${points}` : String(points))));
    const banner = h("div.banner", { "aria-hidden": "true" }, h("strong", {}, happened[number].banner), summary.length ? h("span.sums", {}, summary) : null);
    const come = [{ opacity: 0, scale: "0.94 1" }, { opacity: 1, scale: "1 1", offset: 0.15 }, { opacity: 1, scale: "1 1", offset: 0.85 }, { opacity: 0, scale: "1 1" }];
    this.#put(this.board.svg.parentNode, banner, BANNER * speed, come);
  }
}

/** The place for gains in the row of a player. */
function gainsOf(row) {
  return row.querySelector(".gains") ?? row.appendChild(h("span.gains"));
}
