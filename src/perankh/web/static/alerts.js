// Turn alerts: how somebody is called to a table, or to all of them. A dialog at the table, and a page of its own.

import { serviceWorker } from "./installed.js";
import { ask, at, attempt, dress, h, icon, lang, memory, say, toast } from "./ui.js";

const REMINDERS = [0, 4, 12, 24, 48, 72]; // hours

/** The alerts of a table in a dialog. */
export async function openAlerts(dialog, table) {
  const place = h("div.alerts");
  const close = h("button.first", { type: "button", onclick: () => dialog.close() }, say("live.close"));
  dialog.replaceChildren(
    h("h2", { id: "ask-title" }, say("alerts.title")), place,
    h("div.row", {}, close, h("a.button", { href: "/alerts" }, icon("dial"), say("alerts.more"))));
  await drawAlerts(place, table);
  if (dialog.open) return;
  dialog.showModal();
  close.focus();
}

/** Draw the alerts of a table, or (without one) of all tables and when they come. */
export async function drawAlerts(place, table = null) {
  await dress(import.meta.url.replace(".js", ".css"));
  const state = await attempt(null, () => ask("GET", `/api/alerts?table=${table ?? ""}`));
  if (!state) return;
  const redraw = () => drawAlerts(place, table);
  const device = await thisDevice(state);
  const chosen = new Set((table && state.table_kinds) || state.kinds);
  const choose = async (kind, on) => {
    if (on) chosen.add(kind);
    else chosen.delete(kind);
    await (table ? ask("PUT", `/api/tables/${table}/alerts`, { kinds: [...chosen] }) : ask("PATCH", "/api/alerts", { kinds: [...chosen], timezone: zone() }));
    toast(say("alerts.saved"));
  };
  const here = { state, device, chosen, choose, redraw };
  place.replaceChildren(
    h("p.quiet", {}, say("alerts.about")),
    h("fieldset", {}, h("legend", {}, say(table ? "alerts.this_table" : "alerts.all_tables")), table ? null : h("small", {}, say("alerts.all_tables_help")),
      pushRow(here), state.mail ? addressRows(here, "mail") : h("p.quiet", {}, say("alerts.mail_none")), addressRows(here, "webhook")),
    ...(table ? [] : [times(here), state.channels.length ? forgetAll(redraw) : ""]));
  place.removeAttribute("aria-busy");
}

/** Have the server forget everything about one's alerts. */
function forgetAll(redraw) {
  const forget = (event) => attempt(event.currentTarget, async () => {
    await ask("DELETE", "/api/alerts");
    memory.set("notify", "off");
    await redraw();
  });
  return h("div.row", {}, h("button", { type: "button", "data-key": "forget", onclick: forget }, icon("close"), say("alerts.forget")), h("small", {}, say("alerts.forget_help")));
}

// --- Notifications on this device ---------------------------------------------------------------------------------------

/** What this browser can do: its subscription to push messages, if it has one that the server knows. */
async function thisDevice({ channels }) {
  if (!isSecureContext) return { can: false, why: say("alerts.push_none") };
  if (!globalThis.Notification) return { can: false, why: say("alerts.push_install") };
  if (Notification.permission === "denied") return { can: false, why: say("alerts.push_denied") };
  const registration = await navigator.serviceWorker?.getRegistration();
  const own = await registration?.pushManager?.getSubscription().catch(() => null);
  const known = Boolean(own) && channels.some((channel) => channel.kind === "push" && channel.address === own.endpoint);
  const open = !known && memory.get("notify") === "on";
  return { can: true, known, open, why: say(open ? "alerts.push_open" : "alerts.push_help") };
}

function pushRow({ state, device, chosen, choose, redraw }) {
  const change = (event) => attempt(event.target, async () => {
    const on = event.target.checked;
    if (on && !(await subscribe(state.push_key))) return redraw();
    if (!on) memory.set("notify", "off");
    await choose("push", on);
    return redraw();
  });
  const checked = device.can && ((device.known && chosen.has("push")) || device.open);
  return h("label.toggle", {}, h("input", { type: "checkbox", id: "alert-push", checked, disabled: !device.can, onchange: change }), h("span", {}, say("alerts.push"), h("small", {}, device.why)));
}

