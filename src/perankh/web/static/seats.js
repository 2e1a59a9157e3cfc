// What is done about seats: sitting down, names, handing over, asking the others. `here` is the table: its id, connection and view.

import { askDays } from "./days.js";
import { resignWords } from "./panels.js";
import { forget } from "./shuffle.js";
import { ask, attempt, h, icon, say } from "./ui.js";

/** Ask for a name in a dialog; null if it was closed. */
export function askName(title, given) {
  return new Promise((done) => {
    const dialog = document.getElementById("ask");
    const field = h("input", { id: "ask-name", maxlength: 40, value: given, autocomplete: "nickname", autofocus: true });
    dialog.replaceChildren(
      h("form", { method: "dialog" }, h("h2", { id: "ask-title" }, title), h("p", {}, h("label", { for: "ask-name" }, say("live.your_name")), " ", field),
        h("div.row", {}, h("button.first", { type: "submit", value: "yes" }, say("live.ok")), h("button", { type: "submit", value: "no", formnovalidate: true }, say("live.cancel")))),
    );
    dialog.returnValue = "";
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes" ? field.value.trim() : null), { once: true });
    dialog.showModal();
  });
}

/** Take an open seat under a name. */
export async function sit(here, player) {
  const { table, live, now } = here;
  const hotseat = now.own.length > 0;
  const name = await askName(say(hotseat ? "live.sit_too" : "live.sit_title", { seat: player.name }), hotseat ? "" : document.body.dataset.name);
  if (name === null) return;
  await attempt(null, async () => {
    await ask("POST", `/api/tables/${table}/seats`, { seat: player.seat, name });
    live.reconnect(); // the server must look again at who we are
  });
}

const SIGNS = { rename: "reed", back: "seat", join: "seat", open: "seat", time: "clock", leave: "back", resign: "flag", vacation: "boat", end_vacation: "boat" };
const LONGEST_VACATION = 30; // days

/** Change who plays a seat, or how they are called. */
export function changeSeat({ table }, player, change) {
  return attempt(null, () => ask("PATCH", `/api/tables/${table}/seats/${player.seat}`, change));
}

/** Ask the others for something about a seat; a newcomer says who he is. */
export async function askOthers({ table, live }, what, player) {
  const name = what === "join" ? await askName(say("live.ask_join"), document.body.dataset.name) : undefined;
  const days = what === "vacation" ? await askDays(LONGEST_VACATION) : undefined;
  if (name === null || days === null) return;
  await attempt(null, async () => {
    await ask("POST", `/api/tables/${table}/requests`, { what, seat: player.seat, ...(name !== undefined && { name }), ...(days && { days }) });
    if (what === "join") live.reconnect(); // the server must look again at who we are
  });
}

/** Make sure that somebody wants to leave the match or to give it up; false if not. */
function confirm(key, title, about) {
  return new Promise((done) => {
    const dialog = document.getElementById("ask");
    dialog.replaceChildren(
      h("form", { method: "dialog" }, h("h2", { id: "ask-title" }, title), h("p", {}, about),
        h("div.row", {}, h("button.first", { type: "submit", value: "yes", "data-key": key }, title), h("button", { type: "submit", value: "no", autofocus: true }, say("live.cancel")))),
    );
    dialog.returnValue = "";
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
    dialog.showModal();
  });
}

function confirmLeaving(now) {
  return confirm("leave", say("live.leave_match"), say("live.leave_about", { bot: say(`bot.${now.settings.stand_in}`) }));
}

/** Give the match up, if that is meant. */
async function resign({ table, now }, player) {
  if (!(await confirm("resign", say("live.resign"), resignWords(now)))) return;
  await attempt(null, () => ask("POST", `/api/tables/${table}/resign`, { seat: player.seat }));
}

/** The menu of what may be done about a seat. */
export function seatMenu(here, player, actions) {
  const dialog = document.getElementById("ask");
  dialog.replaceChildren(
    h("h2", { id: "ask-title" }, player.name),
    h("div.menu", {}, actions.map(([key, words, request, more]) =>
      h("button", { type: "button", "data-action": key, onclick: async () => {
        const closed = new Promise((done) => dialog.addEventListener("close", done, { once: true }));
        dialog.close();
        await closed; // the same dialog may be opened again to ask for a name
        if (request?.what) return askOthers(here, request.what, player);
        if (request?.resign) return resign(here, player);
        const change = request ?? { name: await askName(say("live.rename"), player.name) };
        if (change.name === null || (key === "leave" && here.now.status === "playing" && !(await confirmLeaving(here.now)))) return;
        await changeSeat(here, player, change);
        if (change.kind && here.now.status === "waiting") forget(here.table, player.seat);
        if (key === "leave") here.live.reconnect(); // the server must look again at who we are
      } }, icon(SIGNS[key] ?? "shabti"), h("span", {}, words, more && h("small", {}, more)))),
    h("button.plain", { type: "button", onclick: () => dialog.close() }, say("live.cancel"))),
  );
  dialog.showModal();
}
