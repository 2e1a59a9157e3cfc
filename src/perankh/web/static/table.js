// The table page: joins the live connection, the board and the panels.

import { VIBRATION, showTurn } from "./badge.js";
import { Bar } from "./bar.js";
import { Board } from "./board.js";
import { NextTable } from "./days.js";
import { Live } from "./live.js";
import { Log, drawLast, drawMoves, drawPlayers, drawQuestion, fill, headline, inCompany, nameOf, rematchWords, tick } from "./panels.js";
import { Preview, confirms } from "./preview.js";
import { remember } from "./shuffle.js";
import { Zoom } from "./zoom.js";
import { TextBoard } from "./text_board.js";
import { StepPlayer, pace, sameChoices } from "./step_player.js";
import { ask, at, attempt, capital, dress, h, icon, lang, memory, say, toast } from "./ui.js";
import { logWithNotices, requestNotice, seatNotices, showNews } from "./votes.js";

const $ = (id) => document.getElementById(id);
const table = document.body.dataset.table;
const narrow = matchMedia("(max-width: 699px)");
const TABS = ["log", "analysis", "chat"];
const FORCED_AFTER = 1400; // milliseconds before the only choice is made
const shape = () => (narrow.matches ? "tall" : "wide");

const board = new Board($("board"), ({ alt, count }) => say("live.begins", { what: alt, count }));
const art = board.loadArt(at(`/art/${document.body.dataset.game}.svg`)).catch((error) => toast(error.message, true));
const live = new Live(table, { lang, shape: shape() });
const log = new Log($("log"), goTo);
const stepPlayer = new StepPlayer(board, { look: earlier, step: drawStep, present: draw });
const zoom = new Zoom(board, document.querySelector(".scene"), (by) => now && (looking !== null || now.result) && goTo((looking ?? now.number) + by));
const bar = new Bar($("asked"));
const nextTable = new NextTable(table, () => now && now.status !== "waiting" && drawPrompt());
const textBoard = new TextBoard($("text-board"), table);
const preview = new Preview(board, { table, shape, shown: () => shown, now: () => (now && looking === null && !stepPlayer.behind && !live.pending ? now : null) });

let now = null; // the newest view of the match as it stands
let shown = null; // the view on the screen; an earlier position while looking back
let looking = null; // the position looked at; null: now
let seen = Number(memory.get(`seen:${table}`) ?? -1); // how far the match had been followed before
let arrivedAt = 0; // when the newest view came, for the clocks
let catchingUp = false; // showing what one saw last, before gliding to what stands now
let curtainFor = null; // the seat the device is being passed to
let running = null; // the timer that plays the match like a film
let hinted = null; // the move a hint has named, while its position lasts
let hinting = false; // a hint is being worked out
let hintCard = null; // the card with what the bots think of a position
let tab = "log"; // what is in front: the log, the analysis or the chat
let chat = null; // the chat, once something was heard of it
let chatting = null; // its module and its style being loaded
const heardFrames = []; // what was heard before
let told = -1; // how far the server knows that the match was seen
let dismissed = null; // the table of a rematch that is looked at later
let analysis = null; // the analysis, once it was asked for
let dressed = null; // the style of the lobby, once it is needed
let forcing = null; // the timer that makes the only choice
let heard = -1; // the last move that had its sound
let lesson = null; // the lesson, at a table that teaches
const teaching = $("lesson") && import("./lesson.js").then(({ Lesson }) => (lesson = new Lesson(board, { table, game: document.body.dataset.game, changed: () => (offer(now), drawMovePanel()) })));
let ownViewer = null; // the viewer before the one of a decision's player was taken

const wanted = new URL(location).searchParams.get("at");
if (wanted !== null && /^\d+$/.test(wanted)) looking = Number(wanted);

// --- Views come in ------------------------------------------------------------------------------------------------

live.addEventListener("view", async ({ detail: view }) => {
  await art;
  await teaching;
  if (view.status === "waiting") return wait(view);
  if (now?.status === "waiting") {
    now = shown = null; // the match has been dealt: this view is its first
    seen = 0;
  }
  showLobby(false);
  remember(view);
  const first = now === null;
  if (first && view.seen !== null) seen = Math.max(seen, told = view.seen); // perhaps on another device
  const current = view.at === view.number;
  if (current) {
    arrivedAt = performance.now();
    if (now) showNews(view, now);
    if (now && view.number < now.number) seen = Math.min(seen, view.number); // moves were taken back
    if (hinted && (view.number < now.number || !sameChoices(view, now))) hinted = hintCard = null;
    else if (hintCard && hintCard.at === now?.number && sameChoices(view, now)) hintCard.at = view.number; // others decided meanwhile
    now = view;
  } else now ??= { ...view, moves: [] };
  if (first) return begin(view);
  if (catchingUp) return undefined;
  if (current && looking === null) return arrive(view);
  if (looking !== null && view.at === looking) return draw(view);
  return drawAround(); // news while looking back
});

