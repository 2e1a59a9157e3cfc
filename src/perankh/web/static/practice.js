// A new table that begins in a position of a match that is over, against bots.

import { ask, at, attempt, h, icon, memory, say } from "./ui.js";

const LEVEL = "practice-bot"; // what was chosen last, kept in this browser

/** Ask for seat and level, and go there. */
export function openPractice(dialog, table, view, number, seat) {
  const bots = document.body.dataset.bots.split(" ");
  const option = (value, words, selected) => h("option", { value, selected }, words);
  const seats = h("select", { name: "seat" }, view.players.map((player) => option(player.seat, player.name, player.seat === seat)));
  const levels = h("select", { name: "bot" }, bots.map((bot) => option(bot, say(`bot.${bot}`), bot === (memory.get(LEVEL) ?? "scribe"))));
  const hidden = h("select", { name: "hidden" }, option("known", say("practice.known"), true), option("real", say("practice.real"), false));
  const go = h("button.first", { type: "submit" }, icon("boat"), say("practice.go"));
  const begin = async () => {
    memory.set(LEVEL, levels.value);
    const wanted = { number, seat: Number(seats.value), bot: levels.value, hidden: hidden.value };
    location.href = at(`/t/${(await ask("POST", `/api/tables/${table}/practice`, wanted)).id}`);
  };
  const field = (words, control) => h("label", {}, h("span", {}, words), control);
  dialog.replaceChildren(
    h("h2", { id: "ask-title" }, say("practice.title")),
    h("p", {}, number ? say("practice.from", { number }) : say("practice.from_deal")),
    h("form.practice-form", { onsubmit: (event) => (event.preventDefault(), attempt(go, begin)) },
      field(say("practice.seat"), seats), field(say("practice.bot"), levels), "hidden" in document.body.dataset ? field(say("practice.hidden"), hidden) : null,
      h("div.row", {}, go, h("button", { type: "button", onclick: () => dialog.close() }, say("live.close")))));
  dialog.showModal();
  seats.focus();
}
