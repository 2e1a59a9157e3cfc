// Short sounds, made on the spot: each is a few tones with a soft beginning and end.

// Tones as [frequency in Hz, start, length in seconds, loudness, shape].
const SOUNDS = {
  move: [[210, 0, 0.09, 0.5, "triangle"], [140, 0.02, 0.1, 0.4, "sine"]],
  points: [[659, 0, 0.12, 0.3, "sine"], [880, 0.09, 0.22, 0.3, "sine"]],
  turn: [[523, 0, 0.2, 0.35, "triangle"], [784, 0.16, 0.4, 0.35, "triangle"]],
  round: [[262, 0, 0.5, 0.3, "triangle"], [392, 0.05, 0.5, 0.25, "triangle"], [523, 0.1, 0.6, 0.2, "sine"]],
  end: [[392, 0, 0.25, 0.3, "triangle"], [494, 0.18, 0.25, 0.3, "triangle"], [587, 0.36, 0.25, 0.3, "triangle"], [784, 0.54, 0.8, 0.35, "triangle"]],
};
const SOFT = 0.012; // seconds until a tone is at its loudest

let context = null;

/** Play a sound; nothing where the browser wants a click first or has no sound. */
export function play(name) {
  context ??= globalThis.AudioContext ? new AudioContext() : null;
  if (!context) return;
  if (context.state === "suspended") context.resume().catch(() => {});
  const now = context.currentTime + 0.01;
  for (const [frequency, start, length, loud, shape] of SOUNDS[name]) {
    const tone = new OscillatorNode(context, { type: shape, frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, now + start);
    volume.gain.linearRampToValueAtTime(loud * 0.4, now + start + SOFT);
    volume.gain.exponentialRampToValueAtTime(0.001, now + start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(now + start);
    tone.stop(now + start + length + 0.02);
  }
}
