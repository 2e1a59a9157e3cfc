// A new table: who sits where, under which options.

import { playAtOnce } from "./alone.js";
import { ask, attempt, h, memory, say } from "./ui.js";
import { start } from "./shuffle.js";

const form = document.getElementById("new");
const rows = [...form.querySelectorAll("[data-seat]")];
const field = (name) => form.elements.namedItem(name);
const changes = document.getElementById("changes"); // a game without options has none
const reset = document.getElementById("reset");
const players = () => Number(field("players").value);

// The name one goes by is remembered for the next table.
field("name-0").value = memory.get("name") ?? "";

/** Several seats for oneself mean that the device is shared; without that, one seat stays. */
function share(event) {
  const own = rows.filter((row, seat) => !row.hidden && field(`kind-${seat}`).value === "me");
  if (event.target.name === "hot_seat" && !event.target.checked) {
    for (const row of own.slice(1)) row.querySelector("select").value = "open";
  } else if (own.length > 1) field("hot_seat").checked = true;
}

/** Show as many seats as there are players, and say what will happen. */
function arrange() {
  const count = players();
  rows.forEach((row, seat) => (row.hidden = seat >= count));
  for (const option of form.querySelectorAll("[data-for-seat]")) {
    option.hidden = option.disabled = Number(option.dataset.forSeat) >= count;
    if (option.disabled && option.selected) option.parentNode.value = "random";
  }
  for (const option of form.querySelectorAll("[data-only-with]")) {
    option.hidden = !option.dataset.onlyWith.split(" ").includes(String(count));
  }
  const changed = controls().filter((control) => value(control) !== usual(control)).length;
  if (changes) {
    changes.textContent = say(!changed ? "new.as_boxed" : changed === 1 ? "new.change" : "new.changes", { count: changed });
    reset.hidden = !changed;
  }
  const kinds = rows.slice(0, count).map((_, seat) => field(`kind-${seat}`).value);
  const mine = kinds.filter((kind) => kind === "me").length;
  const open = kinds.filter((kind) => kind === "open").length;
  const lines = [];
  if (open) lines.push([say("new.says_open")]);
  if (field("hot_seat").checked) lines.push([say("new.says_hotseat")]);
  if (!mine) lines.push([say("new.says_watch")]);
  // What each level that was chosen is like, the weakest first.
  const bots = [...field("kind-0").options].map((option) => option.value).filter((value) => kinds.includes(value) && value.startsWith("bot:"));
  for (const bot of bots.map((value) => value.slice(4))) lines.push([h("strong", {}, say(`bot.${bot}`)), " ", say(`bot.${bot}_about`)]);
  const told = lines.map((line) => h("li", {}, line));
  const place = document.getElementById("says");
  if (place.textContent !== told.map((item) => item.textContent).join("")) place.replaceChildren(...told);
  document.getElementById("on-timeout").hidden = !field("clock").value;
  for (const option of form.querySelectorAll("[data-for-people]")) option.hidden = !open && !field("clock").value;
  document.getElementById("start").textContent = say(open ? "new.start_open" : "new.start");
}

/** The options that mean something with this number of players. */
function controls() {
  return [...form.querySelectorAll("[data-option]")].filter((control) => !control.closest("[hidden]"));
}

function value(control) {
  if (control.type === "checkbox") return control.checked;
  return control.type === "number" ? Number(control.value) : control.value;
}

/** What an option is in the usual set-up, with which the page begins. */
function usual(control) {
  if (control.type === "checkbox") return control.defaultChecked;
  if (control.type === "number") return Number(control.defaultValue);
  return [...control.options].find((option) => option.defaultSelected).value;
}

reset?.addEventListener("click", () => {
  for (const control of form.querySelectorAll("[data-option]")) {
    if (control.type === "checkbox") control.checked = usual(control);
    else control.value = usual(control);
  }
  arrange();
});

form.addEventListener("change", (event) => {
  arrange();
  share(event);
  arrange();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(form.querySelector("[type=submit]"), async () => {
    const seats = rows.slice(0, players()).map((_, seat) => {
      const [kind, bot] = field(`kind-${seat}`).value.split(":");
      const name = field(`name-${seat}`).value.trim();
      return { kind, ...(bot && { bot }), ...(name && kind !== "open" && { name }) };
    });
    const own = seats.find((seat) => seat.kind === "me")?.name;
    if (own) memory.set("name", own);
    const options = Object.fromEntries(controls().map((control) => [control.dataset.option, value(control)]));
    const [minutes, increment] = field("clock").value.split(",").map(Number);
    const clock = minutes ? { minutes, increment } : null;
    const shared = field("hot_seat").checked;
    const [on_timeout, stand_in, absence] = [field("on_timeout").value, field("stand_in").value, Number(field("absence").value)];
    const wanted = { game: form.dataset.game, players: players(), seats, options, clock, on_timeout, stand_in, absence, hot_seat: shared };
    const { id, commitment } = await ask("POST", "/api/tables", wanted);
    // Where nobody else is waited for, the match begins at once.
    if (!seats.some((seat) => seat.kind === "open")) await start(id, commitment, seats.flatMap((seat, p) => (seat.kind === "me" ? [p] : [])));
    location.href = `/t/${id}`;
  });
});
arrange();
playAtOnce();
