"""The summary of a judging date: rates with intervals and bounds, agreement, stability, the panel. JSON-ready."""

from typing import Any

import polars as pl

from faithflow.judging.verdict import Label, Status
from faithflow.metrics.opinions import (
    CLAIM,
    IS_ABSTENTION,
    IS_SCORED,
    IS_STATEMENT,
    IS_SUPPORTED,
    no_duplicates,
    with_groups,
)
from faithflow.metrics.pairs import annotator_pairs, as_list, judge_pairs, label_pairs, pair_row
from faithflow.metrics.panel import panel_agreement, panel_counts, panel_votes
from faithflow.metrics.stability import stability_summary
from faithflow.stats.intervals import bounds, clustered_rate


def judge_summary(verdicts: pl.DataFrame, calls: pl.DataFrame | None) -> dict[str, Any]:
    """One judge's numbers over one judging date, from the table `verdicts` (this judge's rows) and its calls.

    - `claims`: distinct claims put to the judge, of every kind; `rows`: their rows, one a repeat (equal with one
      repeat). All that follows counts rows: `rows` = `scored` + all of `unscored` + all of `not_applicable`.
    - `scored`: rows with a verdict, those on abstentions included; `counts` splits them by verdict.
    - `rated`: scored rows on statements, the denominator of `rate` = `supported` ÷ `rated`. An abstention is not in it.
    - `interval`: 95%, clustered by answer (`clustered_rate`): repeats of a claim and claims of an answer count as
      correlated. `bounds`: unscored statements all one way, all the other.
    - `unscored`, `not_applicable`: rows by reason.
    - `abstention`: of `n` scored abstentions the share judged `justified`.
    - `calls`: attempts in the table `calls`, failed ones too; `prompt_tokens`, `completion_tokens`: their sums, and
      `estimated` the calls whose tokens were counted here. `cost`: their sum; None where a call that used tokens has
      no price. All None without `calls`.

    Undefined numbers are None. Raises ValueError on rows of several judges or dates, which must not be pooled, and on
    a claim with two rows in one repeat.
    """
    one_date(verdicts)
    if verdicts["judge"].n_unique() != 1:
        raise ValueError(f"judges {sorted(verdicts['judge'].unique())} in one summary: give one judge's rows")
    no_duplicates(verdicts, [*CLAIM, "repeat"], f"judge {verdicts['judge'][0]!r}")
    verdicts = verdicts.sort(*CLAIM, "repeat")
    scored = verdicts.filter(IS_SCORED)
    rated = scored.filter(IS_STATEMENT)
    supported = rated.filter(IS_SUPPORTED).height
    missing = verdicts.filter(IS_STATEMENT, status=Status.UNSCORED.value).height
    abstained = scored.filter(IS_ABSTENTION)
    return {
        "claims": verdicts.select(CLAIM).n_unique(),
        "rows": verdicts.height,
        "scored": scored.height,
        "rated": rated.height,
        "supported": supported,
        "rate": supported / rated.height if rated.height else None,
        "interval": as_list(clustered_rate(rated["verdict"] == Label.SUPPORTED.value, rated["trace_id"])),
        "bounds": as_list(bounds(supported, rated.height, missing)),
        "counts": {label.value: scored.filter(verdict=label.value).height for label in Label},
        "unscored": _reasons(verdicts, Status.UNSCORED),
        "not_applicable": _reasons(verdicts, Status.NOT_APPLICABLE),
        "abstention": _abstention(abstained),
        **_usage(verdicts, calls),
    }


