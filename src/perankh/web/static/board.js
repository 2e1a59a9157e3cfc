// The board: draws scenes and turns clicks into moves. It knows sprites and paths, and no game.
//
// A scene is a list of sprites with stable ids. One <g data-id> is kept per id, so a piece glides because its group is found
// again with another transform, and a card turns over because its symbol has changed. The same list is drawn by
// perankh/scene/svg.py; keep the two alike.

import { stir } from "./stir.js";
import { moved, takeOver, travel } from "./travel.js";

const SVG = "http://www.w3.org/2000/svg";
const HALOED = ".glow, .lit, .chosen, .hinted, .news";
const GLIDE = 520; // milliseconds (see board.css)
const TURN_AFTER = 90; // milliseconds from one piece that turns over to the next
const FINGER = 34; // CSS pixels that a finger needs
const SMALLEST_TYPE = 11; // CSS pixels
const NARROWEST = 1.04; // how much more room a text may take that is larger than drawn
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** An SVG element with attributes. */
export function make(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export class Board extends EventTarget {
  /**
   * Events: "move" (detail: the move chosen), "step" (detail: the ids chosen so far), "idle" (a click that means nothing
   * now; detail: what the sprite under it says of itself, the ids under it, and where it was).
   * @param {SVGSVGElement} svg where to draw
   * @param {(ids: {alt: string, count: number}) => string} manyLabel names a sprite that begins several moves
   */
  constructor(svg, manyLabel = ({ alt }) => alt) {
    super();
    this.svg = svg;
    this.manyLabel = manyLabel;
    this.groups = new Map(); // sprite id -> its group
    this.drawn = new Map(); // sprite id -> the sprite as last drawn
    this.moves = [];
    this.aliases = new Map(); // sprite id -> the paths that a click on it stands for
    this.closed = {}; // sprite id -> why what it stands for cannot be chosen now
    this.holds = () => false; // may hold back clicks that complete a move, until they are repeated
    this.chosen = []; // the ids clicked so far
    this.among = null; // an alias that was clicked and leaves several sprites to choose from: its id and its paths
    this.rest = []; // what the alias that made a move stands for at the next decision
    this.restsAt = 0; // when the last piece has come to rest
    this.tellsAt = 0; // when one can see what comes of a throw
    this.exploring = false; // do arrow keys lead to every piece?
    this.tempo = 1; // how long motions take
    this.least = 0; // the smallest type on a board as large as this one, in units of the scene
    svg.tabIndex = -1; // a place for the focus when the sprite that had it is of no more use
    this.defs = svg.appendChild(make("defs"));
    this.layer = svg.appendChild(make("g"));
    svg.addEventListener("click", (event) => this.#clicked(event));
    svg.addEventListener("keydown", (event) => this.#pressed(event));
    new ResizeObserver(() => this.#fit()).observe(svg);
  }

  /** Take in the symbols of a game, once; whoever asks meanwhile waits in line. */
  loadArt(address) {
    this.art ??= this.#fetchArt(address);
    return this.art;
  }

  async #fetchArt(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    const art = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
    this.defs.replaceChildren(...[...art.documentElement.children].map((child) => document.importNode(child, true)));
  }

  // --- Drawing ------------------------------------------------------------------------------------------------

  /** Show a scene: what stayed glides, what came fades in, what went fades out. `fresh`: draw it without motion. */
  show(scene, { fresh = false } = {}) {
    const quick = fresh || still.matches || this.groups.size === 0;
    const view = `0 0 ${scene.width} ${scene.height}`;
    if (this.svg.getAttribute("viewBox") !== view) {
      this.svg.setAttribute("viewBox", view);
      this.#fit();
    }
    this.svg.setAttribute("aria-label", scene.title || "");
    const focused = document.activeElement?.closest?.("[data-id]")?.dataset.id;
    const wanted = new Map(scene.sprites.map((sprite) => [sprite.id, sprite]));
    const before = new Map(this.drawn);
    const former = quick ? new Map() : this.#takeOver(wanted);
    const leaving = [];
    for (const [id, group] of this.groups) {
      if (wanted.has(id)) continue;
      const from = this.drawn.get(id);
      const goesTo = !quick && wanted.get(from.pool);
      if (goesTo) leaving.push({ group, from, to: { ...from, x: goesTo.x, y: goesTo.y }, leaves: true });
      this.#remove(id, group, quick, Boolean(goesTo));
    }
    const arrived = new Set();
    for (const sprite of scene.sprites) {
      if (this.groups.has(sprite.id)) continue;
      this.groups.set(sprite.id, this.#create(sprite));
      arrived.add(sprite.id);
    }
    this.#order(scene.sprites, arrived);
    this.svg.classList.toggle("fresh", quick);
    this.svg.style.setProperty("--tempo", this.tempo);
    for (const sprite of scene.sprites) this.#update(sprite, quick, arrived.has(sprite.id));
    if (!quick) this.#sendOff(scene.sprites, { before, former, leaving });
    this.#light();
    if (focused && !this.svg.contains(document.activeElement)) (this.groups.get(focused) ?? this.svg).focus({ preventScroll: true });
  }

  /** Like pieces keep their groups: what came takes over from what went. The sprites that went, by the ids they have now. */
  #takeOver(wanted) {
    const former = new Map();
    const went = [...this.drawn.values()].filter((sprite) => !wanted.has(sprite.id));
    const came = [...wanted.values()].filter((sprite) => !this.groups.has(sprite.id));
    for (const [from, to] of takeOver(went, came)) {
      const group = this.groups.get(from.id);
      this.groups.delete(from.id);
      this.drawn.delete(from.id);
      group.dataset.id = to.id;
      this.groups.set(to.id, group);
      this.drawn.set(to.id, from);
      former.set(to.id, from);
    }
    return former;
  }

  /** What has left its place for another, comes from its pool, or has its place in the order of the move, travels; all else glides. */
  #sendOff(sprites, { before, former, leaving }) {
    const travellers = leaving;
    for (const to of sprites) {
      const group = this.groups.get(to.id);
      const was = before.get(to.id);
      const pool = was ? undefined : before.get(to.pool);
      const from = former.get(to.id) ?? (pool && { ...to, x: pool.x, y: pool.y, on: "" });
      if (from && !(to.on && to.on === from.on)) travellers.push({ group, from, to });
      else if (to.order && !to.stir && !from && (!was || moved(was, to))) travellers.push({ group, from: was ?? to, to, appears: !was });
    }
    const carrier = ({ on }) => (before.has(on) && this.drawn.has(on) ? [before.get(on), this.drawn.get(on)] : null);
    this.#restAfter(travel(travellers.map((traveller) => ({ ...traveller, carrier: carrier(traveller.from), via: this.drawn.get(traveller.to.via) })), this.tempo));
  }

  #restAfter(time) {
    this.restsAt = Math.max(this.restsAt, performance.now() + time);
  }

  /** Let every motion that has an end come to it. */
  settle() {
    for (const motion of this.svg.getAnimations({ subtree: true })) if (motion.effect.getComputedTiming().endTime < Infinity) motion.finish();
    this.restsAt = this.tellsAt = 0;
  }

  /** The ids of sprites that are at another place, or look otherwise, than in the scene shown now. */
  changed(scene) {
    const facts = ({ symbol, x, y, turn, text, colour }) => JSON.stringify([symbol, x, y, turn, text, colour]);
    return scene.sprites
      .filter((sprite) => !this.drawn.has(sprite.id) || facts(this.drawn.get(sprite.id)) !== facts(sprite))
      .map((sprite) => sprite.id);
  }

  /** Let some sprites glow for a moment. */
  flash(ids) {
    for (const id of ids) {
      const group = this.groups.get(id);
      if (!group || !this.drawn.get(id)?.symbol) continue;
      group.classList.add("news");
      this.#halo(group);
      setTimeout(() => group.classList.remove("news"), 2600);
    }
  }

  #create(sprite) {
    const group = make("g", { class: "sprite" });
    group.dataset.id = sprite.id;
    group.append(make("g", { class: "face" }));
    group.style.transform = place(sprite);
    return group;
  }

  #remove(id, group, quick, travels) {
    this.groups.delete(id);
    this.drawn.delete(id);
    if (quick) return group.remove();
    group.removeAttribute("data-id");
    group.removeAttribute("tabindex");
    group.setAttribute("aria-hidden", "true");
    group.classList.remove("lit", "alias", "chosen", "hinted");
    group.classList.add("gone");
    if (travels) return undefined;
    const fade = group.animate({ opacity: 0 }, { duration: 260, fill: "forwards" });
    fade.finished.catch(() => {}).then(() => group.remove());
    return undefined;
  }

  /** Bring the groups into the order of the list, later ones on top; as few as possible are moved, since each costs the browser time. */
  #order(sprites, arrived) {
    const before = new Map([...this.layer.children].map((child, number) => [child, number]));
    const standing = sprites.map((sprite) => this.groups.get(sprite.id));
    const stay = longestRise(standing.filter((group) => before.has(group)), (group) => before.get(group));
    let next = null;
    let reinserted = false;
    for (const group of standing.reverse()) {
      if (!stay.has(group)) {
        if (this.layer.moveBefore && before.has(group)) this.layer.moveBefore(group, next);
        else this.layer.insertBefore(group, next);
        reinserted ||= !arrived.has(group.dataset.id);
      }
      next = group;
    }
    // An element put in anew starts no transition unless its style was computed at the old place first.
    if (reinserted) this.layer.getBoundingClientRect();
  }

  #update(sprite, quick, arrived) {
    const group = this.groups.get(sprite.id);
    const before = this.drawn.get(sprite.id);
    this.drawn.set(sprite.id, sprite);
    const facts = JSON.stringify(sprite);
    if (group.facts === facts) return; // most sprites stay as they are; touching them costs the browser time
    group.facts = facts;
    group.style.transform = place(sprite);
    group.style.color = sprite.colour ? `var(--${sprite.colour})` : "";
    group.style.setProperty("--mark", sprite.colour ? `var(--on-${sprite.colour})` : ""); // on light colours; see emblems
    group.classList.toggle("dim", Boolean(sprite.dim));
    group.classList.toggle("glow", Boolean(sprite.glow));
    group.classList.toggle("decoration", !sprite.alt);
    const turnsOver = before && !quick && !sprite.stir && isOther(before.symbol, sprite.symbol);
    if (turnsOver) this.#turnOver(group, before, sprite);
    else this.#face(group, sprite);
    if (sprite.glow) this.#halo(group);
    if (before && !quick && moved(before, sprite)) this.#restAfter(GLIDE * this.tempo);
    if (sprite.stir && !quick) {
      const [rests, holds] = stir(group, sprite, before, place, this.tempo);
      this.#restAfter(rests);
      this.tellsAt = Math.max(this.tellsAt, performance.now() + holds);
    }
    if (arrived && !quick) group.animate({ opacity: [0, sprite.dim ? 0.4 : 1] }, { duration: 320, easing: "ease-out" });
  }

  /** Narrow the old face to an edge, change it, and widen the new one; pieces with an order one after the other. */
  #turnOver(group, before, sprite) {
    const { width, height } = sprite; // its way is measured for this size
    this.#face(group, { ...before, width, height, size: ((before.size ?? 14) * (width || 1)) / (before.width || 1) });
    const face = group.querySelector(".face");
    const delay = TURN_AFTER * (sprite.order ?? 0) * this.tempo;
    this.#restAfter(delay + 320);
    const closing = face.animate({ transform: ["scaleX(1)", "scaleX(0)"] }, { duration: 150, delay, easing: "ease-in", fill: "forwards" });
    closing.finished.catch(() => {}).then(() => {
      closing.cancel();
      this.#face(group, this.drawn.get(sprite.id) ?? sprite);
      group.querySelector(".face").animate({ transform: ["scaleX(0)", "scaleX(1)"] }, { duration: 170, easing: "ease-out" });
    });
  }

  #face(group, sprite) {
    const face = group.querySelector(".face");
    const key = JSON.stringify([sprite.symbol, sprite.width, sprite.height, sprite.text, sprite.size, sprite.ink, sprite.bold, sprite.align]);
    if (group.drawnAs === key) return;
    group.drawnAs = key;
    face.replaceChildren(...partsOf(sprite));
    const text = face.querySelector("text");
    if (text) this.#setType(text, sprite.size ?? 14);
    if (group.matches(HALOED)) this.#halo(group);
  }

  /** Find out how large the board is, and with it how large its smallest type has to be. */
  #fit() {
    const matrix = this.svg.getScreenCTM();
    const least = matrix?.a ? SMALLEST_TYPE / matrix.a : 0;
    if (Math.abs(least - this.least) < 0.02) return;
    this.least = least;
    for (const [id, group] of this.groups) {
      const text = group.querySelector("text");
      if (text) this.#setType(text, this.drawn.get(id)?.size ?? 14);
    }
  }

  /** Letters are never too small to be read: on a small board they become higher, and narrower so that they keep their room. */
  #setType(text, size) {
    const shown = Math.max(size, this.least);
    text.setAttribute("font-size", shown);
    text.setAttribute("y", shown * 0.35);
    const narrow = (NARROWEST * size) / shown;
    setOrRemove(text, "transform", narrow < 1 && `scale(${narrow.toFixed(3)} 1)`);
  }

  /** A second copy of the symbol behind the first, whose shadow follows the outline; made only where it will be seen. */
  #halo(group) {
    const symbol = group.querySelector("use");
    if (!symbol || symbol.classList.contains("halo")) return;
    const halo = symbol.cloneNode();
    halo.setAttribute("class", "halo");
    symbol.before(halo);
  }

  // --- Paths --------------------------------------------------------------------------------------------------

  /** The moves that may be made now, and the sprites that stand for others; none while waiting or looking back. */
  offer(moves, aliases = {}, closed = {}) {
    const rest = this.rest;
    this.rest = [];
    this.#take(moves, aliases, closed);
    if (rest.length && this.open.some((move) => move.path[this.chosen.length] === rest[0])) this.#follow(rest);
  }

  /** A move has been sent: nothing is to be chosen before the next offer. */
  pause() {
    this.#take([], {});
  }

  #take(moves, aliases, closed = {}) {
    const same = moves.length === this.moves.length && moves.every((move, n) => String([move.code, ...move.path]) === String([this.moves[n].code, ...this.moves[n].path]));
    this.moves = moves;
    this.closed = closed;
    this.aliases = new Map(Object.entries(aliases));
    if (!same) [this.chosen, this.among] = [[], null]; // what others do at the same time breaks no path off
    this.#light();
    this.#tell();
  }

  /** Show which sprites a move is made of, without choosing it. */
  hint(path) {
    for (const group of this.layer.querySelectorAll(".hinted")) group.classList.remove("hinted");
    for (const id of path ?? []) {
      const group = this.groups.get(id);
      if (!group) continue;
      group.classList.add("hinted");
      this.#halo(group);
    }
  }

  /** Take back the last click; true if there was one. */
  stepBack() {
    if (!this.chosen.length && !this.among) return false;
    if (this.among) this.among = null;
    else this.chosen.pop();
    this.#light();
    this.#tell();
    return true;
  }

  /** Where a sprite is in the window; the bounding box of its group would also count what its symbol clips away. */
  frame(id) {
    const { width = 0, height = 0 } = this.drawn.get(id);
    const group = this.groups.get(id);
    if (!width || !height) return group.getBoundingClientRect();
    const { a, b, e: x, f: y } = group.getScreenCTM();
    const [w, h] = [(width * Math.hypot(a, b)) / 2, (height * Math.hypot(a, b)) / 2];
    return { left: x - w, right: x + w, top: y - h, bottom: y + h };
  }

  /** The moves that go on from what was clicked so far. */
  get open() {
    const going = this.moves.filter((move) => this.chosen.every((id, step) => move.path[step] === id));
    if (!this.among) return going;
    return going.filter((move) => this.among.paths.some(([first]) => first === move.path[this.chosen.length]));
  }

  /** The clicks made so far, an alias included that leaves a choice. */
  get clicks() {
    return this.among ? [...this.chosen, this.among.id] : [...this.chosen];
  }

  /** The paths of an alias that can be followed after what was clicked so far. */
  #paths(id) {
    const next = new Set(this.moves.filter((move) => this.chosen.every((one, step) => move.path[step] === one)).map((move) => move.path[this.chosen.length]));
    return (this.aliases.get(id) ?? []).filter(([first]) => next.has(first));
  }

  /** The move that a click on a sprite would make, and the clicks it stands for, also at the next decision; null if none yet. */
  completes(id) {
    const step = this.chosen.length;
    const going = this.open.filter((move) => move.path[step] === id);
    if (going.length) return going.length === 1 ? { move: going[0], path: going[0].path } : null;
    const ways = this.#paths(id);
    if (ways.length > 1) return null;
    const path = ways.length ? [...this.chosen, ...ways[0]] : [id];
    const made = this.moves.filter((move) => move.path.every((one, n) => path[n] === one));
    return made.length === 1 ? { move: made[0], path } : null;
  }

  #light() {
    const focused = document.activeElement?.closest?.(".sprite");
    const step = this.chosen.length;
    const next = new Map();
    for (const move of this.open) {
      const id = move.path[step];
      if (id) next.set(id, [...(next.get(id) ?? []), move]);
    }
    for (const [id, group] of this.groups) {
      const moves = next.get(id);
      const alt = this.drawn.get(id)?.alt ?? "";
      const label = !moves ? alt : moves.length === 1 ? moves[0].sentence : this.manyLabel({ alt, count: moves.length });
      const chosen = this.clicks.includes(id);
      const alias = !moves && this.aliases.has(id) && this.#paths(id).length > 0;
      const closed = !moves && !alias && this.closed[id];
      const state = `${Boolean(moves)}|${chosen}|${alias}|${closed}|${label}`;
      if (group.litAs === state) continue;
      group.litAs = state;
      group.classList.toggle("lit", Boolean(moves));
      group.classList.toggle("alias", alias);
      group.classList.toggle("chosen", chosen);
      group.classList.toggle("closed", Boolean(closed));
      setOrRemove(group, "aria-disabled", closed && "true");
      if (moves || closed) {
        group.setAttribute("tabindex", "0");
        group.setAttribute("role", "button");
      } else {
        group.removeAttribute("tabindex");
        setOrRemove(group, "role", alt && "img");
      }
      setOrRemove(group, "aria-label", closed ? `${label} · ${closed}` : label);
      if (group.matches(HALOED)) this.#halo(group);
    }
    if (focused && this.layer.contains(focused) && !focused.hasAttribute("tabindex")) this.svg.focus({ preventScroll: true });
  }

  #tell() {
    this.dispatchEvent(new CustomEvent("step", { detail: this.clicks }));
  }

  /** Choose the sprites of a path one after the other; what a move leaves of it is for the next decision. */
  #follow(path) {
    this.among = { id: "", paths: [path] };
    return this.#choose(path[0]);
  }

  #choose(id) {
    const step = this.chosen.length;
    let goesOn = this.open.filter((move) => move.path[step] === id);
    if (!goesOn.length && this.clicks.at(-1) === id) return this.stepBack();
    if (!goesOn.length && this.#chooseAlias(id)) return true;
    if (!goesOn.length) {
      // Another beginning clicked in the middle of a path: start over from there.
      goesOn = this.moves.filter((move) => move.path[0] === id);
      const [chosen, among] = [this.chosen, this.among];
      [this.chosen, this.among] = [[], null];
      if (!goesOn.length && this.#chooseAlias(id)) return true;
      if (!goesOn.length) {
        [this.chosen, this.among] = [chosen, among];
        return false;
      }
    }
    const rest = this.among?.paths.find(([first]) => first === id)?.slice(1) ?? [];
    this.among = null;
    if (goesOn.length === 1) {
      this.rest = rest.slice(goesOn[0].path.length - this.chosen.length - 1);
      this.chosen = [];
      this.dispatchEvent(new CustomEvent("move", { detail: goesOn[0] }));
    } else {
      this.chosen.push(id);
      if (rest.length) return this.#follow(rest);
      this.#light();
      this.#tell();
    }
    return true;
  }

  /** A click on a sprite that stands for others: follow the one path, or choose among the first sprites of several. */
  #chooseAlias(id) {
    const paths = this.#paths(id);
    if (paths.length === 1) return this.#follow(paths[0]);
    if (!paths.length) return false;
    this.among = { id, paths };
    this.#light();
    this.#tell();
    return true;
  }

  #clicked(event) {
    // A label or a smaller piece may lie on the sprite that is meant: the topmost one of use under the pointer is taken.
    const under = document.elementsFromPoint(event.clientX, event.clientY).map((element) => element.closest?.(".sprite"));
    const groups = [...new Set([event.target.closest?.(".sprite"), ...under])].filter((group) => group?.dataset.id && this.layer.contains(group));
    for (const useful of [".lit", ".chosen", ".alias", ".sprite"]) {
      for (const group of groups) {
        if (group.matches(useful) && this.#touch(group.dataset.id)) return;
      }
    }
    const hit = this.drawn.get(groups.find((group) => this.drawn.get(group.dataset.id)?.alt)?.dataset.id);
    const near = this.#near(event, ".lit", hit) ?? this.#near(event, ".alias", hit);
    if (near && this.#touch(near.dataset.id)) return;
    const detail = { saying: this.#saying(event), under: groups.map((group) => group.dataset.id), at: [event.clientX, event.clientY] };
    this.dispatchEvent(new CustomEvent("idle", { detail }));
  }

  /** Choose a sprite with the pointer, unless the move that it completes is held back. */
  #touch(id) {
    const made = this.completes(id);
    return (made !== null && this.holds(id, made)) || this.#choose(id);
  }

  /** What the topmost sprite under the pointer that says anything says of itself. */
  #saying(event) {
    const under = document.elementsFromPoint(event.clientX, event.clientY).map((element) => element.closest?.(".sprite")?.dataset.id);
    return under.map((id) => this.drawn.get(id)?.alt).find((alt) => alt) ?? "";
  }

  /**
   * The useful sprite whose frame holds a point (symbols may have holes); a frame too small for a finger counts as larger.
   * What was hit is meant itself, if it is a piece of about the same size: the frames of triangles overlap.
   */
  #near({ clientX: x, clientY: y }, useful, hit) {
    let best = null;
    let least = Infinity;
    for (const group of this.layer.querySelectorAll(useful)) {
      // From the sprite itself: the bounding box of a group also counts what its symbol clips away.
      const { width = 0, height = 0 } = this.drawn.get(group.dataset.id);
      const ratio = hit ? (hit.width * hit.height) / (width * height) : 0;
      if (ratio > 0.5 && ratio < 2) continue;
      const middle = group.getScreenCTM();
      const scale = Math.hypot(middle.a, middle.b);
      const away = [x - middle.e, y - middle.f];
      if (Math.abs(away[0]) > Math.max(width * scale, FINGER) / 2 || Math.abs(away[1]) > Math.max(height * scale, FINGER) / 2) continue;
      const distance = Math.hypot(...away);
      if (distance < least) [best, least] = [group, distance];
    }
    return best;
  }

  #pressed(event) {
    const group = event.target.closest?.(".sprite");
    if (!group) {
      // The focus rests on the board itself after a move: any arrow finds the next thing to choose.
      if (event.key.startsWith("Arrow") && event.target === this.svg) this.layer.querySelector(".lit")?.focus();
      return;
    }
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!group.matches(".lit")) return;
      const hadFocus = group.dataset.id;
      this.#choose(hadFocus);
      // Go on where the next choice is.
      if (this.clicks.includes(hadFocus)) this.layer.querySelector(".lit")?.focus();
    } else if (event.key.startsWith("Arrow")) {
      const target = this.#neighbour(group, event.key);
      if (target) {
        event.preventDefault();
        if (!target.hasAttribute("tabindex")) target.setAttribute("tabindex", "-1");
        target.focus();
      }
    }
  }

  /** Let arrow keys lead to every piece, not only to what may be chosen; back again the second time. */
  explore() {
    const focused = document.activeElement?.closest?.(".sprite");
    this.exploring = !this.exploring;
    if (this.exploring && !focused) this.layer.querySelector(".lit, .sprite[role=img]")?.focus();
    if (this.exploring) return;
    if (focused?.tabIndex === -1) (this.layer.querySelector(".lit") ?? this.svg).focus();
    for (const group of this.layer.querySelectorAll('[tabindex="-1"]')) group.removeAttribute("tabindex");
  }

  /** The nearest sprite of use in the direction of an arrow key. */
  #neighbour(group, key) {
    const from = this.drawn.get(group.dataset.id);
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    let best = null;
    let least = Infinity;
    for (const other of this.layer.querySelectorAll(this.exploring ? ".sprite:not(.decoration, .gone)" : ".lit, .closed")) {
      const to = this.drawn.get(other.dataset.id);
      const x = (to.x ?? 0) - (from.x ?? 0);
      const y = (to.y ?? 0) - (from.y ?? 0);
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead <= 0.5) continue;
      const cost = ahead + 2.5 * aside;
      if (cost < least) [best, least] = [other, cost];
    }
    return best;
  }
}

