// The panels around the board: players, moves, log, tools. Each draws one part of a view and reports what was asked for.

import { endOf } from "./days.js";
import { clockText, emblem, h, icon, lang, memory, say } from "./ui.js";

const bots = document.body.dataset.bots.split(" ");

/** Put new children into a place and keep the focus on what carries the same data-key. */
export function fill(place, ...children) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.dataset.key;
  place.replaceChildren(...children.flat().filter(Boolean));
  if (!focused) return;
  const again = key && [...place.querySelectorAll("[data-key]")].find((element) => element.dataset.key === key);
  if (again) again.focus({ preventScroll: true });
  else {
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }
}

export function nameOf(view, seat) {
  return view.players[seat]?.name ?? "";
}

/** Is there anybody to talk to? */
export function inCompany(view) {
  if (view.readonly || view.status === "broken") return false;
  return !view.own.length || view.spectators > 0 || view.players.some(({ kind }) => kind === "person" || kind === "open");
}

/** Who has won. */
export function headline(view) {
  const first = view.players.filter((player) => view.result.ranks[player.seat] === 1);
  const names = first.map((player) => player.name).join(say("live.and"));
  if (first.length > 1) return say("live.shared", { names });
  return first[0].kind === "me" && view.own.length === 1 ? say("live.you_won") : say("live.won", { name: names });
}

/** What comes after this match. */
export function rematchWords(view) {
  return say(!view.series ? "live.rematch" : view.series.over ? "live.series_again" : "live.series_next");
}

// --- Players ------------------------------------------------------------------------------------------------------

/** Ready-made sentences about who somebody is. */
function stateOf(player) {
  if (player.kind === "open") return say("live.seat_open");
  if (player.kind === "bot") return say(player.vacant ? "live.seat_vacant" : "live.seat_bot", { bot: say(`bot.${player.bot}`) });
  if (player.kind === "me") return say("live.seat_you");
  return say(player.connected ? "live.seat_here" : "live.seat_away");
}

/** What may be done about a seat: [key, words, change of the seat or what to ask the others for, more words]. */
export function seatActions(view, player) {
  if (view.readonly || view.status === "broken") return [];
  const actions = [];
  const own = view.own.includes(player.seat);
  if (view.status === "waiting") return lobbyActions(view, player);
  const running = view.status !== "over";
  const days = view.clock?.days ? "_days" : "";
  if (own && player.kind === "bot" && running && !player.out_of_time && !player.resigned) actions.push(["back", say("live.take_over"), { kind: "me" }]);
  if (player.kind === "me") actions.push(["rename", say("live.rename"), null]);
  if (player.kind === "me" && player.vacation && running) actions.push(["end_vacation", say("live.end_vacation"), { kind: "me" }]);
  if (!view.request) {
    if (player.askable.includes("vacation")) actions.push(["vacation", say("live.ask_vacation"), { what: "vacation" }, say("live.vacation_about")]);
    if (player.askable.includes("time")) actions.push(["time", say((own ? "live.ask_time" : "live.give_time") + days), { what: "time" }]);
    if (player.askable.includes("stand_in")) actions.push(["stand_in", say("live.ask_stand_in", { bot: say(`bot.${view.settings.stand_in}`) }), { what: "stand_in" }]);
    if (player.askable.includes("join")) actions.push(["join", say("live.ask_join"), { what: "join" }]);
  }
  if (running && player.kind === "me") {
    for (const bot of bots) actions.push([bot, say("live.hand_over", { bot: say(`bot.${bot}`) }), { kind: "bot", bot }, say(`bot.${bot}_about`)]);
  }
  if (own && view.status === "playing" && !player.resigned) actions.push(["resign", say("live.resign"), { resign: true }, resignWords(view)]);
  if (own && view.status === "playing") actions.push(["leave", say("live.leave_match"), { kind: "open" }, say("live.leave_about", { bot: say(`bot.${view.settings.stand_in}`) })]);
  return actions;
}

/** What resigning means at a table. */
export function resignWords(view) {
  return view.players.length > 2 ? say("live.resign_more", { bot: say(`bot.${view.settings.stand_in}`) }) : say("live.resign_two");
}

/** The same before the deal: seats can be left, given to bots, and opened again. */
function lobbyActions(view, player) {
  if (!view.own.length) return [];
  const absent = player.kind === "person" && !player.connected;
  if (player.kind === "me") return [["rename", say("live.rename"), null], ["leave", say("live.leave"), { kind: "open" }]];
  const given = absent || ["open", "bot"].includes(player.kind) ? bots.filter((bot) => bot !== player.bot) : [];
  const actions = given.map((bot) => [bot, say("live.hand_over", { bot: say(`bot.${bot}`) }), { kind: "bot", bot }, say(`bot.${bot}_about`)]);
  return player.kind === "bot" ? [["open", say("live.open_seat"), { kind: "open" }], ...actions] : actions;
}