/** Show or leave the lobby: there is no board, no log and nothing to take back before the deal. */
function showLobby(open) {
  document.body.classList.toggle("lobby", open);
  $("cover").hidden = !open;
  for (const id of ["scene-board", "tools"]) $(id).hidden = open;
  if (!open && tab === "chat" && !document.body.classList.contains("opened")) choose("log");
  document.body.classList.toggle("opened", !open);
}

/** A view before the deal. */
async function wait(view) {
  const { drawLobby } = await import("./lobby.js");
  await (dressed ??= dress($("cover").dataset.style));
  if (now && now.status !== "waiting") return; // it was dealt meanwhile
  $("main").removeAttribute("aria-busy");
  showLobby(true);
  now = shown = view;
  looking = null;
  drawPlayers($("players"), view, { sit, menu: seatMenu, points: showPoints });
  drawPrompt();
  drawLobby($("moves"), view, invitation(), alertsButton());
  drawCompany();
}

/** The first view of a match. */
function begin(view) {
  $("main").removeAttribute("aria-busy");
  if (looking !== null && looking < view.number) {
    live.send({ type: "look", at: looking });
    return undefined;
  }
  looking = null;
  if (lesson?.runs) seen = view.number;
  if (seen < 0 && view.own.length && mayReplayFromStart(view)) seen = 0;
  if (seen < 0) seen = view.number;
  return seen < view.number ? catchUp() : arrive(view);
}

/** Has a player missed nothing but the first moves, of others? Then they are shown. */
const mayReplayFromStart = (view) => view.number < 20 && !view.log.some(({ seat }) => view.own.includes(seat));

/** The view of an earlier position. */
function earlier(n) {
  const query = new URLSearchParams({ at: n, lang, shape: shape(), since: now.number });
  if (now.viewer >= 0) query.set("viewer", now.viewer);
  return ask("GET", `/api/tables/${table}?${query}`);
}

/** Show step by step what happened since the position one saw last; without steps, let the pieces glide to where they are now. */
async function catchUp() {
  if (mustPass(now)) return;
  if (pace() !== "off" && !document.hidden) return stepPlayer.replay(now, seen);
  catchingUp = true;
  try {
    board.show((await earlier(seen)).scene, { fresh: true });
    await new Promise((done) => setTimeout(done, 500));
  } catch { /* then without it */ }
  catchingUp = false;
  arrive(now, true);
}

/** The match as it stands now. */
function arrive(view, news = false) {
  if (mustPass(view)) return undefined;
  if (document.hidden) { // keep what was seen last, so that coming back shows what happened
    shown = { ...view, scene: shown?.scene ?? view.scene };
    if (view.moves.length) ring(view);
    if (view.moves.length && memory.get("notify") === "on") import("./alerts.js").then(({ notify }) => notify(table, view.title));
    return drawAround();
  }
  if (stepPlayer.take(view, lesson?.arrives(view))) return drawAround();
  const changed = news ? board.changed(view.scene) : [];
  draw(view);
  board.flash(changed);
  return undefined;
}

const tellLooking = () => live.send({ type: "looking", on: !document.hidden }); // whoever does not look may be called

document.addEventListener("visibilitychange", () => {
  tellLooking();
  if (!now || now.status === "waiting") return;
  if (document.hidden) {
    stepPlayer.stop(false);
    seen = stepPlayer.at ?? now.number;
    keepSeen(seen);
  } else if (looking === null && !catchingUp) arrive(now, true);
});

addEventListener("pagehide", () => now && now.status !== "waiting" && looking === null && keepSeen(stepPlayer.at ?? now.number));

/** Keep how far the match was seen: here, and for a player on the server, for all devices. */
function keepSeen(number) {
  memory.set(`seen:${table}`, number);
  if (!now.own.length || number === told) return;
  told = number;
  live.send({ type: "seen", number });
}

/** Show a position on the way to the newest. */
function drawStep(view, fresh) {
  clearTimeout(forcing);
  shown = view;
  board.hint(null);
  board.offer([]);
  preview.cancel();
  board.show(view.scene, { fresh });
  textBoard.show(view);
  tell(view);
  if (fresh) heard = view.at;
  else ring(view);
}

/** Say what happened: at once, but for a throw that holds its breath. */
function tell(view) {
  const wait = looking === null ? board.tellsAt - performance.now() : 0;
  if (wait <= 0) return drawAround();
  setTimeout(() => shown === view && drawAround(), wait);
  return undefined;
}

/** The sounds of the move that led to a view, and of what it means for the viewer; each once. */
function ring(view) {
  const last = heard;
  heard = view.at;
  if (last < 0 || last >= view.at) return;
  if (view.moves.length && memory.get("vibration") === "on") navigator.vibrate?.(VIBRATION);
  if (memory.get("sound") !== "on") return;
  const banner = view.happened.some((one) => one.banner);
  const names = [banner ? "round" : view.happened.length ? "points" : "move"];
  if (view.result) names.push("end");
  else if (view.moves.length) names.push("turn");
  import("./sound.js").then(({ play: sound }) => names.forEach((name, n) => setTimeout(() => sound(name), 350 * n)));
}

