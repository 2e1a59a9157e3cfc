// The lobby: a table before the deal. Who sits where, who is ready, the invitation, the options, and the fair shuffle in words.

import { fill } from "./panels.js";
import { attempt, emblem, h, icon, say } from "./ui.js";
import { remember, start } from "./shuffle.js";

/** Load the style of the lobby, once. */
export function dress({ dataset }) {
  const link = h("link", { rel: "stylesheet", href: dataset.style });
  return new Promise((done) => {
    link.addEventListener("load", done);
    link.addEventListener("error", done);
    document.head.append(link);
  });
}

/** The lobby of a view, into the panel of the moves. */
export function drawLobby(place, view, invitation) {
  remember(view);
  const late = view.players.filter((player) => player.kind === "me" && !player.started).map((player) => player.seat);
  const open = view.players.some((player) => player.kind === "open");
  const parts = [];
  if (late.length) parts.push(startButton(view, late));
  else if (view.own.length) parts.push(h("p.notice.ready", {}, icon("check"), say(open ? "live.ready_open" : "live.ready")));
  else parts.push(h("p.notice", {}, icon(open ? "seat" : "eye"), say(open ? "live.waiting_sit" : "live.waiting_watch")));
  if (open) parts.push(invitation);
  if (view.hot_seat) parts.push(h("p.notice.quiet", {}, icon("seat"), say("live.hot_seat")));
  parts.push(options(view), fairness(view));
  place.hidden = false;
  place.classList.remove("resting", "hurry");
  fill(place, parts);
}

function startButton(view, seats) {
  const press = (event) => attempt(event.currentTarget, () => start(view.table, view.deal.commitment, seats));
  return h("div.notice.urgent.start-row", {},
    h("button.first", { type: "button", "data-key": "start", onclick: press }, icon("play"), say("live.start")),
    h("p.quiet", {}, say("live.start_help")));
}

function options(view) {
  const rows = view.options.map(({ title, value }) => h("div", {}, h("dt", {}, title), h("dd", {}, value)));
  return rows.length ? keepOpen("options", h("details.lobby-part", {}, h("summary", {}, icon("scroll"), say("live.options")), h("dl.facts", {}, rows))) : null;
}

/** How nobody can foresee or choose the deal: what is fixed already, and who has added what. */
function fairness(view) {
  const { commitment, contributions, seed_given: given } = view.deal;
  const rows = contributions.map((added, seat) => {
    const player = view.players[seat];
    const words = !added ? say("live.added_nothing") : added.by === "server" ? say("live.added_server") : "";
    return h("li", {}, emblem(seat, player.colour), h("span.name-text", {}, player.name), words ? h("span.quiet", {}, words) : null, added ? h("code", {}, added.value) : null);
  });
  return keepOpen("fair", h("details.lobby-part", {},
    h("summary", {}, icon("feather"), say("live.fair")),
    given ? h("p.quiet", {}, say("proof.given")) : h("p.quiet", {}, say("live.fair_help")),
    h("dl", {}, h("dt", {}, say("live.commitment")), h("dd", {}, h("code", {}, commitment))),
    h("ul.added", {}, rows)));
}

const opened = new Set();

/** What was folded open stays so when the panel is drawn anew. */
function keepOpen(key, details) {
  details.open = opened.has(key);
  details.addEventListener("toggle", () => (details.open ? opened.add(key) : opened.delete(key)));
  details.firstChild.dataset.key = `fold-${key}`;
  return details;
}
