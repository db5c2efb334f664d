"""Numbers as people write them: group separators, decimal commas, scale words, ordinals, words for small numbers."""

import re
import unicodedata
from decimal import Decimal

_SCALES = {
    "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "millions": 6, "billions": 9, "bn": 9, "mn": 6,
    "tausend": 3, "millionen": 6, "mio": 6, "milliarde": 9, "milliarden": 9, "mrd": 9, "mille": 3, "milliard": 9,
    "milliards": 9, "mil": 3, "millon": 6, "millón": 6, "millones": 6, "milione": 6, "milioni": 6, "miliardo": 9,
    "miliardi": 9,
    "milhão": 6, "milhões": 6,      "miljoen": 6, "miljard": 9, "crore": 7, "lakh": 5,
}  # fmt: skip
_SCALE_WORDS = "|".join(sorted(_SCALES, key=len, reverse=True))
NUMBER_PATTERN = (
    r"(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d])|\d+(?:[.,\u066b\u066c]\d+)*)"
    rf"(?:[ \u00a0\u202f-](?i:{_SCALE_WORDS})(?![^\W\d_])|(?:st|nd|rd|th|s)(?![^\W\d_]))?"
)
_PARTS = re.compile(r"^([\d.,\u066b\u066c \u00a0\u202f]*\d)(.*)$", re.DOTALL)

_SMALL = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_TEENS_ON = "eighteen nineteen twenty"
_TENS = "thirty forty fifty sixty seventy eighty ninety"
WORD_VALUES = {word: str(value) for value, word in enumerate(f"{_SMALL} {_TEENS_ON}".split(), start=2)} | {
    word: str(10 * value) for value, word in enumerate(_TENS.split(), start=3)
}
"""English number words and their canonical values ("one" is left out: it is mostly a pronoun)."""


def readings(text: str) -> frozenset[str]:
    """Every value that a written number may have, in one spelling (no separators, no trailing zeros).

    "49,400" is 49400 or 49.4; "1.5 million" is 1500000; "1.234,56" is 1234.56; what is no plain number ("3.1.2")
    stays as it is. The text must match NUMBER_PATTERN.
    """
    match = _PARTS.match(text)
    if match is None:
        return frozenset({text})
    digits, tail = match.groups()
    scale = _SCALES.get(tail.strip(" \u00a0\u202f-").casefold(), 0)
    western = "".join(str(unicodedata.decimal(c)) if c.isdigit() and not c.isascii() else c for c in digits)
    western = western.replace("\u066b", ".").replace("\u066c", ",")
    return frozenset(_canonical(value, scale) for value in _plain(western))


def _plain(digits: str) -> list[str]:
    compact = re.sub(r"[ \u00a0\u202f]", "", digits)
    marks = [c for c in compact if c in ".,"]
    if not marks:
        return [compact]
    groups = re.split(r"[.,]", compact)
    joined = "".join(groups)
    thousands = all(len(group) == 3 for group in groups[1:]) and 1 <= len(groups[0]) <= 3
    if len(marks) == 1:
        decimal = f"{groups[0]}.{groups[1]}"
        return [decimal, joined] if thousands and groups[0] != "0" else [decimal]
    if len(set(marks)) == 1:
        return [joined] if thousands else [compact]
    if set(marks[:-1]) != {marks[-1]} and len(set(marks[:-1])) == 1 and all(len(g) == 3 for g in groups[1:-1]):
        return ["".join(groups[:-1]) + "." + groups[-1]]
    return [compact]


def _canonical(value: str, scale: int) -> str:
    if value.count(".") > 1 or "," in value:
        return value
    text = format(Decimal(value).scaleb(scale), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    whole, point, fraction = text.partition(".")
    return (whole.lstrip("0") or "0") + point + fraction
