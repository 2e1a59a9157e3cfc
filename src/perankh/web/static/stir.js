// How liquids, and what falls into them, move: a sprite that stirs does so when it comes and whenever it changes.

// A throw is held: what was let go falls (FALL), the liquid rises to its crest and holds its breath (until HOLD), and only then settles
// or breaks.
const FALL = 1150; // milliseconds from the hand to the ground
const HOLD = 2900;

// Frames, where the piece is held ([x, y] in halves of its size from the middle), and how long.
const STIRS = {
  tremble: {
    hold: [0, 1],
    frames: [
      { transform: "scaleY(1)", offset: 0 },
      { transform: "scaleY(.86)", offset: 0.1 },
      { transform: "scaleY(1.2)", offset: 0.3, easing: "linear" }, // the crest
      { transform: "scaleY(1.17)", offset: 0.4 },
      { transform: "scaleY(1.2)", offset: 0.5 },
      { transform: "scaleY(1.17)", offset: 0.6 },
      { transform: "scaleY(1.19)", offset: 0.7, easing: "ease-in-out" }, // the breath
      { transform: "scaleY(.95)", offset: 0.85 },
      { transform: "scaleY(1)", offset: 1 },
    ],
    how: { duration: (HOLD - 0.5 * FALL) / 0.7, delay: 0.5 * FALL, easing: "ease-out" },
  },
  ripple: {
    hold: [0, 1],
    frames: { transform: ["translateX(-2px) scaleY(.7)", "translateX(2px) scaleY(1.1)"] },
    how: { duration: 420, iterations: 12, direction: "alternate", easing: "ease-in-out" },
  },
  sink: {
    hold: [0, 0],
    frames: { transform: ["rotate(-40deg)", "rotate(26deg)", "rotate(-12deg)", "rotate(0deg)"] },
    how: { duration: 1200, easing: "ease-out" },
  },
  spring: {
    hold: [0, 1],
    frames: { transform: ["scale(.5, 0)", "scale(1.05, 1.25)", "scale(1, .9)", "scale(1, 1)"] },
    how: { duration: 800, delay: HOLD, easing: "ease-out", fill: "backwards" },
  },
  run: {
    hold: [0, -1],
    frames: { transform: ["scaleY(0)", "scaleY(1)"] },
    how: { duration: 700, delay: HOLD + 250, easing: "ease-in", fill: "backwards" },
  },
  spread: {
    hold: [0, 0],
    frames: { transform: ["scale(0)", "scale(1)"] },
    how: { duration: 1100, delay: HOLD + 750, easing: "ease-out", fill: "backwards" },
  },
};

const LIFT = 11; // how far above its place, in sizes of its own, a piece that sinks is let go
/**
 * Stir a sprite.
 * @param {SVGGElement} group its group
 * @param {object} sprite as it is now
 * @param {object | undefined} before as it was
 * @param {(sprite: object) => string} place the transform that puts a sprite where it is
 * @param {number} tempo how long everything takes; 1: as it stands here
 * @returns {[number, number]} the milliseconds until it rests, and until one can see what comes of it
 */
export function stir(group, sprite, before, place, tempo) {
  const { hold, frames, how } = STIRS[sprite.stir] ?? {};
  if (!frames) return [0, 0];
  const { width = 0, height = 0 } = sprite;
  const face = group.querySelector(".face");
  face.style.transformOrigin = `${(hold[0] * width) / 2}px ${(hold[1] * height) / 2}px`;
  const timed = { ...how, duration: how.duration * tempo, delay: (how.delay ?? 0) * tempo };
  face.animate(frames, timed).finished.catch(() => {}).then(() => (face.style.transformOrigin = ""));
  if (sprite.stir === "sink" && before && before.y > sprite.y) drop(group, sprite, before, place, tempo);
  return [timed.delay + timed.duration * Math.min(2, how.iterations ?? 1), sprite.stir === "tremble" ? HOLD * tempo : 0];
}

/** Taken up from below, let go above, and down through the liquid. */
function drop(group, sprite, before, place, tempo) {
  const above = place({ ...sprite, y: sprite.y - LIFT * sprite.height });
  const surface = place({ ...sprite, y: sprite.y - 0.72 * LIFT * sprite.height });
  group.animate(
    [
      { transform: place(before), opacity: 1, offset: 0 },
      { transform: place({ ...before, y: before.y - before.height / 2 }), opacity: 0, offset: 0.16 },
      { transform: above, opacity: 0, offset: 0.17 },
      { transform: above, opacity: 1, offset: 0.3, easing: "ease-in" },
      { transform: surface, opacity: 1, offset: 0.5, easing: "ease-out" },
      { transform: place(sprite), opacity: 1, offset: 1 },
    ],
    { duration: FALL * tempo },
  );
}
