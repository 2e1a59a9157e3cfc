// Which part of the board is visible: zoom, the zone in question, and swipes through the replay.

import { h, icon, say } from "./ui.js";

const AGAIN = 350; // milliseconds within which a second tap means a closer look
const EDGE = 30; // pixels around the middle of a choice in which most of it lies
const SWIPE = 60; // pixels a finger moves along for a swipe
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Zoom {
  /**
   * @param {Board} board
   * @param {HTMLElement} scene the part of the page that holds it
   * @param {(by: number) => void} swiped called with 1 for a swipe to what comes next, -1 for one back
   */
  constructor(board, scene, swiped) {
    this.board = board;
    this.scene = scene;
    this.frame = board.svg.parentNode; // scrolls while the board is enlarged
    this.tapped = [0, 0, 0]; // when and where the board was last tapped to no effect
    this.button = h("button.plain.icon-button.enlarge", { type: "button", "data-key": "enlarge", "aria-pressed": "false", "aria-label": say("live.enlarge"), title: say("live.enlarge"), onclick: () => this.toggle() }, icon("loupe"));
    document.getElementById("theme").before(this.button); // on the board it would lie over something
    this.#watchSwipes(swiped);
  }

  /** Show the board twice as large around a point of the window, or as large as the window again. */
  toggle([x, y] = this.#middle()) {
    const { svg } = this.board;
    const before = svg.getBoundingClientRect();
    const [across, down] = [(x - before.left) / before.width, (y - before.top) / before.height];
    const enlarged = this.scene.classList.toggle("enlarged");
    this.button.setAttribute("aria-pressed", String(enlarged));
    if (!enlarged) return;
    const after = svg.getBoundingClientRect();
    const frame = this.frame.getBoundingClientRect();
    this.frame.scrollTo({ left: across * after.width - frame.width / 2, top: down * after.height - frame.height / 2, behavior: "instant" });
  }

  #middle() {
    const { left, top, width, height } = this.board.svg.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  }

  /** A tap that meant nothing; the second of two asks for a closer look. True if it was one. */
  tap([x, y]) {
    const [when, formerX, formerY] = this.tapped;
    const now = performance.now();
    this.tapped = [now, x, y];
    if (now - when > AGAIN || Math.hypot(x - formerX, y - formerY) > 40 || !this.button.checkVisibility()) return false;
    this.tapped = [0, 0, 0];
    this.toggle([x, y]);
    return true;
  }

  /** Scroll to what may be chosen: to all of it, or where less than half is in sight to most of it; an enlarged board, if nothing is. */
  showChoices() {
    const places = [...this.board.layer.querySelectorAll(".lit")].map((group) => group.getScreenCTM()).map(({ e, f }) => [e, f]);
    const [left, top, right, bottom] = this.#window();
    const seen = places.filter(([x, y]) => x >= left && x <= right && y >= top && y <= bottom).length;
    const enlarged = this.scene.classList.contains("enlarged");
    if (seen === places.length || (enlarged && seen)) return;
    const behavior = still.matches ? "instant" : "smooth";
    if (enlarged) {
      const [x, y] = places[0];
      this.frame.scrollBy({ left: x - (left + right) / 2, top: y - (top + bottom) / 2, behavior });
      return;
    }
    const room = bottom - top - 2 * EDGE;
    const zones = places.map(([, first]) => places.map(([, y]) => y).filter((y) => y >= first && y <= first + room));
    const best = zones.reduce((one, other) => (other.length > one.length ? other : one));
    if (best.length === places.length || (best.length > seen && 2 * seen < places.length)) scrollBy({ top: (Math.min(...best) + Math.max(...best) - top - bottom) / 2, behavior });
  }

  /** The part of the window in which the board can be seen: between the bars. */
  #window() {
    const frame = this.frame.getBoundingClientRect();
    const bars = [...document.querySelectorAll(".prompt, .last, .tools")].filter((bar) => ["sticky", "fixed"].includes(getComputedStyle(bar).position)).map((bar) => [getComputedStyle(bar).position, bar.getBoundingClientRect()]);
    const over = bars.filter(([position]) => position === "sticky").map(([, box]) => box.bottom);
    const under = bars.filter(([position]) => position === "fixed").map(([, box]) => box.top);
    const enlarged = this.scene.classList.contains("enlarged");
    return [enlarged ? frame.left : 0, Math.max(0, enlarged ? frame.top : 0, ...over), enlarged ? frame.right : innerWidth, Math.min(innerHeight, enlarged ? frame.bottom : innerHeight, ...under)];
  }

  #watchSwipes(swiped) {
    let from = null;
    this.scene.addEventListener("touchstart", ({ touches: [first, second] }) => (from = second || this.scene.classList.contains("enlarged") ? null : first), { passive: true });
    this.scene.addEventListener("touchend", ({ changedTouches: [last] }) => {
      if (!from) return;
      const [across, down] = [last.clientX - from.clientX, last.clientY - from.clientY];
      from = null;
      if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(down)) swiped(across < 0 ? 1 : -1);
    }, { passive: true });
  }
}
