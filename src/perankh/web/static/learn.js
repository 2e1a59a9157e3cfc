// The way into a game's lesson: its buttons, and the question before the first match of one's own.

import { ask, at, attempt, h, icon, memory, say } from "./ui.js";

/** Let the buttons of the page that offer a lesson open it: where it was left, or from the start. */
export function learnHere() {
  for (const button of document.querySelectorAll("[data-learn]")) button.addEventListener("click", () => learn(button, button.dataset.learn));
}

async function learn(button, game) {
  memory.set(`met:${game}`, "yes");
  await attempt(button, async () => {
    location.href = at(`/t/${(await ask("POST", `/api/lessons/${game}`)).id}`);
  });
}

/** Ask a newcomer whether to learn the game first; true if he wants to play at once. Asked once for each game. */
export function wantsToPlay({ alone: game, title, minutes }) {
  if (!minutes || memory.get(`met:${game}`)) return true;
  return new Promise((answer) => {
    const dialog = h("dialog.offer", { "aria-labelledby": "offer-title" });
    const choose = (play) => {
      memory.set(`met:${game}`, "yes");
      dialog.close();
      answer(play);
    };
    const first = h("button.first", { type: "button", "data-key": "learn", onclick: ({ currentTarget }) => learn(currentTarget, game) }, icon("lamp"), say("lesson.learn", { minutes }));
    dialog.append(
      h("h2", { id: "offer-title" }, say("lesson.offer", { game: title })),
      h("p", {}, say("lesson.offer_help")),
      h("div.row", {}, first, h("button", { type: "button", "data-key": "play", onclick: () => choose(true) }, icon("play"), say("lesson.play"))),
    );
    dialog.addEventListener("close", () => (answer(false), dialog.remove()));
    document.body.append(dialog);
    dialog.showModal();
    first.focus();
  });
}
