"""Checks: each table held to its contract once written (blocking), and what a person should look at (warnings)."""

from collections.abc import Iterator, Mapping
from typing import Any

import dagster as dg
import polars as pl

from assets.metadata import counts, failing_plainly, markdown_table
from assets.partitions import partition_of
from faithflow.judging.verdict import Reason, Status
from faithflow.report.numbers import plural, share
from faithflow.tables.registry import TABLES, table
from resources.home_answers import replay_answers
from resources.house import House
from resources.table_checks import check_table

MAX_FAILED_SHARE = 0.05
MIN_COVERED_SHARE = 0.9

CONTRACT = "contract"


def _contract_check(name: str) -> dg.AssetChecksDefinition:
    rules = "; ".join(rule.doc for rule in table(name).rules)
    unique = f"no two rows share ({', '.join(table(name).key)})"

    @dg.asset_check(
        asset=name,
        name=CONTRACT,
        blocking=True,
        description=f"The stored rows keep the table's contract: {unique}; references hold; {rules}.",
    )
    def contract(context: dg.AssetCheckExecutionContext, house: House) -> dg.AssetCheckResult:
        found = check_table(house.open_home().warehouse, name, _partition(context, name))
        broken = [(check.name, check.failures, check.doc, check.example or "") for check in found if not check.passed]
        return dg.AssetCheckResult(
            passed=not broken,
            severity=dg.AssetCheckSeverity.ERROR,
            description="; ".join(f"{doc}: broken by {n} rows" for _, n, doc, _ in broken) or None,
            metadata={
                "rules": len(found),
                "broken": markdown_table(["rule", "rows", "demand", "example"], broken),
            },
        )

    return contract


CONTRACTS = [_contract_check(name) for name in TABLES]


@dg.multi_asset_check(
    name="verdict_warnings",
    specs=[
        dg.AssetCheckSpec(
            "unscored_share",
            asset="verdicts",
            description=f"At most {MAX_FAILED_SHARE:.0%} of the rows are unscored for another reason than that the "
            "judge was unsure. Run again to ask about them.",
        ),
        dg.AssetCheckSpec("late_rows", asset="verdicts", description="No row was judged after its judging date."),
        dg.AssetCheckSpec(
            "suspected_injections",
            asset="verdicts",
            description="No claim and no evidence holds words that try to steer a judge. Such text is judged as data "
            "all the same; a person should look.",
        ),
    ],
)
def verdict_warnings(context: dg.AssetCheckExecutionContext, house: House) -> Iterator[dg.AssetCheckResult]:
    rows = house.open_home().warehouse.read("verdicts", _partition(context, "verdicts"))
    failed = rows.filter(pl.col("status") == Status.UNSCORED.value, pl.col("reason") != Reason.UNSURE.value)
    yield _warning(
        "verdicts",
        "unscored_share",
        failed.height <= MAX_FAILED_SHARE * rows.height,
        f"{share(failed.height, rows.height)} rows are unscored, not counting those of which a judge was unsure",
        {"reasons": counts(failed, "judge", "reason")},
    )
    late = rows.filter("late")
    words = f"{share(late.height, rows.height)} rows were judged after their date"
    yield _warning("verdicts", "late_rows", late.is_empty(), words, {"judges": counts(late, "judge")})
    flagged = rows.filter(pl.col("flags").list.len() > 0).explode("flags")
    answers = flagged.group_by("flags", "trace_id").len().sort("flags", "trace_id")
    shown = answers.select("flags", "trace_id").head(50)
    yield _warning(
        "verdicts",
        "suspected_injections",
        flagged.is_empty(),
        f"{plural(flagged['trace_id'].n_unique(), 'answer')} with words that may try to steer a judge",
        {"where": markdown_table(["flag", "answer"], shown.iter_rows())},
    )


@dg.asset_check(
    asset="claims",
    description=f"Of each answer at least {MIN_COVERED_SHARE:.0%} of the non-blank characters lie in some claim, and "
    "claims were extracted from all answers.",
)
def covered_share(context: dg.AssetCheckExecutionContext, house: House) -> dg.AssetCheckResult:
    answers = house.open_home().warehouse.read("claims", _partition(context, "claims")).unique("trace_id")
    thin = answers.filter(pl.col("covered_share") < MIN_COVERED_SHARE).sort("covered_share", "trace_id")
    shown = thin.select("trace_id", "kind", pl.col("covered_share").round(3)).head(50)
    return _warning(
        "claims",
        "covered_share",
        thin.is_empty(),
        f"{share(thin.height, answers.height)} answers have much text in no claim",
        {"lowest": markdown_table(["answer", "kind", "covered share"], shown.iter_rows())},
    )


@dg.asset_check(
    asset="answers",
    additional_deps=["steps", "retrievals"],
    blocking=True,
    description="The request that wrote each answer is built again, byte for byte, from the tables answers, steps and "
    "retrievals: the trajectory is complete.",
)
def replayable(context: dg.AssetCheckExecutionContext, house: House) -> dg.AssetCheckResult:
    with failing_plainly():
        replayed = replay_answers(house.open_home(), house.load_study(), context.partition_key)
    shown = [(fault,) for fault in replayed.faults[:50]]
    return dg.AssetCheckResult(
        passed=not replayed.faults,
        severity=dg.AssetCheckSeverity.ERROR,
        description=f"{share(len(replayed.faults), replayed.requests)} requests cannot be built again",
        metadata={"requests": replayed.requests, "faults": markdown_table(["answer and reason"], shown)},
    )


def _partition(context: dg.AssetCheckExecutionContext, name: str) -> Mapping[str, str]:
    """The part of a table that a run is about; without a partition all of it."""
    if not context.has_partition_key:
        return {}
    values = partition_of(context.partition_key)
    return {column: values[column] for column in table(name).partition}


def _warning(asset: str, name: str, passed: bool, words: str, metadata: Mapping[str, Any]) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        passed=passed,
        asset_key=asset,
        check_name=name,
        severity=dg.AssetCheckSeverity.WARN,
        description=words,
        metadata=metadata,
    )


CHECKS = [*CONTRACTS, replayable, verdict_warnings, covered_share]