/** Show what the others did since the viewer's last decision. */
function recap() {
  clearTimeout(forcing);
  stepPlayer.replay(now, stepPlayer.lastBy([now.viewer]));
}

/** Draw a view: the board, then everything around it. */
function draw(view) {
  shown = view;
  board.show(analysis?.line?.sceneAt(view.at) ?? view.scene); // the position may come after the first step from it
  textBoard.show(view);
  offer(view);
  point();
  if (view.at === view.number && !document.hidden) keepSeen(view.number);
  tell(view);
  if (looking === null) ring(view);
  makeForced(view);
  if (looking === null && view.result) finish(view);
  if (!lesson?.runs) zoom.showChoices(); // a lesson shows what it speaks of
}

const isForced = () => !lesson?.runs && looking === null && !stepPlayer.behind && !live.pending && now.forced !== null && now.moves.length === 1;
const makesForced = () => memory.get("forced") !== "off";

/** Make the only choice there is, after a moment in which the position can be seen. */
function makeForced(view) {
  clearTimeout(forcing);
  if (!isForced() || !makesForced()) return;
  const rest = Math.max(0, board.restsAt - performance.now());
  forcing = setTimeout(() => {
    if (now === view && isForced() && makesForced() && !document.hidden && !document.querySelector("dialog[open]")) play(view.moves[0]);
  }, FORCED_AFTER + rest);
}

/** Let the table make forced choices, or not; kept in this browser. */
function setForced(wanted) {
  memory.set("forced", wanted ? "on" : "off");
  drawPrompt();
  makeForced(now);
}

/** Offer the moves of the present position; none of an earlier one, and none while a move is on its way. */
function offer(view) {
  if (live.pending) board.pause();
  else if (view.at === view.number && looking === null && !stepPlayer.behind && !lesson?.holds) board.offer(view.moves, view.aliases, view.closed);
  else board.offer([]);
  preview.offer();
}

/** Light up the pieces of the move that is spoken of: that of a hint, or what would have been better here; or of another path. */
function point(path = null) {
  board.hint(path ?? (looking === null ? hinted?.path : shown?.at !== looking ? null : hintCard?.at === looking ? hintCard.found?.choices[0].path : judged()?.best.path));
}

/** Show what a move that one thinks of is made of, and what it would do; null: nothing any more. */
function think(path) {
  point(path);
  preview.ghost(path);
}

/** What the analysis says of the position looked at, if there was anything better. */
function judged() {
  const decision = looking === null ? undefined : analysis?.decision(looking);
  return decision && decision.best.code !== decision.played.code ? decision : undefined;
}

function drawAround() {
  const view = shown ?? now;
  const at = looking ?? (stepPlayer.behind ? stepPlayer.at : now.number);
  const players = stepPlayer.behind ? now.players.map((player) => ({ ...player, score: view.players[player.seat].score, shown: player.seat === view.by })) : view.players;
  drawPlayers($("players"), looking === null && !stepPlayer.behind ? now : { ...now, players }, { sit, menu: seatMenu, points: showPoints });
  drawPrompt();
  drawMovePanel();
  const lines = logWithNotices(now);
  log.draw({ ...now, log: stepPlayer.behind ? lines.filter(({ n }) => n <= at) : lines }, at, seen);
  const others = now.own.includes(now.viewer) && looking === null && !stepPlayer.behind && stepPlayer.at === now.number && now.number > stepPlayer.lastBy([now.viewer]);
  drawLast($("last"), now, at, others && recap);
  const when = $("when");
  when.max = now.number;
  when.value = at;
  when.setAttribute("aria-valuetext", say("live.at", { at, number: now.number }));
  $("earlier").disabled = at === 0;
  $("later").disabled = looking === null;
  $("now").disabled = looking === null;
  analysis?.mark(at);
  lesson?.draw(now, looking === null && !stepPlayer.behind);
  reading?.follow(now.chapter);
  drawTools();
  drawCompany();
}

setInterval(() => now && tick($("players"), arrivedAt), 500);

// --- Prompt and moves -----------------------------------------------------------------------------------------------

let prompted = "";

