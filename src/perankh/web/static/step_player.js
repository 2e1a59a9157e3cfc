// What others decide is shown step by step, each decision before the next. Positions that come meanwhile wait.

import { memory } from "./ui.js";

export const PACES = ["calm", "normal", "quick", "off"];
// Milliseconds that a step stays, more for each character of its lines, and how long motions take (1: as drawn).
const TIMES = { calm: [1300, 18, 1.5], normal: [600, 9, 1], quick: [200, 2, 0.6] };
const GOES_ON = 0.6; // of that for a further decision of the same player
const LONGEST_TEXT = 160; // characters that somebody reads before the next step
const MOST = 30; // steps shown at once; of more, the last ones
const CAUGHT_UP = 200; // the same for what was missed in days
const KEPT = 80; // views kept for being shown again
// Points and banners, in milliseconds: until the first, since the pieces come first; a gain; from one gain to the next; a banner; all
// of them together, of which many come faster.
export const [LEAD, STAYS, NEXT, BANNER, LONGEST] = [450, 1500, 320, 1700, 6000];

export const pace = () => (PACES.includes(memory.get("pace")) ? memory.get("pace") : "normal");
const sameLine = (one, other) => one?.n === other?.n && one?.text === other?.text;
/** Are the same moves offered? */
export const sameChoices = (one, other) => String(one.moves.map(({ code }) => code)) === String(other.moves.map(({ code }) => code));

export class StepPlayer {
  /**
   * @param {Board} board
   * @param {{look: (n: number) => Promise<object>, step: (view: object, fresh: boolean) => void, present: (view: object) => void}} doing
   *   asks for the view of an earlier position; shows one on the way; shows the newest, with what may be done
   */
  constructor(board, doing) {
    Object.assign(this, doing);
    this.board = board;
    this.effects = null; // points and banners, once there are any
    this.at = null; // the position on the board
    this.latest = null; // the newest view
    this.views = new Map(); // by number: views of one viewer and shape, or promises of them
    this.kind = ""; // whose views they are
    this.runs = 0; // counts runs, so that one which was broken off notices
    this.running = false;
    this.catchesUp = false; // is it shown what happened since one was here last?
    this.freeAt = 0; // when the next step may begin
    this.wake = () => {};
  }

  /** Is an earlier position on the board, on the way to the newest? */
  get behind() {
    return this.running && this.at < this.latest.number;
  }

  /** Take the newest view; true if it is shown later, after what comes before it. `cut`: nothing before it is shown. */
  take(view, cut = false) {
    const before = this.latest;
    this.#keep(view, before);
    const own = this.lastBy(view.own);
    const choosing = before?.moves.length && Math.max(before.number, own) <= this.at && sameChoices(view, before); // at the same time as others
    if (cut || this.at === null || view.number <= this.at || pace() === "off" || choosing || (view.question && view.moves.length)) return this.#jump();
    if (own > this.at) {
      this.at = own - 1; // an own decision is shown at once
      this.#hurry();
    }
    this.at = Math.max(this.at, view.number - (this.catchesUp ? CAUGHT_UP : MOST));
    if (!this.running) this.#run();
    return true;
  }

  /** Show what happened from an earlier position on. */
  async replay(view, from) {
    this.#keep(view, this.latest);
    this.#end();
    this.running = true;
    const run = this.runs;
    this.catchesUp = true;
    this.at = Math.max(0, from, view.number - CAUGHT_UP);
    const old = await this.#view(this.at);
    if (run !== this.runs) return;
    if (old) this.step(old, true);
    this.freeAt = performance.now() + 600;
    this.#run();
  }

  /** Show the newest position now; true if it was not shown yet. */
  skip() {
    this.#hurry();
    this.effects?.stop();
    if (!this.behind) return false;
    this.#jump();
    this.board.settle();
    this.present(this.latest);
    return true;
  }

  /** Break off; what is newest counts as shown, unless the page is put aside. */
  stop(shown = true) {
    if (shown) this.#jump();
    else this.#end();
    this.effects?.stop();
  }

