// The end of a match: places, points by source, and the proof that nobody touched the shuffle.

import { headline } from "./panels.js";
import { emblem, h, icon, say } from "./ui.js";

/** The table of points: a row a source, a column a player, in the order of the places. */
export function pointsTable(view) {
  const { ranks, scores, breakdown, forfeited } = view.result;
  const order = [...view.players].sort((a, b) => ranks[a.seat] - ranks[b.seat] || a.seat - b.seat);
  const head = order.map((player) =>
    h("th", { scope: "col" }, h("span.column", {}, emblem(player.seat, player.colour), h("span.name-text", {}, player.name), forfeited.includes(player.seat) ? h("small.forfeited", {}, say("live.lost_on_time")) : null)),
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
        breakdown.map(({ source, points }) => h("tr", {}, h("th", { scope: "row" }, source), order.map((player) => h("td", {}, String(points[player.seat])))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, say("live.total")), order.map((player) => h("td", {}, String(scores[player.seat]))))),
    ),
  );
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

/** The end screen, into a dialog. */
export function drawEnding(dialog, view, { rematch, analyse }) {
  const title = h("h2", { id: "ending-title" }, icon("crown"), " ", headline(view));
  const close = h("button", { type: "button", "data-board": true, onclick: () => dialog.close() }, icon("eye"), say("live.see_board"));
  const findings = h("div", { role: "status" });
  tellFindings(view, findings);
  dialog.replaceChildren(
    title,
    h("p", {}, view.result.reason),
    pointsTable(view),
    h("details.proof", {},
      h("summary", {}, icon("feather"), say("live.proof")),
      findings,
      h("p.quiet", {}, say("proof.replay"), " ", h("code", {}, `perankh verify ${view.game}-${view.table}.perankh`)),
      ingredients(view)),
    h("div.row.ending-row", {},
      view.readonly ? null : h("button.first", { type: "button", onclick: (event) => rematch(event.currentTarget) }, icon("boat"), say("live.rematch")),
      close,
      h("button", { type: "button", "data-analyse": true, onclick: () => (dialog.close(), analyse()) }, icon("scales"), say("live.analyse")),
      h("a.button", { href: `/api/tables/${view.table}/file`, download: true }, icon("save"), say("live.file"))),
  );
  return close;
}