def summarise(
    verdicts: pl.DataFrame, calls: pl.DataFrame | None, traces: pl.DataFrame, labels: pl.DataFrame | None = None
) -> dict[str, Any]:
    """The content of `summary.json` for one judging date.

    `verdicts` and `calls` are the tables of those names, `traces` has `trace_id, pipeline, stratum`, and `labels`
    (people's) `trace_id, claim_id, annotator, verdict`. The keys:

    - `judges` {JUDGE: judge_summary}, `pipelines` {PIPELINE: {JUDGE: …}}, `strata` {STRATUM: {JUDGE: …}};
    - `pairs`: every two judges; `labels`: every annotator (`a` is `human:NAME`) against every judge; `annotators`:
      every two annotators (rows as `pair_row`);
    - `stability` {JUDGE: …} of the judges with repeats;
    - `panel`: statements by the majority of the judges, {supported, not_supported, split, unscored: n}, and
      `panel_agreement`: its rate and the agreement of all judges at once; empty and null with fewer than two judges.

    A claim is known by its trace and claim id; answers (traces) are the clusters. Raises ValueError on several judging
    dates (take `latest_date` and filter), on verdicts of an unknown trace and on rows given twice.
    """
    one_date(verdicts)
    grouped = with_groups(verdicts, traces)
    if calls is not None:
        # a call of a trace that is not here belongs to no pipeline, but was paid for
        calls = calls.join(traces.select("trace_id", "pipeline", "stratum"), on="trace_id", how="left")
    votes = panel_votes(grouped) if grouped["judge"].n_unique() > 1 else None
    people = None if labels is None else labels.join(traces, on="trace_id", how="semi")
    return {
        "judges": _by_judge(grouped, calls),
        "pipelines": _by_group(grouped, calls, "pipeline"),
        "strata": _by_group(grouped, calls, "stratum"),
        "pairs": [pair_row(*pair) for pair in judge_pairs(grouped)],
        "labels": [] if people is None else [pair_row(*pair) for pair in label_pairs(grouped, people)],
        "annotators": [] if people is None else [pair_row(*pair) for pair in annotator_pairs(people)],
        "stability": stability_summary(grouped),
        "panel": {} if votes is None else panel_counts(votes),
        "panel_agreement": None if votes is None else panel_agreement(votes),
    }


def one_date(verdicts: pl.DataFrame) -> None:
    """Raises ValueError where a frame of verdicts holds more than one judging date."""
    dates = verdicts["judging_date"].unique().sort()
    if len(dates) > 1:
        shown = ", ".join(str(date) for date in dates)
        raise ValueError(f"verdicts of {len(dates)} judging dates ({shown}): judge drift would hide; give one date")


def _by_judge(verdicts: pl.DataFrame, calls: pl.DataFrame | None) -> dict[str, Any]:
    return {judge: judge_summary(verdicts.filter(judge=judge), calls) for judge in sorted(verdicts["judge"].unique())}


def _by_group(verdicts: pl.DataFrame, calls: pl.DataFrame | None, column: str) -> dict[str, Any]:
    return {
        name: _by_judge(
            verdicts.filter(pl.col(column) == name), None if calls is None else calls.filter(pl.col(column) == name)
        )
        for name in sorted(verdicts[column].unique())
    }


def _reasons(verdicts: pl.DataFrame, status: Status) -> dict[str, int]:
    counts = verdicts.filter(status=status.value)["reason"].value_counts().sort("reason")
    return dict(counts.iter_rows())


def _abstention(abstained: pl.DataFrame) -> dict[str, Any]:
    is_justified = abstained["verdict"] == Label.JUSTIFIED_ABSTENTION.value
    justified = int(is_justified.sum())
    return {
        "n": abstained.height,
        "justified": justified,
        "rate": justified / abstained.height if abstained.height else None,
        "interval": as_list(clustered_rate(is_justified, abstained["trace_id"])),
    }


def _usage(verdicts: pl.DataFrame, calls: pl.DataFrame | None) -> dict[str, Any]:
    if calls is None:
        return dict.fromkeys(("calls", "prompt_tokens", "completion_tokens", "estimated", "cost"))
    own = calls.filter(judge=verdicts["judge"][0], judging_date=verdicts["judging_date"][0])
    used = (pl.col("prompt_tokens") + pl.col("completion_tokens")) > 0
    is_priced = own.filter(used)["cost"].null_count() == 0
    return {
        "calls": own.height,
        "prompt_tokens": int(own["prompt_tokens"].sum()),
        "completion_tokens": int(own["completion_tokens"].sum()),
        "estimated": int(own["estimated"].sum()),
        "cost": float(own.sort("call_id")["cost"].sum()) if is_priced else None,
    }
