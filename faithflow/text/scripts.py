"""Characters that matter to sentence ends, by script: blanks, stops, letters without case or without spaces."""

import re

# Format characters that take no room. Joiners are meant too: they say nothing at the edge of a sentence.
ZERO_WIDTH = "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u202a-\u202e\u2060\u2061-\u2064\u2066-\u2069\ufeff"

# Stops that end a sentence whether or not a space follows.
FULL_STOPS = (
    "\u3002\uff61\uff0e\uff01\uff1f"  # Chinese, Japanese, Korean
    "\u0964\u0965"  # Devanagari danda, used by most scripts of India
    "\u061f\u06d4\u061e"  # Arabic question mark, Urdu full stop
    "\u0589"  # Armenian
    "\u1362\u1367\u1368"  # Ethiopic
    "\u104a\u104b\u17d4\u17d5\u0f0d\u0f0e"  # Myanmar, Khmer, Tibetan
    "\u1803\u1809\u0df4\u037e"  # Mongolian, Sinhala, Greek question mark
)
GREEK = "\u0370-\u037d\u037f-\u03ff\u1f00-\u1fff"
ARMENIAN = "\u0531-\u0588"
CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"

_BLANKS = re.compile(rf"[\s{ZERO_WIDTH}]*")
_BLANK = re.compile(rf"[\s{ZERO_WIDTH}]")
_SOLID = re.compile(rf"[^\s{ZERO_WIDTH}]+")


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """The part of `text[start:end]` without blanks at its edges (white space, zero-width characters, BOM)."""
    match = _BLANKS.match(text, start, end)
    start = match.end() if match else start
    while end > start and _BLANK.match(text[end - 1]):
        end -= 1
    return start, end


def solid_length(text: str, start: int = 0, end: int | None = None) -> int:
    """How many characters of `text[start:end]` are neither white space nor zero-width."""
    stop = len(text) if end is None else end
    return sum(map(len, _SOLID.findall(text, start, stop)))
