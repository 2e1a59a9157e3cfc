// How liquids, and what falls into them, move: a sprite that stirs does so when it comes and whenever it changes.

// Frames, where the piece is held ([x, y] in halves of its size from the middle), and how long.
const STIRS = {
  tremble: {
    hold: [0, 1],
    frames: { transform: ["scaleY(1)", "scaleY(.84)", "scaleY(1.14)", "scaleY(.92)", "scaleY(1.06)", "scaleY(.98)", "scaleY(1)"] },
    how: { duration: 1300, delay: 580, easing: "ease-out" },
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
    how: { duration: 800, delay: 600, easing: "ease-out", fill: "backwards" },
  },
  run: {
    hold: [0, -1],
    frames: { transform: ["scaleY(0)", "scaleY(1)"] },
    how: { duration: 700, delay: 850, easing: "ease-in", fill: "backwards" },
  },
  spread: {
    hold: [0, 0],
    frames: { transform: ["scale(0)", "scale(1)"] },
    how: { duration: 1100, delay: 1350, easing: "ease-out", fill: "backwards" },
  },
};

const LIFT = 11; // how far above its place, in sizes of its own, a piece that sinks is let go
const FALL = 1150; // milliseconds from the hand to the ground

/**
 * Stir a sprite.
 * @param {SVGGElement} group its group
 * @param {object} sprite as it is now
 * @param {object | undefined} before as it was
 * @param {(sprite: object) => string} place the transform that puts a sprite where it is
 * @returns {number} the milliseconds until it rests
 */
export function stir(group, sprite, before, place) {
  const { hold, frames, how } = STIRS[sprite.stir] ?? {};
  if (!frames) return 0;
  const { width = 0, height = 0 } = sprite;
  const face = group.querySelector(".face");
  face.style.transformOrigin = `${(hold[0] * width) / 2}px ${(hold[1] * height) / 2}px`;
  face.animate(frames, how).finished.catch(() => {}).then(() => (face.style.transformOrigin = ""));
  if (sprite.stir === "sink" && before && before.y > sprite.y) drop(group, sprite, before, place);
  return (how.delay ?? 0) + how.duration * Math.min(2, how.iterations ?? 1);
}

/** Taken up from below, let go above, and down through the liquid. */
function drop(group, sprite, before, place) {
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
    { duration: FALL },
  );
}
