// The badge of one's turn: on the title and the icon of the page, and on the icon of the installed app.

import { ask, at } from "./ui.js";

export const VIBRATION = [120, 80, 120]; // milliseconds on, off, on
const EVERY = 60_000; // milliseconds between two looks at one's tables
const link = document.querySelector('link[rel="icon"]');
const plain = link?.getAttribute("href") ?? "";

/** Mark the title and the icon of this page. */
function mark(sign, on) {
  document.title = sign + document.title.replace(/^(● |\(\d+\) )/, "");
  const href = on ? plain.replace("favicon.svg", "favicon_turn.svg") : plain;
  if (link && link.getAttribute("href") !== href) link.setAttribute("href", href);
}

/** Mark the icon of the installed app with a number of tables. */
function markApp(count) {
  if (count) navigator.setAppBadge?.(count).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

let shown = null;

/** It is one's turn at this table, or not. */
export function showTurn(mine) {
  mark(mine ? "● " : "", mine);
  if (shown === mine) return;
  shown = mine;
  if (matchMedia("(display-mode: standalone)").matches) tablesDue().then(({ length }) => markApp(length), () => {});
}

async function tablesDue() {
  return (await ask("GET", "/api/due")).map(({ id, your_turn: mine, asked }) => `${id} ${mine ? "turn" : asked}`);
}

/** The home page: mark how many tables wait, and look again now and then; `drawn` is called when the list is a new one. */
export function watchTurns(drawn) {
  const listed = () => [...document.querySelectorAll("#tables .tag.yours")].map((tag) => tag.dataset.due);
  const show = () => {
    const count = listed().length;
    mark(count ? `(${count}) ` : "", count > 0);
    markApp(count);
  };
  const look = async () => {
    const list = document.getElementById("tables");
    if (!list || document.querySelector("dialog[open]")) return;
    try {
      if (String(await tablesDue()) === String(listed())) return;
      const page = new DOMParser().parseFromString(await (await fetch(at("/"))).text(), "text/html");
      const fresh = page.getElementById("tables");
      if (fresh && !list.contains(document.activeElement)) list.replaceWith(document.adoptNode(fresh));
    } catch {
      return; // no network: look again later
    }
    drawn();
    show();
  };
  show();
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", () => document.hidden || look());
}