  /** The number of the last decision of some seats, as far as the log tells; 0 if there is none. */
  lastBy(seats) {
    const told = [...this.views].filter(([, view]) => seats.includes(view.by)).map(([n]) => n);
    return Math.max(0, ...told, this.latest.log.findLast(({ seat, announced }) => seats.includes(seat) && !announced)?.n ?? 0);
  }

  #jump() {
    this.#end();
    this.at = this.latest?.number ?? null;
    return false;
  }

  #end() {
    this.runs += 1;
    this.running = this.catchesUp = false;
    this.#hurry();
  }

  #hurry() {
    this.freeAt = 0;
    this.wake();
  }

  #keep(view, before) {
    const kind = `${view.viewer} ${view.scene.width}`;
    const line = before?.log.length ? before.log.length - 1 : null;
    const rewritten = before && (view.number < before.number || (line !== null && !sameLine(before.log[line], view.log[line])));
    if (kind !== this.kind || rewritten) this.views.clear();
    if (rewritten) this.at = Math.min(this.at ?? 0, view.number);
    this.kind = kind;
    this.latest = view;
    this.views.set(view.number, view);
    for (const n of this.views.keys()) if (n < view.number - KEPT) this.views.delete(n);
  }

  /** The view of a position; null if it cannot be had. */
  async #view(n) {
    if (!this.views.has(n)) {
      const kind = this.kind;
      this.views.set(n, this.look(n).catch(() => null));
      const view = await this.views.get(n);
      if (kind === this.kind && view) this.views.set(n, view);
      else this.views.delete(n);
    }
    return this.views.get(n) ?? null;
  }

  async #run() {
    const run = ++this.runs;
    this.running = true;
    while (this.at < this.latest.number) {
      await this.#rest();
      if (run !== this.runs) return;
      const n = this.at + 1;
      const found = n === this.latest.number ? this.latest : await this.#view(n);
      if (run !== this.runs) return;
      const view = n === this.latest.number ? this.latest : found;
      this.at = n;
      if (!view) continue;
      this.#show(view);
      if (n + 1 < this.latest.number) this.#view(n + 1); // while this one is looked at
    }
    this.running = this.catchesUp = false;
  }

  #show(view) {
    const own = view.by !== null && this.latest.own.includes(view.by);
    const clocked = this.latest.players.some(({ clock, acting, seat }) => acting && clock !== null && this.latest.own.includes(seat));
    const [stay, each, tempo] = TIMES[clocked ? "quick" : pace()] ?? TIMES.quick;
    this.board.tempo = tempo;
    if (view === this.latest) this.present(view);
    else this.step(view, false);
    this.board.tempo = 1;
    const length = this.latest.log.filter(({ n }) => n === view.at).reduce((sum, { text }) => sum + text.length, 0);
    const moving = Math.max(0, this.board.restsAt - performance.now());
    const goesOn = this.views.get(view.at - 1)?.by === view.by;
    const reading = own ? 0 : (stay + each * Math.min(length, LONGEST_TEXT)) * (goesOn ? GOES_ON : 1);
    const effects = view.happened.length ? Math.min(LONGEST, view.happened.reduce((sum, { banner }) => sum + (banner ? BANNER : NEXT), LEAD)) + STAYS / 2 : 0;
    const held = Math.max(0, this.board.tellsAt - performance.now()); // nobody is told what comes of a throw before it is seen
    this.freeAt = performance.now() + Math.max(moving + reading, held + effects * tempo);
    this.effects?.stop();
    if (effects) this.#perform(view, tempo);
  }

  /** Show the points and banners of a step. */
  async #perform(view, tempo) {
    const { Effects } = await import("./effects.js");
    this.effects ??= new Effects(this.board);
    if (this.at === view.at && this.freeAt) this.effects.play(view, tempo, Math.max(0, this.board.tellsAt - performance.now()));
  }

  /** Wait until the next step may begin. */
  async #rest() {
    const rest = this.freeAt - performance.now();
    if (rest > 0) await Promise.race([new Promise((done) => setTimeout(done, rest)), new Promise((done) => (this.wake = done))]);
  }
}
