// The chat: what was said beside which move, ready-made phrases, and who is not to be heard.

import { fill, inCompany, nameOf } from "./panels.js";
import { ask, attempt, emblem, h, icon, lang, memory, say, toast } from "./ui.js";

const EVERYBODY = "*";

export class Chat {
  /**
   * @param {HTMLElement} place
   * @param {string} table
   * @param {{goTo: (n: number) => void, isOpen: () => boolean, news: () => void, reconnect: () => void}} doing shows a position; tells
   *   whether the chat is in view; is called when the number of unread messages has changed; lets the server look again at who we are
   */
  constructor(place, table, doing) {
    Object.assign(this, doing);
    this.table = table;
    this.path = `/api/tables/${table}/chat`;
    this.messages = [];
    this.facts = null; // what a frame says besides messages
    this.unread = 0;
    this.list = h("ol", {});
    this.lines = h("div.messages", { tabindex: "0", role: "log", "aria-label": say("chat.title") }, this.list);
    this.head = h("div.chat-head", {});
    this.field = h("input", { id: "chat-text", maxlength: place.dataset.longest, autocomplete: "off", enterkeyhint: "send", placeholder: say("chat.placeholder"), "aria-label": say("chat.placeholder") });
    this.form = h("form.chat-form", { onsubmit: (event) => this.#submit(event) }, this.field, h("button.first", { type: "submit", "aria-label": say("chat.send") }, icon("on")));
    this.phrases = h("div.phrases", { role: "group", "aria-label": say("chat.phrases") },
      place.dataset.phrases.split(" ").map((phrase) => h("button", { type: "button", "data-phrase": phrase, onclick: (event) => this.#say({ phrase }, event.currentTarget) }, say(`chat.say_${phrase}`))));
    this.quiet = h("p.quiet.chat-quiet", {});
    place.append(this.head, this.lines, this.quiet, this.phrases, this.form);
  }

  /** Take what a live connection was sent. */
  take({ messages, whole, ...facts }, view) {
    const known = this.messages.length > 0 || this.facts !== null;
    const last = this.messages.at(-1)?.id ?? 0;
    this.facts = facts;
    this.messages = whole ? messages : [...this.messages, ...messages];
    const fresh = messages.filter(({ id, mine }) => id > last && !mine);
    if (known && fresh.length && !this.isOpen()) {
      this.unread += fresh.length;
      const one = fresh.at(-1);
      if (one.channel === "table" || !view.own.length) toast(`${this.#name(one, view)}${say("chat.colon")}${this.#text(one)}`);
    }
    this.draw(view);
    this.news();
  }

  /** Is it of any use? */
  wanted(view) {
    return this.messages.length > 0 || inCompany(view);
  }

  /** Everything is read. */
  read() {
    this.unread = 0;
    this.lines.scrollTop = this.lines.scrollHeight;
    for (const shown of document.querySelectorAll(".toast")) shown.remove(); // what it says is in view now
    this.news();
  }

  draw(view) {
    if (!this.facts) return;
    const { says, muted, listening } = this.facts;
    const drawn = JSON.stringify([this.messages.map(({ id }) => id), this.facts, view.players.map(({ name }) => name), view.status, view.own]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const end = this.lines.scrollHeight - this.lines.scrollTop - this.lines.clientHeight < 40;
    fill(this.list, this.messages.map((message, n) => this.#line(message, view, this.messages[n - 1])));
    if (end) this.lines.scrollTop = this.lines.scrollHeight;
    const all = muted.includes(EVERYBODY);
    const playing = view.status === "playing" && view.own.length > 0;
    fill(this.head,
      h("button.plain", { type: "button", "data-key": "mute-all", "aria-pressed": String(all), onclick: () => this.#change(all ? { unmute: EVERYBODY } : { mute: EVERYBODY }) }, icon(all ? "speak" : "mute"), say(all ? "chat.unmute_all" : "chat.mute_all")),
      muted.filter((mark) => mark !== EVERYBODY).length ? h("button.plain", { type: "button", "data-key": "unmute", onclick: () => this.#unmuteAll() }, icon("speak"), say("chat.unmute", { count: muted.filter((mark) => mark !== EVERYBODY).length })) : null,
      playing ? h("button.plain", { type: "button", "data-key": "listen", "aria-pressed": String(listening.some((seat) => view.own.includes(seat))), title: say("chat.listen_help"), onclick: (event) => this.#change({ listen: event.currentTarget.getAttribute("aria-pressed") !== "true" }) }, icon("eye"), say("chat.listen")) : null);
    const others = listening.filter((seat) => !view.own.includes(seat)).map((seat) => nameOf(view, seat));
    const lines = [];
    if (all) lines.push(say("chat.all_muted"));
    if (!says) lines.push(say("chat.silent"));
    else if (says === "gallery") lines.push(say("chat.gallery_help"));
    if (others.length && view.status === "playing") lines.push(say("chat.listening", { names: others.join(say("live.and")) }));
    if (!this.messages.length && !all) lines.push(say("chat.empty"));
    this.quiet.textContent = lines.join(" ");
    this.quiet.hidden = !lines.length;
    this.form.hidden = this.phrases.hidden = !says || view.readonly;
  }

  /** Who said something: under the present name of the seat, unless somebody else has it now. */
  #name({ seat, name, by }, view) {
    return seat !== null && this.facts.marks[seat] === by ? nameOf(view, seat) : name || say("chat.former");
  }

  #text({ phrase, text }) {
    return phrase ? say(`chat.say_${phrase}`) : text;
  }

  /** A message; the first of several of one person has his name, the first beside a move its number. */
  #line(message, view, before) {
    const { id, seat, by, number, stamp, channel, mine, phrase } = message;
    const moved = !before || before.number !== number;
    const begins = moved || before.by !== by;
    const player = seat === null ? null : view.players[seat];
    const when = new Date(stamp * 1000);
    const at = Math.min(number, view.number);
    return h(`li.message${mine ? ".mine" : ""}${channel === "gallery" ? ".gallery" : ""}`, { "data-id": id },
      moved ? h("button.plain.beside", { type: "button", "data-key": `beside-${id}`, title: say("chat.beside", { n: at }), onclick: () => this.goTo(at) }, at ? say("chat.at", { n: at }) : say("live.deal")) : null,
      begins ? h("div.speaker", {}, player ? emblem(seat, player.colour) : icon("eye"), h("span.name-text", {}, this.#name(message, view)),
        h("time", { datetime: when.toISOString(), title: when.toLocaleString(lang) }, when.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit" })),
        mine ? null : h("button.plain.icon-button.mute", { type: "button", "data-key": `mute-${id}`, "aria-label": say("chat.mute", { name: this.#name(message, view) }), title: say("chat.mute", { name: this.#name(message, view) }), onclick: () => this.#change({ mute: by }) }, icon("mute"))) : null,
      h(phrase ? "p.phrase" : "p", {}, this.#text(message)));
  }

  async #submit(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text) return;
    if (await this.#say({ text }, this.form.querySelector("button"))) this.field.value = "";
    this.field.focus();
  }

  /** Say something; a spectator says once who he is. */
  async #say(said, button) {
    const spectator = this.facts.says === "gallery";
    const name = spectator ? memory.get("name") || (await this.#askName()) : undefined;
    if (name === null) return false;
    return attempt(button, async () => {
      await ask("POST", this.path, { ...said, ...(spectator && { name }) });
      this.#introduce();
      return true;
    });
  }

  async #askName() {
    const { askName } = await import("./seats.js");
    const name = await askName(say("chat.your_name"), "");
    if (name) memory.set("name", name);
    return name || null;
  }

  async #change(wanted) {
    if (await attempt(null, () => ask("PATCH", this.path, wanted))) this.#introduce();
  }

  /** A spectator who does something for the first time may be somebody new to the server. */
  #introduce() {
    if (this.facts.says === "table" || this.introduced) return;
    this.introduced = true;
    this.reconnect();
  }

  async #unmuteAll() {
    for (const mark of this.facts.muted.filter((one) => one !== EVERYBODY)) await this.#change({ unmute: mark });
  }
}
