// The page of a person: name and colour, devices, ways back, standing, data.

import { confirmed, showCode, showPhrase, thing } from "./devices.js";
import { make, offered, use } from "./passkeys.js";
import { drawStanding } from "./standing.js";
import { ask, at, attempt, day, forgetAll, say, toast } from "./ui.js";

const place = (id) => document.getElementById(id);
const onClick = (id, work) => place(id).addEventListener("click", (event) => attempt(event.currentTarget, work));

/** Read what is known about oneself, and draw it. */
async function refresh() {
  const me = await ask("GET", "/api/me");
  drawDevices(me);
  drawWays(me);
  for (const id of ["devices", "ways", "data"]) place(id).hidden = !me.known;
  return me;
}

function drawDevices({ devices }) {
  const rows = devices.map(({ id, name, seen, here }) => {
    const called = name || say("me.program");
    const used = here ? say("me.used_now") : say("me.used", { day: day(seen) });
    return thing(called, used, here, say("me.sign_out_of", { device: called }), say("me.sign_out"), () => signOut(id, called, here));
  });
  place("device-list").replaceChildren(...rows);
  place("sign-out-others").hidden = devices.length < 2;
}

async function signOut(id, called, here) {
  const texts = here ? [say("me.sign_out_here")] : [say("me.sign_out_about", { device: called })];
  if (!(await confirmed(say("me.sign_out"), texts, say("me.sign_out")))) return;
  await ask("DELETE", `/api/me/devices/${id}`);
  if (here) location.href = at("/");
  else await refresh();
}

function drawWays({ recovery, passkeys, passkeys_here: here }) {
  place("phrase-state").textContent = recovery ? say("me.phrase_made", { day: day(recovery) }) : say("me.phrase_none");
  place("new-phrase").textContent = say(recovery ? "me.phrase_again" : "me.phrase_make");
  place("no-phrase").hidden = !recovery;
  const possible = here && offered();
  place("passkeys-state").textContent = possible ? (passkeys.length ? "" : say("me.passkeys_none")) : say("me.passkeys_nowhere");
  place("passkeys-state").hidden = possible && passkeys.length > 0;
  place("add-passkey").hidden = place("use-passkey").hidden = !possible;
  const rows = passkeys.map(({ id, name, created }) =>
    thing(name || say("me.passkey"), say("me.made", { day: day(created) }), false, say("me.passkey_remove_of", { name }), say("me.passkey_remove"), async () => {
      await ask("DELETE", `/api/me/passkeys/${encodeURIComponent(id)}`);
      await refresh();
    }));
  place("passkey-list").replaceChildren(...rows);
}

// --- Name and colour ---

place("profile").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  attempt(event.submitter, async () => {
    await ask("PATCH", "/api/me", { name: form.elements.name.value.trim(), colour: form.elements.colour.value });
    toast(say("me.saved"));
    await refresh();
  });
});

// --- Devices and ways back ---

onClick("add-device", () => showCode(refresh));
onClick("sign-out-others", async () => {
  if (!(await confirmed(say("me.sign_out_others"), [say("me.sign_out_others_about")], say("me.sign_out")))) return;
  const { signed_out: count } = await ask("DELETE", "/api/me/devices");
  toast(say("me.signed_out", { count }));
  await refresh();
});
onClick("new-phrase", async () => {
  const { recovery } = await refresh();
  if (!recovery || (await confirmed(say("me.phrase_again"), [say("me.phrase_replaces")], say("me.phrase_again")))) await showPhrase(refresh);
});
onClick("no-phrase", async () => {
  await ask("DELETE", "/api/me/recovery");
  await refresh();
});
onClick("add-passkey", async () => {
  const { options } = await ask("POST", "/api/me/passkeys/options");
  await ask("POST", "/api/me/passkeys", { passkey: await browserDoes(make(options)) });
  toast(say("me.passkey_added"));
  await refresh();
});

/** What a browser refuses about passkeys, in our words: its own are for programmers. */
async function browserDoes(work) {
  try {
    return await work;
  } catch (error) {
    throw new Error(say(error.name === "InvalidStateError" ? "me.passkey_known" : "me.passkey_failed"));
  }
}

// --- This device becomes one of another person's ---

/** Join by one of the ways, once it is certain that it is meant. */
async function join(way) {
  const { length } = await ask("GET", "/api/tables");
  const along = length ? [say("me.join_along", { count: length })] : [];
  if (!(await confirmed(say("me.join_sure"), [say("me.join_about"), ...along], say("me.join_go")))) return;
  const { name } = await ask("POST", "/api/me/join", way);
  place("way").value = "";
  toast(name ? say("me.joined_as", { name }) : say("me.joined"));
  await drawAll();
}

place("join-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const typed = place("way").value.trim();
  attempt(event.submitter, () => join(/\S[\s、,]+\S+[\s、,]+\S/.test(typed) ? { phrase: typed } : { code: typed }));
});
onClick("use-passkey", async () => {
  const { options } = await ask("POST", "/api/me/passkeys/challenge");
  await join({ passkey: await browserDoes(use(options)) });
});

/** A code that was scanned is in the address, behind the #; it is taken from there, so that it stays in no history. */
function takeCode() {
  const [, code] = location.hash.match(/^#code=([\w-]+)$/) ?? [];
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  place("way").value = code;
  place("join").scrollIntoView({ block: "center" });
  place("join-form").querySelector("[type=submit]").focus();
}

// --- Data ---

onClick("delete", async () => {
  if (!(await confirmed(say("me.delete"), [say("me.delete_about"), say("me.delete_others"), say("me.delete_final")], say("me.delete_go"), true))) return;
  await ask("DELETE", "/api/me", { everything: true });
  forgetAll();
  location.href = at("/");
});

async function drawAll() {
  const me = await refresh();
  place("name").value = me.name;
  for (const radio of place("profile").elements.colour) radio.checked = radio.value === me.colour;
  await drawStanding();
}

window.addEventListener("hashchange", takeCode);
await attempt(null, drawAll);
place("main").removeAttribute("aria-busy");
takeCode();
