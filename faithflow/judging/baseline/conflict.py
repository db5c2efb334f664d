"""Stated evidence that speaks against a claim: the same sentence but for a number, date, negation or opposite."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from faithflow.judging.baseline.coverage import Match
from faithflow.judging.baseline.evidence import EvidenceIndex, Sentence, keys_of
from faithflow.judging.baseline.signals import MONTHS, is_negation, is_plain_negation, is_year, opposites_of
from faithflow.text.tokens import Kind, Token

_SAME_SENTENCE = 0.7
"""The share of the claim's other terms (by weight) that a sentence must hold to be about the same thing."""
_SAME_POLARITY, _BACK = 0.85, 0.5
"""For negations more is asked, and in both directions: they are common, and one may belong to another clause."""


class ConflictKind(StrEnum):
    NUMBER = "number"
    DATE = "date"
    NEGATION = "negation"
    OPPOSITE = "opposite"


@dataclass(frozen=True, slots=True)
class Conflict:
    """What the claim says, what the evidence says in its place, and the sentence that says it."""

    kind: ConflictKind
    claimed: str
    stated: str
    sentence: int


def find_conflict(found: Match, index: EvidenceIndex) -> Conflict | None:
    """The first conflict between a claim and a sentence that says nearly the same; None where there is none.

    Sentences are tried from the one that shares most with the claim. A number, month or word counts only if it
    stands nowhere in the evidence; a negation only if no sentence as close has the claim's own polarity.
    """
    ranked = sorted(found.sentence_masks, key=lambda i: (-found.weights.sum(found.sentence_masks[i]), i))[:3]
    for number in ranked:
        conflict = _of_value(found, index.sentences[number], number) or _of_opposite(found, index, number)
        if conflict:
            return conflict
    return _of_negation(found, index, ranked)


def _rest_share(found: Match, number: int, without: int) -> float:
    """The weight of the claim's terms, `without` some, that a sentence holds; 0 where fewer than two are left."""
    rest = found.full & ~without
    whole = found.weights.sum(rest)
    if rest.bit_count() < 2 or not whole:
        return 0.0
    return found.weights.sum(found.sentence_masks[number] & rest) / whole


def _of_value(found: Match, sentence: Sentence, number: int) -> Conflict | None:
    missing = found.full & ~found.found
    for i, term in enumerate(found.terms):
        if not missing >> i & 1:
            continue
        is_number, is_month = term.kind is Kind.NUMBER, term.key in MONTHS
        if not (is_number or is_month) or _rest_share(found, number, missing) < _SAME_SENTENCE:
            continue
        own = {key for token in found.tokens for key in keys_of(token)}
        for j, token in enumerate(sentence.tokens):
            if keys_of(token) & own or _broken(term, token):
                continue
            if is_month and token.key in MONTHS:
                return Conflict(ConflictKind.DATE, term.surface, token.surface, number)
            if is_number and token.kind is Kind.NUMBER and _same_unit(found.tokens, term, sentence.tokens, j):
                kind = ConflictKind.DATE if is_year(term) and is_year(token) else ConflictKind.NUMBER
                return Conflict(kind, term.surface, token.surface, number)
    return None


def _same_unit(claim: Sequence[Token], term: Token, sentence: Sequence[Token], place: int) -> bool:
    """Whether two numbers measure the same: the next content word is shared, or the last one before and both ends."""
    at = next(i for i, token in enumerate(claim) if token is term)
    after, before = _neighbour(claim, at, 1), _neighbour(claim, at, -1)
    other_after, other_before = _neighbour(sentence, place, 1), _neighbour(sentence, place, -1)
    if after is not None and after == other_after:
        return True
    return before is not None and before == other_before and (after is None or other_after is None or is_year(term))


def _broken(term: Token, token: Token) -> bool:
    """Whether a number is a piece of another: texts that were tokenised elsewhere have "3, 800" for "3,800"."""
    whole, piece = (re.sub(r"\D", "", t.surface) for t in (term, token))
    return bool(piece) and piece != whole and (whole.startswith(piece) or whole.endswith(piece))


def _neighbour(tokens: Sequence[Token], place: int, step: int) -> str | None:
    i = place + step
    while 0 <= i < len(tokens):
        if not tokens[i].function:
            return tokens[i].key
        i += step
    return None


def _of_opposite(found: Match, index: EvidenceIndex, number: int) -> Conflict | None:
    sentence = index.sentences[number]
    for i, term in enumerate(found.terms):
        stated = opposites_of(term.key)
        if not stated or found.found >> i & 1 or _rest_share(found, number, 1 << i) < _SAME_SENTENCE:
            continue
        for token in sentence.tokens:
            if token.key in stated:
                same = any(is_negation(t.key) for t in found.tokens) == any(is_negation(k) for k in sentence.keys)
                if same:
                    return Conflict(ConflictKind.OPPOSITE, term.surface, token.surface, number)
    return None


def _of_negation(found: Match, index: EvidenceIndex, ranked: Sequence[int]) -> Conflict | None:
    close = [i for i in ranked if _rest_share(found, i, 0) >= _SAME_POLARITY and _back_share(found, index, i) >= _BACK]
    own, first = _denied(found.tokens), None
    words = {token.key for token in found.tokens}
    for number in close:
        sentence = index.sentences[number]
        other = _denied(sentence.tokens)
        same_rest = _other_negations(found.tokens) == _other_negations(sentence.tokens)
        if own is None or other is None or bool(own) == bool(other) or not same_rest:
            return None
        word = own or other
        if word not in (sentence.keys if own else words):
            return None
        claimed, said = (f"not {word}", word) if own else (word, f"not {word}")
        first = first or Conflict(ConflictKind.NEGATION, claimed, said, number)
    return first


def _back_share(found: Match, index: EvidenceIndex, number: int) -> float:
    """The share of a sentence's content words that the claim holds."""
    own = {term.key for term in found.terms}
    content = index.sentences[number].content
    return sum(key in own for key in content) / len(content) if content else 0.0


def _denied(tokens: Sequence[Token]) -> str | None:
    """The content word that a text's only "not" stands before; "" where it has none, None where what it denies cannot
    be told from the words: two of them, or a "not only"."""
    places = [i for i, token in enumerate(tokens) if is_plain_negation(token.key)]
    if not places:
        return ""
    place = places[0]
    if len(places) > 1 or (place + 1 < len(tokens) and tokens[place + 1].key == "onli"):
        return None
    return _neighbour(tokens, place, 1)


def _other_negations(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(t.key for t in tokens if is_negation(t.key) and not is_plain_negation(t.key))