/** Have the browser take push messages; where it cannot, notifications come while a page is open. False if it may not notify. */
async function subscribe(key) {
  if ((await Notification.requestPermission()) !== "granted") {
    toast(say("alerts.push_denied"), true);
    return false;
  }
  try {
    await serviceWorker();
    const registration = await navigator.serviceWorker.ready;
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
    await ask("POST", "/api/alerts/channels", { kind: "push", subscription: { endpoint: subscription.endpoint, keys: subscription.toJSON().keys }, lang });
    memory.set("notify", "off");
  } catch {
    memory.set("notify", "on");
  }
  return true;
}

function bytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** A notification from a page that is open but not in front. */
export async function notify(table, game) {
  if (globalThis.Notification?.permission !== "granted") return;
  const options = { tag: `turn-${table}`, icon: at("/icon/icon-192.png"), lang, data: { url: at(`/t/${table}`), stop: at("/alerts") } };
  const title = say("alerts.your_turn", { game });
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration) await registration.showNotification(title, { ...options, actions: [{ action: "stop", title: say("alerts.stop") }] });
  else new Notification(title, options).addEventListener("click", () => focus());
}

// --- Addresses ----------------------------------------------------------------------------------------------------------

/** The addresses of a kind, and a field for another. */
function addressRows({ state, chosen, choose, redraw }, kind) {
  const own = state.channels.filter((channel) => channel.kind === kind);
  const remove = (channel) => (event) => attempt(event.currentTarget, async () => {
    await ask("DELETE", `/api/alerts/channels/${channel.id}`);
    await redraw();
  });
  const add = (event) => {
    event.preventDefault();
    const field = event.target.querySelector("input");
    return attempt(event.target.querySelector("button"), async () => {
      await ask("POST", "/api/alerts/channels", { kind, address: field.value.trim(), lang });
      await choose(kind, true);
      await redraw();
    });
  };
  const rows = own.map((channel) => h("li", {},
    h("span", {}, channel.address, channel.confirmed ? null : h("small", {}, say("alerts.mail_waiting"))),
    h("button.plain.icon-button", { type: "button", "aria-label": say("alerts.remove", { address: channel.address }), onclick: remove(channel) }, icon("close"))));
  const about = [say(`alerts.${kind}`), kind === "webhook" ? h("small", {}, say("alerts.webhook_help")) : null];
  return h("div.channel", {},
    own.length ? h("label.toggle", {}, h("input", { type: "checkbox", id: `alert-${kind}`, checked: chosen.has(kind), onchange: (event) => attempt(null, () => choose(kind, event.target.checked)) }), h("span", {}, about)) : h("div.channel-name", {}, about),
    own.length
      ? h("ul", {}, rows)
      : h("form.row", { onsubmit: add }, h("input", { type: kind === "mail" ? "email" : "url", required: true, maxlength: 1000, "aria-label": say(`alerts.${kind}_address`), placeholder: kind === "mail" ? "ann@example.org" : "https://" , autocomplete: kind === "mail" ? "email" : "off" }), h("button", { type: "submit", "data-key": `add-${kind}` }, say("alerts.add"))));
}

// --- When ---------------------------------------------------------------------------------------------------------------

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

function times({ state, redraw }) {
  const save = (change) => attempt(null, async () => {
    await ask("PATCH", "/api/alerts", { timezone: zone(), ...change });
    toast(say("alerts.saved"));
  });
  const hours = state.quiet ?? { begin: "22:00", end: "08:00" };
  const time = (name, words) => h("label", {}, say(words), " ", h("input", { type: "time", required: true, value: hours[name], disabled: !state.quiet, onchange: (event) => {
    if (event.target.value) hours[name] = event.target.value.slice(0, 5);
    return save({ quiet: hours });
  } }));
  const remindWords = (n) => (n === 0 ? say("alerts.remind_never") : n < 24 ? say("alerts.remind_hours", { hours: n }) : n === 24 ? say("alerts.remind_day") : say("alerts.remind_days", { days: n / 24 }));
  return h("fieldset", {}, h("legend", {}, say("alerts.when")),
    h("label.toggle", {}, h("input", { type: "checkbox", id: "alert-quiet", checked: Boolean(state.quiet), onchange: async (event) => (await save({ quiet: event.target.checked ? hours : false }), redraw()) }), h("span", {}, say("alerts.quiet"), h("small", {}, say("alerts.timezone", { zone: zone() })))),
    h("div.row.hours", {}, time("begin", "alerts.quiet_from"), time("end", "alerts.quiet_to")),
    h("label.row", {}, say("alerts.remind"), " ", h("select", { id: "alert-remind", onchange: (event) => save({ remind: Number(event.target.value) }) }, REMINDERS.map((n) => h("option", { value: n, selected: n === state.remind }, remindWords(n))))));
}
