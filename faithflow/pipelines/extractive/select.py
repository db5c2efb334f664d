"""Which statements answer a question: shared terms weighed by rarity, what the question word asks for, and bridges.

The constants were set by hand and looked at on 200 questions of MuSiQue (docs/pipelines.md has the figures).
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from faithflow.judging.baseline.evidence import keys_of
from faithflow.pipelines.extractive.linked import stated_links
from faithflow.pipelines.extractive.reading import Statement
from faithflow.pipelines.extractive.terms import Terms, terms_of
from faithflow.text.tokens import Kind, tokenize

MOST_STATEMENTS = 4

# How much of a term's weight counts where not the sentence holds it, but the title or the sentence before.
_IN_TITLE, _IN_BEFORE = 0.7, 0.5
_NAMED = 1.5
_ASKED_FOR, _NOT_ASKED_FOR = 1.2, 0.75
_BRIDGE = 0.15
_LEAST_GAIN = 0.12
# Below this share of the question covered a statement may join by a bridge alone: the last hop shares no other word.
_ENOUGH = 0.75
# A name or identifier in at most this share of the statements may be a bridge: what stands everywhere links nothing.
_RARE = 0.15

_THING = re.compile(r"\b(?:which|what)\b", re.IGNORECASE)
_Part = Callable[[Terms], frozenset[str]]
_CUES: tuple[tuple[str, _Part], ...] = (
    (
        r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|deadline)\b|\bhow long ago\b",
        lambda terms: terms.dates,
    ),
    (r"\bhow soon\b", lambda terms: terms.dates | terms.numbers),
    (
        r"\bhow (?:much|many|long|far|high|large|big|often|fast|old|full|wide|deep|heavy)\b|\bpercent"
        r"|\b(?:what|which) (?:share|amount|sum|number|percentage|rate|budget|price|cost|size|capacity|distance)\b",
        lambda terms: terms.numbers,
    ),
    (
        r"\bwho(?:m|se)?\b|\bwhere\b|\bwhich (?:country|city|company|person|body)\b",
        lambda terms: terms.names,
    ),
    (
        r"\bwhich\b.*\b(?:requirements?|tests?|items?|documents?)\b",
        lambda terms: terms.identifiers,
    ),
)


@dataclass(frozen=True, slots=True)
class Selection:
    """The statements chosen, best first.

    `coverage` is the share (0 to 1) of the question's weight that they cover, `joined` the greatest that statements
    cover which hang together: of one piece, or with a name or identifier in common. `named` is the share of the
    question's names and identifiers, by weight, that stand anywhere in the evidence (1 where it has none).
    `has_asked_for` says that one holds what the question word asks for (a date, a number, a name, or the thing named
    behind "which"; True where it asks for nothing known). `is_stated` says that the statements are links which state
    what is asked of an identifier; the rest is then of no account.
    """

    statements: tuple[Statement, ...]
    coverage: float
    joined: float
    named: float
    has_asked_for: bool
    is_stated: bool = False


def select(question: str, statements: Sequence[Statement], language: str) -> Selection:
    """Choose up to MOST_STATEMENTS statements: the best one, then each that adds most, while it adds enough.

    Equal ones are taken in the order of the evidence. Where links state what is asked, it is these alone.
    """
    stated = stated_links(question, statements, language)
    if stated:
        return Selection(stated, 1.0, 1.0, 1.0, has_asked_for=True, is_stated=True)
    asked = terms_of(question, language)
    weights = _weights(asked, statements)
    total = sum(weights.values())
    if not total:
        return Selection((), 0.0, 0.0, 1.0, False)
    wanted = [part for cue, part in _CUES if re.search(cue, question, re.IGNORECASE)]
    answers = [not wanted or any(part(one.terms) - asked.content for part in wanted) for one in statements]
    shares = [_shares(one, weights) for one in statements]
    bridges = _bridges(asked, statements)
    chosen: list[int] = []
    covered: dict[str, float] = {}
    linked: set[str] = set()
    while len(chosen) < MOST_STATEMENTS:
        has_asked_for = any(answers[i] for i in chosen)
        done = sum(weights[term] * share for term, share in covered.items()) / total
        best, most = -1, 0.0
        for i, one in enumerate(statements):
            if i in chosen:
                continue
            gain = sum(weights[t] * max(0.0, share - covered.get(t, 0.0)) for t, share in shares[i].items()) / total
            if chosen:
                # a link that adds no word of the question is none of its hops
                joins = gain > 0 or (done < _ENOUGH and not one.is_link)
                is_linked = joins and not linked.isdisjoint(one.terms.entities)
                gain += _BRIDGE if is_linked else 0.0
                if gain < _LEAST_GAIN:
                    continue
            if wanted and not has_asked_for:
                gain *= _ASKED_FOR if answers[i] else _NOT_ASKED_FOR
            if gain > most:
                best, most = i, gain
        if best < 0:
            break
        chosen.append(best)
        linked |= bridges[best]
        for term, share in shares[best].items():
            covered[term] = max(share, covered.get(term, 0.0))
    coverage = _covered(chosen, shares, weights) / total
    picked = tuple(statements[i] for i in chosen)
    joined = max((_covered(part, shares, weights) for part in _joined(chosen, statements)), default=0.0) / total
    has_asked_for = any(answers[i] for i in chosen) and (bool(wanted) or _holds_thing(question, picked, language))
    return Selection(picked, coverage, joined, _named(asked, weights, statements), has_asked_for)


def _covered(chosen: Sequence[int], shares: Sequence[Mapping[str, float]], weights: Mapping[str, float]) -> float:
    """The weight of the question that some statements cover together."""
    return sum(
        weight * max((shares[i].get(term, 0.0) for i in chosen), default=0.0) for term, weight in weights.items()
    )


def _joined(chosen: Sequence[int], statements: Sequence[Statement]) -> list[list[int]]:
    """The chosen statements in parts that hang together, by way of others too."""
    parts: list[list[int]] = []
    for i in chosen:
        joins = [part for part in parts if any(_hang_together(statements[i], statements[j]) for j in part)]
        parts = [part for part in parts if part not in joins] + [[i, *(j for part in joins for j in part)]]
    return parts


def _hang_together(one: Statement, other: Statement) -> bool:
    if one.piece.label == other.piece.label:
        return True
    return not (one.terms.entities | one.title.entities).isdisjoint(other.terms.entities | other.title.entities)


def _holds_thing(question: str, chosen: Sequence[Statement], language: str) -> bool:
    """Whether the word that carries content right behind "which" or "what" stands in a statement or its title; True
    where none does."""
    asks = _THING.search(question)
    word = next(iter(tokenize(question[asks.end() :], language)), None) if asks else None
    if word is None or word.function or word.kind is not Kind.WORD:
        return True
    return any(keys_of(word) & (one.terms.content | one.title.content) for one in chosen)


def _weights(asked: Terms, statements: Sequence[Statement]) -> dict[str, float]:
    """The rarity of each term of the question among the statements; names and identifiers count for more."""
    n = len(statements)
    weights: dict[str, float] = {}
    for term in sorted(asked.content):
        frequency = sum(term in one.terms.content for one in statements)
        weights[term] = math.log(1 + (n + 1) / (frequency + 1)) * (_NAMED if term in asked.entities else 1.0)
    return weights


def _shares(one: Statement, weights: Mapping[str, float]) -> dict[str, float]:
    """How far a statement holds each term of the question; an identifier in its reference is as good as its own."""
    shares: dict[str, float] = {}
    for term in weights:
        if term in one.terms.content or term in one.title.identifiers:
            shares[term] = 1.0
        elif term in one.title.content:
            shares[term] = _IN_TITLE
        elif term in one.before.content:
            shares[term] = _IN_BEFORE
    return shares


def _bridges(asked: Terms, statements: Sequence[Statement]) -> list[frozenset[str]]:
    """For each statement the rare names and identifiers that the question lacks: what a next hop may start from."""
    frequency = Counter(entity for one in statements for entity in one.terms.entities)
    most = max(2.0, _RARE * len(statements))
    return [frozenset(e for e in one.terms.entities - asked.content if frequency[e] <= most) for one in statements]


def _named(asked: Terms, weights: Mapping[str, float], statements: Sequence[Statement]) -> float:
    names = [term for term in weights if term in asked.entities]
    there = {
        term for term in names if any(term in one.terms.content or term in one.title.content for one in statements)
    }
    return (
        sum(weights[term] for term in names if term in there) / sum(weights[term] for term in names) if names else 1.0
    )