/** Another face of a piece? A name that goes on from the other's is the same face in another state: panel, panel-active. */
function isOther(one, other) {
  return Boolean(one && other && !one.startsWith(other) && !other.startsWith(one));
}

/** The elements of a sprite. */
export function partsOf({ symbol, text, width = 0, height = 0, size = 14, align = "middle", ink = "ink", bold }) {
  const parts = [];
  if (symbol) parts.push(make("use", { href: `#${symbol}`, x: -width / 2, y: -height / 2, width, height }));
  if (text) {
    parts.push(make("text", { y: size * 0.35, "font-size": size, "text-anchor": align, fill: `var(--${ink})` }));
    if (bold) parts.at(-1).setAttribute("font-weight", "bold");
    parts.at(-1).textContent = text;
  }
  return parts;
}

export function place({ x = 0, y = 0, turn = 0 }) {
  return `translate(${x}px, ${y}px) rotate(${turn}deg)`;
}

function setOrRemove(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}

/** As many of some things as possible whose numbers rise in their order. */
function longestRise(things, number) {
  const ends = []; // ends[k]: the thing with the smallest number at which a rise of k + 1 things ends
  const before = new Map(); // what comes before a thing in its rise
  for (const thing of things) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (number(ends[middle]) < number(thing)) low = middle + 1;
      else high = middle;
    }
    before.set(thing, ends[low - 1]);
    ends[low] = thing;
  }
  const rise = new Set();
  for (let thing = ends.at(-1); thing; thing = before.get(thing)) rise.add(thing);
  return rise;
}
