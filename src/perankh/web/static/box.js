// Correct the printed numbers of a game: the board beside them follows, and what cannot be played says why.

import { ask, attempt, copy, h, lang, say, toast } from "./ui.js";

const NOTHING = "-"; // how an empty word of a list is typed
const WAIT = 350; // milliseconds of rest after typing before the board is drawn
const game = document.querySelector("main").dataset.game;
const given = JSON.parse(document.getElementById("edition").textContent);
const find = (id) => document.getElementById(id);
const entries = () => [...document.querySelectorAll("[data-entry]")];
const boxes = (name) => [...document.querySelectorAll(`[data-${name}]`)];
const meanings = new Map([...document.querySelectorAll("#numbers datalist")].map(({ id, options }) => [id, new Map([...options].map(({ value, label }) => [value, label === value ? "" : label]))]));
let asked = 0; // drafts that were asked for
let kept = null; // the changes that are kept, to know whether any would be lost; null while they are being kept
let timer = null;

/** What a person has typed, as a value; an empty field: there is no such number. */
function value({ value: text, dataset: { kind } }) {
  const number = (word) => (/^[+-]?\d{1,9}$/.test(word) ? Number(word) : word);
  const typed = text.trim();
  if (!typed) return null;
  if (kind === "whole") return number(typed);
  if (kind === "word") return typed;
  if (kind === "words") return text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => (line === NOTHING ? "" : line));
  const numbers = typed.split(/[\s,、，]+/).filter(Boolean).map(number);
  return numbers.every((one) => typeof one === "number") ? numbers : typed;
}

/** What differs from the game's own numbers, what was confirmed, and what the box does not hold. */
function changes() {
  const found = {};
  for (const { dataset, checked } of boxes("gone")) if (checked) found[dataset.gone] = null;
  for (const control of entries()) {
    const now = value(control);
    const same = JSON.stringify(now) === JSON.stringify(JSON.parse(control.dataset.base));
    if (!same && !isGone(control)) found[control.dataset.entry] = now;
  }
  for (const box of boxes("confirm")) if (box.checked && !isGone(box)) found[box.dataset.confirm] = "box";
  return found;
}

/** Does the box not hold the piece on which this is printed? */
function isGone(control) {
  return Boolean(control.closest("fieldset").querySelector("[data-gone]")?.checked);
}

/** Add a piece: a copy of the last one of its group, under this name. */
function add(group, name) {
  const last = document.querySelectorAll(`[data-group="${CSS.escape(group)}"]`);
  const [copied, old] = [last[last.length - 1].cloneNode(true), last[last.length - 1].dataset.piece];
  const renamed = `${group}.${name}`;
  Object.assign(copied.dataset, { piece: renamed, source: "box", added: "" });
  copied.querySelector("legend").firstChild.textContent = `${name} `;
  for (const part of copied.querySelectorAll(".confirm, [data-less]")) part.remove();
  for (const says of copied.querySelectorAll(".says")) says.dataset.says = says.textContent = "";
  for (const label of copied.querySelectorAll("label")) label.htmlFor = label.htmlFor.replace(old, renamed);
  for (const control of copied.querySelectorAll("[data-entry]")) {
    control.id = control.id.replace(old, renamed);
    control.dataset.entry = control.dataset.entry.replace(old, renamed);
    control.dataset.base = "null";
  }
  copied.append(h("button", { type: "button", "data-less": "", onclick: () => (copied.remove(), update(0)) }, say("box.less")));
  last[last.length - 1].after(copied);
  return copied;
}

/** The next name in a group: that of the last piece with the number after the greatest. */
function nextName(group) {
  const names = boxes("piece").map(({ dataset }) => dataset.piece).filter((name) => name.startsWith(`${group}.`)).map((name) => name.slice(group.length + 1));
  const [, word, digits] = /^(.*?)(\d+)$/.exec(names[names.length - 1]);
  const numbers = names.filter((name) => name.startsWith(word)).map((name) => Number(name.slice(word.length))).filter((number) => number >= 0);
  return word + String(Math.max(...numbers) + 1).padStart(digits.length, "0");
}

function written(value) {
  if (!Array.isArray(value)) return value ?? "";
  return value.map((item) => (item === "" ? NOTHING : item)).join(typeof value[0] === "string" ? "\n" : ", ");
}

