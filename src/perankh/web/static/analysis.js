// The analysis of a match: the report in words, the chances of winning as a chart, the moves that cost most with the line that
// was expected after a better one, luck and decisions, and accuracy. It is loaded when it is asked for.

import { Chart, percent } from "./chart.js";
import { Line } from "./line.js";
import { ask, at, emblem, h, icon, lang, say } from "./ui.js";

const WORKING = 700; // milliseconds between two questions
const PREPARING = 500;
const LEAST_COST = 0.03; // what counts as giving something away
const MOST_LISTED = 3;

export class Analysis {
  /**
   * @param {HTMLElement} place where to draw
   * @param {string} table id of the table
   * @param {{goTo: (n: number) => void, show: (decision: object) => void, news: () => void, again: (seat: number) => void,
   *   board: object, shape: () => string, back: () => void, find: (since: number) => Promise<object>}} asked what is done when a
   *   position is pointed at, when a decision is to be shown, when there is more to say of the position on the screen, and when
   *   somebody wants to try again from there; the board for lines of play, and how the position on the screen comes back to it;
   *   where the analysis comes from, if not from the server. Without a server there is no trying again, and there are no lines.
   */
  constructor(place, table, { goTo, show, news, again, board, shape, back, find }) {
    this.place = place;
    this.show = show;
    this.news = news;
    this.again = again;
    this.find = find ?? ((since) => ask("GET", `/api/tables/${table}/analysis?${new URLSearchParams({ lang, since })}`));
    this.line = board && new Line(document.querySelector(".scene"), table, { board, shape, back });
    this.decisions = [];
    this.since = 0; // of what the server has found, how much is here
    this.answer = null; // what the server said last
    this.visible = false;
    this.status = h("div.analysis-state", { role: "status" });
    this.report = h("div.report");
    this.chart = new Chart(goTo);
    this.list = h("ol.costly");
    this.figures = h("div.figures");
    const style = h("link", { rel: "stylesheet", href: place.dataset.style });
    document.head.append(style);
    place.replaceChildren(
      this.status,
      this.chart.place,
      this.report,
      ...(again ? [h("div.row.analysis-row", {},
        h("button", { type: "button", "data-key": "again", onclick: () => this.again(this.decision(this.at)?.seat) }, icon("boat"), say("analysis.retry")),
        h("a.button", { href: at(`/t/${table}/card.png?lang=${lang}`), target: "_blank", rel: "noopener", "data-key": "card" }, icon("save"), say("analysis.card")))] : []),
      h("h3", {}, say("analysis.costly")), this.list, this.figures,
      h("p.quiet.analysis-help", {}, say("analysis.chart_help")));
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
  mark(position) {
    this.at = position;
    this.chart.mark(position);
    this.line?.leave(position);
    for (const button of this.list.querySelectorAll("button[data-number]")) {
      if (Number(button.dataset.number) === position) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
  }

  /** What was thought of the decision at a position. */
  decision(position) {
    return this.visible ? this.decisions.find(({ number }) => number === position) : undefined;
  }

  async #ask() {
    clearTimeout(this.timer);
    if (!this.visible || document.hidden || this.answer?.state === "done") return;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const answer = await this.find(this.since);
      if (turn !== this.turn) return; // asked again meanwhile
      if (answer.found < this.since) [this.decisions, this.since] = [[], 0]; // it was begun anew; ask for all of it
      else this.#take(answer);
      const complete = this.since === answer.found;
      this.answer = { ...answer, state: complete ? answer.state : "working" };
      this.#draw();
      if (answer.decisions.length) this.news();
      this.timer = setTimeout(() => this.#ask(), complete && answer.state === "preparing" ? PREPARING : complete ? WORKING : 0);
    } catch (error) {
      if (turn !== this.turn) return;
      this.status.replaceChildren(h("p.bad", {}, error.message), h("button", { type: "button", onclick: () => this.#ask() }, say("analysis.again")));
    }
  }

  /** Take what was found; what comes later about a decision replaces what came before. */
  #take({ decisions, found, state }) {
    const known = new Map(this.decisions.map((decision) => [decision.number, decision]));
    for (const decision of decisions) known.set(decision.number, decision);
    this.decisions = [...known.values()].sort((one, other) => one.number - other.number);
    this.since = found;
    if (state === "done" && !this.whole) { // lines were added to decisions that are here already
      this.whole = true;
      this.since = 0;
    }
  }

  #draw() {
    this.#drawStatus();
    this.#drawReport();
    const { report, state } = this.answer ?? {};
    this.chart.draw(this.view, this.decisions, state === "done" || report ? this.answer.end : null, report?.turn?.number);
    this.#drawList();
    this.#drawFigures();
    this.mark(this.at ?? this.view.number);
  }

  #drawStatus() {
    const { state, done, total, decided, found } = this.answer ?? { state: "preparing" };
    const lines = [];
    if (state === "preparing") lines.push(h("p.quiet", {}, h("progress", { "aria-label": say("analysis.title") }), say("analysis.preparing")));
    if (state === "working" && found) {
      const first = this.decisions.find(({ by }) => by !== "search")?.by;
      lines.push(h("p.quiet", {}, h("progress", { value: done, max: total, "aria-label": say("analysis.title") }), say("analysis.working", { done, total }), first ? ` ${say(`analysis.by_${first}`)}` : ""));
    }
    if (state !== "preparing" && decided === 0) lines.push(h("p.quiet", {}, say("analysis.nothing")));
    if (total < decided) lines.push(h("p.quiet", {}, say("analysis.sampled", { total, decided })));
    if (this.status.textContent !== lines.map((line) => line.textContent).join("") || state === "working") this.status.replaceChildren(...lines);
  }

  #drawReport() {
    const { report, state } = this.answer ?? {};
    const key = JSON.stringify([report?.sentences, state === "done"]);
    if (!report || key === this.told) return;
    this.told = key;
    this.report.replaceChildren(
      h("h3", {}, say("analysis.report"), state === "done" ? null : h("span.provisional", {}, say("analysis.provisional"))),
      h("p", {}, report.sentences.join(lang === "ja" ? "" : " ")));
  }