function drawPrompt() {
  const late = now.status === "waiting" && now.players.some((player) => player.kind === "me" && !player.started);
  const { behind } = stepPlayer;
  const mine = late || (now.moves.length > 0 && looking === null && !behind);
  const text = looking !== null ? say("live.at", { at: looking, number: now.number }) : behind ? staged() : now.result ? headline(now) : late ? say("live.start_prompt") : now.step_prompts[board.clicks.join(" ")] ?? now.prompt;
  $("prompt").classList.toggle("mine", mine);
  $("prompt").classList.toggle("past", looking !== null);
  let back = null;
  if (looking !== null) back = h("button", { type: "button", "data-key": "now", onclick: () => goTo(now.number) }, icon("now"), say("live.now"));
  else if (behind) back = h("button", { type: "button", "data-key": "skip", onclick: () => stepPlayer.skip() }, icon("now"), say("live.skip"));
  else if (!mine && now.own.length && now.status !== "waiting") {
    nextTable.look(prompted.endsWith("mine"));
    back = nextTable.link();
  } else if (board.clicks.length) back = h("button.plain.step-back", { type: "button", "data-key": "step", onclick: () => board.stepBack() }, icon("undo"), say("live.step_back"));
  // A live region speaks whenever it is filled: fill it only with news.
  const more = moreToSay();
  const key = `${text}|${more}|${back?.dataset.key} ${back?.textContent}|${mine && "mine"}`;
  if (key === prompted) return;
  prompted = key;
  fill($("prompt"), h("span.said", {}, text), back, more.map(([name, words, button]) => h("span.more", {}, icon(name), h("span", {}, words), button)));
  showTurn(mine);
}

/** While decisions of others are shown: whose it is; of what was missed, that it is over. */
function staged() {
  const later = now.log.find(({ n, seat }) => n > stepPlayer.at && !now.own.includes(seat));
  const whose = [later?.seat, shown?.by].find((seat) => now.players[seat] && !now.own.includes(seat));
  return stepPlayer.catchesUp || whose === undefined ? say("live.staged") : say("live.waits", { name: nameOf(now, whose) });
}

/** Lines under the prompt: a hint, or what was played and what would have been better. */
function moreToSay() {
  if (stepPlayer.behind) return [];
  if (looking === null && isForced()) return [forcedLine()];
  if (looking === null) return hinted ? [["lamp", say("live.hint_says", { sentence: hinted.sentence })]] : [];
  const decision = judged();
  if (!decision) return [];
  const { seat, played, best, number } = decision;
  return [["reed", `${say("analysis.by", { n: number + 1, name: nameOf(now, seat) })} ${played.sentence}`], ["scales", say("analysis.better", { sentence: best.sentence })]];
}

/** What is said of the only choice, with the switch for such choices. */
function forcedLine() {
  const on = makesForced();
  const words = say(on ? "live.forced_soon" : "live.forced_only");
  return ["now", words, h("button.plain", { type: "button", "data-key": "forced", "aria-pressed": String(on), onclick: () => setForced(!on) }, say(on ? "live.forced_off" : "live.forced_on"))];
}

function drawMovePanel() {
  const view = now;
  const parts = [];
  const person = view.own.length > 0;
  parts.push(...seatNotices(view, { change: changeSeat, ask: askOthers }));
  if (hintCard && hintCard.at === (looking ?? now.number) && (looking !== null || view.moves.length)) parts.push(hintCard.element);
  if (looking === null) {
    const { behind } = stepPlayer;
    if (view.earlier_rules) parts.push(h("p.notice.quiet", {}, say("live.earlier_rules")));
    if (view.status === "broken") parts.push(h("p.notice.urgent", {}, say("live.broken")));
    else if (view.result && tab === "log" && !behind) parts.push(resultNotice(view)); // the analysis needs the room
    else if (!person && tab === "log") parts.push(h("p.notice.quiet", {}, icon("eye"), say(view.readonly ? "live.replay" : "live.spectator")));
    if (view.status === "playing" && view.players.some((player) => !player.ready)) parts.push(h("p.notice.quiet", {}, icon("shabti"), say("live.bots_preparing")));
    else if (view.status === "playing" && view.players.some((player) => !player.trained)) parts.push(h("p.notice.quiet", {}, icon("shabti"), say("live.bots_untrained")));
    if (view.question) parts.push(drawQuestion(view.question, performance.now() - arrivedAt));
    parts.push(...drawMoves(view, live.pending || behind || lesson?.holds ? [] : board.open, hinted?.code, { play, hint: think }));
    if (view.may_change && !live.pending && !behind) parts.push(changeButton());
  }
  $("moves").classList.toggle("hurry", looking === null && Boolean(view.question) && view.moves.length > 0);
  $("moves").hidden = parts.length === 0;
  $("moves").classList.toggle("resting", parts.length === 0);
  fill($("moves"), parts);
}

/** What people do together: the bar of requests, the series, the spectators, the chat. */
function drawCompany() {
  const { request, next, series, spectators } = now;
  const parts = [];
  if (next && next !== dismissed) parts.push(nextNotice(next));
  if (request) parts.push(requestNotice(now, (answer) => live.send({ type: "vote", ...answer })));
  bar.show(parts, [next !== dismissed && next, request, now.players.map(({ name }) => name)]);
  $("series").hidden = !series;
  if (series) $("series").textContent = say("live.series", { count: series.best_of, number: series.number });
  $("watching").hidden = !spectators;
  if ($("watching").dataset.count !== String(spectators)) {
    $("watching").dataset.count = spectators;
    $("watching").title = say("live.spectators", { count: spectators });
    fill($("watching"), icon("eye"), h("span", { "aria-hidden": "true" }, String(spectators)), h("span.unseen", {}, say("live.spectators", { count: spectators })));
  }
  hear();
  const talks = Boolean(chat?.wanted(now));
  $("tab-chat").hidden = !talks;
  $("log-panel").hidden = now.status === "waiting" && !talks;
  if (now.status === "waiting" && talks && tab !== "chat") choose("chat");
  chat?.draw(now);
}

