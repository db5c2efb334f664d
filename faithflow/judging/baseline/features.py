"""The lexical features of one claim: each a share in [0, 1] that speaks for support the more, the greater it is.

None measures length or style: those follow the data set and not the truth of a claim. A feature of something that
the claim does not have (no number, no name) is 1: nothing is missing.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from faithflow.judging.baseline.coverage import Match, Weights, Window, best_window, joint_cover, windows
from faithflow.judging.baseline.evidence import EvidenceIndex
from faithflow.judging.baseline.signals import is_date_part, is_negation, name_terms
from faithflow.text.tokens import Kind

_SEGMENT = 4
"""Content terms in a segment: about a clause, so that one unsupported clause of a long sentence shows."""


def lexical_features(found: Match, index: EvidenceIndex, question_keys: frozenset[str]) -> dict[str, float]:
    """All features by name, in one fixed order."""
    weights, full = found.weights, found.full
    total = weights.sum(full)
    n = len(found.terms)
    plain = Weights((1.0,) * n)
    w1, w2, w3, w6 = (windows(found, index, size) for size in (1, 2, 3, 6))
    b1, b2, b3, b6 = (_mask(best_window(w, weights)) for w in (w1, w2, w3, w6))
    passages: dict[int, int] = {}
    for number, mask in found.sentence_masks.items():
        passage = index.sentences[number].passage
        passages[passage] = passages.get(passage, 0) | mask
    bp = max(passages.values(), key=weights.sum, default=0)
    two = _union(joint_cover(w1, weights, 2))
    three = _union(joint_cover(w1, weights, 3))
    two_wide = _union(joint_cover(w3, weights, 2))

    def share(mask: int, of: int = full) -> float:
        whole = weights.sum(of)
        return weights.sum(mask & of) / whole if whole else 1.0

    def plain_share(mask: int) -> float:
        return plain.sum(mask) / n if n else 1.0

    numbers = _select(found, lambda i: found.terms[i].kind is Kind.NUMBER)
    dates = _select(found, lambda i: is_date_part(found.terms[i]))
    names = name_terms(found)
    rare = _select(found, lambda i: weights.of_term[i] * n >= total)
    new = _select(found, lambda i: found.terms[i].key not in question_keys)
    pair_bits = [(1 << a) | (1 << b) for a, b in pairwise(found.sequence) if a != b]
    masks = list(found.sentence_masks.values())
    wide = [window.mask for window in w3]
    keys = [token.key for token in found.tokens]
    content = [found.terms[i].key for i in found.sequence]
    soft = {i: 1.0 if found.found >> i & 1 else found.near.get(i, 0.0) for i in range(n)}
    best = best_window(w3, weights)
    top = joint_cover(w1, weights, 1)
    lcs, run = _alignment(found, index, w1, weights)
    segments = _segments(found)
    return {
        "cover": share(found.found),
        "cover_plain": plain_share(found.found),
        "cover_passage": share(bp),
        "cover_1": share(b1),
        "cover_2": share(b2),
        "cover_3": share(b3),
        "cover_6": share(b6),
        "cover_1_plain": plain_share(b1),
        "cover_3_plain": plain_share(b3),
        "cover_two": share(two),
        "cover_three": share(three),
        "cover_two_wide": share(two_wide),
        "cover_soft": math.fsum(weights.of_term[i] * soft[i] for i in range(n)) / total if total else 1.0,
        "cover_new": share(found.found, new),
        "cover_new_3": share(b3, new),
        "cover_rare": share(found.found, rare),
        "cover_rare_3": share(b3, rare),
        "worst_term": 1.0
        - max((w for i, w in enumerate(weights.of_term) if not soft[i]), default=0.0) / (total or 1.0),
        "segment": min((share(found.found, s) for s in segments), default=1.0),
        "segment_1": min((max((share(m, s) for m in masks), default=0.0) for s in segments), default=1.0),
        "segment_3": min((share(b3, s) for s in segments), default=1.0),
        "segment_mean_1": _mean([max((share(m, s) for m in masks), default=0.0) for s in segments]),
        "pairs_adjacent": _mean([p in index.content_pairs for p in pairwise(content)]),
        "pairs_words": _mean([p in index.key_pairs for p in pairwise(keys)]),
        "triples_words": _mean([p in index.key_triples for p in zip(keys, keys[1:], keys[2:], strict=False)]),
        "pairs_sentence": _mean([any(m & p == p for m in masks) for p in pair_bits]),
        "pairs_window": _mean([any(m & p == p for m in wide) for p in pair_bits]),
        "pairs_all_sentence": _all_pairs(masks, n, weights),
        "pairs_all_window": _all_pairs(wide, n, weights),
        "aligned": lcs,
        "run": run,
        "numbers": share(found.found, numbers),
        "numbers_1": share(b1, numbers),
        "numbers_3": share(b3, numbers),
        "dates": share(found.found, dates),
        "dates_3": share(b3, dates),
        "names": share(found.found, names),
        "names_1": share(b1, names),
        "names_3": share(b3, names),
        "names_together": _mean([any(m & p == p for m in wide) for p in _name_pairs(names)]),
        "negation": 1.0 if best is None else _same_negation(found, index, best),
        "negation_1": 1.0 if not top else _same_negation(found, index, top[0]),
    }


def _mask(window: Window | None) -> int:
    return window.mask if window else 0


def _union(chosen: Sequence[Window]) -> int:
    mask = 0
    for window in chosen:
        mask |= window.mask
    return mask


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 1.0


def _select(found: Match, wanted: Callable[[int], bool]) -> int:
    return sum(1 << i for i in range(len(found.terms)) if wanted(i))


def _segments(found: Match) -> list[int]:
    masks = [1 << i for i in found.sequence]
    if len(masks) <= _SEGMENT:
        return [found.full] if masks else []
    result: list[int] = []
    for start in range(len(masks) - _SEGMENT + 1):
        mask = 0
        for bit in masks[start : start + _SEGMENT]:
            mask |= bit
        result.append(mask)
    return result


def _all_pairs(masks: Sequence[int], n: int, weights: Weights) -> float:
    """The weighted share of all pairs of terms that stand together in one of the places."""
    together = [0] * n
    for mask in set(masks):
        rest = mask
        while rest:
            low = rest & -rest
            together[low.bit_length() - 1] |= mask
            rest ^= low
    whole = weights.sum((1 << n) - 1)
    total = math.fsum(w * (whole - w) for w in weights.of_term)
    if total <= 0:
        return 1.0 if not n else float(bool(masks))
    return math.fsum(w * weights.sum(together[i] & ~(1 << i)) for i, w in enumerate(weights.of_term)) / total


def _name_pairs(names: int) -> list[int]:
    bits = [1 << i for i in range(names.bit_length()) if names >> i & 1]
    return [a | b for a, b in pairwise(bits)]


def _alignment(found: Match, index: EvidenceIndex, single: Sequence[Window], weights: Weights) -> tuple[float, float]:
    """Over the three best sentences: the weighted longest common subsequence of content terms, and the longest
    common run of words, each as a share of the claim's own."""
    ranked = sorted(single, key=lambda w: (-weights.sum(w.mask), w.first))[:3]
    whole = math.fsum(weights.of_term[i] for i in found.sequence)
    if not whole:
        return 1.0, 1.0
    number = {key: i for i, term in enumerate(found.terms) for key in (term.readings or (term.key,))}
    claim = [token.key for token in found.tokens]
    best, longest = 0.0, 0
    for window in ranked:
        sentence = index.sentences[window.first]
        other = [number[key] for key in sentence.content if key in number]
        best = max(best, _common_subsequence(found.sequence, other, weights.of_term))
        longest = max(longest, _common_run(claim, sentence.keys))
    return best / whole, longest / len(claim)


def _common_subsequence(a: Sequence[int], b: Sequence[int], weight: Sequence[float]) -> float:
    row = [0.0] * (len(b) + 1)
    for x in a:
        diagonal = 0.0
        for j, y in enumerate(b, 1):
            above = row[j]
            row[j] = diagonal + weight[x] if x == y else max(above, row[j - 1])
            diagonal = above
    return row[-1]


def _common_run(a: Sequence[str], b: Sequence[str]) -> int:
    places: dict[str, list[int]] = {}
    for j, key in enumerate(b):
        places.setdefault(key, []).append(j)
    best, ends = 0, dict[int, int]()
    for key in a:
        ends = {j: ends.get(j - 1, 0) + 1 for j in places.get(key, ())}
        best = max(best, max(ends.values(), default=0))
    return best


def _same_negation(found: Match, index: EvidenceIndex, window: Window) -> float:
    own = any(is_negation(token.key) for token in found.tokens)
    sentences = [index.sentences[i] for i in range(window.first, window.last + 1) if found.sentence_masks.get(i)]
    other = [any(is_negation(key) for key in sentence.keys) for sentence in sentences]
    return 1.0 if own in other else 0.0
