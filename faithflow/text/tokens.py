"""Words and numbers of a text in any script: folded, stemmed where the language is known, with their offsets.

Scripts that put no space between words (Han, Kana, Hangul, Thai, Lao, Khmer, Burmese) are cut into overlapping
pairs of characters, the usual unit of retrieval for them (Manning, Raghavan, Schütze 2008, section 2.2.1).
"""

import re
import threading
import unicodedata
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from typing import Any

from faithflow.text.languages import STEMMERS, is_function_word
from faithflow.text.numbers import NUMBER_PATTERN, WORD_VALUES, readings

# What may stand inside a word but is no \w of Python's: accents, vowel signs, points, signs without width.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd"
    "\u0a01-\u0a03\u0a3c-\u0a51\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0c00-\u0c04"
    "\u0c3c-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0d81-\u0d83\u0dca-\u0ddf\u00ad\u200b-\u200d\u2060\ufeff"
)
_UNSPACED = (
    "\u0e00-\u0e4e\u0e80-\u0ece\u1000-\u104f\u1780-\u17dd\u3005\u3007\u3040-\u309f\u30a0-\u30fa\u30fc-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
_FIRST = rf"(?![{_UNSPACED}])[^\W\d_]"
_LETTER = rf"(?:{_FIRST}|[{_MARKS}])"
_WORD = rf"{_FIRST}{_LETTER}*(?:['’]{_FIRST}{_LETTER}*)*(?:\d+{_LETTER}*)?"
_TOKEN = re.compile(rf"(?P<number>{NUMBER_PATTERN})|(?P<run>[{_UNSPACED}]+)|(?P<word>{_WORD})")
_STRIPPED = {ord(c): None for c in "\u200b\u200c\u200d\ufeff\u00ad\u2060"}


class Kind(IntEnum):
    WORD = 0
    NUMBER = 1
    RUN = 2


@dataclass(frozen=True, slots=True)
class Token:
    """One unit of a text. `key` is what is compared (stem, canonical number or pair of characters); `surface` is
    the text as it stands; `readings` are the canonical values of a number ("1.500" may be 1.5 or 1500);
    `function` marks words that carry no content in their language; `capital` an upper-case first letter."""

    key: str
    surface: str
    start: int
    end: int
    kind: Kind
    function: bool
    capital: bool
    readings: frozenset[str] = frozenset()


def fold(word: str) -> str:
    """A word without what does not change its meaning: compatibility forms, case, invisible signs, and the accents
    of the Latin and Greek scripts (other scripts' marks are letters)."""
    text = unicodedata.normalize("NFKC", word).translate(_STRIPPED).casefold()
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    kept: list[str] = []
    strip = False
    for char in decomposed:
        if unicodedata.combining(char):
            if not strip:
                kept.append(char)
            continue
        point = ord(char)
        strip = point < 0x0250 or 0x0370 <= point < 0x0400 or 0x1F00 <= point < 0x2000
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))


_LOCK = threading.Lock()
_ABBREVIATED_MONTHS = {
    "jan": "january",
    "feb": "february",
    "mar": "march",
    "apr": "april",
    "jun": "june",
    "jul": "july",
    "aug": "august",
    "sep": "september",
    "sept": "september",
    "oct": "october",
    "nov": "november",
    "dec": "december",
}
MAY = "May"
"""The key of the month; the verb's is in lower case, like every other key."""
NEGATION = "not"
"""The key of every English word that is a plain negation ("not", "n't", "cannot")."""


@lru_cache(maxsize=32)
def _stemmer(language: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(STEMMERS[language])


def _stem(word: str, language: str) -> str:
    if len(word) < 4 or language not in STEMMERS:
        return word
    with _LOCK:  # a stemmer keeps the word that it works on as its state
        return str(_stemmer(language).stemWord(word)) or word


@lru_cache(maxsize=65536)
def _analyse(surface: str, language: str) -> tuple[str, bool, str | None]:
    """(key, is it a function word, its value if it is a number word)"""
    word = fold(surface).replace("’", "'")
    if language == "en":
        if word in WORD_VALUES:
            return word, False, WORD_VALUES[word]
        if word in {"not", "cannot"} or word.endswith("n't"):
            return NEGATION, True, None
        word = _ABBREVIATED_MONTHS.get(word, word)
    if "'" in word:
        head, tail = word.split("'", 1)
        # an elided article ("l'eau", "dell'acqua") goes before the word, a genitive or a contraction after it
        word = tail if language in {"fr", "it"} and len(head) < len(tail) else head
    return _stem(word, language), is_function_word(word, language), None


def tokenize(text: str, language: str) -> list[Token]:
    """The tokens of a text, in order. `language` is an ISO 639-1 code, or "und" (no stemming, no function words).

    Unspaced runs give each pair of neighbouring characters (a lone character gives itself), all as content.
    """
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        start, end, kind = match.start(), match.end(), match.lastgroup
        surface = match.group()
        if kind == "number":
            values = readings(surface)
            tokens.append(Token(min(values), surface, start, end, Kind.NUMBER, False, False, values))
        elif kind == "run":
            tokens.extend(_pairs(surface, start))
        else:
            key, function, value = _analyse(surface, language)
            if value is not None:
                tokens.append(Token(value, surface, start, end, Kind.NUMBER, False, False, frozenset({value})))
            else:
                tokens.append(Token(key, surface, start, end, Kind.WORD, function, surface[:1].isupper()))
    return [_as_month(tokens, i) if token.surface == "May" else token for i, token in enumerate(tokens)]


def _as_month(tokens: list[Token], i: int) -> Token:
    """The English "May": a month beside a number, else the verb."""
    beside = tokens[max(0, i - 1) : i] + tokens[i + 1 : i + 2]
    return replace(tokens[i], key=MAY, function=False) if any(t.kind is Kind.NUMBER for t in beside) else tokens[i]


def _pairs(run: str, start: int) -> list[Token]:
    chars = [unicodedata.normalize("NFKC", char) for char in run]
    if len(chars) == 1:
        return [Token(chars[0], run, start, start + 1, Kind.RUN, False, False)]
    return [
        Token(chars[i] + chars[i + 1], run[i : i + 2], start + i, start + i + 2, Kind.RUN, False, False)
        for i in range(len(chars) - 1)
    ]
