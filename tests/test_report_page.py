"""The page and the Markdown: what they say, and that nothing in the data becomes markup."""

import base64
import dataclasses
import datetime as dt
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from faithflow.metrics.faithfulness import summarise
from faithflow.report import payload as payload_module
from faithflow.report.data import ReportData
from faithflow.report.markdown import escape
from faithflow.report.page import render_html, render_markdown
from faithflow.report.payload import pack, payload
from tests.report_fixture import DAY, frame, report_data, trend_rows

HOSTILE = (
    "</script><script>alert(1)</script><!--<b onclick='x'>\"&amp;|`*_[a](javascript:x)\u2028\u202e\x00\ud800 {{7*7}}"
)


class Tags(HTMLParser):
    """Every tag with its attributes, and the texts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def unpacked(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', html)
    assert found
    return json.loads(gzip.decompress(base64.b64decode(found.group(1))))


def visible(html: str) -> str:
    """The text of the page's body, without style and script, spaces evened."""
    body = re.sub(r"<(script|style)\b.*?</\1>", "", html, flags=re.S)
    return " ".join(" ".join(Tags(body).texts).split())


def with_text(data: ReportData, text: str) -> ReportData:
    """The data with `text` in every free-text field, names included; the summary is made anew from it."""
    stored = text.encode("utf-8", "replace").decode()

    def all_of(name: str, columns: tuple[str, ...]) -> pl.DataFrame:
        table: pl.DataFrame = getattr(data, name)
        return table.with_columns(pl.lit(stored).alias(column) for column in columns)

    traces = all_of("traces", ("question", "answer", "pipeline", "stratum")).with_columns(
        pl.lit([{"id": stored, "text": stored, "source": stored}], dtype=data.traces.schema["contexts"]).alias(
            "contexts"
        )
    )
    verdicts = all_of("verdicts", ("claim", "served_model", "attribution", "justification")).with_columns(
        (pl.col("judge") + stored).alias("judge"),
        pl.lit([stored]).alias("evidence_ids"),
        pl.lit([stored]).alias("flags"),
    )
    calls = all_of("calls", ("purpose", "model")).with_columns((pl.col("judge") + stored).alias("judge"))
    people = pl.DataFrame(
        [
            (trace, claim, stored, "supported")
            for trace, claim in data.claims.select("trace_id", "claim_id").iter_rows()
        ],
        schema=["trace_id", "claim_id", "annotator", "verdict"],
        orient="row",
    )
    return dataclasses.replace(
        data,
        title=text,
        study=text,
        traces=traces,
        claims=all_of("claims", ("claim",)),
        verdicts=verdicts,
        calls=calls,
        trends=trend_rows(3).with_columns(pl.lit(stored).alias("judge"), pl.lit(stored).alias("pipeline")),
        summary=summarise(verdicts, calls, traces, people),
    )


def shape(html: str) -> list[tuple[str, list[str]]]:
    """Tags and attribute names, without values: what the data must not change."""
    return [(tag, sorted(attributes)) for tag, attributes in Tags(html).tags]


PLAIN = with_text(report_data(2), "plain")
SHAPE = shape(render_html(PLAIN))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(st.just(HOSTILE), st.text().map(lambda text: text + HOSTILE), st.text(min_size=2)))
def test_no_text_in_any_field_changes_the_markup(text: str) -> None:
    html = render_html(with_text(report_data(2), text))
    html.encode("utf-8")
    assert shape(html) == SHAPE
    assert "\x00" not in html


def test_hostile_text_is_on_the_page_as_text() -> None:
    html = render_html(with_text(report_data(2), "<b>&copy;"))
    assert "<b>&copy;" in visible(html)
    assert unpacked(html)["answers"][0]["question"] == "<b>&copy;"


def test_the_policy_allows_the_pages_own_style_and_script_and_nothing_else() -> None:
    html = render_html(report_data())
    tags = Tags(html).tags
    policy = next(a["content"] for tag, a in tags if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy")
    script = re.findall(r"<script>(.*?)</script>", html, flags=re.S)
    style = re.findall(r"<style>(.*?)</style>", html, flags=re.S)
    hashes = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in (*script, *style)]
    assert len(hashes) == 2
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert "unsafe" not in policy


def test_the_page_names_no_resource_outside_itself() -> None:
    html = render_html(report_data())
    loading = [(tag, a) for tag, a in Tags(html).tags if {"src", "srcset", "action", "poster", "style"} & set(a)]
    assert loading == []
    assert all(a["href"].startswith("#") for tag, a in Tags(html).tags if "href" in a)
    assert "url(" not in html
    assert "@import" not in html


def test_equal_data_give_equal_bytes_whatever_the_order_of_rows() -> None:
    data = report_data()
    shuffled = dataclasses.replace(
        data,
        **{
            name: getattr(data, name).sample(fraction=1, shuffle=True, seed=3)
            for name in ("traces", "claims", "verdicts", "calls")
        },
    )
    assert render_html(data) == render_html(report_data())
    assert render_html(shuffled) == render_html(data)
    assert render_markdown(shuffled) == render_markdown(data)


