// Play over days: the next table that waits for somebody, and vacations.

import { ask, h, icon, lang, say } from "./ui.js";

const PATIENCE = 20_000; // milliseconds before the list is asked for again

/** Looks for tables at which it is one's turn, while it is not one's turn here. */
export class NextTable {
  /** `news` is called when there is another table to go to, or none any more. */
  constructor(table, news) {
    this.table = table;
    this.news = news;
    this.due = [];
    this.asked = -PATIENCE;
  }

  /** Ask again if some time has passed. */
  async look(anew = false) {
    if (!anew && performance.now() - this.asked < PATIENCE) return;
    this.asked = performance.now();
    const due = (await ask("GET", "/api/due").catch(() => [])).filter(({ id }) => id !== this.table);
    if (String(due.map(({ id }) => id)) === String(this.due.map(({ id }) => id))) return;
    this.due = due;
    this.news();
  }

  /** The way to the table that has waited longest; null if none waits. */
  link() {
    if (!this.due.length) return null;
    return h("a.button.next-table", { href: `/t/${this.due[0].id}`, "data-key": "next-table", title: say("live.next_table_help") }, icon("boat"), say("live.next_table", { count: this.due.length }));
  }
}

/** The day on which a vacation ends. */
export function endOf(seconds) {
  return new Date(Date.now() + seconds * 1000).toLocaleDateString(lang, { month: lang === "ja" ? "numeric" : "short", day: "numeric" });
}

/** Ask for how many days somebody wants to be away; null if the dialog was closed. */
export function askDays(most) {
  return new Promise((done) => {
    const dialog = document.getElementById("ask");
    const field = h("input", { id: "ask-days", type: "number", min: 1, max: most, value: 7, required: true, autofocus: true });
    dialog.replaceChildren(
      h("form", { method: "dialog" }, h("h2", { id: "ask-title" }, say("live.ask_vacation")), h("p", {}, say("live.vacation_about")),
        h("p", {}, h("label", { for: "ask-days" }, say("live.vacation_days")), " ", field),
        h("div.row", {}, h("button.first", { type: "submit", value: "yes" }, say("live.ask_vacation")), h("button", { type: "submit", value: "no", formnovalidate: true }, say("live.cancel")))),
    );
    dialog.returnValue = "";
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes" ? Number(field.value) : null), { once: true });
    dialog.showModal();
  });
}
