"""The scores of one answer: what it cites, and what its generator was given, against the gold passages.

All are functions of sets of passage ids. Gold is never empty here: without gold nothing is defined.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from faithflow.corpus.citation_vocabulary import plain
from faithflow.corpus.citations import Citation
from faithflow.metrics.attachment import attach
from faithflow.text.spans import Span

ALCE_CITATIONS = 3
"""How many citations of a sentence ALCE looks at (the default of its option at_most_citations)."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Precision, recall and F1; None is undefined."""

    precision: float | None
    recall: float | None
    f1: float | None


UNDEFINED = Quality(None, None, None)


def quality(found_hits: int, found: int, gold_hits: int, gold: int) -> Quality:
    """Precision is `found_hits` of `found`, undefined where nothing was found; recall is `gold_hits` of `gold`.

    F1 is their harmonic mean, 0 where nothing of gold was hit. Raises ValueError where there is no gold.
    """
    if gold == 0:
        raise ValueError("no gold: precision and recall are undefined")
    precision = found_hits / found if found else None
    recall = gold_hits / gold
    both = (precision or 0.0) + recall
    return Quality(precision, recall, 2 * (precision or 0.0) * recall / both if both else 0.0)


def cited_units(citations: Sequence[Citation]) -> set[tuple[frozenset[str], str]]:
    """The distinct things that an answer cites: (passages, "") for a valid citation, (no passage, what it names) else.

    A reference or link to a document of which the context held several passages is one thing with all of them.
    """
    units: set[tuple[frozenset[str], str]] = set()
    for unit in _occurrences(citations):
        passages = frozenset(c.passage_id for c in unit if c.valid and c.passage_id is not None)
        units.add((passages, "" if passages else unit[0].passage_id or plain(unit[0].cited).casefold()))
    return units


def citation_quality(citations: Sequence[Citation], gold: Collection[str]) -> Quality:
    """Precision: the share of the distinct things cited that name a gold passage; an invalid citation names none.

    Recall: the share of the gold passages that are named by a valid citation.
    """
    units = cited_units(citations)
    wanted = frozenset(gold)
    named = frozenset[str]().union(*(passages for passages, _ in units))
    return quality(sum(bool(passages & wanted) for passages, _ in units), len(units), len(named & wanted), len(wanted))


def strict_quality(
    answer: str, sentences: Sequence[Span], citations: Sequence[Citation], gold: Collection[str]
) -> Quality:
    """The quality as ALCE's code would have it, a gold passage standing for one that entails the sentence.

    Citations belong to sentences by position (`attach`, strict). A sentence is supported if it cites, cites nothing
    invalid, and one of its first three citations is gold. Recall is the share of the sentences that are supported.
    Precision is the share of gold among the first three citations of each sentence that cites nothing invalid, repeated
    ones counted each time; 0 where there are none. An answer without a sentence has no scores.
    Source: Gao and others 2023, EMNLP, section 3.3, and `compute_autoais` in the paper's eval.py; docs/citations.md.
    """
    if not sentences:
        return UNDEFINED
    wanted = frozenset(gold)
    supported = hits = total = 0
    for own in attach(answer, sentences, citations, "strict"):
        if not all(citation.valid for citation in own):
            continue
        are_gold = [any(c.passage_id in wanted for c in unit) for unit in _occurrences(own)[:ALCE_CITATIONS]]
        hits, total = hits + sum(are_gold), total + len(are_gold)
        supported += any(are_gold)
    found = quality(hits, total, supported, len(sentences))
    return Quality(found.precision or 0.0, found.recall, found.f1)


def context_precision(context: Collection[str], gold: Collection[str]) -> float | None:
    """The share of the passages that the generator was given that are gold; None where it was given none."""
    distinct = frozenset(context)
    return len(distinct & frozenset(gold)) / len(distinct) if distinct else None


def retrieval_recall(context: Collection[str], gold: Collection[str]) -> float:
    """The share of the gold passages that are in `context`: all that was given to the generator, or a ranking's top."""
    wanted = frozenset(gold)
    return len(wanted.intersection(context)) / len(wanted)


def _occurrences(citations: Sequence[Citation]) -> list[tuple[Citation, ...]]:
    """The citations by what was written where: those that one reference or link makes are together."""
    ordered = sorted(citations, key=lambda c: (c.char_start, c.char_end, c.cited))
    return [tuple(own) for _, own in groupby(ordered, key=lambda c: (c.char_start, c.char_end, c.cited))]
