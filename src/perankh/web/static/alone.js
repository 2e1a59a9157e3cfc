// A match against bots at once: the game as its box sets it up.

import { learnHere, wantsToPlay } from "./learn.js";
import { ask, at, attempt } from "./ui.js";
import { start } from "./shuffle.js";

/** Let the buttons of the page that offer it begin a match, or the lesson of a game. */
export function playAtOnce() {
  learnHere();
  for (const button of document.querySelectorAll("[data-alone]")) {
    button.addEventListener("click", () => attempt(button, async () => {
      const { alone: game, bot, seat: mine, usual } = button.dataset;
      if (!await wantsToPlay(button.dataset)) return;
      const { players, options } = JSON.parse(usual);
      const seats = Array.from({ length: players }, (_, seat) => (seat === Number(mine) ? { kind: "me" } : { kind: "bot", bot }));
      const { id, commitment } = await ask("POST", "/api/tables", { game, players, seats, options });
      await start(id, commitment, [Number(mine)]);
      location.href = at(`/t/${id}`);
    }));
  }
}
