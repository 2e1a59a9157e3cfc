// A match to look through, without a server: its positions come in one file, the first whole and the others as changes.

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { withChanges } from "./live.js";
import { ask, at, emblem, h, say } from "./ui.js";

const NARROW = matchMedia("(max-width: 700px)"); // as tall as a phone
const STEP = 1300; // milliseconds that a position stays while the match goes on by itself
const $ = (id) => document.getElementById(id);
const { match, art } = $("main").dataset;
const board = new Board($("board"));
const goTo = (n) => (stop(), show(n));
const analysis = new Analysis($("analysis"), "", { goTo, show: ({ number }) => goTo(number), news: () => {}, find: () => ask("GET", `/matches/${match}-analysis.json`) });

let views = [];
let now = 0; // the position on the screen
let timer = null;

/** All positions of the match in the shape that fits the window. */
async function load() {
  const [[first, ...changes]] = await Promise.all([ask("GET", `/matches/${match}-${NARROW.matches ? "tall" : "wide"}.json`), board.loadArt(at(`/art/${art}.svg`))]);
  views = [first];
  for (const change of changes) views.push(withChanges(views.at(-1), change));
  show(now, true);
  $("play").disabled = $("when").disabled = false;
  analysis.open({ number: views.length - 1, players: first.names.map((name, seat) => ({ seat, name, colour: first.colours[seat] })) });
  $("main").dataset.ready = "yes";
}

/** Show a position; only one step on is shown in motion. */
function show(n, fresh = false) {
  const to = Math.max(0, Math.min(n, views.length - 1));
  board.show(views[to].scene, { fresh: fresh || to !== now + 1 });
  now = to;
  const view = views[now];
  $("when").value = now;
  $("when").setAttribute("aria-valuetext", say("demo.moment", { n: now, all: views.length - 1 }));
  $("moment").textContent = say("demo.moment", { n: now, all: views.length - 1 });
  $("players").replaceChildren(...view.names.map((name, seat) =>
    h("li", view.acting.includes(seat) ? { class: "acting" } : {}, emblem(seat, view.colours[seat]), h("span", {}, name), h("strong", {}, say("demo.points", { points: view.scores[seat] ?? "–" })))));
  const lines = now === 0 ? [say("demo.dealt")] : views.slice(Math.max(1, now - 11), now + 1).flatMap(({ lines: told }) => told);
  $("log").replaceChildren(...lines.map((line) => h("li", {}, line)));
  $("log").parentElement.scrollTop = $("log").scrollHeight; // not the page
  $("first").disabled = $("previous").disabled = now === 0;
  $("next").disabled = $("last").disabled = now === views.length - 1;
  analysis.mark(now);
  if (now === views.length - 1) stop();
}

function stop() {
  clearInterval(timer);
  timer = null;
  $("play").setAttribute("aria-pressed", "false");
}

function toggle() {
  if (timer) return stop();
  $("play").setAttribute("aria-pressed", "true");
  if (now === views.length - 1) show(0, true);
  timer = setInterval(() => show(now + 1), STEP);
  return show(now + 1);
}

const steps = { first: () => 0, previous: () => now - 1, next: () => now + 1, last: () => views.length - 1 };
for (const [name, target] of Object.entries(steps)) $(name).addEventListener("click", () => goTo(target()));
$("play").addEventListener("click", toggle);
$("when").addEventListener("input", () => goTo(Number($("when").value)));
NARROW.addEventListener("change", load);
load();
