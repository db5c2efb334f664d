"""Where statements from inside and from the web speak against each other: the same sentence but for a value."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithflow.judging.baseline.conflict import ConflictKind, find_conflict
from faithflow.judging.baseline.coverage import match
from faithflow.judging.baseline.evidence import index_evidence
from faithflow.pipelines.extractive.reading import Statement
from faithflow.text.tokens import tokenize

# So many statements of the other side, nearest first, are compared with a chosen one, and only those about the same
# thing: they share this much of the shorter one's terms.
_COMPARED = 8
_LEAST_SHARED = 0.4


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two statements that cannot both hold, and the kind of thing on which they differ."""

    internal: Statement
    web: Statement
    kind: ConflictKind


def disagreements(
    internal: Sequence[Statement], web: Sequence[Statement], chosen: Sequence[Statement], language: str
) -> list[Disagreement]:
    """The disagreements in which a chosen statement takes part, in the order of the chosen ones.

    Found as the lexical judge finds a claim that its evidence contradicts.
    """
    found: dict[tuple[str, str], Disagreement] = {}
    for one in chosen:
        is_web = one.piece.source == "web"
        other = _opposed(one, internal if is_web else web, language)
        if other is not None:
            pair = (other[0], one) if is_web else (one, other[0])
            found.setdefault((pair[0].text, pair[1].text), Disagreement(*pair, other[1]))
    return list(found.values())


def _opposed(one: Statement, others: Sequence[Statement], language: str) -> tuple[Statement, ConflictKind] | None:
    shared = [_shared(one, other) for other in others]
    order = sorted(range(len(others)), key=lambda i: (-shared[i], i))[:_COMPARED]
    nearest = [others[i] for i in order if shared[i] >= _LEAST_SHARED]
    if any(other.text == one.text for other in nearest):
        return None
    index = index_evidence([other.text for other in nearest])
    conflict = find_conflict(match(tokenize(one.text, language), index), index)
    if conflict is None:
        return None
    said = index.sentences[conflict.sentence].text
    return next((other, conflict.kind) for other in nearest if said in other.text)


def _shared(one: Statement, other: Statement) -> float:
    a, b = one.terms.content, other.terms.content
    return len(a & b) / min(len(a), len(b))
