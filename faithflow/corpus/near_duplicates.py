"""Pairs of texts that say the same, found exactly: word 5-shingles whose Jaccard similarity is at least 0.9.

Candidates come from prefix filtering (Chaudhuri, Ganti, Kaushik: A Primitive Operator for Similarity Joins in Data
Cleaning, ICDE 2006; Bayardo, Ma, Srikant: Scaling Up All Pairs Similarity Search, WWW 2007): two sets of similarity
t share one of the |x| - ceil(t |x|) + 1 rarest shingles of each, so that only documents with a rare shingle in common
are compared.
"""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
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


def similar_pairs(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The pairs (i, j), i < j, of distinct normalised texts whose shingles are at least 0.9 alike; a text of fewer than
    five words is one shingle. In no order of meaning, but always the same."""
    import numpy as np

    if not texts:
        return
    shingles = _shingles(texts)
    sizes = [len(own) for own in shingles]
    _, ids, counts = np.unique(np.concatenate(shingles), return_inverse=True, return_counts=True)
    starts = np.cumsum([0, *sizes])
    holders: dict[int, list[int]] = {}
    # shorter ones first, so that one far too short to be alike is told by its size alone
    for j in sorted(range(len(texts)), key=lambda i: (sizes[i], i)):
        own = ids[starts[j] : starts[j + 1]]
        rarest = own[np.lexsort((own, counts[own]))][: sizes[j] - math.ceil(THRESHOLD * sizes[j]) + 1]
        candidates: set[int] = set()
        for shingle in rarest[counts[rarest] > 1].tolist():
            listed = holders.setdefault(shingle, [])
            candidates.update(i for i in listed if sizes[i] >= THRESHOLD * sizes[j])
            listed.append(j)
        for i in sorted(candidates):
            if _jaccard(shingles[i], shingles[j]) >= THRESHOLD:
                yield (i, j) if i < j else (j, i)


def same_figures(a: str, b: str, language: str) -> bool:
    """Whether two texts hold the same numbers and as many negations: "€3 billion" and "€4 billion" in two texts of
    500 words are no mistake of the press, but two facts."""
    return _figures(a, language) == _figures(b, language)


def _figures(text: str, language: str) -> Counter[str]:
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


def _jaccard(a: "np.ndarray[Any, Any]", b: "np.ndarray[Any, Any]") -> float:
    import numpy as np

    shared = len(np.intersect1d(a, b, assume_unique=True))
    return shared / (len(a) + len(b) - shared)
