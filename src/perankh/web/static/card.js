// A small card beside something: what it is, what a choice would do. It never covers what it is about.

import { h } from "./ui.js";

const GAP = 12; // CSS pixels between the card and its target

export class Card {
  constructor() {
    this.element = document.body.appendChild(h("div.aside", { id: "aside", role: "tooltip", hidden: true }));
    this.about = null; // the element it describes
  }

  get open() {
    return !this.element.hidden;
  }

  /** Show some parts about an element, beside the frame that it has in the window. */
  show(about, frame, parts) {
    this.#describe(about);
    this.element.replaceChildren(...parts.filter(Boolean));
    this.element.hidden = false;
    this.#put(frame);
  }

  hide() {
    this.#describe(null);
    this.element.hidden = true;
  }

  #describe(about) {
    if (this.about === about) return;
    this.about?.removeAttribute("aria-describedby");
    this.about = about;
    about?.setAttribute("aria-describedby", "aside");
  }

  /** Beside the target where there is room: right, left, below, above; else where it covers least. */
  #put({ left, right, top, bottom }) {
    const { style } = this.element;
    [style.left, style.top] = ["0px", "0px"];
    const { width, height } = this.element.getBoundingClientRect();
    const [mostX, mostY] = [innerWidth - width - 8, innerHeight - height - 8];
    const within = (value, most) => Math.max(8, Math.min(value, most));
    const [midX, midY] = [within((left + right - width) / 2, mostX), within((top + bottom - height) / 2, mostY)];
    const places = [[right + GAP, midY, right + GAP <= mostX], [left - GAP - width, midY, left - GAP - width >= 8], [midX, bottom + GAP, bottom + GAP <= mostY], [midX, top - GAP - height, top - GAP - height >= 8]];
    const narrow = innerWidth < 700 ? [places[3], places[2], places[0], places[1]] : places;
    const [x, y] = narrow.find(([, , fits]) => fits) ?? [midX, top > innerHeight - bottom ? 8 : mostY];
    style.left = `${x}px`;
    style.top = `${y}px`;
  }
}
