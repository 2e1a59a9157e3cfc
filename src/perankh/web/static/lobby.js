// The lobby: a table before the deal. Who sits where, who is ready, the invitation, the options, and the fair shuffle in words.

import { fill } from "./panels.js";
import { askName, changeSeat } from "./seats.js";
import { remember, start } from "./shuffle.js";
import { ask, attempt, emblem, h, icon, say } from "./ui.js";

const SPACIOUS = matchMedia("(min-width: 820px) and (min-height: 561px) and (min-aspect-ratio: 1/1)");

/** The lobby of a view, into the panel of the moves; the invitation into the cover, where that is large. */
export function drawLobby(place, view, invitation, alerts) {
  remember(view);
  const late = view.players.filter((player) => player.kind === "me" && !player.started).map((player) => player.seat);
  const open = view.players.some((player) => player.kind === "open");
  const parts = [];
  if (late.length) parts.push(startButton(view, late));
  else if (view.own.length) parts.push(h("p.notice.ready", {}, icon("check"), say(open ? "live.ready_open" : "live.ready")));
  else parts.push(h("p.notice", {}, icon(open ? "seat" : "eye"), say(open ? "live.waiting_sit" : "live.waiting_watch")));
  const nameless = view.own.length === 1 && view.players.find((player) => player.kind === "me" && view.palette.some(({ name }) => name === player.name));
  if (nameless) parts.push(nameButton(view, nameless));
  for (const player of view.players) if (player.kind === "me" && view.palette.length > 1) parts.push(colours(view, player));
  if (open && SPACIOUS.matches) document.querySelector("#cover figcaption").append(invitation);
  else if (open) parts.push(invitation);
  else invitation.remove();
  if (view.own.length) parts.push(alerts);
  const { clock } = view;
  if (clock) parts.push(h("p.notice.quiet", {}, icon("clock"), clock.days ? say("live.days_a_move", clock) : say("live.clock_of", clock)));
  if (view.public) parts.push(h("p.notice.quiet", {}, icon("house"), say("live.public_note")));
  if (view.password) parts.push(h("p.notice.quiet", {}, icon("ankh"), say("live.password_note")));
  if (view.series) parts.push(h("p.notice.quiet", {}, icon("crown"), say("live.series", { count: view.series.best_of, number: view.series.number })));
  if (view.hot_seat) parts.push(h("p.notice.quiet", {}, icon("seat"), say("live.hot_seat")));
  parts.push(options(view), fairness(view));
  place.hidden = false;
  place.classList.remove("resting", "hurry");
  fill(place, parts);
}

/** For whoever set the table up and is still called by a colour. */
function nameButton(view, player) {
  const rename = async () => {
    const name = await askName(say("live.enter_name"), "");
    if (name) await changeSeat(view, player, { name });
  };
  return h("div.notice", {}, h("button", { type: "button", "data-key": "enter-name", onclick: rename }, icon("reed"), say("live.enter_name")));
}

/** The colours that a player can choose from: all but those of other persons. */
function colours(view, { seat, colour, name }) {
  const choose = (number) => attempt(null, () => ask("PATCH", `/api/tables/${view.table}/seats/${seat}`, { colour: number }));
  const taken = new Set(view.players.filter((other) => other.seat !== seat && ["me", "person"].includes(other.kind)).map((other) => other.colour));
  const swatch = ({ colour: one, name: called }, number) =>
    h("label.swatch", { title: called }, h("input", { type: "radio", name: `colour-${seat}`, value: number, checked: one === colour, disabled: taken.has(one), "data-key": `colour-${seat}-${number}`, onchange: () => choose(number) }), emblem(seat, one), h("span.unseen", {}, called));
  return h("fieldset.colours", {}, h("legend", {}, view.own.length > 1 ? `${say("live.colour")}: ${name}` : say("live.colour")), h("div", {}, view.palette.map(swatch)));
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
