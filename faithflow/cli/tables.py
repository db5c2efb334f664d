"""Tables for a person at a terminal."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from rich.console import Console, RenderableType
from rich.table import Table

if TYPE_CHECKING:
    from resources.dry_run import Estimate


def say(what: RenderableType) -> None:
    """Print to standard output; wide tables are not folded where the output is no terminal."""
    width = None if Console().is_terminal else 140
    # names are the user's: what looks like markup in them is text
    Console(width=width, highlight=False, markup=False, emoji=False, soft_wrap=isinstance(what, str)).print(what)


def summary_table(summary: Mapping[str, object]) -> Table:
    """The rates of `summary.json`, by judge and pipeline."""
    table = Table(title="Supported statements", title_justify="left")
    for heading in ("judge", "system"):
        table.add_column(heading)
    for heading in ("rate", "95% interval", "bounds", "supported", "rated", "unscored", "abstained"):
        table.add_column(heading, justify="right")
    by_judge = cast("dict[str, dict[str, Any]]", summary["judges"])
    by_pipeline = cast("dict[str, dict[str, dict[str, Any]]]", summary["pipelines"])
    together = "all" if len(by_pipeline) < 2 else f"all {len(by_pipeline)} together"
    for judge, numbers in by_judge.items():
        table.add_row(judge, together, *_numbers(numbers), style="bold", end_section=len(by_pipeline) < 2)
        if len(by_pipeline) > 1:
            rows = [(name, judges[judge]) for name, judges in by_pipeline.items() if judge in judges]
            for number, (pipeline, part) in enumerate(rows, start=1):
                table.add_row(judge, pipeline, *_numbers(part), end_section=number == len(rows))
    return table


def estimate_table(estimates: "Mapping[str, Estimate]") -> Table:
    """What a dry run counted, by judge."""
    table = Table(title="What this run would ask (upper estimate)", title_justify="left")
    table.add_column("judge")
    for heading in ("calls", "prompt tokens", "reply tokens", "cost"):
        table.add_column(heading, justify="right")
    for name, found in estimates.items():
        cost = "unknown" if found.cost is None else f"{found.cost:,.2f}"
        table.add_row(name, f"{found.calls:,}", f"{found.prompt_tokens:,}", f"{found.completion_tokens:,}", cost)
    return table


def _numbers(part: Mapping[str, Any]) -> list[str]:
    abstained = part["abstention"]["n"] + part["not_applicable"].get("abstention", 0)
    return [
        _percent(part["rate"]),
        _range(part["interval"]),
        _range(part["bounds"]),
        str(part["supported"]),
        str(part["rated"]),
        str(sum(part["unscored"].values())),
        str(abstained),
    ]


def _percent(share: float | None) -> str:
    return "undefined" if share is None else f"{100 * share:.1f}%"


def _range(ends: list[float] | None) -> str:
    return "undefined" if ends is None else f"{100 * ends[0]:.1f}–{100 * ends[1]:.1f}%"
