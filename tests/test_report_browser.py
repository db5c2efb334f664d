"""The page in a real browser: it opens from a disk, asks for nothing, and its filters show what they say."""

import dataclasses
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from faithflow.metrics.faithfulness import summarise
from faithflow.report.data import ReportData
from faithflow.report.page import render_html
from tests.report_fixture import report_data, trend_rows

pytestmark = pytest.mark.browser

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium on the path: install the package chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


class Opened:
    """A page opened from a file, with all that it asked for and complained about."""

    def __init__(
        self, browser: Any, folder: Path, data: ReportData, *, script: str | None = None, hash_: str = ""
    ) -> None:
        path = folder / "report.html"
        path.write_text(render_html(data), encoding="utf-8")
        self.page = browser.new_page(viewport={"width": 1280, "height": 900})
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append("dialog"), dialog.dismiss()))
        if script:
            self.page.add_init_script(script)
        self.address = path.as_uri()
        self.page.goto(self.address + hash_)
        self.page.wait_for_selector("#filters:not([hidden]), #message:not([hidden])")

    def choose(self, name: str, value: str) -> None:
        self.page.select_option(f"select[name={name}]", value)
        # the form answers an input after a pause
        self.page.wait_for_function("value => location.hash.includes(value)", arg=f"{name}=")

    @property
    def status(self) -> str:
        return self.page.inner_text("#status")

    @property
    def shown(self) -> int:
        found = re.match(r"([\d,]+) statements? in", self.status)
        return int(found.group(1).replace(",", "")) if found else 0

    def claims(self) -> list[str]:
        return self.page.locator(".claims > li .count + .quoted").all_inner_texts()


@pytest.fixture(scope="module")
def data() -> ReportData:
    return report_data(12, ("gpt", "lexical"), 2)


@pytest.fixture
def opened(browser: Any, tmp_path: Path, data: ReportData) -> Iterator[Opened]:
    found = Opened(browser, tmp_path, data)
    yield found
    found.page.close()


def rows(data: ReportData, *conditions: pl.Expr) -> int:
    """How many claims have a verdict that meets all conditions."""
    return data.verdicts.filter(*conditions).select("trace_id", "claim_id").n_unique()


def test_the_page_opens_from_a_disk_and_asks_for_nothing_else(opened: Opened) -> None:
    assert opened.shown == 12 * 8
    assert opened.requests == [opened.address]
    assert opened.complaints == []


def test_each_filter_shows_the_statements_that_the_tables_hold(opened: Opened, data: ReportData) -> None:
    expected = {
        ("judge", "lexical"): rows(data, pl.col("judge") == "lexical"),
        ("verdict", "contradicted"): rows(data, pl.col("verdict") == "contradicted"),
        ("verdict", "rated"): rows(data, pl.col("verdict").is_not_null(), pl.col("kind") == "statement"),
        ("status", "unscored"): rows(data, pl.col("status") == "unscored"),
        ("status", "not_applicable:abstention"): rows(data, pl.col("status") == "not_applicable"),
        ("kind", "heading"): data.claims.filter(kind="heading").height,
        ("pipeline", "graph"): 6 * 8,
        ("stratum", "2-hop"): 4 * 8,
    }
    for (name, value), count in expected.items():
        opened.choose(name, value)
        assert (name, value, opened.shown) == (name, value, count)
        assert count
        opened.page.click("text=Clear filters")
    assert opened.shown == 12 * 8


def test_filters_on_one_verdict_hold_together(opened: Opened, data: ReportData) -> None:
    opened.choose("judge", "gpt")
    opened.choose("verdict", "supported")
    assert opened.shown == rows(data, pl.col("judge") == "gpt", pl.col("verdict") == "supported")


def test_disagreement_between_judges_is_on_supported_against_not(opened: Opened, data: ReportData) -> None:
    first = (
        data.verdicts.filter(status="scored", kind="statement")
        .sort("repeat")
        .group_by("trace_id", "claim_id", "judge", maintain_order=True)
        .agg((pl.col("verdict") == "supported").first().alias("says"))
    )
    differ = first.group_by("trace_id", "claim_id").agg(pl.col("says").n_unique().alias("n")).filter(pl.col("n") > 1)
    opened.choose("disagreement", "judges")
    assert opened.shown == differ.height > 0


def test_disagreement_with_people_is_what_the_summary_counts(opened: Opened, data: ReportData) -> None:
    opened.choose("disagreement", "people")
    opened.choose("judge", "lexical")
    (_, alone), (other, _) = next(pair for pair in data.summary["labels"] if pair["b"] == "lexical")["table"]
    assert opened.shown == alone + other > 0


def test_text_is_found_in_any_letter_case_and_in_justifications(opened: Opened) -> None:
    opened.page.fill("input[name=text]", "SAFETY plan")
    opened.page.wait_for_function("() => document.querySelector('#status').textContent.startsWith('96 ')")
    opened.page.fill("input[name=text]", "LEXICAL compared")
    opened.page.wait_for_function("() => !document.querySelector('#status').textContent.startsWith('96 ')")
    assert 0 < opened.shown < 96


def test_a_count_in_a_table_leads_to_what_it_counts(opened: Opened, data: ReportData) -> None:
    counts = data.summary["judges"]["lexical"]["counts"]
    link = opened.page.locator("#judges table").first.get_by_role("row", name="lexical").get_by_role("link").nth(2)
    assert link.inner_text() == str(counts["contradicted"])
    link.click()
    opened.page.wait_for_function("() => document.querySelector('select[name=verdict]').value === 'contradicted'")
    assert opened.shown == counts["contradicted"]


