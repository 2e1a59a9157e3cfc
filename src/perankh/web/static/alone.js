// A match against bots at once: the game as its box sets it up.

import { ask, attempt } from "./ui.js";
import { start } from "./shuffle.js";

/** Let the buttons of the page that offer it begin a match. */
export function playAtOnce() {
  for (const button of document.querySelectorAll("[data-alone]")) {
    button.addEventListener("click", () => attempt(button, async () => {
      const { alone: game, bot, usual } = button.dataset;
      const { players, options } = JSON.parse(usual);
      const seats = Array.from({ length: players }, (_, seat) => (seat ? { kind: "bot", bot } : { kind: "me" }));
      const { id, commitment } = await ask("POST", "/api/tables", { game, players, seats, options });
      await start(id, commitment, [0]);
      location.href = `/t/${id}`;
    }));
  }
}
