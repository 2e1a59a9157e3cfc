// Small things every page needs: words, elements, toasts, requests.

const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
export const lang = document.documentElement.lang;
const icons = document.querySelector('link[rel="icons"]')?.getAttribute("href") ?? "";

/** A text of words.toml in the page's language, its blanks filled. */
export function say(key, filled = {}) {
  const text = words[key];
  if (text === undefined) throw new Error(`no words ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => filled[name] ?? "");
}

const root = new URL("..", import.meta.url).pathname.slice(0, -1); // the folder below which the server stands, if any

/** The address of a path of this server. */
export const at = (path) => root + path;

/** An element: tag with classes ("button.first"), properties and attributes, children. */
export function h(tag, given = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : key === "href" && value.startsWith("/") ? at(value) : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function use(href, className) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const inside = document.createElementNS("http://www.w3.org/2000/svg", "use");
  inside.setAttribute("href", href);
  svg.append(inside);
  return svg;
}

/** One of the small signs of icons.svg. */
export function icon(name) {
  return use(`${icons}#${name}`, "icon");
}

/** The sign of a seat in its colour. */
export function emblem(seat, colour) {
  return use(`#emblem-${seat}`, `emblem in-${colour}`);
}

let toasts = null;
let last = null;

/** Say something in passing; `at`: near this point of the window instead of at its foot. */
export function toast(text, bad = false, at = null) {
  if (at) return sayAt(text, at);
  toasts ??= document.body.appendChild(h("div.toasts", { role: "status" }));
  // Inside the top layer a dialog would cover it.
  (document.querySelector("dialog[open]") ?? document.body).append(toasts);
  if (last?.isConnected && last.textContent === text) last.remove();
  const shown = h(bad ? "div.toast.bad" : "div.toast", {}, text);
  last = shown;
  toasts.append(shown);
  while (toasts.children.length > 3) toasts.firstChild.remove();
  setTimeout(() => shown.remove(), Math.max(2800, text.length * 70));
  return undefined;
}

/** A text with a capital first. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Say something briefly near a point of the window, above it where there is room. */
function sayAt(text, [x, y]) {
  document.querySelector(".toast.near")?.remove();
  const shown = h("div.toast.near", { role: "status" }, text);
  document.body.append(shown);
  const { width, height } = shown.getBoundingClientRect();
  const top = y - height - 18 > 8 ? y - height - 18 : y + 24;
  shown.style.left = `${Math.max(8, Math.min(x - width / 2, innerWidth - width - 8))}px`;
  shown.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`;
  setTimeout(() => shown.remove(), Math.max(2200, text.length * 60));
  addEventListener("pointerdown", () => shown.remove(), { once: true }); // whoever goes on has read it
}

/** Ask the API; a refusal becomes an Error with the reason in the page's language. */
export async function ask(method, path, body) {
  const request = { method, headers: {} };
  if (typeof body === "string") {
    request.headers["Content-Type"] = "text/plain";
    request.body = body;
  } else if (body !== undefined) {
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(at(path), request);
  } catch {
    throw new Error(say("ui.offline"));
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(said.reason?.[lang] ?? said.error ?? say("ui.failed")), { status: answer.status, facts: said });
  return said;
}

/** Do something that may be refused, and say so if it is; the button that began it rests meanwhile. */
export async function attempt(button, work) {
  if (button) button.disabled = true;
  try {
    return await work();
  } catch (error) {
    toast(error.message, true);
    return undefined;
  } finally {
    if (button) button.disabled = false;
  }
}

/** Copy a text; over plain http there is no clipboard interface, so an old way helps out. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h("textarea.unseen", { readonly: true, "aria-hidden": "true" }, text);
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

/** Load the style of a part of the page that is not there from the start, once. */
export function dress(href) {
  const { pathname, search } = new URL(href, location.href);
  if (document.querySelector(`link[href="${pathname + search}"], link[href="${href}"]`)) return undefined;
  const link = h("link", { rel: "stylesheet", href });
  return new Promise((done) => {
    for (const event of ["load", "error"]) link.addEventListener(event, done);
    document.head.append(link);
  });
}

/** Seconds as a clock shows them. */
export function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  if (hours >= 24) return say("ui.days_hours", { days: Math.floor(hours / 24), hours: hours % 24 });
  return (hours ? `${hours}:${two(Math.floor(whole / 60) % 60)}` : `${Math.floor(whole / 60)}`) + `:${two(whole % 60)}`;
}

/** Something remembered in this browser; null where it keeps nothing. */
export const memory = {
  get(key) {
    try {
      return localStorage.getItem(`perankh:${key}`);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`perankh:${key}`, value);
    } catch { /* private window: forget it */ }
  },
};

/** Forget everything that is remembered in this browser. */
export function forgetAll() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("perankh:")) localStorage.removeItem(key);
  } catch { /* it keeps nothing */ }
}

/** The day of a moment, given in seconds since 1970. */
export function day(seconds) {
  const when = new Date(1000 * seconds);
  const year = when.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" };
  return when.toLocaleDateString(lang, { ...year, month: "short", day: "numeric" });
}