def test_an_address_with_filters_opens_filtered(browser: Any, tmp_path: Path, data: ReportData) -> None:
    opened = Opened(browser, tmp_path, data, hash_="#statements?judge=gpt&status=unscored%3Atimeout")
    assert opened.shown == rows(data, pl.col("judge") == "gpt", pl.col("reason") == "timeout")
    opened.page.close()


def test_filters_that_nothing_passes_say_so(opened: Opened) -> None:
    opened.page.fill("input[name=text]", "no such words")
    opened.page.wait_for_function("() => document.querySelector('#status').textContent.startsWith('No statement')")
    assert opened.page.locator("article").count() == 0


def test_spans_are_marked_where_they_are_although_the_text_holds_letters_beyond_the_basic_plane(opened: Opened) -> None:
    marks = opened.page.locator("article").first.locator(".answer-text mark").all_text_contents()
    assert marks[0] == "The scheme opens on 3 May 2027 for towns below 50 000 people."
    assert marks[3:5] == ["Το πρόγραμμα λήγει το 2030.", "यह योजना सभी नगरों के लिए है।"]


def test_a_number_in_the_text_opens_its_statement_by_keyboard(opened: Opened) -> None:
    article = opened.page.locator("article").first
    article.locator("button.number").first.focus()
    opened.page.keyboard.press("Enter")
    assert article.locator("details.claim[open] .ruling b").all_inner_texts() == [
        "ann (person)",
        "gpt",
        "gpt",
        "lexical (baseline)",
    ]


def test_evidence_that_a_judge_named_opens_its_passage(opened: Opened) -> None:
    article = opened.page.locator("article").first
    article.locator("button.number").first.click()
    article.locator("button.go").first.click()
    assert (
        article.locator(".passage[open] .quoted").inner_text() == "Towns below 50 000 people may apply from 3 May 2027."
    )


def test_only_the_web_address_of_a_passage_is_a_link_and_it_tells_nobody(opened: Opened) -> None:
    article = opened.page.locator("article").first
    for passage in article.locator(".passage summary").all():
        passage.click()
    links = article.locator("a")
    assert links.count() == 1
    assert links.get_attribute("href") == "https://example.org/lanes"
    assert links.get_attribute("rel") == "noopener noreferrer"


def test_hostile_text_stays_text_in_the_statements(browser: Any, tmp_path: Path, data: ReportData) -> None:
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script> javascript:alert(3)"
    changed = dataclasses.replace(
        data,
        traces=data.traces.with_columns(pl.lit(hostile).alias("question"), pl.lit(hostile * 9).alias("answer")),
        claims=data.claims.with_columns(pl.lit(hostile).alias("claim")),
        verdicts=data.verdicts.with_columns(
            pl.lit(hostile).alias("justification"), pl.lit([hostile]).alias("evidence_ids")
        ),
    )
    opened = Opened(browser, tmp_path, changed)
    opened.page.click("text=Unfold all verdicts")
    assert opened.page.locator("article h3").first.inner_text() == hostile
    assert opened.page.locator("#answers img, #answers script").count() == 0
    assert opened.complaints == []
    assert opened.requests == [opened.address]
    opened.page.close()


def test_a_browser_without_decompression_says_what_it_lacks(browser: Any, tmp_path: Path, data: ReportData) -> None:
    opened = Opened(browser, tmp_path, data, script="delete globalThis.DecompressionStream")
    assert "it lacks DecompressionStream" in opened.page.inner_text("#message")
    assert opened.page.locator("table").count() > 8
    opened.page.close()


def test_an_empty_report_opens(browser: Any, tmp_path: Path, data: ReportData) -> None:
    none = {name: getattr(data, name).clear() for name in ("traces", "claims", "verdicts", "calls")}
    summary = summarise(none["verdicts"], none["calls"], none["traces"])
    opened = Opened(browser, tmp_path, dataclasses.replace(data, summary=summary, **none))
    assert opened.status == "There is no answer to show."
    assert opened.complaints == []
    opened.page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 1280])
def test_the_page_never_scrolls_sideways(
    browser: Any, tmp_path: Path, data: ReportData, width: int, scheme: str
) -> None:
    opened = Opened(browser, tmp_path, dataclasses.replace(data, trends=trend_rows(20)))
    opened.page.emulate_media(color_scheme=scheme)
    opened.page.set_viewport_size({"width": width, "height": 900})
    opened.page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width
    opened.page.close()


def test_every_control_has_a_name(opened: Opened) -> None:
    nameless = opened.page.evaluate(
        """[...document.querySelectorAll('select, input, button, a, summary')]
           .filter(one => !(one.labels?.length || one.textContent.trim() || one.getAttribute('aria-label')))
           .map(one => one.outerHTML)"""
    )
    assert nameless == []


@pytest.mark.slow
def test_twenty_thousand_statements_open_in_pages_of_fifty_answers(browser: Any, tmp_path: Path) -> None:
    data = report_data(3_400, ("gpt", "lexical"), 1)
    long = pl.concat_str(pl.col("justification"), pl.col("claim_id"), pl.lit(" "), pl.col("trace_id")).alias(
        "justification"
    )
    data = dataclasses.replace(data, verdicts=data.verdicts.with_columns(long))
    assert data.claims.filter(pl.col("kind").is_in(["statement", "abstention"])).height > 20_000
    opened = Opened(browser, tmp_path, data)
    assert (tmp_path / "report.html").stat().st_size < 60_000_000
    assert opened.page.locator("article").count() == 50
    assert "in 3,000 of 3,000 answers, answers 1 to 50 here." in opened.status
    opened.page.locator("button:text('Next')").first.click()
    assert "answers 51 to 100 here." in opened.status
    opened.choose("verdict", "contradicted")
    assert 0 < opened.shown < 20_000
    assert opened.complaints == []
    opened.page.close()
