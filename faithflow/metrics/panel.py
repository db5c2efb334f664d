"""The panel: what the majority of the judges says of each claim, in whatever order they are named."""

from typing import Any

import numpy as np
import polars as pl

from faithflow.metrics.opinions import BINARY, CLAIM, binary, judge_opinions
from faithflow.metrics.pairs import as_list
from faithflow.stats.intervals import bounds, clustered_rate
from faithflow.stats.raters import fleiss_kappa, gwet_ac1_multi, raw_agreement


def panel_votes(verdicts: pl.DataFrame) -> pl.DataFrame:
    """One row a statement: `trace_id, claim_id`, the votes `supported`, `not_supported`, and the `panel`'s word.

    Each judge has one vote: its first scored repeat. `panel` is supported or not_supported by simple majority of the
    votes, `split` on a tie, and null where no judge gave a verdict.
    """
    votes = pl.concat(
        [
            judge_opinions(verdicts, judge)
            .sort(*CLAIM, pl.col("verdict").is_null(), "repeat")
            .unique(CLAIM, keep="first")
            for judge in sorted(verdicts["judge"].unique())
        ]
    ).with_columns(vote=binary("verdict"))
    counted = votes.group_by(CLAIM).agg((pl.col("vote") == label).sum().cast(pl.Int64).alias(label) for label in BINARY)
    supported, against = pl.col(BINARY[0]), pl.col(BINARY[1])
    return counted.with_columns(
        panel=pl.when(supported > against)
        .then(pl.lit(BINARY[0]))
        .when(supported < against)
        .then(pl.lit(BINARY[1]))
        .when(supported > 0)
        .then(pl.lit("split"))
    ).sort(CLAIM)


def panel_counts(votes: pl.DataFrame) -> dict[str, int]:
    """How many statements the panel finds supported, not_supported, split, and unscored, from `panel_votes`."""
    counts = {word: votes.filter(panel=word).height for word in (*BINARY, "split")}
    return {**counts, "unscored": votes["panel"].null_count()}


def panel_agreement(votes: pl.DataFrame) -> dict[str, Any]:
    """The panel's rate, and the agreement of all its judges at once, from `panel_votes`.

    `rate` is supported ÷ (supported + not_supported), with its interval clustered by answer; `bounds` take splits and
    unscored claims either way. Fleiss' kappa and AC1 allow missing verdicts; `n` counts the claims that at least two
    judges scored. What is undefined is None.
    """
    counts = panel_counts(votes)
    supported, undecided = counts[BINARY[0]], counts["split"] + counts["unscored"]
    decided = votes.filter(pl.col("panel").is_in(BINARY))
    ballots = votes.select(BINARY).to_numpy()
    answers = votes["trace_id"].rank("dense").to_numpy()
    kappa, ac1 = fleiss_kappa(ballots, answers), gwet_ac1_multi(ballots, answers)
    return {
        "rate": supported / decided.height if decided.height else None,
        "interval": as_list(clustered_rate(decided["panel"] == BINARY[0], decided["trace_id"])),
        "bounds": as_list(bounds(supported, decided.height, undecided)),
        "n": int(np.count_nonzero(ballots.sum(axis=1) >= 2)),
        "raw": raw_agreement(ballots),
        "fleiss_kappa": kappa.value,
        "fleiss_kappa_interval": as_list(kappa.interval),
        "ac1": ac1.value,
        "ac1_interval": as_list(ac1.interval),
    }
