// What the bots think of a decision: the moves ranked, what the best one brings, why, and the play that is expected after it.
// The network's answer comes first where there is one; the search replaces it.

import { ask, h, icon, lang, say } from "./ui.js";

/** A difference with its sign; none if it is nothing as it is rounded. */
export function signed(number, digits) {
  const size = Math.abs(number).toFixed(digits);
  return `${Number(size) ? (number < 0 ? "−" : "+") : ""}${size}`;
}

const percent = (share) => Math.round(100 * share);

/** A bar that is filled to a part. */
function bar(part) {
  const element = h("span.bar", { "aria-hidden": "true" });
  element.style.setProperty("--part", part.toFixed(3));
  return element;
}

/** What a move brings against another, in words. */
function gainText({ chance, lead, clear }) {
  const words = { chance: signed(100 * chance[0], 0), error: percent(chance[1]), lead: signed(lead[0], 1), lead_error: lead[1].toFixed(1) };
  return say(clear ? "advice.gain" : "advice.equal", words);
}

/** Facts that speak for a move or against it. */
export function drawReasons(reasons) {
  return h("ul.reasons", {}, reasons.map(({ good, text }) => h(good ? "li.good" : "li.bad", {}, icon(good ? "check" : "flag"), h("span.unseen", {}, say(good ? "advice.for" : "advice.against")), h("span", {}, text))));
}

/** The play that is expected, line by line. */
export const drawLine = (line) => h("ol.line", {}, line.map((text) => h("li", {}, text)));

export class HintCard {
  /**
   * @param {number} at moves made in the position
   * @param {{point: (path: string[] | null) => void, changed: () => void}} page shows the pieces of a move; draws the card anew
   */
  constructor(at, page) {
    Object.assign(this, page);
    this.at = at;
    this.found = null;
    this.element = h("section.advice", { "aria-label": say("advice.title"), "data-key": "advice" }, h("p.quiet", { role: "status" }, icon("lamp"), say("advice.working")));
  }

  /** Ask for what can be said at once, then for what the search finds; the last answer. */
  async ask(path, body) {
    this.#take(await ask("POST", `${path}?lang=${lang}`, { ...body, first: true }));
    if (this.found.source === "network") this.#take(await ask("POST", `${path}?lang=${lang}`, body), true);
    return this.found;
  }

  #take(found, last = false) {
    this.found = found;
    const { source, reasons, line, gain } = found;
    const named = (title, inside) => h("div", {}, h("h3", {}, title), inside);
    this.element.replaceChildren(
      h("p.best", {}, icon("lamp"), h("strong", {}, say("advice.best", { sentence: found.sentence }))),
      gain ? h("p", {}, gainText(gain)) : "",
      reasons.length ? named(say("advice.reasons"), drawReasons(reasons)) : "",
      line.length ? named(say("advice.line"), drawLine(line)) : "",
      found.choices.length > 1 ? named(say("advice.moves"), this.#moves(found)) : "",
      h("p.quiet", { role: "status" }, this.#source(found, source === "network" && last), " ", this.#first(found)),
    );
    this.changed();
  }

  #source({ source, iterations, expected }, only) {
    return say(`advice.${source}${only ? "_only" : ""}`, { iterations: iterations.toLocaleString(lang), expected: percent(expected ?? 0) });
  }

  /** How the network's first answer differs from what the search found. */
  #first({ source, first, code, choices }) {
    if (source !== "search" || !first) return "";
    if (first === code) return say("advice.same");
    const move = choices.find((choice) => choice.code === first);
    return move ? say("advice.other", { sentence: move.sentence }) : "";
  }

  #moves({ choices }) {
    const most = Math.max(...choices.map((choice) => choice.chance?.[0] ?? choice.share), 0.01);
    const rows = choices.filter((choice) => choice.chance || choice.share >= 0.01).map((choice) => {
      const { chance, lead, share, places } = choice;
      const words = chance ? say("advice.chance", { chance: percent(chance[0]), error: percent(chance[1]) }) : say("advice.share", { share: percent(share) });
      const title = chance ? say("advice.chances", { chance: percent(chance[0]), error: percent(chance[1]), lead: signed(lead[0], 1), lead_error: lead[1].toFixed(1) }) : words;
      const ranks = places.length > 2 ? ` ${say("advice.places", { places: places.map((each, n) => say("advice.place", { place: n + 1, share: percent(each) })).join(" · ") })}` : "";
      return h("li", {}, h("button.plain", { type: "button", title: title + ranks, onpointerenter: () => this.point(choice.path), onpointerleave: () => this.point(null), onfocus: () => this.point(choice.path), onblur: () => this.point(null), onclick: () => this.point(choice.path) },
        h("span.what", {}, choice.sentence), h("span.figure", {}, words), lead ? h("span.figure", {}, say("advice.lead", { lead: signed(lead[0], 1) })) : "",
        bar((chance?.[0] ?? share) / most)));
    });
    return h("ol.ranked", {}, rows);
  }
}
