// Does the deal follow from what this browser saw and added before it? docs/api.md describes the calculation.
//
// Nothing here is taken from the server's word: hashes are computed in this file (browsers offer none over plain http), and
// what was seen before the deal was kept in this browser.

import { hex, remembered } from "./shuffle.js";

const SEAT_DOMAIN = "perankh contribution\n";
const SEED_DOMAIN = "perankh deal\n";
const HEX = /^[0-9a-f]{64}$/;

// --- SHA-256 ------------------------------------------------------------------------------------------------------

/** The first 32 bits of the fractional parts of roots of the first primes: `power` 1/2 or 1/3. */
function roots(count, power) {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (prime) found.push(((n ** power % 1) * 2 ** 32) | 0);
  }
  return found;
}
const START = roots(8, 1 / 2);
const ROUND = roots(64, 1 / 3);
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** SHA-256 of bytes, as bytes. */
export function sha256(bytes) {
  const padded = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  data.setUint32(padded.length - 4, bytes.length << 3);
  const state = [...START];
  const w = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = data.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) | 0));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const ascii = (text) => new TextEncoder().encode(text);
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

export const commitmentTo = (secret) => hex(sha256(unhex(secret)));
export const serverContribution = (secret, seat) => hex(sha256(join(ascii(SEAT_DOMAIN), unhex(secret), [seat])));
export const seedOf = (secret, values) => hex(sha256(join(ascii(SEED_DOMAIN), unhex(secret), ...values.map(unhex)))).slice(0, 32);
export const seedHash = (seed) => hex(sha256(ascii(seed)));

// --- The deal -------------------------------------------------------------------------------------------------------

/**
 * Check the deal of a match that is over. Gives pairs: true (it holds), false (it does not) or null (it cannot be said), and the
 * key of the words that say so.
 */
export function verify(view) {
  const kept = remembered(view.table);
  const { deal, own } = view;
  const told = [];
  const open = (words) => told.push([null, words]);
  const tell = (good, yes, no) => told.push(good ? [true, yes] : [false, no]);
  const seed = String(view.seed ?? "");
  tell(seedHash(seed) === view.seed_hash && (!kept?.hash || kept.hash === view.seed_hash), "proof.hash", "proof.not_hash");
  if (!deal || deal.seed_given) {
    // Only a table that said so before the deal may do without one.
    if (kept && !(deal && kept.given)) tell(false, "", "proof.no_deal");
    else open(deal ? "proof.given" : "proof.without");
    return told;
  }
  const values = (Array.isArray(deal.contributions) ? deal.contributions : []).map((given) => String(given?.value));
  if (kept?.given || !HEX.test(deal.secret) || values.length !== view.players.length || !values.every((value) => HEX.test(value))) {
    tell(false, "", "proof.no_deal");
    return told;
  }
  const by = (seat) => deal.contributions[seat].by;
  if (kept) {
    tell(commitmentTo(deal.secret) === kept.commitment, "proof.commitment", "proof.not_commitment");
    const mine = Object.entries(kept.own).filter(([seat]) => own.includes(Number(seat)));
    if (mine.length) tell(mine.every(([seat, value]) => by(seat) === "player" && values[seat] === value), "proof.own", "proof.not_own");
    else open("proof.no_own");
  } else {
    tell(commitmentTo(deal.secret) === deal.commitment, "proof.shown", "proof.not_commitment");
    open("proof.not_seen");
  }
  const derived = values.every((value, seat) => by(seat) === "player" || value === serverContribution(deal.secret, seat));
  tell(derived && seedOf(deal.secret, values) === seed, "proof.seed", "proof.not_seed");
  return told;
}
