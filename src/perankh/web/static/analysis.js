// The analysis of a match: the chances of winning as a chart, and the moves that cost most. It is loaded when it is asked for.

import { Chart, percent } from "./chart.js";
import { ask, emblem, h, icon, lang, say } from "./ui.js";

const WORKING = 700; // milliseconds between two questions
const PREPARING = 1500;
const LEAST_COST = 0.03; // what counts as giving something away
const MOST_LISTED = 10;

export class Analysis {
  /**
   * @param {HTMLElement} place where to draw
   * @param {string} table id of the table
   * @param {{goTo: (n: number) => void, show: (decision: object) => void, news: () => void}} asked what is done when a position
   *   is pointed at, when a decision is to be shown, and when there is more to say of the position on the screen
   */
  constructor(place, table, { goTo, show, news }) {
    this.place = place;
    this.table = table;
    this.show = show;
    this.news = news;
    this.decisions = [];
    this.answer = null; // what the server said last
    this.visible = false;
    this.status = h("div.analysis-state", { role: "status" });
    this.chart = new Chart(goTo);
    this.list = h("ol.costly");
    const style = h("link", { rel: "stylesheet", href: place.dataset.style });
    document.head.append(style);
    place.replaceChildren(this.status, this.chart.place, h("h3", {}, say("analysis.costly")), this.list, h("p.quiet.analysis-help", {}, say("analysis.chart_help")));
    document.addEventListener("visibilitychange", () => this.#ask());
  }

  /** Begin or go on; `view` tells the players and how long the match is. */
  open(view) {
    this.view = view;
    this.visible = true;
    this.place.hidden = false;
    this.#draw();
    this.#ask();
  }

  close() {
    this.visible = false;
    this.place.hidden = true;
    clearTimeout(this.timer);
  }

  /** Mark the position on the screen. */
  mark(at) {
    this.at = at;
    this.chart.mark(at);
    for (const button of this.list.querySelectorAll("button")) {
      if (Number(button.dataset.number) === at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
  }

  /** What was thought of the decision at a position. */
  decision(at) {
    return this.visible ? this.decisions.find(({ number }) => number === at) : undefined;
  }

  async #ask() {
    clearTimeout(this.timer);
    if (!this.visible || document.hidden || this.answer?.state === "done") return;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const query = new URLSearchParams({ lang, since: this.decisions.length });
      const answer = await ask("GET", `/api/tables/${this.table}/analysis?${query}`);
      if (turn !== this.turn) return; // asked again meanwhile
      if (answer.done < this.decisions.length) this.decisions = []; // it was begun anew; ask for all of it
      else this.decisions.push(...answer.decisions);
      const complete = this.decisions.length === answer.done;
      this.answer = { ...answer, state: complete ? answer.state : "working" };
      this.#draw();
      if (answer.decisions.length) this.news();
      this.timer = setTimeout(() => this.#ask(), complete && answer.state === "preparing" ? PREPARING : complete ? WORKING : 0);
    } catch (error) {
      if (turn !== this.turn) return;
      this.status.replaceChildren(h("p.bad", {}, error.message), h("button", { type: "button", onclick: () => this.#ask() }, say("analysis.again")));
    }
  }

  #draw() {
    this.#drawStatus();
    this.chart.draw(this.view, this.decisions, this.answer?.state === "done" ? this.answer.end : null);
    this.#drawList();
    this.mark(this.at ?? this.view.number);
  }

  #drawStatus() {
    const { state, done, total, decided } = this.answer ?? { state: "preparing" };
    const lines = [];
    if (state === "preparing") lines.push(h("p.quiet", {}, h("progress", { "aria-label": say("analysis.title") }), say("analysis.preparing")));
    if (state === "working") lines.push(h("p.quiet", {}, h("progress", { value: done, max: total, "aria-label": say("analysis.title") }), say("analysis.working", { done, total })));
    if (state !== "preparing" && decided === 0) lines.push(h("p.quiet", {}, say("analysis.nothing")));
    if (total < decided) lines.push(h("p.quiet", {}, say("analysis.sampled", { total, decided })));
    if (this.status.textContent !== lines.map((line) => line.textContent).join("") || state === "working") this.status.replaceChildren(...lines);
  }

  #drawList() {
    const costly = this.decisions.filter(({ cost }) => cost >= LEAST_COST).sort((one, other) => other.cost - one.cost || one.number - other.number).slice(0, MOST_LISTED);
    const key = JSON.stringify(costly.map(({ number }) => number));
    if (key === this.listed && costly.length) return;
    this.listed = key;
    this.chart.accuse(costly);
    if (!costly.length) {
      const over = this.answer?.state === "done";
      this.list.replaceChildren(this.decisions.length ? h("li.quiet", {}, over && icon("crown"), say(over ? "analysis.none" : "analysis.none_yet")) : "");
      return;
    }
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.number : null;
    this.list.replaceChildren(...costly.map((decision) => this.#line(decision)));
    if (focused) this.list.querySelector(`[data-number="${focused}"]`)?.focus({ preventScroll: true });
  }

  #line(decision) {
    const { number, seat, cost, played, best } = decision;
    const player = this.view.players[seat];
    return h("li", {},
      h("button.plain", { type: "button", "data-number": number, onclick: () => this.show(decision) },
        h("span.n", {}, h("span", { "aria-hidden": "true" }, String(number + 1)), h("span.unseen", {}, say("analysis.by", { n: number + 1, name: player.name }))),
        emblem(seat, player.colour),
        h("span.what", {}, h("span", {}, played.sentence), h("span.better", {}, say("analysis.better", { sentence: best.sentence }))),
        h("span.cost", {}, h("span", { "aria-hidden": "true" }, `−${percent(cost)} %`), h("span.unseen", {}, say("analysis.cost", { percent: percent(cost) })))));
  }
}
