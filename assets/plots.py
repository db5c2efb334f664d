"""Small drawings for materializations, as PNG inside Markdown."""

import base64
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import dagster as dg
import polars as pl

from faithflow.report.markdown import escape
from faithflow.report.words import VERDICTS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLES = {
    "supported": "#2a7f62",
    "conditional": "#b8a12f",
    "contradicted": "#b3402f",
    "missing": "#c98b4b",
    "justified": "#7d8fa3",
    "unjustified": "#5b4b6b",
}
UNSCORED = "#c9ccd1"
LINES = ("#1f5a92", "#c2632b", "#2a7f62", "#8a4f9e", "#6b6b6b", "#b3402f")

NOTHING = "none"

Point = tuple[float, float, float]
"""A value and the ends of its interval."""


def picture(figure: "Figure", words: str) -> dg.MarkdownMetadataValue:
    """A drawing inside Markdown, with words for those who do not see it."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=90, bbox_inches="tight")
    encoded = base64.b64encode(buffer.getvalue()).decode("ascii")
    return dg.MetadataValue.md(f"![{escape(words)}](data:image/png;base64,{encoded})")


def interval_plot(
    labels: Sequence[str], points: Sequence[Point | None], title: str, low: float = 0.0
) -> dg.MarkdownMetadataValue:
    """A dot and its 95% interval for each label, on a scale from `low` to 1; None is said as undefined."""
    if not labels:
        return dg.MetadataValue.md(NOTHING)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 0.8 + 0.28 * len(labels)))
    axes = figure.subplots()
    for place, point in enumerate(points):
        if point is None:
            axes.text(low, place, " undefined", va="center", fontsize=8, color="#777777")
            continue
        middle, left, right = point
        axes.plot([left, right], [place, place], color=LINES[0], linewidth=2)
        axes.plot([middle], [place], "o", color=LINES[0], markersize=5)
    axes.set_yticks(range(len(labels)), list(labels), fontsize=8)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlim(low - 0.02, 1.02)
    axes.tick_params(axis="x", labelsize=8)
    axes.grid(axis="x", color="#e4e4e4")
    axes.set_title(title, fontsize=9, loc="left")
    return picture(figure, title)


def verdict_plot(summaries: Mapping[str, Mapping[str, Any]], title: str) -> dg.MarkdownMetadataValue:
    """One bar a judge: its rows by verdict, and the unscored ones."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 1.1 + 0.4 * len(summaries)))
    axes = figure.subplots()
    left = [0] * len(summaries)
    parts = [
        (sign.words, STYLES[sign.style], [s["counts"][str(label)] for s in summaries.values()])
        for label, sign in VERDICTS.items()
    ]
    parts.append(("unscored", UNSCORED, [sum(s["unscored"].values()) for s in summaries.values()]))
    for words, colour, widths in parts:
        if any(widths):
            axes.barh(list(summaries), widths, left=left, color=colour, label=words)
            left = [a + b for a, b in zip(left, widths, strict=True)]
    axes.invert_yaxis()
    axes.tick_params(labelsize=8)
    axes.set_title(title, fontsize=9, loc="left")
    axes.legend(fontsize=7, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.25), frameon=False)
    return picture(figure, title)


def trend_plot(frame: pl.DataFrame, title: str) -> dg.MarkdownMetadataValue:
    """The table `trends` as lines, one a judge and pipeline, with their 95% intervals."""
    lines = frame.drop_nulls("rate").sort("judge", "pipeline", "judging_date")
    if lines.is_empty():
        return dg.MetadataValue.md(NOTHING)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 2.6))
    axes = figure.subplots()
    for number, ((judge, pipeline), rows) in enumerate(lines.group_by("judge", "pipeline", maintain_order=True)):
        colour = LINES[number % len(LINES)]
        dates, rates = rows["judging_date"].to_list(), rows["rate"].to_list()
        axes.plot(dates, rates, "o-", color=colour, markersize=3, linewidth=1.2, label=f"{judge}: {pipeline}")
        axes.vlines(dates, rows["low"].to_list(), rows["high"].to_list(), color=colour, alpha=0.35)
    axes.set_ylim(-0.02, 1.02)
    axes.tick_params(labelsize=7)
    figure.autofmt_xdate()
    axes.set_title(title, fontsize=9, loc="left")
    axes.legend(fontsize=6, ncols=2, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return picture(figure, title)
