"""The tables of how far the verdicts can be trusted, and of how they move."""

import polars as pl

from faithflow.tables.columns import (
    EMBEDDER,
    INT,
    JUDGE,
    JUDGING_DATE,
    NUMBER,
    PIPELINE,
    RATE,
    RATED,
    TEXT,
    rate_is_right,
)
from faithflow.tables.rules import Rule, not_negative, ordered, within
from faithflow.tables.schema import Column, Table


def _interval(name: str, what: str) -> tuple[Column, ...]:
    note = "null where undefined"
    return (
        Column(name, NUMBER, f"{what}; {note}.", nullable=True),
        Column(f"{name}_low", NUMBER, f"Lower end of the 95 % interval of {name}, clustered by answer.", nullable=True),
        Column(f"{name}_high", NUMBER, f"Upper end of the same interval; {note}.", nullable=True),
    )


_CELL = "scored by both, supported against not:"
AGREEMENT = Table(
    "agreement",
    "How two raters agree, per pipeline and stratum (`*`: all of them). A rater is a judge, or `human:<annotator>`.",
    (
        EMBEDDER,
        JUDGING_DATE,
        Column("pipeline", TEXT, "The pipeline, or `*` for all."),
        Column("stratum", TEXT, "The stratum, or `*` for all."),
        Column("a", TEXT, "The first rater."),
        Column("b", TEXT, "The second rater."),
        Column("n", INT, "Claims that both rated."),
        Column("raw", NUMBER, "Share on which they agree, supported against not; null: n is 0.", nullable=True),
        *_interval("kappa", "Cohen's kappa"),
        *_interval("ac1", "Gwet's AC1"),
        Column("mcnemar_p", NUMBER, "p of McNemar's exact test; null where undefined.", nullable=True),
        Column("ac1_se", NUMBER, "Standard error of AC1; null where undefined.", nullable=True),
        Column("n11", INT, f"Claims {_CELL} supported by both."),
        Column("n10", INT, f"Claims {_CELL} by a alone."),
        Column("n01", INT, f"Claims {_CELL} by b alone."),
        Column("n00", INT, f"Claims {_CELL} by none."),
        Column("four_way", TEXT, "The four-way table as JSON."),
    ),
    key=("pipeline", "stratum", "a", "b"),
    partition=("embedder", "judging_date"),
    own_rules=(
        not_negative("n", "n11", "n10", "n01", "n00", "ac1_se"),
        Rule(
            "cells_add_up",
            "n11 + n10 + n01 + n00 = n",
            pl.col("n11") + pl.col("n10") + pl.col("n01") + pl.col("n00") != pl.col("n"),
        ),
        within(0, 1, "raw", "mcnemar_p"),
        within(-1, 1, "kappa", "ac1"),
        ordered("kappa_low", "kappa_high"),
        ordered("ac1_low", "ac1_high"),
    ),
)

STABILITY = Table(
    "stability",
    "How a judge agrees with itself over repeats, per pipeline and stratum (`*`: all of them).",
    (
        EMBEDDER,
        JUDGING_DATE,
        JUDGE,
        Column("pipeline", TEXT, "The pipeline, or `*` for all."),
        Column("stratum", TEXT, "The stratum, or `*` for all."),
        Column("repeats", INT, "Repeats that the judge made."),
        Column("n", INT, "Claims with two scored repeats or more."),
        Column("flip_rate", NUMBER, "Share of pairs of repeats with different verdicts.", nullable=True),
        Column("flip_low", NUMBER, "Lower end of the 95 % interval of flip_rate.", nullable=True),
        Column("flip_high", NUMBER, "Upper end of the same interval.", nullable=True),
        *_interval("kappa", "Cohen's kappa of the judge with itself"),
        *_interval("ac1", "Gwet's AC1 of the judge with itself"),
    ),
    key=("judge", "pipeline", "stratum"),
    partition=("embedder", "judging_date"),
    own_rules=(
        not_negative("repeats", "n"),
        within(0, 1, "flip_rate"),
        within(-1, 1, "kappa", "ac1"),
        ordered("flip_low", "flip_rate", "flip_high"),
        ordered("kappa_low", "kappa_high"),
        ordered("ac1_low", "ac1_high"),
    ),
)

TRENDS = Table(
    "trends",
    "Support rates date by date: one row a judging date, judge and pipeline. Dates are never pooled.",
    (
        JUDGING_DATE,
        JUDGE,
        PIPELINE,
        Column("claims", INT, "Rows of `verdicts`: judged claims, each repeat counted."),
        Column("scored", INT, "Rows with status scored, abstention verdicts included."),
        RATED,
        Column("supported", INT, "Rows with the verdict supported."),
        RATE,
        Column("low", NUMBER, "Lower end of the 95 % interval of rate, clustered by answer.", nullable=True),
        Column("high", NUMBER, "Upper end of the same interval.", nullable=True),
        Column("unscored", INT, "Rows with status unscored."),
        EMBEDDER,
    ),
    key=("judging_date", "judge", "pipeline"),
    partition=("embedder",),
    own_rules=(
        not_negative("supported", "unscored"),
        ordered("supported", "rated", "scored", "claims"),
        within(0, 1, "rate", "low", "high"),
        ordered("low", "rate", "high"),
        rate_is_right(),
    ),
)