export function drawPlayers(place, view, { sit, menu, points }) {
  // What can be clicked is made anew only when who sits where has changed: a button must not vanish under a finger.
  const seats = JSON.stringify([view.own, view.status, view.request?.id, view.players.map(({ name, kind, bot, connected, started, clock, askable, vacation, resigned }) => [name, kind, bot, connected, started, clock === null, askable, vacation > 0, resigned]), view.series]);
  if (place.dataset.seats !== seats) {
    place.dataset.seats = seats;
    fill(place, view.players.map((player) => playerRow(view, player, { sit, menu, points })));
  }
  for (const player of view.players) {
    const row = place.children[player.seat];
    const acts = player.shown ?? player.acting; // shown: whose decision is on the board
    row.classList.toggle("acting", acts);
    row.classList.toggle("viewer", player.seat === view.viewer);
    row.querySelector(".turn").textContent = acts ? ` (${say("live.acting")})` : "";
    const score = row.querySelector(".score > span");
    if (score) score.textContent = player.score ?? "–"; // nothing was scored yet
    const clock = row.querySelector(".clock");
    if (!clock) continue;
    clock.dataset.clock = player.clock;
    clock.toggleAttribute("data-runs", player.acting && !player.out_of_time && !player.vacation && view.status === "playing");
    clock.dataset.short = view.clock?.days ? 6 * 3600 : 30;
    clock.classList.toggle("out", player.out_of_time);
    clock.textContent = player.vacation && view.status === "playing" && !player.resigned ? say("live.vacation_until", { date: endOf(player.vacation) }) : clockText(player.clock);
  }
}

function playerRow(view, player, { sit, menu, points }) {
  const status = stateOf(player);
  const here = player.kind === "me" || player.connected;
  const flag = { bot: () => h("span.mark", { title: status }, icon("shabti")), open: () => null }[view.readonly ? "open" : player.kind] ?? (() => h(here ? "span.dot.here" : "span.dot.away", { title: status }));
  const actions = seatActions(view, player);
  return h(
    "div.player",
    { "data-seat": player.seat },
    emblem(player.seat, player.colour),
    h("span.name", {}, h("span.name-text", { title: player.name }, player.name), flag(), player.resigned ? h("small.forfeited", {}, say("live.has_resigned")) : null, h("span.unseen", {}, ` (${status})`), h("span.unseen.turn", {})),
    view.series ? h("span.wins", { title: say("live.wins") }, icon("crown"), String(view.series.wins[player.seat]), h("span.unseen", {}, ` ${say("live.wins")}`)) : null,
    player.clock === null || player.clock === undefined ? null : h("span.clock", { title: say("live.clock") }),
    view.status === "waiting"
      ? beforeDeal(view, player, sit)
      : h("button.plain.score", { type: "button", "data-key": `points-${player.seat}`, title: say("live.score"), onclick: points }, h("span", {}), h("span.unseen", {}, ` ${say("live.points")}`)),
    actions.length
      ? h("button.plain.icon-button.seat-menu", { type: "button", "data-key": `menu-${player.seat}`, "aria-label": say("live.seat_menu", { name: player.name }), onclick: () => menu(player, actions) }, icon("more"))
      : null,
  );
}

/** Before the deal: a seat to be taken, or whether its player is ready. */
function beforeDeal(view, player, sit) {
  if (player.kind === "open" && view.own.length && !view.hot_seat) return h("span.started", {}, say("live.seat_open"));
  if (player.kind === "open") return h("button.sit", { type: "button", "data-key": `sit-${player.seat}`, onclick: () => sit(player) }, icon("seat"), say("live.sit"));
  return player.started ? h("span.started.yes", {}, icon("check"), say("live.started")) : h("span.started", {}, say("live.not_started"));
}

/** Let the clocks run on between two views. */
export function tick(place, since) {
  for (const shown of place.querySelectorAll("[data-runs]")) {
    const left = shown.dataset.clock - (performance.now() - since) / 1000;
    shown.textContent = clockText(left);
    shown.classList.toggle("short", left < shown.dataset.short);
  }
}

// --- Moves --------------------------------------------------------------------------------------------------------

/** How much time is left to answer: a bar that empties by itself. */
export function drawQuestion({ left, of }, since) {
  const rest = Math.max(0, left - since);
  const bar = h("span", {});
  bar.animate({ transform: [`scaleX(${rest / of})`, "scaleX(0)"] }, { duration: Math.max(1, rest), fill: "forwards" });
  return h("div.question", { role: "progressbar", "aria-label": say("live.question"), "aria-valuemin": 0, "aria-valuemax": of / 1000, "aria-valuenow": Math.ceil(rest / 1000) }, bar);
}

