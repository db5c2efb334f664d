"""The offline reranker: what the retriever thought, joined with the words that query and passages share."""

import math
from collections import Counter
from collections.abc import Sequence

from faithflow.retrieval.fusion import RRF_CONSTANT
from faithflow.retrieval.lexical_terms import content_terms

# The usual parameters (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", 3.4).
_K1 = 1.2
_B = 0.75


class LexicalReranker:
    """Reciprocal rank fusion of two orders of the candidates: the one in which they are given, and that by BM25 among
    them.

    So `texts` must come in the retriever's order. On MuSiQue's ten best of e5-small either order alone has the lower
    recall at 5 (docs/decisions/0006). Where no candidate shares a word with the query the order stays.
    """

    name = "lexical"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text, at most 2 / 61; deterministic."""
        by_words = bm25(content_terms(query), [content_terms(text) for text in texts])
        order = sorted(range(len(texts)), key=lambda place: (-by_words[place], place))
        scores = [1.0 / (RRF_CONSTANT + place) for place in range(1, len(texts) + 1)]
        for rank, place in enumerate(order, start=1):
            scores[place] += 1.0 / (RRF_CONSTANT + rank)
        return scores


def bm25(query: Sequence[str], texts: Sequence[Sequence[str]]) -> list[float]:
    """The BM25 score of each text's terms for the query's distinct terms, the texts being the whole collection.

    The weight of a term is log(1 + (n - df + 0.5) / (df + 0.5)): it stays positive where most texts have the term.
    """
    frequency = Counter(term for terms in texts for term in set(terms))
    weights = {
        term: math.log1p((len(texts) - frequency[term] + 0.5) / (frequency[term] + 0.5))
        for term in dict.fromkeys(query)
        if frequency[term]
    }
    mean = sum(map(len, texts)) / len(texts) if texts else 0.0
    scores: list[float] = []
    for terms in texts:
        counts = Counter(terms)
        damping = _K1 * (1 - _B + _B * len(terms) / mean) if mean else _K1
        scores.append(
            math.fsum(weight * counts[term] * (_K1 + 1) / (counts[term] + damping) for term, weight in weights.items())
        )
    return scores