/** The changes as a text: the same for the same changes. */
const inOrder = (found) => JSON.stringify(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Fill the form with the numbers of an edition. */
function fill(wanted) {
  for (const piece of boxes("added")) piece.remove();
  for (const entry of Object.keys(wanted)) {
    const [, group, name] = /^(.*)\.([^.]+)\.[^.]+$/.exec(entry) ?? [];
    const isNew = group && !document.querySelector(`[data-piece="${CSS.escape(`${group}.${name}`)}"]`);
    if (isNew && document.querySelector(`[data-group="${CSS.escape(group)}"]`)) add(group, name);
  }
  for (const control of entries()) {
    const { entry, base } = control.dataset;
    control.value = written(entry in wanted ? wanted[entry] : JSON.parse(base));
  }
  for (const box of boxes("confirm")) box.checked = wanted[box.dataset.confirm] === "box";
  for (const box of boxes("gone")) box.checked = box.dataset.gone in wanted;
  update(0);
}

/** Mark what is changed, and have the board drawn. */
function update(wait = WAIT) {
  const changed = changes();
  const count = Object.keys(changed).length;
  find("count").textContent = say(!count ? "box.no_changes" : count === 1 ? "box.one_change" : "box.changes", { count });
  for (const control of entries()) {
    control.closest(".entry").classList.toggle("changed", control.dataset.entry in changed);
    control.disabled = isGone(control);
    const means = control.closest(".entry").querySelector(".means");
    if (means) means.textContent = meanings.get(control.getAttribute("list"))?.get(control.value.trim()) ?? "";
  }
  for (const piece of boxes("piece")) {
    const touched = Object.keys(changed).some((name) => name === piece.dataset.piece || name.startsWith(`${piece.dataset.piece}.`));
    const mark = piece.querySelector(".source");
    const source = touched ? "box" : piece.dataset.source;
    mark.className = `source ${source}`;
    mark.textContent = say(`box.${source}`);
    mark.title = say(`box.${source}_help`);
  }
  for (const section of document.querySelectorAll("[data-section]")) {
    section.querySelector(".changed-mark").hidden = !section.querySelector("fieldset .source.box");
  }
  clearTimeout(timer);
  timer = setTimeout(draft, wait);
}

/** Ask for the board with the numbers as they are. */
async function draft() {
  const number = ++asked;
  find("said").textContent = say("box.drawing");
  const options = Object.fromEntries([...document.querySelectorAll("[data-option]")].map((choice) => [choice.dataset.option, choice.value]));
  const wanted = { game, changes: changes(), players: Number(find("players").value), options, lang };
  try {
    const { picture, called } = await ask("POST", "/api/editions/draft", wanted);
    if (number !== asked) return;
    forget();
    for (const says of boxes("says")) says.textContent = called[says.closest("fieldset").dataset.piece] ?? says.dataset.says;
    find("picture").src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
    find("picture").hidden = false;
    find("said").textContent = "";
  } catch (error) {
    if (number === asked) refuse(error);
  }
}

/** Nothing is wrong any more. */
function forget() {
  for (const place of document.querySelectorAll(".numbers .fault")) place.hidden = true;
  for (const control of entries()) control.removeAttribute("aria-invalid");
}

/** Say what is wrong, at the field where it is if it is at one. */
function refuse(error) {
  forget();
  const { table = "", key = "" } = error.facts ?? {};
  const control = entries().find((one) => one.dataset.entry === `${table}.${key}`) ?? entries().find((one) => key && one.dataset.entry.startsWith(`${table}.${key}.`));
  const piece = document.querySelector(`[data-piece="${CSS.escape(table)}"]`) ?? document.querySelector(`[data-group="${CSS.escape(table)}"]`) ?? document.querySelector(`[data-section="${CSS.escape(table.split(".")[0])}"]`);
  const place = control ? control.closest(".entry").querySelector(".fault") : piece?.querySelector(".whole-piece");
  const where = control?.closest(".entry").querySelector("label").textContent ?? piece?.querySelector("legend")?.firstChild.textContent.trim();
  find("said").textContent = where ? say("box.wrong", { where, reason: error.message }) : say("box.wrong_all", { reason: error.message });
  if (!place) return;
  place.textContent = error.message;
  place.hidden = false;
  place.closest("details").open = true;
  control?.setAttribute("aria-invalid", "true");
}

/** Keep the edition; `id`: in place of this one. */
async function keep(button, id) {
  await attempt(button, async () => {
    const wanted = { game, name: find("name").value.trim(), changes: changes() };
    try {
      const made = await ask(id ? "PUT" : "POST", id ? `/api/editions/${id}` : "/api/editions", wanted);
      kept = null;
      location.href = `/box/${game}?edition=${made.id}`;
      toast(say("box.saved"));
    } catch (error) {
      if (error.facts?.table) refuse(error);
      throw error;
    }
  });
}

find("numbers").addEventListener("input", () => update());
find("numbers").addEventListener("click", ({ target }) => {
  const group = target.dataset.more;
  if (!group) return;
  const name = nextName(group);
  const piece = add(group, name);
  update(0);
  toast(say("box.added", { name }));
  piece.querySelector("[data-entry]").focus();
});
find("numbers").addEventListener("submit", (event) => event.preventDefault());
document.querySelector(".shown").addEventListener("change", () => update(0));
find("keep").addEventListener("submit", (event) => {
  event.preventDefault();
  keep(find("save"), given?.mine ? given.id : null);
});
find("copy")?.addEventListener("click", () => find("keep").reportValidity() && keep(find("copy"), null));
find("reset").addEventListener("click", () => fill({}));
find("own").addEventListener("change", (event) => (location.href = event.target.value ? `/box/${game}?edition=${event.target.value}` : `/box/${game}`));
find("link")?.addEventListener("click", async () => (await copy(`${location.origin}/box/${game}?edition=${given.id}`)) && toast(say("box.copied")));
find("delete")?.addEventListener("click", () => {
  if (confirm(say("box.delete_sure"))) {
    attempt(find("delete"), async () => {
      await ask("DELETE", `/api/editions/${given.id}`);
      kept = null;
      location.href = `/box/${game}`;
    });
  }
});
find("file").addEventListener("change", () =>
  attempt(null, async () => {
    const text = await find("file").files[0].text();
    find("file").value = "";
    const read = await ask("POST", "/api/editions/file", text);
    if (read.game !== game) throw new Error(say("box.other_game"));
    find("name").value = read.name;
    fill(read.changes);
    toast(say("box.imported"));
  }),
);
addEventListener("beforeunload", (event) => {
  if (kept !== null && inOrder(changes()) !== kept) event.preventDefault(); // the browser asks whether to leave
});
fill(given?.changes ?? {});
kept = inOrder(changes());
