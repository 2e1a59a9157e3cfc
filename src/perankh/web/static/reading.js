// The rules without leaving the table: the card in a dialog, and the guide beside the board at the rule that concerns the decision.

import { stepThrough } from "./replay.js";
import { attempt, h, icon, say } from "./ui.js";

export class Reading {
  /**
   * @param {HTMLDialogElement} dialog of the card
   * @param {HTMLElement} beside the place of the guide
   */
  constructor(dialog, beside) {
    Object.assign(this, { dialog, beside });
    this.opener = null; // what has opened it
    this.chapter = null; // the one that was shown by itself
  }

  /** Show the card that a link leads to. */
  async openCard(link) {
    if (!this.dialog.hasChildNodes()) {
      const card = await attempt(null, () => part(link.href, "#rules-card"));
      if (!card) return;
      const guide = document.getElementById("open-guide");
      const close = h("button.first", { type: "button", autofocus: true, onclick: () => this.dialog.close() }, say("live.close"));
      const whole = guide && h("button", { type: "button", "data-key": "guide", onclick: () => (this.dialog.close(), guide.click()) }, icon("feather"), guide.textContent.trim() || guide.ariaLabel);
      this.dialog.replaceChildren(card, h("div.row", {}, close, whole));
    }
    if (!document.querySelector("dialog[open]")) this.dialog.showModal();
  }

  /** Show the guide that a link leads to, or put it away. */
  async openGuide(link, chapter) {
    if (this.close()) return;
    if (!this.beside.hasChildNodes()) {
      const prose = await attempt(null, () => part(link.href, ".prose"));
      if (!prose) return;
      const chapters = [...prose.querySelectorAll("h2[id]")];
      this.contents = h("select", { "aria-label": link.ariaLabel, onchange: () => this.#show(this.contents.value) }, chapters.map(({ id, textContent }) => h("option", { value: id }, textContent)));
      prose.tabIndex = 0;
      this.beside.replaceChildren(h("div.beside-head", {}, this.contents, h("button.plain.icon-button", { type: "button", "data-key": "close-guide", "aria-label": say("live.close"), onclick: () => this.close() }, icon("close"))), prose);
      stepThrough(prose);
    }
    this.opener = link;
    this.beside.hidden = false;
    document.body.classList.add("reads");
    this.chapter = null;
    if (chapter) this.follow(chapter);
    this.beside.querySelector(".prose").focus({ preventScroll: true });
  }

  /** Go to the chapter of the present decision, if it is another one. */
  follow(chapter) {
    if (this.beside.hidden || !chapter || chapter === this.chapter) return;
    this.chapter = chapter;
    this.#show(chapter);
  }

  /** Put the guide away; false if it was not open. */
  close() {
    if (this.beside.hidden) return false;
    this.beside.hidden = true;
    document.body.classList.remove("reads");
    this.opener?.focus();
    return true;
  }

  #show(id) {
    const prose = this.beside.querySelector(".prose");
    const heading = prose.querySelector(`#${CSS.escape(id)}`);
    if (!heading) return;
    prose.querySelector(".concerned")?.classList.remove("concerned");
    heading.classList.add("concerned");
    prose.scrollTop += heading.getBoundingClientRect().top - prose.getBoundingClientRect().top - 6;
    const chapter = heading.matches("h2") ? heading : [...prose.querySelectorAll("h2[id]")].findLast((one) => one.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_FOLLOWING);
    this.contents.value = chapter?.id ?? "";
  }
}

/** A part of another page of this server. */
async function part(address, selector) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(say("ui.failed"));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return document.importNode(page.querySelector(selector), true);
}
