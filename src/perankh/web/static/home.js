// Home: a match at once, the dates of one's own tables, replaying a match file.

import { playAtOnce } from "./alone.js";
import { watchTurns } from "./badge.js";
import { ask, at, attempt, day, lang, say, toast } from "./ui.js";

playAtOnce();

/** A number of seconds in the largest unit that it fills. */
function inUnits(seconds) {
  const [unit, count] = [["day", 86400], ["hour", 3600], ["minute", 60]].find(([, size]) => Math.abs(seconds) >= size) ?? ["minute", 60];
  return new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" }).format(Math.max(1, Math.floor(Math.abs(seconds) / count)));
}

/** The dates and times in the lists of tables; drawn anew with the list. */
function drawTimes() {
  for (const place of document.querySelectorAll("[data-updated]")) place.textContent = day(Number(place.dataset.updated));
  for (const place of document.querySelectorAll("[data-since]")) place.textContent = say("home.waits", { time: inUnits(Date.now() / 1000 - place.dataset.since) });
  for (const place of document.querySelectorAll("[data-left]")) {
    place.textContent = say("home.left", { time: inUnits(place.dataset.left) });
    place.classList.toggle("short", place.dataset.left < 86400 / 4);
  }
}

drawTimes();
watchTurns(drawTimes);

// --- Match files ---

const drop = document.getElementById("drop");
const file = document.getElementById("file");

async function replay(chosen) {
  if (!chosen) return;
  if (chosen.size > 200_000) return toast(say("home.too_large"), true);
  await attempt(null, async () => {
    location.href = at(`/t/${(await ask("POST", "/api/replays", await chosen.text())).id}?at=0`); // at the beginning, not the result
  });
  file.value = "";
}

file.addEventListener("change", () => replay(file.files[0]));
for (const type of ["dragover", "dragleave", "drop"]) {
  drop.addEventListener(type, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", type === "dragover");
    if (type === "drop") replay(event.dataTransfer.files[0]);
  });
}