/** The next match is set up: go there, also from above the result. */
function nextNotice(next) {
  return h("div.notice", {}, h("p", {}, say("live.next_ready")), h("div.row", {},
    h("a.button.first", { href: `/t/${next}`, "data-key": "next" }, icon("boat"), say("live.next_go")),
    h("button.plain", { type: "button", "data-key": "later", onclick: () => (dismissed = next, drawCompany()) }, say("live.dismiss"))));
}

// --- Chat ---------------------------------------------------------------------------------------------------------------

live.addEventListener("chat", ({ detail: frame }) => {
  heardFrames.push(frame);
  if (now) hear();
});

/** Take what was heard; the chat is loaded when there is anybody to talk to. */
async function hear() {
  if (!chatting && !inCompany(now) && !heardFrames.some(({ messages }) => messages.length)) return;
  chatting ??= Promise.all([import("./chat.js"), dress($("chat").dataset.style)]);
  const [{ Chat }] = await chatting;
  chat ??= new Chat($("chat"), table, { goTo: (n) => (closeDrawer(), goTo(n)), isOpen: chatIsOpen, news: drawUnread, reconnect: () => live.reconnect() });
  const frames = heardFrames.splice(0);
  for (const frame of frames) chat.take(frame, now);
  if (frames.length) drawCompany();
}

const chatIsOpen = () => tab === "chat" && !document.hidden && (!narrow.matches || now.status === "waiting" || $("log-panel").classList.contains("open"));

/** How many messages were not read yet, on the tab and on the button of a phone. */
function drawUnread() {
  const { unread } = chat;
  $("unread").hidden = !unread;
  fill($("unread"), h("span", { "aria-hidden": "true" }, String(unread)), h("span.unseen", {}, say("chat.unread", { count: unread })));
  if (now?.status !== "waiting" && shown) drawTools();
}

function openChat() {
  choose("chat");
  if (narrow.matches) openDrawer();
  chat.read();
}
$("tab-chat").addEventListener("click", openChat);

/** What nobody has seen yet may be chosen anew, without asking anybody. */
function changeButton() {
  return h("button.change", { type: "button", "data-key": "change", onclick: () => live.send({ type: "undo", seat: now.viewer }) }, icon("undo"), say("live.change"));
}

let invitationShown = null;

/** The invitation of the lobby; it stays the same while the lobby is drawn anew. */
function invitation() {
  if (!invitationShown) {
    invitationShown = h("div.notice.urgent.invitation");
    import("./invite.js").then(({ drawInvitation }) => drawInvitation(invitationShown, table));
  }
  return invitationShown;
}

/** The way to the alerts, before the deal. */
function alertsButton() {
  return h("div.notice", {}, h("button", { type: "button", "data-key": "alerts", onclick: openAlerts }, icon("sistrum"), say("alerts.call_me")));
}

function resultNotice(view) {
  return h("div.notice.urgent", {}, h("p", {}, view.result.reason), h("div.row", {}, h("button.first", { type: "button", "data-key": "result", onclick: () => openEnding(view) }, icon("crown"), say("live.result"))));
}

board.addEventListener("move", ({ detail: move }) => play(move));
board.addEventListener("step", () => now && (drawPrompt(), drawMovePanel(), board.clicks.length && zoom.showChoices()));
board.addEventListener("idle", async ({ detail: { saying, under, at } }) => {
  if (stepPlayer.skip() || preview.cancel() || zoom.tap(at)) return undefined;
  if (lesson?.holds) return lesson.nudge();
  const reason = board.closed[under.find((id) => board.closed[id])] ?? await reasonAgainst(under);
  if (reason) return toast(reason, false, at);
  const text = [capital(saying ?? ""), whyNot()].filter((part) => part).join(" · ");
  return text && toast(text, false, at);
});

/** The rules' own reason against a click, where they have one. */
async function reasonAgainst(under) {
  if (!now?.moves.length || looking !== null || live.pending || !under.length) return null;
  const click = { seat: now.viewer, chosen: board.chosen, under: under.slice(0, 16) };
  const query = new URLSearchParams({ lang, shape: shape() });
  return ask("POST", `/api/tables/${table}/why?${query}`, click).then(({ reason }) => reason, () => null);
}

function whyNot() {
  if (!now || live.pending) return "";
  if (looking !== null) return say("live.why_past");
  if (now.status === "broken") return say("live.broken");
  if (now.status === "over") return say("live.why_over");
  if (now.moves.length) return say("live.why_other");
  const names = now.players.filter((player) => player.acting).map((player) => player.name).join(say("live.and"));
  return now.own.length ? say("live.why_turn", { names }) : say("live.why_spectator");
}

