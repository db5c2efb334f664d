"""Texts that say the same, found exactly: word 5-shingles whose Jaccard similarity is at least 0.9.

Candidates come from prefix filtering (Chaudhuri, Ganti, Kaushik: A Primitive Operator for Similarity Joins in Data
Cleaning, ICDE 2006; Bayardo, Ma, Srikant: Scaling Up All Pairs Similarity Search, WWW 2007): two sets of similarity
t share one of the |x| - ceil(t |x|) + 1 rarest shingles of each, so that only texts with a rare shingle in common are
compared.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from faithflow.text.scripts import CJK
from faithflow.text.tokens import NEGATION, Kind, tokenize

if TYPE_CHECKING:
    import numpy as np

THRESHOLD = 0.9
SHINGLE = 5

# Scripts without spaces are cut into their characters.
_WORD = re.compile(rf"[{CJK}]|(?:(?![{CJK}])\w)+")


def normalised(text: str) -> str:
    """The words of a text, case-folded, parted by single blanks: what is compared."""
    return " ".join(_WORD.findall(text.casefold()))


class Index:
    """Normalised texts among which those that are alike are sought, of those added so far."""

    def __init__(self, texts: Sequence[str]) -> None:
        import numpy as np

        shingles = _shingles(texts)
        self._sizes = [len(own) for own in shingles]
        self._starts = np.cumsum([0, *self._sizes])
        joined = np.concatenate(shingles) if shingles else np.zeros(0, dtype=np.uint64)
        _, self._ids, self._counts = np.unique(joined, return_inverse=True, return_counts=True)
        self._marked = np.zeros(len(self._counts), dtype=bool)
        self._holders: dict[int, list[int]] = {}

    def add(self, i: int) -> None:
        """Let text `i` be found."""
        for shingle in self._rarest(i):
            self._holders.setdefault(shingle, []).append(i)

    def like(self, j: int) -> list[int]:
        """The added texts whose shingles are at least 0.9 like those of text `j`, by number; a text of fewer than five
        words is one shingle."""
        size = self._sizes[j]
        candidates: set[int] = set()
        for shingle in self._rarest(j):
            candidates.update(self._holders.get(shingle, ()))
        own = self._own(j)
        self._marked[own] = True
        found: list[int] = []
        for i in sorted(candidates):
            if min(self._sizes[i], size) >= _least(max(self._sizes[i], size)):
                shared = int(self._marked[self._own(i)].sum())
                if shared >= _least(self._sizes[i] + size - shared):
                    found.append(i)
        self._marked[own] = False
        return found

    def _own(self, i: int) -> "np.ndarray[Any, Any]":
        return self._ids[self._starts[i] : self._starts[i + 1]]

    def _rarest(self, i: int) -> list[int]:
        """The text's rarest shingles, as many as must hold one that a text like it has too; those that no other text
        has left out."""
        import numpy as np

        own = self._own(i)
        counts = self._counts[own]
        first = np.lexsort((own, counts))[: len(own) - _least(len(own)) + 1]
        return own[first[counts[first] > 1]].tolist()


def _least(size: int) -> int:
    """ceil(0.9 size), without a float's error."""
    return math.ceil(round(THRESHOLD * size, 6))


def figures(text: str, language: str) -> Counter[str]:
    """A text's numbers and negations. Texts that differ in them do not say the same, however long they are: "3 billion"
    and "4 billion" are two facts."""
    tokens = tokenize(text, language)
    return Counter(token.key for token in tokens if token.kind is Kind.NUMBER or token.key == NEGATION)


def _shingles(texts: Sequence[str]) -> list["np.ndarray[Any, Any]"]:
    """Each text's distinct shingles as sorted 64-bit hashes: of its words' hashes, a polynomial over five."""
    import numpy as np

    hashes: dict[str, int] = {}
    factor = np.uint64(0x9E3779B97F4A7C15)
    found: list[np.ndarray[Any, Any]] = []
    for text in texts:
        words = text.split(" ")
        for word in words:
            if word not in hashes:
                hashes[word] = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
        row = np.array([hashes[word] for word in words], dtype=np.uint64)
        length = min(SHINGLE, len(words))
        combined = np.zeros(len(words) - length + 1, dtype=np.uint64)
        for i in range(length):
            combined = combined * factor + row[i : len(row) - length + 1 + i]
        found.append(np.unique(combined))
    return found
