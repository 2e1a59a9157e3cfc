// A new table: who sits where, under which options.

import { playAtOnce } from "./alone.js";
import { ask, at, attempt, h, say } from "./ui.js";
import { start } from "./shuffle.js";

const form = document.getElementById("new");
const rows = [...form.querySelectorAll("[data-seat]")];
const field = (name) => form.elements.namedItem(name);
const changes = document.getElementById("changes"); // a game without options has none
const reset = document.getElementById("reset");
let clocked = ""; // the clock that was chosen last
const players = () => Number(field("players").value);

field(`name-${form.dataset.seat}`).value = form.dataset.name;

/** One's own seat is at the table: with fewer players it may be gone, and then the first is. */
function keepSeat(count) {
  const [own, first] = [field(`kind-${form.dataset.seat}`), field("kind-0")];
  if (form.dataset.seat < count || own.value !== "me" || first.value === "me") return;
  [own.value, first.value] = [first.value, "me"];
  field("name-0").value ||= form.dataset.name;
}

/** Several seats for oneself mean that the device is shared; without that, one seat stays. */
function share(event) {
  const own = rows.filter((row, seat) => !row.hidden && field(`kind-${seat}`).value === "me");
  if (event.target.name === "hot_seat" && !event.target.checked) {
    for (const row of own.slice(1)) row.querySelector("select").value = "open";
  } else if (own.length > 1) field("hot_seat").checked = true;
}

/** May the bot of a seat have a personality in this game? */
const hasPersonality = (seat) => "personality" in field(`kind-${seat}`).selectedOptions[0].dataset;

/** The personality of a seat's bot, or an empty string. */
const personality = (seat) => (hasPersonality(seat) ? field(`personality-${seat}`).value : "");

/** Show as many seats as there are players, and say what will happen. */
function arrange() {
  const count = players();
  keepSeat(count);
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
  // What each level that was chosen is like, the weakest first, then each personality.
  const bots = [...field("kind-0").options].filter((option) => kinds.includes(option.value) && option.value.startsWith("bot:"));
  for (const { value, dataset } of bots) {
    const bot = `bot.${value.slice(4)}`;
    const rating = "rating" in dataset ? ` ${say("new.rating", dataset)}` : "";
    lines.push([h("strong", {}, say(bot)), `${rating} `, say(`${bot}_about`)]);
  }
  rows.slice(0, count).forEach((row, seat) => row.querySelector("[name^=personality]")?.toggleAttribute("hidden", !hasPersonality(seat)));
  for (const one of new Set(kinds.map((_, seat) => personality(seat)).filter(Boolean))) lines.push([h("strong", {}, say(`new.${one}`)), " ", say(`new.${one}_about`)]);
  const told = lines.map((line) => h("li", {}, line));
  const place = document.getElementById("says");
  if (place.textContent !== told.map((item) => item.textContent).join("")) place.replaceChildren(...told);
  document.getElementById("on-timeout").hidden = !field("clock").value;
  if (clocked !== field("clock").value) { // over days, nobody is away before a day has passed
    const slow = field("clock").value.startsWith("days");
    if (slow !== clocked.startsWith("days")) field("absence").value = slow ? "1440" : field("absence").options[0].value;
    clocked = field("clock").value;
  }
  for (const option of form.querySelectorAll("[data-for-people]")) option.hidden = !open && !field("clock").value;
  document.getElementById("start").textContent = say(open ? "new.start_open" : "new.start");
}

/** The options that mean something with this number of players. */
function controls() {
  return [...form.querySelectorAll("[data-option]")].filter((control) => !control.closest("[hidden]"));
}

/** A number as the rules take it: entered in a unit of which each is so many. */
const whole = (control, entered) => Math.round(Number(entered) * Number(control.dataset.per));

function value(control) {
  if (control.type === "checkbox") return control.checked;
  return control.type === "number" ? whole(control, control.value) : control.value;
}

/** What an option is in the usual set-up, with which the page begins. */
function usual(control) {
  if (control.type === "checkbox") return control.defaultChecked;
  if (control.type === "number") return whole(control, control.defaultValue);
  return [...control.options].find((option) => option.defaultSelected).value;
}

reset?.addEventListener("click", () => {
  for (const control of form.querySelectorAll("[data-option]")) {
    if (control.type === "checkbox") control.checked = usual(control);
    else control.value = control.type === "number" ? control.defaultValue : usual(control);
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
      const [kind, level] = field(`kind-${seat}`).value.split(":");
      const bot = [personality(seat), level].filter(Boolean).join("-");
      const name = field(`name-${seat}`).value.trim();
      return { kind, ...(bot && { bot }), ...((name ? kind !== "open" : kind === "me") && { name }) };
    });
    const options = Object.fromEntries(controls().map((control) => [control.dataset.option, value(control)]));
    const [first, second] = field("clock").value.split(",");
    const clock = first === "days" ? { days: Number(second) } : first ? { minutes: Number(first), increment: Number(second) } : null;
    const shared = field("hot_seat").checked;
    const [on_timeout, stand_in, absence] = [field("on_timeout").value, field("stand_in").value, Number(field("absence").value)];
    const wanted = { game: form.dataset.game, players: players(), seats, options, clock, on_timeout, stand_in, absence, hot_seat: shared };
    const best_of = Number(field("best_of").value);
    const edition = field("edition")?.value; // a game without editions has no such field
    const alone = field("public").closest("[hidden]"); // nobody else comes
    Object.assign(wanted, { ...(best_of && { best_of }), ...(edition && { edition }), ...(!alone && { public: field("public").checked, password: field("password").value.trim() || null }) });
    const { id, commitment } = await ask("POST", "/api/tables", wanted);
    // Where nobody else is waited for, the match begins at once.
    if (!seats.some((seat) => seat.kind === "open")) await start(id, commitment, seats.flatMap((seat, p) => (seat.kind === "me" ? [p] : [])));
    location.href = at(`/t/${id}`);
  });
});
arrange();
playAtOnce();