def test_the_first_sentence_answers_by_a_judge_that_is_no_baseline() -> None:
    data = report_data(judges=("gpt", "lexical"), repeats=1)
    of = data.summary["judges"]["gpt"]
    low, high = of["interval"]
    assert (
        f"Over 2 systems together, judge gpt finds {100 * of['rate']:.1f}% of the rated statements supported by their "
        f"evidence (n = {of['rated']}; 95% interval {100 * low:.1f} to {100 * high:.1f}%)."
        in visible(render_html(data))
    )


def test_of_many_systems_the_lead_names_both_ends_and_every_total_says_that_it_is_one() -> None:
    data = report_data(16)
    spread = data.traces.with_columns(pipeline=pl.format("system {}", pl.int_range(pl.len()) % 8))
    data = dataclasses.replace(data, traces=spread, summary=summarise(data.verdicts, data.calls, spread))
    markdown = render_markdown(data).replace("\\", "")
    by_system = next(line for line in markdown.splitlines() if line.startswith("By system: "))
    assert by_system.count("system ") == 6
    captions = re.findall(r"\*\*(.+)\*\*", markdown)
    totals = [caption for caption in captions if " in rows, " not in caption and "by system" not in caption]
    assert totals
    assert [caption for caption in totals if not caption.endswith("all systems together")] == []


def test_a_baseline_is_called_one_in_every_table_that_names_it() -> None:
    for text in (visible(render_html(report_data())), render_markdown(report_data()).replace("\\", "")):
        named = re.findall(r"\blexical\b(?! \(baseline\))", text)
        assert named == []
        assert "gpt (baseline)" not in text


def test_each_rate_stands_with_its_n_interval_unscored_and_bounds() -> None:
    data = report_data()
    markdown = render_markdown(data)
    for pipeline, judges in data.summary["pipelines"].items():
        of = judges["gpt"]
        low, high = of["interval"]
        bottom, top = of["bounds"]
        line = (
            f"| {pipeline} | gpt | {100 * of['rate']:.1f}% | {100 * low:.1f} to {100 * high:.1f}% | {of['rated']} "
            f"| {sum(of['unscored'].values())} | {100 * bottom:.1f} to {100 * top:.1f}% |"
        )
        assert line in markdown


def test_what_is_undefined_is_said_in_words() -> None:
    data = report_data(2, judges=("gpt", "local"), repeats=1)
    verdicts = data.verdicts.with_columns(
        pl.when(pl.col("kind") == "statement").then(pl.lit("supported")).otherwise(pl.col("verdict")).alias("verdict"),
        status=pl.lit("scored"),
    ).filter(kind="statement")
    data = dataclasses.replace(data, verdicts=verdicts, summary=summarise(verdicts, data.calls, data.traces))
    assert data.summary["pairs"][0]["kappa"] is None
    row = next(line for line in render_markdown(data).splitlines() if line.startswith("| gpt | local |"))
    assert "100.0% | undefined | 1.000" in row


def test_an_unknown_price_is_unknown_and_estimated_tokens_are_marked() -> None:
    markdown = render_markdown(report_data(4, judges=("gpt", "local"), repeats=1))
    assert "| local | judge | 4 | 0 | ≈ 3,600 | ≈ 480 | unknown |" in markdown
    assert "| gpt | judge | 4 | 0 | 3,600 | 480 | 0.0112 |" in markdown


def test_a_report_without_verdicts_says_that_nothing_was_judged() -> None:
    data = report_data()
    nothing = data.verdicts.clear()
    empty = dataclasses.replace(
        data, verdicts=nothing, calls=data.calls.clear(), summary=summarise(nothing, data.calls.clear(), data.traces)
    )
    html = render_html(empty)
    assert f"Nothing was judged on {DAY}." in visible(html)
    assert len(unpacked(html)["answers"]) == 12
    assert f"Nothing was judged on {DAY}" in render_markdown(empty)


def test_a_report_without_any_answer_still_renders() -> None:
    data = report_data()
    none = {name: getattr(data, name).clear() for name in ("traces", "claims", "verdicts", "calls")}
    summary = summarise(none["verdicts"], none["calls"], none["traces"])
    assert unpacked(render_html(dataclasses.replace(data, summary=summary, **none)))["answers"] == []


def test_with_one_judge_the_page_says_that_there_is_nothing_to_compare() -> None:
    text = visible(render_html(report_data(judges=("gpt",))))
    assert "One judge took part." in text
    assert "Agreement of judges" not in text


