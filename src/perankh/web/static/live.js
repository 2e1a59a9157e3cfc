// The live connection of a table: it comes back by itself, and no move is lost or made twice.

import { at } from "./ui.js";

const PATIENCE = [400, 800, 1600, 3000, 5000]; // milliseconds before each further attempt
const HEARTBEAT = 20000;
const NO_TABLE = 4404; // the code with which the server closes a door that leads nowhere

export class Live extends EventTarget {
  /**
   * Events: "view", "refused" (detail: the frame), "error" (detail: the frame), "done" (detail: the move that was stored),
   * "chat" (detail: the frame), "status" (detail: "connected", "lost" or "missing").
   * @param {string} table id of the table
   * @param {{lang: string, shape: string}} settings what every view should look like
   */
  constructor(table, settings) {
    super();
    this.table = table;
    this.settings = { ...settings };
    this.pending = null; // the move sent and not answered yet; sent again, under the same number, after every reconnect
    this.attempt = 0;
    this.closed = false;
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    const query = new URLSearchParams({ ...this.settings, changes: 1, chat: 1 });
    this.view = null; // the last view, whole; what has changed since is sent
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${at("/api/tables/")}${this.table}/live?${query}`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.attempt = 0;
      this.#status("connected");
      this.#sendMove();
      this.beat = setInterval(() => this.send({ type: "ping" }), HEARTBEAT);
    });
    socket.addEventListener("message", (event) => this.socket === socket && this.#received(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      clearInterval(this.beat);
      if (this.socket === socket && !this.closed) this.#lost(event.code === NO_TABLE);
    });
  }

  /** Connect anew at once: the server should look again at who we are. */
  reconnect() {
    const old = this.socket;
    clearInterval(this.beat);
    this.connect();
    old.close();
  }

  send(frame) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** Make a move. Until it is answered no other is sent. */
  move(number, code, seat) {
    if (this.pending) return false;
    this.pending = { number, code, seat };
    this.#sendMove();
    return true;
  }

  #sendMove() {
    if (!this.pending) return;
    const { number, code, seat } = this.pending;
    this.send({ type: "move", number, code, seat });
  }

  /** Change language, shape or viewer; kept over reconnects. */
  set(settings) {
    Object.assign(this.settings, settings);
    this.send({ type: "settings", ...settings });
  }

  #received(frame) {
    if (frame.type === "done" || frame.type === "refused") {
      const mine = this.pending && frame.number === this.pending.number;
      const move = this.pending;
      if (mine) this.pending = null;
      if (frame.type === "refused") this.#tell("refused", frame);
      else if (mine) this.#tell("done", move);
    } else if (frame.type === "view") {
      if (frame.serial) this.view = frame; // others are of earlier positions
      this.#tell("view", frame);
    } else if (frame.type === "changes") {
      if (frame.serial !== this.view?.serial + 1) return this.send({ type: "whole" });
      this.view = withChanges(this.view, frame);
      this.#tell("view", this.view);
    } else if (frame.type === "chat") this.#tell("chat", frame);
    else if (frame.type === "error") {
      // Perhaps it came too fast after another: try the move once more, then let go of it.
      const move = this.pending;
      if (move && !move.again) {
        move.again = true;
        setTimeout(() => this.pending === move && this.#sendMove(), 1200);
      } else {
        this.pending = null;
        this.#tell("error", frame);
      }
    }
  }

  async #lost(refused) {
    this.#status("lost");
    if (refused) {
      delete this.settings.viewer; // perhaps that seat is somebody else's now
      try {
        const answer = await fetch(at(`/api/tables/${this.table}`));
        if (answer.status === 404) {
          this.closed = true;
          return this.#status("missing");
        }
      } catch { /* no network: go on trying */ }
    }
    const wait = PATIENCE[Math.min(this.attempt++, PATIENCE.length - 1)];
    this.timer = setTimeout(() => this.connect(), wait * (0.8 + 0.4 * Math.random()));
  }

  #hurry() {
    if (!this.closed && this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  #status(detail) {
    this.#tell("status", detail);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** A view after changes. What has not changed is the same object as before. */
export function withChanges(view, changes) {
  const after = { ...view, ...changes, type: "view" };
  if (changes.players) {
    const changed = new Map(changes.players.map((player) => [player.seat, player]));
    after.players = view.players.map((player) => (changed.has(player.seat) ? { ...player, ...changed.get(player.seat) } : player));
  }
  if (changes.scene) after.scene = sceneAfter(view.scene, changes.scene);
  if (changes.log_from) {
    for (const name of ["log", "events"]) after[name] = [...view[name].filter(({ n }) => n < changes.log_from), ...changes[name]];
    after.log_from = view.log_from;
  }
  return after;
}

/** A scene after changes; in the order, a pair of numbers stands for so many sprites of the order before, from that place on. */
function sceneAfter(scene, { sprites = [], gone = [], order = null, ...frame }) {
  const all = new Map(scene.sprites.map((sprite) => [sprite.id, sprite]));
  const before = scene.sprites.map(({ id }) => id);
  for (const sprite of sprites) all.set(sprite.id, sprite);
  for (const id of gone) all.delete(id);
  if (!order) return { ...scene, ...frame, sprites: before.map((id) => all.get(id)) };
  const ids = [];
  for (let n = 0; n < order.length; n++) {
    if (typeof order[n] === "string") ids.push(order[n]);
    else ids.push(...before.slice(order[n], order[n] + order[++n]));
  }
  return { ...scene, ...frame, sprites: ids.map((id) => all.get(id)) };
}
