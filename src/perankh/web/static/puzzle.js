// The page of a puzzle: a position on the board, tries and their answers. What is solved is kept in this browser only.

import { drawLine, drawReasons, signed } from "./hints.js";
import { Board } from "./board.js";
import { drawMoves, fill } from "./panels.js";
import { ask, at, attempt, copy, h, icon, lang, memory, say, toast } from "./ui.js";

const $ = (id) => document.getElementById(id);
const { game, title, puzzle, number, day, file } = document.body.dataset;
const daily = "daily" in document.body.dataset;
const narrow = matchMedia("(max-width: 699px)");
const shape = () => (narrow.matches ? "tall" : "wide");
const place = `/api/puzzles/${game}/${puzzle}`;
const held = file && ask("GET", file); // without a server, a file holds the puzzle and the answers to all moves
const DAY = 86_400_000; // milliseconds

const board = new Board($("board"), ({ alt, count }) => say("live.begins", { what: alt, count }));
let view = null; // the puzzle as it is asked
let tries = 0;
let result = ""; // how it ended: "solved", or "shown"

// --- What is kept in this browser: how many days in a row the puzzle of the day was solved ------------------------------------

function streak() {
  const kept = JSON.parse(memory.get(`puzzle:${game}`) ?? "null");
  const since = kept ? Math.round((Date.parse(day) - Date.parse(kept.day)) / DAY) : Infinity;
  return since <= 1 ? kept : { day: null, days: 0 };
}

function keep() {
  const kept = streak();
  if (daily && kept.day !== day) memory.set(`puzzle:${game}`, JSON.stringify({ day, days: kept.days + 1 }));
}

function drawStreak() {
  const { days } = streak();
  $("streak").textContent = days ? say("puzzle.streak", { count: days }) : "";
}

// --- Asking and answering -------------------------------------------------------------------------------------------------------

function drawChoices() {
  const open = result ? [] : board.open;
  const parts = view && open.length ? drawMoves({ question: null }, open, null, { play: tryMove, hint: (path) => board.hint(path) }) : [];
  $("moves").hidden = !parts.length;
  fill($("moves"), parts);
  $("prompt").textContent = result ? "" : (view.step_prompts[board.clicks.join(" ")] ?? view.prompt);
}

async function begin() {
  await board.loadArt(at(`/art/${game}.svg`));
  view = held ? (await held)[shape()] : await ask("GET", `${place}?lang=${lang}&shape=${shape()}`);
  $("main").removeAttribute("aria-busy");
  $("how-hard").textContent = say(`puzzle.${view.level}`);
  $("asked-title").textContent = say("puzzle.you", { who: view.who });
  $("text").textContent = view.text;
  board.show(view.scene, { fresh: true });
  board.offer(view.moves, view.aliases, view.closed);
  drawChoices();
  drawStreak();
}

/** What is said to a move; without one, the solution. */
async function answerTo(code) {
  if (!held) return ask("POST", `${place}?lang=${lang}&shape=${shape()}`, code ? { code } : {});
  const { answers, solution, solved: scenes } = await held;
  const answer = answers[code ?? solution];
  return answer.right ? { ...answer, scene: scenes[shape()] } : answer;
}

async function tryMove({ code }) {
  board.pause();
  const answer = await attempt(null, () => answerTo(code));
  if (answer) {
    tries += 1;
    take(answer, "solved");
  }
  if (!result) board.offer(view.moves, view.aliases, view.closed);
  drawChoices();
}

async function showSolution() {
  const answer = await attempt($("show"), () => answerTo());
  if (answer) take(answer, "shown");
}

function take(answer, ended) {
  const place = $("answer");
  place.hidden = false;
  place.className = `card answer ${answer.right ? "right" : "missed"}`;
  place.replaceChildren(...(answer.right ? solved(answer, ended) : missed(answer)));
  if (narrow.matches) place.scrollIntoView({ block: "nearest" });
  if (!answer.right) return;
  result = ended;
  if (ended === "solved") keep();
  $("show").hidden = true;
  board.offer([]);
  board.show(answer.scene);
  drawChoices();
  drawStreak();
}

const reasonsOf = ({ reasons }) => (reasons.length ? [h("h3", {}, say("advice.reasons")), drawReasons(reasons)] : []);

/** What speaks against the next best move. */
function rivalOf({ rival: { sentence, against } }) {
  return against.length ? [h("h3", {}, say("puzzle.rival", { sentence })), drawReasons(against.map((text) => ({ good: false, text })))] : [];
}

function missed(answer) {
  const [chance, lead] = answer.cost;
  return [
    h("p", {}, icon("close"), h("strong", {}, say("puzzle.wrong", { sentence: answer.sentence }))),
    h("p", {}, say("puzzle.cost", { chance: chance.toFixed(0), error: answer.error.toFixed(0), lead: lead.toFixed(1) })),
    ...reasonsOf(answer),
    h("p.quiet", {}, say("puzzle.again")),
  ];
}

function solved(answer, ended) {
  const [best, next] = answer.choices;
  const row = ({ sentence, chance, lead }) => h("tr", {}, h("td", {}, sentence), h("td", {}, say("puzzle.figure", { chance: chance.toFixed(0), lead: signed(lead, 1) })));
  return [
    h("p", {}, icon(ended === "solved" ? "crown" : "lamp"), h("strong", {}, say(ended === "solved" ? "puzzle.right" : "puzzle.shown", { sentence: answer.sentence }))),
    h("p", {}, say("puzzle.chance", { chance: best.chance.toFixed(0), error: answer.error.toFixed(0), other: next.chance.toFixed(0) })),
    ...reasonsOf(answer),
    ...rivalOf(answer),
    ...(answer.line.length ? [h("h3", {}, say("advice.line")), drawLine(answer.line)] : []),
    h("details.fold", {}, h("summary", {}, say("puzzle.choices")), h("table", {}, h("tbody", {}, answer.choices.map(row)))),
    ended === "solved" ? h("p.quiet", {}, say("puzzle.tries", { count: tries })) : "",
  ];
}

/** Share the puzzle and how it went, without what the solution is. */
async function share() {
  const marks = result === "solved" ? `${"▢".repeat(Math.min(tries - 1, 9))}▣` : "▢".repeat(Math.min(tries, 9)) || "▢";
  const url = held ? location.href : new URL(at(`/puzzles/${game}?id=${puzzle}`), location.href).href;
  const text = say("puzzle.shared", { game: title, number, day, result: marks });
  if (navigator.share && narrow.matches) return navigator.share({ text, url }).catch(() => {});
  if (await copy(`${text}\n${url}`)) toast(say("puzzle.copied"));
  return undefined;
}

board.addEventListener("move", ({ detail }) => tryMove(detail));
board.addEventListener("step", () => view && drawChoices());
$("show").addEventListener("click", showSolution);
$("share").addEventListener("click", share);
narrow.addEventListener("change", () => attempt(null, begin));
attempt(null, begin);
