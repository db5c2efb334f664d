"""Several rankings made into one."""

from collections.abc import Sequence

from faithflow.retrieval.model import Hit

RRF_CONSTANT = 60
"""The constant of Cormack, Clarke and Büttcher (2009), "Reciprocal Rank Fusion outperforms Condorcet and individual
Rank Learning Methods", section 3."""


def reciprocal_rank_fusion(rankings: Sequence[Sequence[Hit]], constant: int = RRF_CONSTANT) -> list[Hit]:
    """The passages of all rankings, best first; a hit's score is the sum of 1 / (constant + rank), ranks from 1.

    A passage counts once in a ranking, where it stands first. Equal scores are ordered by passage_id. Only ranks
    matter, so that retrievers whose scores do not compare can be joined.
    """
    scores: dict[str, float] = {}
    first: dict[str, Hit] = {}
    for ranking in rankings:
        seen: set[str] = set()
        for hit in ranking:
            passage_id = hit.passage.passage_id
            if passage_id in seen:
                continue
            seen.add(passage_id)
            first.setdefault(passage_id, hit)
            scores[passage_id] = scores.get(passage_id, 0.0) + 1.0 / (constant + len(seen))
    return [Hit(first[each].passage, scores[each]) for each in sorted(scores, key=lambda each: (-scores[each], each))]
