// The invitation to a table: links for who is near or far, each with its QR code; and what to do while nobody else can come.

import { ask, attempt, copy, dress, h, icon, say, toast } from "./ui.js";

/** The invitation in a dialog. */
export async function openInvitation(dialog, table) {
  const place = h("div.invitation");
  const close = h("button", { type: "button", onclick: () => dialog.close() }, say("live.close"));
  dialog.replaceChildren(h("h2", { id: "ask-title" }, say("invite.title")), place, h("div.row", {}, close));
  await drawInvitation(place, table);
  if (dialog.open) return;
  dialog.showModal();
  (place.querySelector("button") ?? close).focus();
}

/** Put the invitation into a place. */
export async function drawInvitation(place, table) {
  await dress(import.meta.url.replace(".js", ".css"));
  await attempt(null, async () => {
    const { links, may_open: mayOpen, at_the_computer: here } = await ask("GET", `/api/tables/${table}/invitation`);
    place.replaceChildren(...(links.length ? linked(links, here) : [closed(place, table, mayOpen, here)]));
  });
}

/** The links, the first of each kind with its code. */
function linked(links, here) {
  const parts = [];
  for (const where of ["near", "far"]) {
    const [best, ...others] = links.filter((link) => link.where === where);
    if (!best) continue;
    parts.push(h("section.link", {},
      h("img.qr", { src: best.qr, width: 148, height: 148, alt: say("invite.code", { address: best.address }) }),
      h("div.link-words", {},
        h("h3", {}, say(`invite.${where}`)),
        h("p.quiet", {}, say(`invite.${where}_help`)),
        [best, ...others].map((link, n) => field(link.address, n === 0)))));
  }
  if (here && !links.some((link) => link.where === "far")) {
    const { manual } = document.body.dataset; // where the documentation was built
    parts.push(h("p.quiet", {}, say("invite.far_missing"), " ", manual ? h("a", { href: manual, target: "_blank", rel: "noopener" }, say("invite.far_how")) : say("invite.far_manual")));
  }
  return parts;
}

/** A link to copy or to share. */
function field(address, first) {
  return h("div.row", {},
    h("input.address", { readonly: true, value: address, "aria-label": say("invite.link"), onfocus: (event) => event.target.select() }),
    h(first ? "button.first" : "button", { type: "button", "data-key": `copy ${address}`, onclick: () => copyLink(address) }, icon("shen"), say("invite.copy")),
    navigator.share ? h("button", { type: "button", "data-key": `share ${address}`, onclick: () => share(address) }, icon("share"), say("invite.share")) : null);
}

async function copyLink(address) {
  toast(say((await copy(address)) ? "live.copied" : "live.copy_failed", { address }));
}

async function share(url) {
  const game = document.getElementById("title")?.textContent ?? "";
  try {
    await navigator.share({ title: game, text: say("invite.shared_text", { game }), url });
  } catch (error) {
    if (error.name !== "AbortError") await copyLink(url); // closed without choosing: nothing to do
  }
}

/** Nobody else can come yet: why, and what to do about it. */
function closed(place, table, mayOpen, here) {
  if (!mayOpen) return h("div.closed", {}, h("p", {}, say("invite.closed")), h("p.quiet", {}, say(here ? "invite.no_network" : "invite.host")));
  const open = (event) => attempt(event.currentTarget, async () => {
    await ask("POST", "/api/network");
    await drawInvitation(place, table);
    toast(say("invite.opened"));
  });
  return h("div.closed", {},
    h("p", {}, say("invite.closed")),
    h("div.row", {}, h("button.first", { type: "button", "data-key": "open-network", onclick: open }, icon("house"), say("invite.open"))),
    h("p.quiet", {}, say("invite.open_warning")));
}