  #drawList() {
    const costly = this.decisions.filter(({ cost }) => cost >= LEAST_COST).sort((one, other) => other.cost - one.cost || one.number - other.number).slice(0, MOST_LISTED);
    const key = JSON.stringify(costly.map(({ number, line }) => [number, Boolean(line)]));
    if (key === this.listed && costly.length) return;
    this.listed = key;
    this.chart.accuse(costly);
    if (!costly.length) {
      const over = this.answer?.state === "done" && this.decisions.some(({ cost }) => cost !== null);
      this.list.replaceChildren(this.decisions.length ? h("li.quiet", {}, over && icon("crown"), say(over ? "analysis.none" : "analysis.none_yet")) : "");
      return;
    }
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.number : null;
    this.list.replaceChildren(...costly.map((decision) => this.#item(decision)));
    if (focused) this.list.querySelector(`[data-number="${focused}"]`)?.focus({ preventScroll: true });
  }

  #item(decision) {
    const { number, seat, cost, played, best, line } = decision;
    const player = this.view.players[seat];
    return h("li", {},
      h("button.plain", { type: "button", "data-number": number, onclick: () => this.show(decision) },
        h("span.n", {}, h("span", { "aria-hidden": "true" }, String(number + 1)), h("span.unseen", {}, say("analysis.by", { n: number + 1, name: player.name }))),
        emblem(seat, player.colour),
        h("span.what", {}, h("span", {}, played.sentence), h("span.better", {}, say("analysis.better", { sentence: best.sentence }))),
        h("span.cost", {}, h("span", { "aria-hidden": "true" }, `−${percent(cost)} %`), h("span.unseen", {}, say("analysis.cost", { percent: percent(cost) })))),
      this.again && h("div.row.tries", {},
        line ? h("button.plain", { type: "button", "data-line": number, onclick: () => (this.show(decision), this.line.open(decision, this.view)) }, icon("play"), say("analysis.line")) : null,
        h("button.plain", { type: "button", "data-again": number, onclick: () => (this.show(decision), this.again(seat)) }, icon("boat"), say("analysis.retry"))));
  }

  /** Luck and decisions, and accuracy, of each player. */
  #drawFigures() {
    const { report } = this.answer ?? {};
    const complete = report && this.decisions.length && this.decisions.every(({ cost }) => cost !== null);
    const key = JSON.stringify(complete && [report.seats, report.phases]);
    if (!complete || key === this.figured) return;
    this.figured = key;
    const { players } = this.view;
    const who = (seat) => h("th", { scope: "col" }, emblem(seat, players[seat].colour), h("span.name-text", {}, players[seat].name));
    const signed = (value) => (percent(value) === 0 ? "0" : `${value < 0 ? "−" : "+"}${Math.abs(percent(value))}`);
    const row = (words, values, kind = "tr") => h(kind, {}, h("th", { scope: "row" }, words), values.map((value) => h("td", {}, value)));
    const parts = ["deal", "luck", "own", "others"].map((part) => row(say(`analysis.part_${part}`), report.seats.map((seat) => signed(seat[part]))));
    const shown = (value) => (value === null ? "–" : `${Math.round(value)} %`);
    const table = (title, help, body) => h("div", {}, h("h3", {}, title), h("div.points-scroll", { tabindex: 0, role: "region", "aria-label": title }, h("table.points", {}, h("caption.unseen", {}, title), h("thead", {}, h("tr", {}, h("td"), players.map(({ seat }) => who(seat)))), h("tbody", {}, body))), h("p.quiet.analysis-help", {}, help));
    this.figures.replaceChildren(
      table(say("analysis.parts"), say("analysis.parts_help"), [
        row(say("analysis.part_start"), report.seats.map(({ start }) => String(percent(start)))), ...parts,
        row(say("analysis.part_result"), report.seats.map(({ result }) => String(percent(result))), "tr.whole")]),
      table(say("analysis.accuracy"), say("analysis.accuracy_help"), [
        row(say("analysis.whole"), report.seats.map(({ accuracy }) => shown(accuracy)), "tr.whole"),
        ...report.phases.map(({ name }, k) => row(name, report.seats.map(({ by_phase }) => shown(by_phase[k]))))]));
  }
}
