// What this browser adds to the shuffle, and what it saw of it before the deal. It is kept here, so that verify.js need not take the
// server's word for it.

import { ask, memory, say } from "./ui.js";

export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** What was seen of a table's deal: the commitment, whether the seed was given, own contributions by seat, the seed's hash. */
export function remembered(table) {
  try {
    const kept = JSON.parse(memory.get(`deal:${table}`) ?? "null");
    return typeof kept?.own === "object" ? kept : null;
  } catch {
    return null;
  }
}
const keep = (table, kept) => memory.set(`deal:${table}`, JSON.stringify(kept));

/** Keep what a view shows before the deal, and the hash of the seed when it is dealt; what was seen first stands. */
export function remember(view) {
  if (!view.deal) return;
  const kept = remembered(view.table);
  if (!kept && view.status === "waiting") keep(view.table, { commitment: view.deal.commitment, given: view.deal.seed_given, own: {} });
  if (kept && !kept.hash && view.seed_hash && view.status === "playing") keep(view.table, { ...kept, hash: view.seed_hash });
}

/** Start on own seats, each with 32 random bytes of this browser. */
export async function start(table, commitment, seats) {
  const kept = remembered(table) ?? { commitment, given: false, own: {} };
  if (kept.commitment !== commitment) throw new Error(say("ui.commitment"));
  for (const seat of seats) {
    kept.own[seat] ??= hex(crypto.getRandomValues(new Uint8Array(32)));
    keep(table, kept); // before it is sent: whatever happens to the answer, this browser knows what it gave
    await ask("POST", `/api/tables/${table}/start`, { seat, contribution: kept.own[seat] });
  }
}

/** A seat was left before the deal: what was given for it does not count. */
export function forget(table, seat) {
  const kept = remembered(table);
  if (!kept) return;
  delete kept.own[seat];
  keep(table, kept);
}