/** Send a move. It is not drawn before the server has stored it. */
function play(move) {
  if (looking !== null || !live.move(now.number, move.code, now.viewer)) return;
  seen = now.number + 1;
  hinted = hintCard = null;
  board.hint(null);
  board.pause();
}

live.addEventListener("refused", ({ detail }) => {
  const reason = detail.reason?.[lang] ?? detail.error;
  if (lesson?.runs) lesson.answer(reason);
  else toast(reason, true);
  if (looking === null) offer(now);
});
live.addEventListener("error", ({ detail }) => {
  toast(detail.reason?.[lang] ?? detail.error, true);
  if (looking === null && now) offer(now);
});
live.addEventListener("done", ({ detail: move }) => {
  // The view may have come before this word did; then the moves it brought may be offered only now.
  if (now && looking === null && now.number > move.number) offer(now);
});

addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "?" && !event.target.matches("input, textarea, select")) $("open-card")?.click();
  const nothing = !document.activeElement?.matches("button, a, input, summary, [tabindex='0']"); // has the focus that a key means
  if (event.key === " " && nothing && stepPlayer.behind) event.preventDefault();
  if ((event.key === "Escape" || (event.key === " " && nothing)) && stepPlayer.skip()) return;
  if (event.key === "Escape" && !board.stepBack() && !reading?.close()) closeDrawer();
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
  if (step && !event.defaultPrevented && now?.number && (nothing || (looking !== null && !document.activeElement.matches("input, [role=tab]")))) {
    event.preventDefault();
    goTo((looking ?? now.number) + step);
  }
});

// --- The rules ------------------------------------------------------------------------------------------------------

let reading = null; // the card and the guide beside the board, once they are asked for

for (const name of ["openCard", "openGuide"]) {
  const link = $(name === "openCard" ? "open-card" : "open-guide");
  link?.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a page of its own
    event.preventDefault();
    const [{ Reading }] = await Promise.all([import("./reading.js"), dress($("beside").dataset.style)]);
    reading ??= new Reading($("card-dialog"), $("beside"));
    reading[name](link, now?.chapter);
  });
}

// --- Connection and settings ----------------------------------------------------------------------------------------

live.addEventListener("status", ({ detail: status }) => {
  const place = $("link");
  place.className = `link-state ${status}`;
  place.textContent = status === "connected" ? "" : say(status === "lost" ? "live.reconnecting" : "live.missing");
  place.title = status === "connected" ? say("live.connected") : "";
  if (status === "missing") {
    fill($("prompt"), h("span", {}, say("live.missing")), h("a.button", { href: "/" }, say("live.home")));
    $("main").removeAttribute("aria-busy");
  }
  if (status === "connected" && document.hidden) tellLooking();
  if (status === "connected" && looking !== null && now) live.send({ type: "look", at: looking });
});

// Another language, at the same position.
for (const link of document.querySelectorAll(".langs a")) {
  link.addEventListener("click", () => {
    const here = new URL(location);
    here.searchParams.set("lang", link.lang);
    link.href = here;
  });
}

narrow.addEventListener("change", () => {
  live.set({ shape: shape() });
  if (looking !== null) live.send({ type: "look", at: looking });
});

// --- Several own seats on one screen ----------------------------------------------------------------------------------

/** If another own seat is to act, show it as that seat; true while the board must not be shown. */
function mustPass(view) {
  if (view.own.length < 2 || view.status !== "playing") return false;
  const acting = view.players.filter((player) => player.acting && view.own.includes(player.seat)).map((player) => player.seat);
  if (!acting.length || acting.includes(view.viewer)) return false;
  const next = acting[0];
  if (!view.cover) {
    live.set({ viewer: next });
    return false;
  }
  if (curtainFor !== next) {
    curtainFor = next;
    const dialog = $("curtain");
    dialog.replaceChildren(
      h("h2", { id: "curtain-title" }, say("live.pass", { name: nameOf(view, next) })),
      h("p", {}, say("live.pass_help")),
      h("button.first", {
        type: "button",
        autofocus: true,
        onclick: () => {
          curtainFor = null;
          dialog.close();
          live.set({ viewer: next });
        },
      }, icon("eye"), say("live.pass_done", { name: nameOf(view, next) })),
    );
    if (!dialog.open) dialog.showModal();
  }
  return true;
}
$("curtain").addEventListener("cancel", (event) => event.preventDefault());

// --- Time -------------------------------------------------------------------------------------------------------------

let lookTimer = null;

/** Show the position after `n` moves; the newest is the present. */
function goTo(n) {
  if (!now) return;
  clearTimeout(lookTimer);
  const at = Math.max(0, Math.min(n, now.number));
  const here = new URL(location);
  if (looking === null) stepPlayer.stop();
  if (at === now.number) {
    if (ownViewer !== null) live.set({ viewer: ownViewer });
    looking = ownViewer = null;
    stopFilm();
    here.searchParams.delete("at");
    live.send({ type: "look", at: null });
    arrive(now);
  } else {
    looking = at;
    here.searchParams.set("at", at);
    board.offer([]);
    // A slider passes many positions: ask for the one it rests on.
    lookTimer = setTimeout(() => live.send({ type: "look", at: looking }), 90);
    drawAround();
  }
  history.replaceState(null, "", here);
}

