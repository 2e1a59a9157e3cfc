// Home: a match at once, the dates of one's own tables, replaying a match file.

import { playAtOnce } from "./alone.js";
import { ask, attempt, lang, say, toast } from "./ui.js";

playAtOnce();

for (const place of document.querySelectorAll("[data-updated]")) {
  const moment = place.dataset.updated;
  const when = new Date(Number.isFinite(Number(moment)) ? Number(moment) * 1000 : moment);
  place.textContent = when.toLocaleDateString(lang, { month: "short", day: "numeric" });
}

// --- Match files ---

const drop = document.getElementById("drop");
const file = document.getElementById("file");

async function replay(chosen) {
  if (!chosen) return;
  if (chosen.size > 200_000) return toast(say("home.too_large"), true);
  await attempt(null, async () => {
    location.href = `/t/${(await ask("POST", "/api/replays", await chosen.text())).id}`;
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
