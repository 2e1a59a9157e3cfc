"""Chance: ChaCha with eight rounds, keyed by the 128-bit seed in the record, one 32-bit word at a time.

Players see the results of chance. A cipher keeps them from computing the key, and with it the hidden cards. Words are held in
signed 64-bit integers and masked, so that Python, Numba and CUDA do the same arithmetic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from perankh.engine.rule import rule

if TYPE_CHECKING:
    from perankh.engine.state import Record

WORD = 0xFFFFFFFF


@rule
def below(s: Record, n: int) -> int:
    """A number from 0 to n - 1, each equally likely (n at most 2**31)."""
    product = word(s) * n
    low = product & WORD
    if low < n:
        # 2**32 is not a multiple of n: results from the first 2**32 mod n words would be too likely, so draw again.
        unfair = (WORD + 1 - n) % n
        while low < unfair:
            product = word(s) * n
            low = product & WORD
    return product >> 32


@rule
def seed_chance(s: Record, key0: int, key1: int, key2: int, key3: int, index: int) -> None:
    """Start the generator with key + index, a 128-bit sum, least significant word first."""
    carry = key0 + index
    s.chance_key[0] = carry & WORD
    carry = key1 + (carry >> 32)
    s.chance_key[1] = carry & WORD
    carry = key2 + (carry >> 32)
    s.chance_key[2] = carry & WORD
    carry = key3 + (carry >> 32)
    s.chance_key[3] = carry & WORD
    s.chance_block = 0
    s.chance_used = 16


@rule
def forget_chance(s: Record) -> None:
    """Erase the generator, which no veiled state may hold."""
    for i in range(4):
        s.chance_key[i] = 0
    for i in range(16):
        s.chance_pool[i] = 0
    s.chance_block = 0
    s.chance_used = 0


@rule
def word(s: Record) -> int:
    """The next 32 random bits."""
    if s.chance_used >= 16:
        next_block(s)
        s.chance_used = 0
    w = s.chance_pool[s.chance_used] & WORD
    s.chance_used += 1
    # Used words are erased, so that a leaked record reveals no earlier results of its block.
    s.chance_pool[s.chance_used - 1] = 0
    return w


@rule
def quarter(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """The quarter round of ChaCha."""
    a = (a + b) & WORD
    d ^= a
    d = ((d << 16) | (d >> 16)) & WORD
    c = (c + d) & WORD
    b ^= c
    b = ((b << 12) | (b >> 20)) & WORD
    a = (a + b) & WORD
    d ^= a
    d = ((d << 8) | (d >> 24)) & WORD
    c = (c + d) & WORD
    b ^= c
    b = ((b << 7) | (b >> 25)) & WORD
    return a, b, c, d


@rule
def next_block(s: Record) -> None:
    """Fill the pool with the next sixteen words (ChaCha8, 128-bit key, nonce 0)."""
    k0, k1 = s.chance_key[0] & WORD, s.chance_key[1] & WORD
    k2, k3 = s.chance_key[2] & WORD, s.chance_key[3] & WORD
    count = s.chance_block & WORD
    x0, x1, x2, x3 = 0x61707865, 0x3120646E, 0x79622D36, 0x6B206574
    x4, x5, x6, x7 = k0, k1, k2, k3
    x8, x9, x10, x11 = k0, k1, k2, k3
    x12, x13, x14, x15 = count, 0, 0, 0
    for _ in range(4):
        x0, x4, x8, x12 = quarter(x0, x4, x8, x12)
        x1, x5, x9, x13 = quarter(x1, x5, x9, x13)
        x2, x6, x10, x14 = quarter(x2, x6, x10, x14)
        x3, x7, x11, x15 = quarter(x3, x7, x11, x15)
        x0, x5, x10, x15 = quarter(x0, x5, x10, x15)
        x1, x6, x11, x12 = quarter(x1, x6, x11, x12)
        x2, x7, x8, x13 = quarter(x2, x7, x8, x13)
        x3, x4, x9, x14 = quarter(x3, x4, x9, x14)
    pool = s.chance_pool
    pool[0] = (x0 + 0x61707865) & WORD
    pool[1] = (x1 + 0x3120646E) & WORD
    pool[2] = (x2 + 0x79622D36) & WORD
    pool[3] = (x3 + 0x6B206574) & WORD
    pool[4] = (x4 + k0) & WORD
    pool[5] = (x5 + k1) & WORD
    pool[6] = (x6 + k2) & WORD
    pool[7] = (x7 + k3) & WORD
    pool[8] = (x8 + k0) & WORD
    pool[9] = (x9 + k1) & WORD
    pool[10] = (x10 + k2) & WORD
    pool[11] = (x11 + k3) & WORD
    pool[12] = (x12 + count) & WORD
    pool[13] = x13
    pool[14] = x14
    pool[15] = x15
    s.chance_block = (count + 1) & WORD
