// The bar of what waits for an answer: always in view, whatever is scrolled, and inside whatever dialog is open.

import { fill } from "./panels.js";

export class Bar {
  /** @param {HTMLElement} place an element that is fixed in the window */
  constructor(place) {
    this.place = place;
    // What is outside an open dialog can neither be seen nor clicked.
    const watch = new MutationObserver(() => this.#follow());
    for (const dialog of document.querySelectorAll("dialog")) watch.observe(dialog, { attributeFilter: ["open"] });
  }

  /** Show some elements, or nothing; what is shown already stays as it is, so that no button vanishes under a finger. */
  show(parts, key) {
    const wanted = JSON.stringify(key);
    if (this.key === wanted) return;
    this.key = wanted;
    this.place.hidden = !parts.length;
    document.body.classList.toggle("asked", parts.length > 0);
    fill(this.place, parts);
    this.#follow();
  }

  #follow() {
    const holder = document.querySelector("dialog[open]") ?? document.body;
    if (this.place.parentNode !== holder) holder.append(this.place);
  }
}
