// Home: start a match alone, one's own tables, replaying a match file.

import { ask, attempt, h, lang, say, toast } from "./ui.js";
import { start } from "./shuffle.js";

for (const button of document.querySelectorAll("[data-alone]")) {
  button.addEventListener("click", () => attempt(button, async () => {
    const players = Number(button.dataset.players);
    const seats = Array.from({ length: players }, (_, seat) => (seat ? { kind: "bot", bot: button.dataset.bot } : { kind: "me" }));
    const { id, commitment } = await ask("POST", "/api/tables", { game: button.dataset.alone, players, seats });
    await start(id, commitment, [0]);
    location.href = `/t/${id}`;
  }));
}

// --- One's own tables ---

const place = document.getElementById("tables");

function row(table, titles) {
  const names = table.seats.map((seat) => seat.name || say(seat.kind === "open" ? "home.open_seat" : "home.somebody")).join(say("home.list_comma"));
  const when = table.updated ? new Date(typeof table.updated === "number" ? table.updated * 1000 : table.updated) : null;
  return h("li", {},
    h("a", { href: `/t/${table.id}` },
      h("strong", {}, titles.get(table.game) ?? table.game),
      h("span.who", {}, names),
      table.your_turn ? h("span.tag.yours", {}, say("home.your_turn")) : h("span.tag", {}, say(`home.status_${table.status}`)),
      when ? h("small", {}, when.toLocaleDateString(lang, { month: "short", day: "numeric" })) : null));
}

async function yours() {
  const tables = await ask("GET", "/api/tables");
  const titles = new Map([...document.querySelectorAll("[data-alone]")].map((button) => [button.dataset.alone, button.closest(".game").querySelector("h2").textContent]));
  place.replaceChildren(...tables.slice(0, 30).map((table) => row(table, titles)));
  place.hidden = tables.length === 0;
  document.getElementById("no-tables").hidden = tables.length > 0;
}
yours().catch(() => {}); // somebody without tables is told so by the page already

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
