"""The whole graph for Dagster: `dg` and `faithflow ui` load `defs` from here.

The home is FAITHFLOW_HOME (default `./home`) and the study FAITHFLOW_STUDY (default: the bundled one).
"""

import dagster as dg

from assets import agreement, checks, claims, ingestion, report, verdicts
from assets.schedules import nightly_judging, nightly_judging_schedule
from resources.house import House, house

ASSETS = (
    ingestion.traces,
    claims.claims,
    claims.labels,
    verdicts.judging,
    verdicts.answer_verdicts,
    agreement.agreement,
    agreement.stability,
    agreement.trends,
    report.report,
    report.published,
)


def definitions(place: House) -> dg.Definitions:
    """The graph in one home, on one study."""
    return dg.Definitions(
        assets=ASSETS,
        asset_checks=checks.CHECKS,
        jobs=[nightly_judging],
        schedules=[nightly_judging_schedule],
        resources={"house": place},
        # a step takes less than a new process takes to start
        executor=dg.in_process_executor,
    )


defs = definitions(house())
