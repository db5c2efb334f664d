"""Where in an answer a claim or a quote stands, exact or alike, with exact positions either way."""

import re
import unicodedata

from faithflow.text.plain import SOURCE_MARKER
from faithflow.text.scripts import ZERO_WIDTH
from faithflow.text.spans import Span

_QUOTES = dict.fromkeys("“”„‟«»″〝〞＂", '"') | dict.fromkeys("‘’‚‛‹›′`´", "'")
_DASHES = dict.fromkeys("‐‑‒–—―−﹣－", "-")
_MARKS = dict.fromkeys("*_#>|\\[]", "")
_EDGES = " .…\"'"
_TARGET = re.compile(r"(?<=\])\((?:[^()\s]|\([^()\s]{0,100}\)){0,1000}\)")


def _zero_width() -> dict[str, str]:
    """The zero-width characters, one by one, out of the ranges that the regular expressions use."""
    single: dict[str, str] = {}
    for position, character in enumerate(ZERO_WIDTH):
        if character == "-":
            low, high = ord(ZERO_WIDTH[position - 1]), ord(ZERO_WIDTH[position + 1])
            single |= dict.fromkeys(map(chr, range(low, high + 1)), "")
        else:
            single[character] = ""
    return single


_FOLDED = _QUOTES | _DASHES | _MARKS | _zero_width()


class Anchors:
    """Finds quotes in one answer; the folded answer is made once, when first needed."""

    def __init__(self, answer: str) -> None:
        self._answer = answer
        self._folded: tuple[str, list[int]] | None = None
        self._next: dict[str, int] = {}

    def find(self, quote: str) -> Span | None:
        """The span of a quote, or None where the answer does not hold it.

        First character for character; then with white space, quotes, dashes and Unicode forms folded, and Markdown
        marks, link targets, source markers and zero-width characters left out; then without dots and quotes at its
        edges. A quote asked for again is looked for behind the place where it was found, so that a sentence that
        stands twice is found twice.
        """
        if not quote.strip():
            return None
        return self._exact(quote.strip()) or self._alike(quote)

    def _exact(self, quote: str) -> Span | None:
        at = self._answer.find(quote, self._next.get(quote, 0))
        at = at if at >= 0 else self._answer.find(quote)
        if at < 0:
            return None
        self._next[quote] = at + len(quote)
        return Span(at, at + len(quote))

    def _alike(self, quote: str) -> Span | None:
        if self._folded is None:
            self._folded = _fold(self._answer)
        sought = _fold(quote)[0].strip()
        return self._in_folded(*self._folded, sought) or self._in_folded(*self._folded, sought.strip(_EDGES))

    def _in_folded(self, folded: str, positions: list[int], sought: str) -> Span | None:
        if not any(map(str.isalnum, sought)):
            return None
        at = folded.find(sought, self._next.get(sought, 0))
        at = at if at >= 0 else folded.find(sought)
        if at < 0:
            return None
        self._next[sought] = at + len(sought)
        return Span(positions[at], positions[at + len(sought) - 1] + 1)


def _fold(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its characters the position that it comes from."""
    characters: list[str] = []
    positions: list[int] = []
    left_out: set[int] = set()
    for pattern in (SOURCE_MARKER, _TARGET):
        for match in pattern.finditer(text):
            left_out.update(range(match.start(), match.end()))
    for position, character in enumerate(text):
        if position in left_out:
            continue
        folded = _FOLDED.get(character)
        if folded is None:
            folded = character if character.isascii() else unicodedata.normalize("NFKD", character)
        for one in folded:
            if one.isspace():
                if characters and characters[-1] == " ":
                    continue
                one = " "
            characters.append(one)
            positions.append(position)
    return "".join(characters), positions