/** The legal moves as buttons; `open` are those that go on from what was clicked on the board, `hinted` is the code of a hint. */
export function drawMoves(view, open, hinted, { play, hint }) {
  // Against the clock, what happens anyway comes last; the others are as big as a buzzer.
  const quiet = (move) => move.code === view.question?.default;
  const buttons = [...open].sort((one, other) => quiet(one) - quiet(other)).map((move) =>
    h(
      `button.move${quiet(move) ? ".quiet" : ""}${move.code === hinted ? ".hinted" : ""}`,
      {
        type: "button",
        "data-key": `move-${move.code}`,
        "data-code": move.code,
        onclick: () => play(move),
        onpointerenter: () => hint(move.path),
        onpointerleave: () => hint(null),
        onfocus: () => hint(move.path),
        onblur: () => hint(null),
      },
      move.sentence,
    ),
  );
  if (!buttons.length) return [];
  const list = h("div.move-list", { role: "group", "aria-label": say("live.moves") }, buttons);
  if (view.question) return [list];
  // The board suffices; the list is for the keyboard, for screen readers, and for those who like to read.
  return [h("details.fold-moves", { open: memory.get("moves") === "open", ontoggle: ({ target }) => memory.set("moves", target.open ? "open" : "folded") },
    h("summary", { "data-key": "moves" }, icon("scroll"), say("live.moves_list", { count: buttons.length })), list)];
}

// --- Log ----------------------------------------------------------------------------------------------------------

export class Log {
  constructor(place, goTo) {
    this.place = place;
    this.goTo = goTo;
    this.lines = [];
    let height = 0;
    new ResizeObserver(() => { // a list that stood at its end stays there when its place changes
      const atEnd = place.scrollTop + height > place.scrollHeight - 3;
      height = place.clientHeight;
      if (atEnd) place.scrollTop = place.scrollHeight;
    }).observe(place);
  }

  /** Show the lines of a view; lines after `seen` are marked as new. */
  draw(view, at, seen) {
    const log = view.log;
    const same = this.lines.length <= log.length && this.lines.every((line, i) => line.text === log[i].text && line.n === log[i].n);
    if (!same) {
      this.place.replaceChildren();
      this.lines = [];
    }
    const { practice } = view.settings ?? {};
    if (!this.place.firstChild) this.place.append(this.#line({ n: 0, seat: null, text: practice ? say("practice.mark", practice) : say("live.deal") }, view, true));
    for (const line of log.slice(this.lines.length)) {
      this.place.append(this.#line(line, view, line.seat !== this.lines.at(-1)?.seat));
      this.lines.push(line);
    }
    let current = null;
    for (const item of this.place.children) {
      const n = Number(item.dataset.n);
      item.classList.toggle("unread", n > seen);
      const here = n === at;
      item.classList.toggle("here", here);
      if (here) {
        item.lastChild.setAttribute("aria-current", "step");
        current = item;
      } else item.lastChild.removeAttribute("aria-current");
    }
    // Scroll the list alone, never the page.
    if (at === view.number) this.place.scrollTop = this.place.scrollHeight;
    else if (current) {
      const top = current.offsetTop - this.place.offsetTop;
      if (top < this.place.scrollTop || top + current.offsetHeight > this.place.scrollTop + this.place.clientHeight) {
        this.place.scrollTop = top - this.place.clientHeight / 2;
      }
    }
  }

  /** A line; the first one of a turn has its player's name above it. */
  #line({ n, seat, text, announced, forced }, view, begins) {
    const player = view.players[seat];
    return h(
      announced ? "li.announced" : "li",
      { "data-n": n },
      begins && player ? h("div.turn-of", {}, emblem(seat, player.colour), h("span.name-text", {}, player.name)) : null,
      h("button.plain.line", { type: "button", onclick: () => this.goTo(n) }, h("span.n", {}, String(n)), player ? null : icon("lotus"), h("span", {}, text, forced && h("small.forced", {}, ` ${say("live.forced")}`))),
    );
  }
}

/** The line that always tells the last action; `recap` shows what the others did since one's last turn, if they did. */
export function drawLast(place, view, at, recap) {
  const n = view.log.findLast((line) => line.n <= at)?.n;
  const lines = view.log.filter((line) => line.n === n);
  const text = lines.map((line) => line.text).join(lang === "ja" ? "" : " ");
  const player = view.players[lines[0]?.seat];
  const key = `${n} ${text} ${player?.colour} ${Boolean(recap)}`;
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.hidden = !lines.length;
  fill(place,
    player ? emblem(player.seat, player.colour) : icon("lotus"),
    h("span.last-text", { title: text, "data-n": n }, text),
    recap ? h("button.plain.recap", { type: "button", "data-key": "recap", title: say("live.recap_help"), "aria-label": say("live.recap"), onclick: recap }, icon("replay"), h("span", {}, say("live.recap"))) : null);
}