def test_rows_of_other_dates_are_counted_and_not_shown() -> None:
    data = report_data()
    other = data.verdicts.with_columns(
        judging_date=pl.lit(DAY - dt.timedelta(days=1)), justification=pl.lit("of yesterday")
    )
    html = render_html(dataclasses.replace(data, verdicts=pl.concat([data.verdicts, other])))
    assert f"{data.verdicts.height} verdicts of other judging dates (1 date, the last: 2026-02-28)" in visible(html)
    assert "of yesterday" not in json.dumps(unpacked(html))


def test_late_and_flagged_verdicts_are_told_before_all_numbers() -> None:
    data = report_data()
    late = data.verdicts.with_columns(late=pl.lit(True), flags=pl.lit(["injection_in_claim"]))
    text = visible(render_html(dataclasses.replace(data, verdicts=late)))
    assert f"{late.height} verdicts were made after the judging date and marked late." in text
    assert f"{late.height} verdicts on 12 answers flagged: injection in claim." in text
    assert text.index("flagged") < text.index("Share of supported statements")


def test_answers_beyond_the_limit_are_counted_and_said_to_lie_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faithflow.report.payload.SHOWN_ANSWERS", 5)
    monkeypatch.setattr("faithflow.report.page.SHOWN_ANSWERS", 5)
    html = render_html(report_data(12))
    assert [answer["id"] for answer in unpacked(html)["answers"]] == ["q0", "q1", "q2", "q3", "q4"]
    assert "The page holds the first 5 answers by id; 7 more answers" in visible(html)
    assert payload_module.SHOWN_ANSWERS == 5


def test_ids_with_numbers_stand_in_their_order() -> None:
    ids = [answer["id"] for answer in payload(report_data(12))["answers"]]
    assert ids == [f"q{number}" for number in range(12)]


def test_the_payload_holds_each_passage_once_and_each_verdict_with_its_reason() -> None:
    data = report_data()
    packed = payload(data)
    assert [passage["id"] for passage in packed["passages"]] == ["p1", "https://example.org/lanes", "p3"]
    rulings = [ruling for answer in packed["answers"] for claim in answer["claims"] for ruling in claim["rulings"]]
    assert len(rulings) == data.verdicts.height
    reasons = data.verdicts.filter(pl.col("reason").is_not_null()).height
    assert sum("reason" in ruling for ruling in rulings) == reasons


def test_peoples_labels_reach_the_claims_that_they_are_on() -> None:
    first = payload(report_data())["answers"][0]
    assert first["labelled"] is True
    assert [claim["people"] for claim in first["claims"]][:3] == [[], [["ann", "supported"]], [["ann", "contradicted"]]]


def test_packing_is_lossless_but_for_lone_surrogates() -> None:
    value = {"a": "x\ud800\u2028</script>", "b": [1, None, 0.5, "\x00🚲"]}
    assert json.loads(gzip.decompress(base64.b64decode(pack(value)))) == {**value, "a": "x\ufffd\u2028</script>"}


@given(st.text())
def test_markdown_text_keeps_to_its_line_and_cell(text: str) -> None:
    escaped = escape(text)
    assert len(escaped.splitlines()) <= 1
    assert re.search(r"(?<!\\)(?:\\\\)*[|`<>]", escaped) is None


def test_markdown_tables_are_rectangular_with_hostile_names() -> None:
    lines = render_markdown(with_text(report_data(2), HOSTILE)).splitlines()
    tables = [line for line in lines if line.startswith("|")]
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in tables]
    rules = [index for index, line in enumerate(tables) if set(line) <= set("|-: ")]
    assert rules
    for index, end in zip(rules, [*[rule - 1 for rule in rules[1:]], len(tables)], strict=True):
        assert set(widths[index - 1 : end]) == {widths[index]}


def test_trends_are_drawn_for_each_judge_and_pipeline_over_two_dates_or_more() -> None:
    data = report_data()
    many = render_html(dataclasses.replace(data, trends=trend_rows(20)))
    assert many.count('<figure class="trend">') == 2
    assert "From 2026-02-10 to 2026-03-01" in visible(many)
    assert "trend" not in set(re.findall(r'<section id="(\w+)"', render_html(data)))
    assert "From night to night" not in visible(render_html(dataclasses.replace(data, trends=trend_rows(1))))


def test_the_night_before_stands_beside_the_answer() -> None:
    trends = pl.concat([trend_rows(2), frame("trends", [])])
    text = visible(render_html(dataclasses.replace(report_data(judges=("lexical",)), trends=trends)))
    assert "The date before, 2026-02-28: graph 69.8% (61.5 to 78.1%), vanilla 69.8% (61.5 to 78.1%)." in text


def test_each_table_has_a_caption_and_scoped_headers() -> None:
    html = render_html(report_data())
    tags = [tag for tag, _ in Tags(html).tags]
    assert tags.count("table") == tags.count("caption") > 8
    assert all(a.get("scope") in ("col", "row", "rowgroup") for tag, a in Tags(html).tags if tag == "th")
