// The end of a match: places, points by source, and the proof that nobody touched the shuffle.

import { headline, rematchWords } from "./panels.js";
import { emblem, h, icon, say } from "./ui.js";

/** The table of points: a row a source, a column a player, in the order of the places. */
export function pointsTable(view) {
  const { ranks, scores, breakdown, tie_breaks: ties, forfeited, resigned } = view.result;
  const pointless = [scores, ...breakdown.map(({ points }) => points)].every((row) => row.every((number) => !number)); // places alone decide
  const order = [...view.players].sort((a, b) => ranks[a.seat] - ranks[b.seat] || a.seat - b.seat);
  const head = order.map((player) =>
    h("th", { scope: "col" }, h("span.column", {}, emblem(player.seat, player.colour), h("span.name-text", {}, player.name), forfeited.includes(player.seat) ? h("small.forfeited", {}, say(resigned.includes(player.seat) ? "live.has_resigned" : "live.lost_on_time")) : null)),
  );
  return h(
    "div.points-scroll",
    { tabindex: "0", role: "region", "aria-label": say("live.points_table") },
    h(
      "table.points",
      {},
      h("caption.unseen", {}, say("live.points_table")),
      h("thead", {}, h("tr", {}, h("td", {}), head)),
      h("tbody", {},
        h("tr.places", {}, h("th", { scope: "row" }, say("live.place")), order.map((player) => h("td", {}, ranks[player.seat] === 1 ? icon("crown") : null, String(ranks[player.seat])))),
        pointless ? null : breakdown.map(({ source, points }) => h("tr", {}, h("th", { scope: "row" }, source), order.map((player) => h("td", {}, String(points[player.seat])))))),
      h("tfoot", {}, pointless ? null : h("tr", {}, h("th", { scope: "row" }, say("live.total")), order.map((player) => h("td", {}, String(scores[player.seat])))),
        ties.map(({ name, values }) => h("tr.tie", {}, h("th", { scope: "row" }, name), order.map((player) => h("td", {}, String(values[player.seat])))))),
    ),
  );
}

/** What decided between players who are level on points, with its numbers. */
function decisions(view) {
  const { ranks, scores, tie_breaks: ties, forfeited } = view.result;
  const level = new Map();
  for (const { seat } of view.players) if (!forfeited.includes(seat)) level.set(scores[seat], [...(level.get(scores[seat]) ?? []), seat]);
  const told = [];
  for (const [points, seats] of level) {
    if (new Set(seats.map((seat) => ranks[seat])).size < 2) continue;
    const decider = ties.find(({ values }) => new Set(seats.map((seat) => values[seat])).size > 1);
    if (!decider) continue;
    const numbers = seats.sort((one, other) => ranks[one] - ranks[other]).map((seat) => say("live.decided_entry", { name: view.players[seat].name, value: decider.values[seat] })).join(say("live.comma"));
    told.push(h("p.decided", {}, icon("scales"), " ", say("live.decided", { points, what: decider.name, numbers })));
  }
  return told;
}

/** The winners, large: their emblems, and light behind them. */
function moment(view) {
  const first = view.players.filter(({ seat }) => view.result.ranks[seat] === 1);
  return h("div.moment", { "aria-hidden": "true" }, h("span.rays"), first.map(({ seat, colour }) => h("span.winner", {}, emblem(seat, colour), icon("crown"))));
}

/** What this browser finds about the shuffle, line by line, and the verdict. */
async function tellFindings(view, place) {
  const { verify } = await import("./verify.js");
  const told = verify(view);
  const bad = told.some(([good]) => good === false);
  const verdict = bad ? "proof.bad" : told.some(([good]) => good === null) ? "proof.partly" : "proof.good";
  place.replaceChildren(
    h(`p.verdict${bad ? ".bad" : ""}`, {}, icon(bad ? "close" : "check"), say(verdict)),
    h("ul.checks", {}, told.map(([good, words]) => h(`li${good === false ? ".bad" : ""}`, {}, icon(good === null ? "more" : good ? "check" : "close"), say(words)))),
  );
}

/** Everything that was put into the shuffle. */
function ingredients(view) {
  const { deal } = view;
  const row = (words, value) => (value ? [h("dt", {}, words), h("dd", {}, h("code", {}, value))] : []);
  return h("dl", {},
    deal && !deal.seed_given ? [
      row(say("live.commitment"), deal.commitment),
      row(say("live.secret"), deal.secret),
      deal.contributions.map((added, seat) => row(say(added.by === "server" ? "live.added_for" : "live.added_by", { name: view.players[seat].name }), added.value)),
    ] : [],
    row(say("live.hash"), view.seed_hash), row(say("live.seed"), view.seed));
}

/** How a series stands after this match. */
function seriesScore(view) {
  const { series, players } = view;
  if (!series) return null;
  const names = series.winners.map((seat) => players[seat].name).join(say("live.and"));
  return h("div.series-score", {},
    h("p", {}, say("live.series", { count: series.best_of, number: series.number })),
    h("ul", { "aria-label": say("live.series_score") }, players.map((player) => h(series.winners.includes(player.seat) ? "li.won" : "li", {}, emblem(player.seat, player.colour), h("span.name-text", {}, player.name), h("strong", {}, String(series.wins[player.seat]))))),
    series.over ? h("p", {}, say(series.winners.length > 1 ? "live.series_shared" : "live.series_won", { names })) : null);
}

/** The end screen, into a dialog. */
export function drawEnding(dialog, view, { rematch, analyse, share }) {
  const title = h("h2", { id: "ending-title" }, headline(view));
  const close = h("button", { type: "button", "data-board": true, onclick: () => dialog.close() }, icon("eye"), say("live.see_board"));
  const findings = h("div", { role: "status" });
  tellFindings(view, findings);
  dialog.replaceChildren(
    moment(view),
    title,
    h("p", {}, view.result.reason),
    ...decisions(view),
    seriesScore(view) ?? "",
    pointsTable(view),
    h("details.proof", {},
      h("summary", {}, icon("feather"), say("live.proof")),
      findings,
      h("p.quiet", {}, say("proof.replay"), " ", h("code", {}, `perankh verify ${view.game}-${view.table}.perankh`)),
      ingredients(view)),
    h("div.row.ending-row", {},
      view.readonly || !view.own.length ? null : h("button.first", { type: "button", onclick: (event) => rematch(event.currentTarget) }, icon("boat"), rematchWords(view)),
      close,
      h("button", { type: "button", "data-analyse": true, onclick: () => (dialog.close(), analyse()) }, icon("scales"), say("live.analyse")),
      h("button", { type: "button", "data-share": true, onclick: share }, icon("shen"), say("live.share")),
      h("a.button", { href: `/api/tables/${view.table}/file`, download: true }, icon("save"), say("live.file"))),
  );
  return close;
}

/** The points so far by source, into a dialog. */
export function drawPoints(dialog, view, sources) {
  const scores = view.players.map(({ score }) => score ?? "–");
  const ranks = scores.map((score) => 1 + scores.filter((other) => other > score).length);
  const close = h("button.first", { type: "button", onclick: () => dialog.close() }, say("live.close"));
  dialog.replaceChildren(
    h("h2", { id: "ask-title" }, say("live.points_table")),
    pointsTable({ ...view, result: { ranks, scores, breakdown: sources, tie_breaks: [], forfeited: [] } }),
    h("div.row", {}, close),
  );
  dialog.showModal();
  close.focus();
}
