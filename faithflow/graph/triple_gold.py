"""Triples held against gold ones: when two triples say the same, and what follows for each.

The rule: both ends agree, in this order or the other way round (one source writes "A director B", another "B
DIRECTOR_OF A"). Relations are free words on both sides and are not compared unless asked for. Two ends agree when

- their names have one key (case, articles, possessives and punctuation aside), or
- one is the abbreviation of the other by its initials, or
- neither holds a digit, both have two words or more, the first and the last of them are the same, and the longer has
  all words of the shorter (a person with and without the middle name), or
- both are the same day, month or year, or
- both hold the same single number and one is nothing but that number ("250" and "250 academic staff").
"""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from faithflow.graph.names import acronym_letters, initials, is_acronym, name_key, relation_words, tidy
from faithflow.text.languages import is_function_word
from faithflow.text.numbers import NUMBER_PATTERN, readings
from faithflow.text.tokens import tokenize

GOLD = "gold"
"""The judge's name in the verdicts that follow from gold triples."""

_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
    "dec": 12, "january": 1, "february": 2, "march": 3, "april": 4, "june": 6, "july": 7, "august": 8, "sept": 9,
    "september": 9, "october": 10, "november": 11, "december": 12,
}  # fmt: skip
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10,
}  # fmt: skip
_NUMBER = re.compile(NUMBER_PATTERN)
_SIGNS = re.compile(r"[\s~<>≈+.,€$£%-]|(?:EUR|USD|GBP)\b")
_ISO = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})")
_NUMERIC = re.compile(r"(?P<first>\d{1,2})[-/.](?P<second>\d{1,2})[-/.](?P<year>\d{4})")
_DAY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\b(?!\d)")
_YEAR = re.compile(r"\b(1[0-9]{3}|20\d{2})\b")
_WORDS = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Fact:
    """Head, relation and tail alone: what is compared."""

    head: str
    relation: str
    tail: str


def same_end(a: str, b: str) -> bool:
    """Whether two ends name the same thing (see the module)."""
    if name_key(_plain(a)) == name_key(_plain(b)) or _abbreviates(a, b) or _abbreviates(b, a) or _longer(a, b):
        return True
    days = date_of(a), date_of(b)
    if days[0] is not None and days[0] == days[1]:
        return True
    numbers = _number(_plain(a)), _number(_plain(b))
    if numbers[0] is None or numbers[1] is None:
        return False
    return (numbers[0].alone or numbers[1].alone) and bool(numbers[0].values & numbers[1].values)


def _abbreviates(short: str, full: str) -> bool:
    return is_acronym(short) and acronym_letters(short) in initials(_plain(full))


def _longer(a: str, b: str) -> bool:
    words = sorted((name_key(_plain(name)).split() for name in (a, b)), key=len)
    if len(words[0]) < 2 or any(char.isdigit() for char in a + b):
        return False
    return words[0][0] == words[1][0] and words[0][-1] == words[1][-1] and set(words[0]) <= set(words[1])


def same_fact(a: Fact, b: Fact, *, relations: bool = False) -> bool:
    """Whether two triples say the same; with `relations` their relations must also share a word's stem."""
    straight = same_end(a.head, b.head) and same_end(a.tail, b.tail)
    if not straight and not (same_end(a.head, b.tail) and same_end(a.tail, b.head)):
        return False
    return not relations or bool(relation_stems(a.relation) & relation_stems(b.relation))


@dataclass(frozen=True, slots=True)
class GoldMatch:
    """For each triple whether a gold one says the same, and for each gold one whether a triple does."""

    correct: tuple[bool, ...]
    found: tuple[bool, ...]


def match_gold(triples: Sequence[Fact], gold: Sequence[Fact], *, relations: bool = False) -> GoldMatch:
    """Match every triple with every gold one; several triples may say one gold fact, and all of them are correct."""
    pairs = [
        (i, j)
        for i, triple in enumerate(triples)
        for j, fact in enumerate(gold)
        if same_fact(triple, fact, relations=relations)
    ]
    correct, found = {i for i, _ in pairs}, {j for _, j in pairs}
    return GoldMatch(tuple(i in correct for i in range(len(triples))), tuple(j in found for j in range(len(gold))))


@lru_cache(maxsize=65536)
def date_of(text: str) -> str | None:
    """A date in words or figures as ISO text (year, year-month or year-month-day); None where the text is no date.

    "08-16-1920" is read with the month first, or second where the first number is none.
    """
    bare = " ".join(_plain(text).casefold().split())
    if found := _ISO.fullmatch(bare):
        return _iso(int(found["year"]), int(found["month"]), int(found["day"]))
    if found := _NUMERIC.fullmatch(bare):
        first, second = int(found["first"]), int(found["second"])
        month, day = (first, second) if first <= 12 else (second, first)
        return _iso(int(found["year"]), month, day)
    years = _YEAR.findall(bare)
    words = [word for word in _WORDS.findall(bare) if word not in ("the", "of", "on", "in", "st", "nd", "rd", "th")]
    months = [_MONTHS[word] for word in words if word in _MONTHS]
    days = [_ORDINALS[word] for word in words if word in _ORDINALS]
    if len(years) != 1 or len(months) > 1 or len(months) + len(days) != len(words):
        return None
    days += [int(day) for day in _DAY.findall(bare.replace(years[0], " ", 1))]
    if not months:
        return years[0] if not days else None
    if len(days) > 1:
        return None
    return _iso(int(years[0]), months[0], days[0]) if days else f"{int(years[0]):04d}-{months[0]:02d}"


def _iso(year: int, month: int, day: int) -> str | None:
    try:
        return dt.date(year, month, day).isoformat()
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class _Number:
    values: frozenset[str]
    alone: bool


@lru_cache(maxsize=65536)
def _number(text: str) -> _Number | None:
    """The one number that a text holds, and whether it is nothing else (signs and currencies aside)."""
    found = list(_NUMBER.finditer(text))
    if len(found) != 1:
        return None
    rest = text[: found[0].start()] + text[found[0].end() :]
    return _Number(readings(found[0].group()), not _SIGNS.sub("", rest))


def _plain(name: str) -> str:
    return tidy(name.replace("_", " "))


@lru_cache(maxsize=65536)
def relation_stems(relation: str) -> frozenset[str]:
    """The stems of a relation's words that carry content: FOUNDED_BY gives "found", academicStaffSize three."""
    words = relation_words(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", relation))
    return frozenset(token.key for token in tokenize(words, "en") if not is_function_word(token.surface, "en"))
