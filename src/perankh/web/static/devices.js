// The dialogs of a person's page: a code for another device, the recovery phrase, and questions that need an answer.

import { ask, attempt, clockText, copy, h, icon, lang, say, toast } from "./ui.js";

const dialog = document.getElementById("ask");
const LOOK_EVERY = 2000; // milliseconds between two looks whether the code was used

/** Ask whether something is meant; false if not. */
export function confirmed(title, texts, yes, grave = false) {
  return new Promise((done) => {
    dialog.replaceChildren(
      h("form", { method: "dialog" }, h("h2", { id: "ask-title" }, title), texts.map((text) => h("p", {}, text)),
        h("div.row", {}, h(grave ? "button.grave" : "button.first", { type: "submit", value: "yes", "data-key": "yes" }, yes), h("button", { type: "submit", value: "no", autofocus: true }, say("me.cancel")))),
    );
    dialog.returnValue = "";
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
    dialog.showModal();
  });
}

/** Show a transfer code until it is used, ends, or is closed. */
export async function showCode(refresh) {
  const { code, seconds, link, picture, may_open: mayOpen } = await ask("POST", "/api/me/code");
  const before = (await refresh()).devices.length;
  const until = performance.now() + 1000 * seconds;
  const left = h("span", { role: "timer" });
  const written = h("button", { type: "button", onclick: async () => toast(say((await copy(link ?? code)) ? "me.copied" : "me.not_copied")) }, icon("scroll"), say(link ? "me.copy_link" : "me.copy_code"));
  dialog.replaceChildren(...[
    h("h2", { id: "ask-title" }, say("me.add_device")),
    h("p", {}, say(picture ? "me.code_scan" : "me.code_type")),
    ...(picture ? [h("img.qr", { src: picture, alt: say("me.code_picture"), width: 240, height: 240 })] : []),
    h("output.code", { id: "code" }, code),
    h("p.quiet", {}, say("me.code_left"), " ", left),
    mayOpen && networkQuestion(refresh),
    h("p.warn", {}, say("me.code_warn")),
    h("div.row", {}, written, h("button.first", { type: "button", onclick: () => dialog.close() }, say("me.close"))),
  ].filter(Boolean));
  dialog.showModal();
  const tick = setInterval(() => {
    const rest = (until - performance.now()) / 1000;
    left.textContent = clockText(rest);
    if (rest <= 0) dialog.close();
  }, 500);
  const look = setInterval(async () => {
    if ((await refresh()).devices.length > before && dialog.open) {
      dialog.close();
      toast(say("me.device_added"));
    }
  }, LOOK_EVERY);
  dialog.addEventListener("close", () => [tick, look].forEach(clearInterval), { once: true });
}

/** Only this computer can be reached: let the network in, and show a code that another device can scan. */
function networkQuestion(refresh) {
  const open = (event) => attempt(event.currentTarget, async () => {
    await ask("POST", "/api/network");
    const closed = new Promise((done) => dialog.addEventListener("close", done, { once: true }));
    dialog.close();
    await closed; // and with it the time of the code that nobody could use
    await showCode(refresh);
  });
  return h("div.closed", {}, h("p", {}, say("me.code_closed")),
    h("div.row", {}, h("button", { type: "button", "data-key": "open-network", onclick: open }, icon("house"), say("invite.open"))),
    h("p.quiet", {}, say("invite.open_warning")));
}

/** Make a recovery phrase and show it this once. */
export async function showPhrase(refresh) {
  const { words } = await ask("POST", "/api/me/recovery");
  const list = words[lang];
  dialog.replaceChildren(
    h("h2", { id: "ask-title" }, say("me.phrase")),
    h("p", {}, say("me.phrase_write")),
    h("ol.phrase", { id: "phrase" }, list.map((word) => h("li", {}, word))),
    h("p.warn", {}, say("me.phrase_warn")),
    h("div.row", {}, h("button.first", { type: "button", onclick: () => dialog.close() }, icon("check"), say("me.phrase_written")),
      h("button", { type: "button", onclick: async () => toast(say((await copy(list.join(" "))) ? "me.copied" : "me.not_copied")) }, icon("scroll"), say("me.copy"))),
  );
  dialog.showModal();
  await refresh();
}

/** A device or a passkey in a list, with the button that ends it. */
export function thing(name, facts, here, label, words, end) {
  return h("li", {}, h("span.what", {}, h("strong", {}, name), h("small", {}, facts)), here && h("span.tag.yours", {}, say("me.this_device")),
    h("button", { type: "button", "aria-label": label, onclick: (event) => attempt(event.currentTarget, end) }, words));
}
