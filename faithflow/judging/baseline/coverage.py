"""Which terms of a claim stand where in the evidence, as bit masks: bit i is the claim's i-th distinct content term."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from faithflow.judging.baseline.evidence import EvidenceIndex, keys_of, trigrams
from faithflow.judging.baseline.plain import is_talk
from faithflow.text.tokens import Kind, Token

_SOFT_MATCH = 0.5
"""The least Dice similarity of character trigrams at which two words count as near."""


@dataclass(frozen=True, slots=True)
class Window:
    """One to three neighbouring sentences of one passage (`first` to `last`, inclusive) and the terms in them."""

    first: int
    last: int
    mask: int


@dataclass(slots=True)
class Weights:
    """The weights of a claim's terms, with the sum over a mask remembered: few masks occur, but often."""

    of_term: tuple[float, ...]
    _sums: dict[int, float] = field(default_factory=dict[int, float])

    def sum(self, mask: int) -> float:
        known = self._sums.get(mask)
        if known is None:
            known = math.fsum(w for i, w in enumerate(self.of_term) if mask >> i & 1)
            self._sums[mask] = known
        return known


@dataclass(frozen=True, slots=True)
class Match:
    """A claim's terms against an evidence index.

    `terms` are its distinct content tokens in order; `sequence` the term numbers in the order of the text;
    `weights` are inverse sentence frequencies; `sentence_masks` the sentences that hold any term;
    `near` the similarity of the nearest evidence word for each term that is missing.
    """

    tokens: tuple[Token, ...]
    terms: tuple[Token, ...]
    sequence: tuple[int, ...]
    weights: Weights
    full: int
    found: int
    sentence_masks: dict[int, int]
    near: dict[int, float]


def match(tokens: Sequence[Token], index: EvidenceIndex) -> Match:
    """Look a claim's tokens up in the index."""
    position: dict[str, int] = {}
    terms: list[Token] = []
    sequence: list[int] = []
    for token in tokens:
        if token.function or is_talk(token.key, index.language):
            continue
        if token.key not in position:
            position[token.key] = len(terms)
            terms.append(token)
        sequence.append(position[token.key])
    masks: dict[int, int] = {}
    weights: list[float] = []
    found = 0
    near: dict[int, float] = {}
    for i, term in enumerate(terms):
        bit = 1 << i
        frequency = 0
        for key in keys_of(term):
            frequency = max(frequency, index.frequency.get(key, 0))
            for number in index.postings.get(key, ()):
                masks[number] = masks.get(number, 0) | bit
                found |= bit
        weights.append(1.0 + math.log((index.distinct + 1) / (frequency + 1)))
        if frequency == 0:
            near[i] = _nearest(term, index)
    return Match(
        tuple(tokens), tuple(terms), tuple(sequence), Weights(tuple(weights)), (1 << len(terms)) - 1, found, masks, near
    )


def _nearest(term: Token, index: EvidenceIndex) -> float:
    if term.kind is not Kind.WORD:
        return 0.0
    own = trigrams(term.key)
    shared: dict[str, int] = {}
    for gram in own:
        for word in index.grams.get(gram, ()):
            shared[word] = shared.get(word, 0) + 1
    # a key has about as many trigrams as letters, so Dice needs no second look at the word
    best = max((2 * n / (len(own) + len(word)) for word, n in shared.items()), default=0.0)
    return best if best >= _SOFT_MATCH else 0.0


def windows(found: Match, index: EvidenceIndex, size: int) -> list[Window]:
    """All windows of `size` neighbouring sentences (fewer at a passage's end) that hold any term of the claim."""
    masks, sentences = found.sentence_masks, index.sentences
    result: list[Window] = []
    starts = {number - back for number in masks for back in range(size)}
    for first in sorted(starts):
        if first < 0:
            continue
        passage = sentences[first].passage
        last, mask = first, masks.get(first, 0)
        while last - first + 1 < size and last + 1 < len(sentences) and sentences[last + 1].passage == passage:
            last += 1
            mask |= masks.get(last, 0)
        if mask:
            result.append(Window(first, last, mask))
    return result


def best_window(candidates: Sequence[Window], weights: Weights) -> Window | None:
    """The window with the greatest weight; the first in the index's order on a tie."""
    return max(candidates, key=lambda window: weights.sum(window.mask), default=None)


def joint_cover(candidates: Sequence[Window], weights: Weights, count: int) -> list[Window]:
    """Up to `count` windows chosen greedily, each for the weight that it adds to those before it."""
    chosen: list[Window] = []
    mask = 0
    while len(chosen) < count:
        window = max(candidates, key=lambda w: weights.sum(w.mask | mask), default=None)
        if window is None or weights.sum(window.mask | mask) <= weights.sum(mask):
            break
        chosen.append(window)
        mask |= window.mask
    return chosen
