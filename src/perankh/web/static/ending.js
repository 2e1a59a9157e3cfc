// The end of a match: places, points by source, and the proof that nobody touched the shuffle.

import { ask, attempt, emblem, h, icon, memory, say } from "./ui.js";

/** SHA-256 of a text as hexadecimal digits; null where the browser does not offer it (plain http from another machine). */
async function sha256(text) {
  if (!globalThis.crypto?.subtle) return null;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function winners(view) {
  return view.players.filter((player) => view.result.ranks[player.seat] === 1);
}

export function headline(view) {
  const first = winners(view);
  const names = first.map((player) => player.name).join(say("live.and"));
  if (first.length > 1) return say("live.shared", { names });
  return first[0].kind === "me" && view.own.length === 1 ? say("live.you_won") : say("live.won", { name: names });
}

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

/** Check the shuffle twice: the server replays the match, and this browser hashes the seed itself. */
async function verify(view, place, button) {
  const lines = [];
  const told = (good, text) => lines.push(h(`li${good === false ? ".bad" : ""}`, {}, icon(good === null ? "more" : good ? "check" : "close"), text));
  await attempt(button, async () => {
    const answer = await ask("GET", `/api/tables/${view.table}/verify`);
    told(answer.ok, say(answer.ok ? "live.verified_server" : "live.not_verified", { moves: answer.moves }));
    const seed = String(answer.seed ?? view.seed).padStart(32, "0");
    const own = await sha256(seed);
    const shown = memory.get(`hash:${view.table}`) ?? view.seed_hash;
    if (own === null) told(null, say("live.no_crypto"));
    else told(own === shown, say(own === shown ? "live.verified_browser" : "live.not_verified"));
    place.replaceChildren(...lines);
  });
}

/** The end screen, into a dialog. */
export function drawEnding(dialog, view, { rematch, analyse }) {
  const checks = h("ul.checks", { role: "status" });
  const title = h("h2", { id: "ending-title" }, icon("crown"), " ", headline(view));
  const close = h("button", { type: "button", "data-board": true, onclick: () => dialog.close() }, icon("eye"), say("live.see_board"));
  dialog.replaceChildren(
    title,
    h("p", {}, view.result.reason),
    pointsTable(view),
    h("details.proof", {},
      h("summary", {}, icon("feather"), say("live.proof")),
      h("p.quiet", {}, say("live.proof_help")),
      h("dl", {},
        h("dt", {}, say("live.hash")), h("dd", {}, h("code", {}, view.seed_hash)),
        view.seed ? [h("dt", {}, say("live.seed")), h("dd", {}, h("code", {}, view.seed))] : []),
      h("button", { type: "button", "data-verify": true, onclick: (event) => verify(view, checks, event.currentTarget) }, icon("check"), say("live.verify")),
      checks),
    h("div.row.ending-row", {},
      view.readonly ? null : h("button.first", { type: "button", onclick: (event) => rematch(event.currentTarget) }, icon("boat"), say("live.rematch")),
      close,
      h("button", { type: "button", "data-analyse": true, onclick: () => (dialog.close(), analyse()) }, icon("scales"), say("live.analyse")),
      h("a.button", { href: `/api/tables/${view.table}/file`, download: true }, icon("save"), say("live.file"))),
  );
  return close;
}
