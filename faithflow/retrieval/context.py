"""From what was found to what a generator is given: which passages are kept, in which order, and why others are cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from faithflow.retrieval.model import Hit, Reranker

Cut = Literal["duplicate", "rerank", "cap"]
"""Why a passage is not kept: it stood further up already; the reranker put others before it; there is no room."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A hit and what became of it: `rank` is its place in what was found, from 1; `relevance` the reranker's score
    (None: there was none, or the hit is a duplicate); `cut` is None where it is kept."""

    hit: Hit
    rank: int
    relevance: float | None = None
    cut: Cut | None = None

    @property
    def kept(self) -> bool:
        return self.cut is None


def choose(query: str, hits: Sequence[Hit], k: int, reranker: Reranker | None = None) -> list[Choice]:
    """The at most k passages that are kept, in the order for the generator, then those cut, by rank.

    Without a reranker the order is that of the hits. With one it is by its scores of the passages' indexed texts,
    equal ones by rank. A passage that stood among the first k and was pushed out is cut by "rerank", others by "cap".
    """
    seen: set[str] = set()
    ranked: list[tuple[int, Hit]] = []
    duplicates: list[Choice] = []
    for rank, hit in enumerate(hits, start=1):
        if hit.passage.passage_id in seen:
            duplicates.append(Choice(hit, rank, cut="duplicate"))
        else:
            seen.add(hit.passage.passage_id)
            ranked.append((rank, hit))
    relevance: list[float | None] = [None] * len(ranked)
    if reranker is not None and ranked:
        relevance = list(reranker.scores(query, [hit.passage.indexed_text for _, hit in ranked]))
    order = sorted(range(len(ranked)), key=lambda place: (-(relevance[place] or 0.0), place))
    kept = [Choice(ranked[place][1], ranked[place][0], relevance[place]) for place in order[:k]]
    cut = [
        Choice(ranked[place][1], ranked[place][0], relevance[place], "rerank" if place < k else "cap")
        for place in order[k:]
    ]
    return kept + sorted([*cut, *duplicates], key=lambda choice: choice.rank)
