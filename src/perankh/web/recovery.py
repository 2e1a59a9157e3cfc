"""The recovery phrase: ten words to write down, the same in every language. Only what is derived from them is stored."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from pathlib import Path

from perankh.engine.words import LANGUAGES
from perankh.web.refusal import refused

# 256 words, one a line, in the order of LANGUAGES. Another order or other words would make all phrases useless.
LIST = [line.split() for line in Path(__file__).with_name("recovery.txt").read_text("utf-8").splitlines()]
NUMBER_OF = {word: number for number, words in enumerate(LIST) for word in words}
LENGTH = 10  # words of 8 bits each
SALT = b"perankh recovery phrase"  # the same everywhere: 80 random bits are in no list of likely phrases
COST = 2**14  # of scrypt: 16 MiB and some hundredths of a second


def new_phrase() -> bytes:
    """A phrase, as the numbers of its words."""
    return secrets.token_bytes(LENGTH)


def words_of(phrase: bytes) -> dict[str, list[str]]:
    """The words of a phrase in every language."""
    return {lang: [LIST[number][place] for number in phrase] for place, lang in enumerate(LANGUAGES)}


def phrase_in(text: str) -> bytes:
    """The phrase that somebody has typed, in any language and script of Japanese; refused with the word that is wrong."""
    typed = re.findall(r"\w+", in_hiragana(unicodedata.normalize("NFKC", text).casefold()))
    words = [word for word in typed if not word.isdecimal()]  # some number what they write down
    unknown = [word for word in words if word not in NUMBER_OF]
    if unknown:
        raise refused(422, "no_word", word=unknown[0], number=words.index(unknown[0]) + 1)
    if len(words) != LENGTH:
        raise refused(422, "words_count", count=len(words), length=LENGTH)
    return bytes(NUMBER_OF[word] for word in words)


def in_hiragana(text: str) -> str:
    """A text with hiragana in place of katakana."""
    return "".join(chr(ord(sign) - 0x60) if "ァ" <= sign <= "ヶ" else sign for sign in text)


def verifier_of(phrase: bytes) -> str:
    """What is stored of a phrase, and found by it. Takes its time: run it in a thread."""
    return hashlib.scrypt(phrase, salt=SALT, n=COST, r=8, p=1, dklen=32).hex()
