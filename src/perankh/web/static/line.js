// The line of play that was expected after a better move, step by step on the board.

import { ask, attempt, emblem, h, icon, lang, say } from "./ui.js";

export class Line {
  /**
   * @param {HTMLElement} place above the board
   * @param {string} table id of the table
   * @param {{board: object, shape: () => string, back: () => void}} asked the board, its shape, and how the position that is looked
   *   at comes back to it
   */
  constructor(place, table, { board, shape, back }) {
    Object.assign(this, { table, board, shape, back });
    this.decision = null;
    this.card = h("section.line-card.card", { "aria-label": say("analysis.line"), hidden: true });
    place.prepend(this.card);
  }

  /** Begin with the position of a decision, which is on the board. */
  open(decision, view) {
    this.decision = decision;
    this.view = view;
    this.step = 0;
    this.card.hidden = false;
    this.#draw();
    this.card.querySelector("[data-key=next]").focus();
  }

  /** Another position is on the screen: the line is closed. */
  leave(position) {
    if (this.decision && position !== this.decision.number) this.#close();
  }

  /** What is on the board in place of a position: the step of the line that begins there. */
  sceneAt(position) {
    return this.decision?.number === position && this.step ? this.scene : null;
  }

  #close() {
    this.decision = null;
    this.card.hidden = true;
  }

  async #go(step) {
    const { decision } = this;
    await attempt(null, async () => {
      const query = new URLSearchParams({ number: decision.number, step, lang, shape: this.shape() });
      const { scene, lines } = await ask("GET", `/api/tables/${this.table}/analysis/line?${query}`);
      if (this.decision !== decision) return;
      Object.assign(this, { step, scene, lines });
      this.board.hint(null);
      this.board.show(scene);
      this.#draw();
    });
  }

  #draw() {
    const { line, seat } = this.decision;
    const focused = document.activeElement?.dataset.key;
    const button = (key, name, words, onclick, disabled) => h("button", { type: "button", "data-key": key, "aria-label": words, title: words, onclick, disabled }, icon(name));
    const move = this.step ? line[this.step - 1] : null;
    const player = move && this.view.players[move.seat];
    this.card.replaceChildren(
      h("p.line-said", { role: "status" },
        move ? [emblem(move.seat, player.colour), h("span", {}, this.lines.length ? this.lines.join(lang === "ja" ? "" : " ") : `${player.name}: ${move.sentence}`)] : h("span", {}, say("analysis.line_start", { name: this.view.players[seat].name })),
        h("span.quiet", {}, ` ${this.step} / ${line.length}`)),
      h("div.row", {},
        button("back", "back", say("analysis.line_back"), () => this.#go(this.step - 1), this.step === 0),
        button("next", "on", say("analysis.line_next"), () => this.#go(this.step + 1), this.step === line.length),
        button("close", "close", say("live.close"), () => (this.#close(), this.back()))));
    const wanted = this.card.querySelector(`[data-key="${focused}"]`);
    (wanted?.disabled ? this.card.querySelector("button:not([disabled])") : wanted)?.focus();
  }
}
