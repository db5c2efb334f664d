"""Test and retest: how often a judge that is asked the same again says something else."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from faithflow.stats.agreement import Agreement, compare
from faithflow.stats.intervals import Interval

_CLAIM = ["trace_id", "claim_id"]


@dataclass(frozen=True, slots=True)
class Stability:
    """A judge's agreement with itself over the repeats of one judging date.

    `repeats` counts the repeats, `n` the claims with two scored repeats or more. `pairs` holds the agreement of each
    two repeats (earlier, later), `pooled` that of all pairs stacked: with two repeats it is that pair; with more, a
    claim counts once for each pair of its repeats, and its intervals still cluster by answer.
    """

    repeats: int
    n: int
    pooled: Agreement
    pairs: tuple[tuple[int, int, Agreement], ...]


def flips(agreement: Agreement) -> tuple[float | None, Interval | None]:
    """The share of verdicts that differ between two askings, with its interval: raw agreement seen from below."""
    if agreement.raw is None or agreement.raw_interval is None:
        return None, None
    low, high = agreement.raw_interval
    return 1 - agreement.raw, Interval(1 - high, 1 - low)


def retest(ratings: pl.DataFrame, labels: Sequence[str]) -> Stability:
    """The stability of one judge's ratings: columns `trace_id, claim_id, repeat, label`; a null label is unscored.

    Repeats are joined by claim id, never by position. Raises ValueError where a claim has two rows in one repeat.
    """
    if ratings.select(*_CLAIM, "repeat").is_duplicated().any():
        raise ValueError("a claim has two rows in one repeat: give one row for each trace, claim and repeat")
    repeats = sorted(ratings["repeat"].unique())
    scored = ratings.filter(pl.col("label").is_not_null()).sort(*_CLAIM, "repeat")
    pairs = (
        scored.join(scored, on=_CLAIM, suffix="_later")
        .filter(pl.col("repeat") < pl.col("repeat_later"))
        .sort(*_CLAIM, "repeat", "repeat_later")
    )
    return Stability(
        repeats=len(repeats),
        n=pairs.select(_CLAIM).n_unique(),
        pooled=_compare(pairs, labels),
        pairs=tuple(
            (first, later, _compare(pairs.filter(repeat=first, repeat_later=later), labels))
            for place, first in enumerate(repeats)
            for later in repeats[place + 1 :]
        ),
    )


def _compare(pairs: pl.DataFrame, labels: Sequence[str]) -> Agreement:
    return compare(pairs["label"], pairs["label_later"], labels, pairs["trace_id"].rank("dense"))
