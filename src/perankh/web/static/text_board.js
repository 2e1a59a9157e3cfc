// The table as plain text, in a fold: asked for only while the fold is open.

import { ask, lang } from "./ui.js";

export class TextBoard {
  /**
   * @param {HTMLDetailsElement} fold where the text is
   * @param {string} table id of the table
   */
  constructor(fold, table) {
    this.fold = fold;
    this.table = table;
    this.view = null; // the view whose text is wanted
    fold.addEventListener("toggle", () => this.#fill());
  }

  /** Show the text of a view. */
  show(view) {
    this.view = view;
    this.#fill();
  }

  async #fill() {
    const { fold, view } = this;
    if (!fold.open || !view) return;
    const text = view.text ?? (await this.#asked(view));
    if (this.view === view) fold.querySelector("pre").textContent = text;
  }

  /** The text of a view that came without; the one before stays if it cannot be had. */
  async #asked({ viewer, at, number }) {
    const query = new URLSearchParams({ lang, viewer, at, since: number });
    try {
      return (await ask("GET", `/api/tables/${this.table}?${query}`)).text;
    } catch {
      return this.fold.querySelector("pre").textContent;
    }
  }
}