$("earlier").addEventListener("click", () => goTo((looking ?? now.number) - 1));
$("later").addEventListener("click", () => goTo((looking ?? now.number) + 1));
$("now").addEventListener("click", () => goTo(now.number));
$("when").addEventListener("input", (event) => goTo(Number(event.target.value)));
$("run").addEventListener("click", () => {
  if (running) return stopFilm();
  if (looking === null) goTo(0);
  running = setInterval(() => (looking === null ? stopFilm() : goTo(looking + 1)), 1100);
  fill($("run"), icon("pause"));
  return undefined;
});

function stopFilm() {
  clearInterval(running);
  running = null;
  fill($("run"), icon("play"));
}

// --- Seats --------------------------------------------------------------------------------------------------------------

const here = { table, live, get now() { return now; } };
const seats = () => import("./seats.js"); // once somebody does something about one
const sit = async (player) => (await seats()).sit(here, player);
const changeSeat = async (player, change) => (await seats()).changeSeat(here, player, change);
const askOthers = async (what, player) => (await seats()).askOthers(here, what, player);
const seatMenu = async (player, actions) => (await seats()).seatMenu(here, player, actions);

// --- Tools --------------------------------------------------------------------------------------------------------------

async function invite() {
  (await import("./invite.js")).openInvitation($("ask"), table);
}

async function openAlerts() {
  (await import("./alerts.js")).openAlerts($("ask"), table);
}

/** What the points of all players were for. */
async function showPoints() {
  await attempt(null, async () => {
    const query = new URLSearchParams({ lang, ...(now.viewer >= 0 && { viewer: now.viewer }) });
    const { sources } = await ask("GET", `/api/tables/${table}/points?${query}`);
    const { drawPoints } = await import("./ending.js");
    drawPoints($("ask"), now, sources);
  });
}

async function rematch(button) {
  await attempt(button, async () => {
    location.href = at(`/t/${(await ask("POST", `/api/tables/${table}/rematch`)).id}`);
  });
}

/** Ask what the bots think of the position on the board: now, or of an earlier decision. */
async function takeHint() {
  if (hinting) return;
  const [asked, past] = [now, looking];
  hinting = true;
  drawTools();
  await attempt(null, async () => {
    const [{ HintCard }] = await Promise.all([import("./hints.js"), dress($("moves").dataset.style)]);
    const card = (hintCard = new HintCard(past ?? asked.number, { point, changed: () => showHint(card, asked, past) }));
    drawMovePanel();
    await (past === null ? card.ask(`/api/tables/${table}/hint`, { seat: asked.viewer, number: asked.number }) : card.ask(`/api/tables/${table}/advice`, { number: past }));
  });
  if (hintCard && !hintCard.found) hintCard = null;
  hinting = false;
  drawAround();
}

/** An answer has come: light up its move, if its position still stands. */
function showHint(card, asked, past) {
  if (past !== null) return looking === past ? (drawMovePanel(), point()) : undefined;
  const move = now.viewer === asked.viewer && !live.pending && now.moves.find((one) => one.code === card.found.code);
  if (move) hinted = move;
  else hintCard = null;
  if (looking === null) point();
  return drawAround();
}

/** May one ask what the bots think of the position looked at? Of any decision after the end, else of one's own. */
function mayLookBack() {
  if (looking === null || looking >= now.number) return false;
  return now.status === "over" || now.readonly || (now.may_hint && now.log.some(({ n, seat }) => n === looking + 1 && seat === now.viewer));
}

let tooled = "";

