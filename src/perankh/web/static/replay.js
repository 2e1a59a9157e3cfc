// Small replays in a guide: one position at a time, with buttons and the arrow keys.

import { h, icon, say } from "./ui.js";

/** Let all replays inside an element be stepped through. */
export function stepThrough(root) {
  for (const figure of root.querySelectorAll(".example:not(.stepped)")) step(figure);
}

function step(figure) {
  const steps = [...figure.querySelectorAll("li")];
  const button = (name, words, by) => h("button.plain.icon-button", { type: "button", "aria-label": say(words), onclick: () => show(at + by) }, icon(name));
  const back = button("back", "replay.back", -1);
  const on = button("on", "replay.on", 1);
  const place = h("output", {});
  let at = 0;

  function show(n) {
    at = Math.max(0, Math.min(n, steps.length - 1));
    for (const [number, one] of steps.entries()) one.classList.toggle("shown", number === at);
    steps[at + 1]?.querySelector("img").setAttribute("loading", "eager"); // the next one is there at once
    back.disabled = at === 0;
    on.disabled = at === steps.length - 1;
    place.textContent = say("replay.at", { at: at + 1, count: steps.length });
  }

  figure.classList.add("stepped");
  figure.querySelector("ol").setAttribute("aria-live", "polite");
  figure.append(h("div.steps", {}, back, place, on));
  figure.addEventListener("keydown", (event) => {
    const wanted = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // at a table these keys step through the match
    show(wanted);
  });
  show(0);
}
