// How pieces travel from one scene to the next. Like pieces have no names: one that comes to a place takes over from one of the
// same pool that left another; without such a one it comes from the pool, and what leaves for nowhere goes back to it. A piece
// that leaves what it lies on, a stone a ship, rides along with it first. Pieces with an order go one after the other.

// Milliseconds: that a carrier takes to its new place (see board.css); from the start of one piece to the start of the next, less
// where there are many; until the last one starts; for a piece to its place; for one to appear; a stop on the way.
const TIMES = [560, 300, 1800, 520, 240, 600];
const EASE = "cubic-bezier(.3, .1, .2, 1)";

const inOrder = (one, other) => (one.order ?? 0) - (other.order ?? 0);

/** Pairs of sprites: one that went, and the one that it becomes. */
export function takeOver(went, came) {
  const left = went.filter((sprite) => sprite.pool).sort(inOrder);
  const pairs = [];
  for (const sprite of came.filter((other) => other.pool).sort(inOrder)) {
    const at = left.findIndex((other) => other.pool === sprite.pool);
    if (at >= 0) pairs.push([left.splice(at, 1)[0], sprite]);
  }
  return pairs;
}

/**
 * Set groups going.
 * @param {{group: SVGGElement, from: object, to: object, carrier: [object, object] | null, via: object | undefined, leaves: boolean,
 *   appears: boolean}[]} travellers the group of each piece, its sprite before and after, the sprite it lay on before and after, the
 *   sprite at which it stops on its way, whether it leaves the table, and whether it appears at its place
 * @param {number} tempo how long everything takes; 1: as it stands here
 * @returns {number} the milliseconds until the last one has come
 */
export function travel(travellers, tempo) {
  const [ride, usual, longest, glide, fade, stop] = TIMES.map((time) => time * tempo);
  const riding = travellers.some(({ carrier }) => carrier && moved(...carrier));
  const turns = [...new Set(travellers.map(({ to }) => to.order ?? 0))].sort((one, other) => one - other);
  const next = Math.min(usual, longest / turns.length);
  const ordered = turns.filter(Boolean);
  let last = 0;
  for (const { group, from, to, carrier, via, leaves, appears } of travellers) {
    const waiting = (riding ? ride : 0) + next * Math.max(0, ordered.indexOf(to.order));
    const whole = waiting + glide + (via ? glide + stop : 0);
    last = Math.max(last, whole);
    if (appears) {
      group.animate([{ opacity: 0 }, { opacity: 0, offset: waiting / (waiting + fade) }], { duration: waiting + fade });
      continue;
    }
    const still = carrier ? carried(from, ...carrier) : from;
    const there = via && place(via, to);
    const way = group.animate(
      [
        { transform: place(from, to), easing: EASE },
        { transform: place(still, to), offset: riding ? ride / whole : 0, easing: "linear" },
        { transform: place(still, to), offset: waiting / whole, easing: EASE },
        ...(via ? [{ transform: there, offset: (waiting + glide) / whole }, { transform: there, offset: (waiting + glide + stop) / whole, easing: EASE }] : []),
        { transform: place(to, to) },
      ],
      { duration: whole, fill: leaves ? "forwards" : "none" },
    );
    if (leaves) way.finished.catch(() => {}).then(() => group.remove());
  }
  return last;
}

/** Is a sprite at another place than before? */
export function moved(before, after) {
  return before.x !== after.x || before.y !== after.y;
}

/** Where a sprite is when what it lies on has gone to its new place. */
function carried(sprite, before, after) {
  const scale = (after.width ?? 1) / (before.width || 1);
  const at = (from, middle, to) => (to ?? 0) + ((from ?? 0) - (middle ?? 0)) * scale;
  return { ...sprite, x: at(sprite.x, before.x, after.x), y: at(sprite.y, before.y, after.y), width: (sprite.width ?? 0) * scale };
}

/** The transform that shows what is drawn as one sprite at the place and in the size of another. */
function place({ x = 0, y = 0, turn = 0, width }, drawn) {
  return `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${(width || 1) / (drawn.width || 1)})`;
}
