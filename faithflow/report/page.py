"""The report as one HTML page, opened from a disk without any network, and as GitHub Markdown."""

import base64
import dataclasses
import datetime as dt
import hashlib
import importlib.resources
import re

import polars as pl
from jinja2 import Environment, StrictUndefined

from faithflow.claims.claim import JUDGED_KINDS
from faithflow.report.agreement import against_people, judges_compared, stability
from faithflow.report.citations import at_a_glance, retrieved_and_cited
from faithflow.report.data import ReportData
from faithflow.report.lead import lead
from faithflow.report.markdown import document
from faithflow.report.numbers import plural
from faithflow.report.payload import SHOWN_ANSWERS, pack, payload, scrub
from faithflow.report.rates import abstentions, gaps, rates, strata
from faithflow.report.running import cost, notes, trends
from faithflow.report.tables import Section

SCRIPTS = ("load.js", "filter.js", "view.js", "main.js")

# names of the filters in the script, and what stands beside their boxes
FILTERS = (
    ("pipeline", "System"),
    ("stratum", "Stratum"),
    ("judge", "Judge (colours the text)"),
    ("verdict", "Verdict"),
    ("disagreement", "Disagreement"),
    ("status", "Status and reason"),
    ("kind", "Kind of statement"),
    ("flag", "Flags"),
)

CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def render_html(data: ReportData) -> str:
    """One page of HTML that holds all that it shows: it asks nothing of any network and opens from a disk.

    Whatever stands in the data is text on the page, never markup or script; the page's policy allows its own style and
    script alone. Equal data give equal bytes. Answers beyond the first 3,000 are counted in every table and not shown
    one by one; the page says so.
    """
    data = _clean(data)
    style, script = _part("page.css"), _script()
    text = (
        _environment()
        .from_string(_part("page.html.jinja"))
        .render(
            title=data.title,
            facts=_facts(data),
            sections=_sections(data),
            lead=lead(data),
            notes=notes(data),
            extent=_extent(data),
            filters=FILTERS,
            made_at=_moment(data.made_at),
            style=style,
            style_hash=_hash(style),
            script=script,
            script_hash=_hash(script),
            packed=pack(payload(data)),
        )
    )
    return CONTROLS.sub("�", text)


def render_markdown(data: ReportData) -> str:
    """The tables of the page as GitHub Markdown, without the statements."""
    data = _clean(data)
    return CONTROLS.sub("�", document(data.title, _facts(data), (*lead(data), *notes(data)), _sections(data)))


def _sections(data: ReportData) -> tuple[Section, ...]:
    if not data.judges:
        return ()
    sections = (
        at_a_glance(data),
        rates(data),
        strata(data),
        retrieved_and_cited(data),
        trends(data),
        judges_compared(data),
        against_people(data),
        stability(data),
        gaps(data),
        abstentions(data),
        cost(data),
    )
    return tuple(section for section in sections if section is not None)


def _facts(data: ReportData) -> tuple[tuple[str, str], ...]:
    judged = data.claims.filter(pl.col("kind").is_in([kind.value for kind in JUDGED_KINDS])).height
    return (
        ("Judging date", str(data.judging_date)),
        ("Study", data.study),
        ("Answers", f"{data.traces.height:,}"),
        ("Systems", f"{len(data.pipelines):,}"),
        ("Judged statements", f"{judged:,}"),
        ("Judges", f"{len(data.judges):,}"),
        ("Made at", _moment(data.made_at)),
    )


def _extent(data: ReportData) -> str:
    text = "Each answer with its statements marked in the text, what each judge said of them and why, and the evidence."
    beyond = data.traces.height - SHOWN_ANSWERS
    if beyond > 0:
        text += (
            f" The page holds the first {SHOWN_ANSWERS:,} answers by id; {plural(beyond, 'more answer')} with their "
            "statements and verdicts lie in claims.parquet and verdicts.parquet (in a home: the tables claims and "
            "verdicts). All tables above cover every answer."
        )
    return text


def _moment(moment: dt.datetime) -> str:
    """A time to the minute, in UTC where its zone is known."""
    if moment.tzinfo is None:
        return moment.strftime("%Y-%m-%d %H:%M")
    return moment.astimezone(dt.UTC).strftime("%Y-%m-%d %H:%M UTC")


def _clean(data: ReportData) -> ReportData:
    """The data without lone surrogates; frames cannot hold any."""
    return dataclasses.replace(data, title=scrub(data.title), study=scrub(data.study), summary=scrub(data.summary))


def _environment() -> Environment:
    return Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def _part(name: str) -> str:
    return importlib.resources.files("faithflow.report").joinpath("templates", name).read_text("utf-8")


def _script() -> str:
    body = "\n".join(_part(name) for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{body}}})();'


def _hash(text: str) -> str:
    """The source expression by which a content policy allows exactly this text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