function drawTools() {
  const over = now.status === "over" && (finished || !stepPlayer.behind); // the end is not told before it is seen
  const facts = JSON.stringify([now.may_undo, now.may_hint, mayLookBack(), now.moves.length > 0, hinting, looking, now.status, over, now.own.length, now.readonly, now.number > seen && now.number, Boolean(chat?.wanted(now)), chat?.unread, now.series]);
  if (facts === tooled) return;
  tooled = facts;
  const tool = (key, name, words, onclick, disabled = false, more = {}) => h("button.tool", { type: "button", "data-key": key, onclick, disabled, ...more }, icon(name), h("span", {}, words));
  const mayHint = looking === null ? now.may_hint && now.moves.length > 0 : mayLookBack();
  const back = looking !== null || over || now.readonly;
  const hint = over || now.readonly ? mayHint : now.may_hint; // after the end, of what is looked back at
  $("tab-analysis").hidden = !over && !now.readonly;
  fill($("tools"),
    h("button.tool.drawer-open", { type: "button", "data-key": "log", "aria-controls": "log-panel", onclick: openLog }, icon("scroll"), h("span", {}, say("live.log"))),
    chat?.wanted(now) ? h("button.tool.drawer-open", { type: "button", "data-key": "chat", "aria-controls": "log-panel", onclick: openChat }, icon("speak"), h("span", {}, say("chat.title")), chat.unread ? h("span.unread-count", {}, String(chat.unread)) : null) : null,
    now.own.length && !over ? tool("undo", "undo", say("live.undo"), () => live.send({ type: "undo" }), !now.may_undo || looking !== null) : null,
    hint ? tool("hint", "lamp", say(back ? "advice.tool" : "live.hint"), takeHint, !mayHint, { title: say(back ? "advice.help" : "live.hint_help"), "aria-busy": hinting && "true" }) : null,
    over || now.readonly ? tool("analyse", "scales", say("live.analyse"), analyse, false, { title: say("live.analyse_help") }) : null,
    over && now.result ? tool("result", "crown", say("live.result"), () => openEnding(now)) : null,
    over && looking === null && !now.readonly && now.own.length ? tool("rematch", "boat", rematchWords(now), (event) => rematch(event.currentTarget)) : null,
    over ? null : tool("invite", "shen", say("live.invite"), invite),
    tool("settings", "dial", say("live.settings"), openSettings),
    h("a.button.tool", { href: `/api/tables/${table}/file`, download: true, "data-key": "file" }, icon("save"), h("span", {}, say("live.file"))));
}

async function openSettings() {
  const { drawSettings } = await import("./settings.js");
  drawSettings($("ask"), now, { confirms, forced: makesForced(), setForced, setPace: () => pace() === "off" && stepPlayer.skip(), alerts: now.own.length && now.status !== "over" ? openAlerts : null });
}

function openLog() {
  choose("log");
  openDrawer();
}

function openDrawer() {
  $("log-panel").classList.add("open");
  $("log-close").focus();
}

function closeDrawer() {
  if (!$("log-panel").classList.contains("open")) return;
  $("log-panel").classList.remove("open");
  document.querySelector(".drawer-open")?.focus();
}
$("log-close").addEventListener("click", closeDrawer);

// --- The analysis -------------------------------------------------------------------------------------------------------

/** Open the analysis; the first time it is loaded and begun. */
async function analyse() {
  choose("analysis");
  drawMovePanel();
  if (narrow.matches) openDrawer();
  else $("tab-analysis").focus();
  if (!analysis) {
    const { Analysis } = await import("./analysis.js");
    analysis ??= new Analysis($("analysis"), table, { goTo, show: showDecision, news: () => (point(), drawPrompt()), again: tryAgain, board, shape, back: () => shown && (board.show(shown.scene), point()) });
  }
  if (tab === "analysis") analysis.open(now);
  point();
  drawAround();
}

function choose(wanted) {
  tab = wanted;
  for (const name of TABS) {
    $(`tab-${name}`).setAttribute("aria-selected", name === tab);
    $(`tab-${name}`).tabIndex = name === tab ? 0 : -1;
  }
  for (const name of TABS) $(name).hidden = tab !== name;
  if (tab !== "analysis") analysis?.close();
}

/** Play on from the position on the screen, in the place of a player, against bots. */
async function tryAgain(seat) {
  (await import("./practice.js")).openPractice($("ask"), table, now, looking ?? now.number, seat ?? now.viewer);
}

/** Show the position of a decision as the player who made it saw it. */
function showDecision({ number, seat }) {
  if (now.viewer !== seat) {
    ownViewer ??= now.viewer;
    live.set({ viewer: seat });
  }
  closeDrawer();
  goTo(number);
}

$("tab-log").addEventListener("click", () => {
  choose("log");
  drawAround();
  point();
});
$("tab-analysis").addEventListener("click", analyse);
for (const name of TABS) {
  $(`tab-${name}`).addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const there = TABS.filter((other) => !$(`tab-${other}`).hidden);
    if (!way || there.length < 2) return;
    event.preventDefault();
    const other = $(`tab-${there.at((there.indexOf(name) + way) % there.length)}`);
    other.focus();
    other.click();
  });
}

// --- The end ------------------------------------------------------------------------------------------------------------

let finished = false;

/** Open the end screen by itself, once, after the last piece has come to rest. */
async function finish(view) {
  if (finished) return;
  finished = true;
  if (memory.get(`ended:${table}`)) return;
  await null; // until it is known how long the last step takes
  setTimeout(() => openEnding(view), 900 + Math.max(0, Math.max(board.restsAt, stepPlayer.freeAt) - performance.now()));
}

async function openEnding(view) {
  memory.set(`ended:${table}`, "yes");
  const { drawEnding } = await import("./ending.js");
  const dialog = $("ending");
  if (dialog.open || document.querySelector("dialog[open]")) return;
  const close = drawEnding(dialog, view, { rematch, analyse, share: invite });
  dialog.showModal();
  close.focus({ preventScroll: true });
  dialog.scrollTop = 0; // the winner comes first
}
