"""The web kept in a file: ranked by BM25, the same in every run."""

import asyncio
import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.errors import CorpusError
from faithflow.retrieval.model import WebError, WebPage, WebResult
from resources.web_snapshot import SnapshotWeb, read_pages

PAGES = [
    WebPage(
        "https://a.example/1", "Harbour deal", "The harbours signed a deal. It covers twelve cranes.", "2025-03-04"
    ),
    WebPage("https://a.example/2", "Rail deal", "The railways signed nothing yet."),
    WebPage("https://a.example/3", "Cranes", "Cranes are birds. Some cranes are machines in a harbour."),
]


def search(query: str, k: int = 5, pages: list[WebPage] = PAGES) -> list[WebResult]:
    return asyncio.run(SnapshotWeb(pages).search(query, k))


def urls(query: str, k: int = 5, pages: list[WebPage] = PAGES) -> list[str]:
    return [result.url[-1] for result in search(query, k, pages)]


def test_pages_are_ranked_by_the_words_that_they_share_with_the_query() -> None:
    assert urls("How many cranes does the harbour deal cover?") == ["1", "3", "2"]
    assert urls("railway") == ["2"]
    assert urls("cranes", 1) == ["3"]


def test_a_query_that_shares_no_content_word_finds_nothing() -> None:
    assert urls("the of and it") == []
    assert urls("whales") == []
    assert urls("") == []
    assert search("anything", pages=[]) == []


def test_the_snippet_is_the_sentence_with_the_most_words_of_the_query() -> None:
    assert search("twelve cranes covered")[0] == WebResult(
        "https://a.example/1", "Harbour deal", "It covers twelve cranes."
    )


def test_the_scores_are_those_of_bm25() -> None:
    # one term, in one of two pages of 3 and 1 terms: idf ln(1 + 1.5 / 1.5), k1 1.2, b 0.75, mean length 2
    web = SnapshotWeb([WebPage("u1", "", "quay quay crane"), WebPage("u2", "", "rail")])
    length = 1.2 * (1 - 0.75 + 0.75 * 3 / 2)
    assert web._score({"quay"}, web._terms["u1"]) == pytest.approx(math.log(2) * 2 * 2.2 / (2 + length))


@settings(deadline=None)
@given(st.permutations(PAGES + [WebPage(f"https://b.example/{i}", "Same", "One deal.") for i in range(4)]))
def test_the_order_of_the_pages_leaves_no_trace(pages: list[WebPage]) -> None:
    assert search("deal of harbours", 10, pages) == search("deal of harbours", 10, sorted(pages, key=lambda p: p.url))


def test_a_page_is_had_by_its_address_alone() -> None:
    web = SnapshotWeb([*PAGES, WebPage("https://a.example/1", "A later one", "Other text.")])
    assert asyncio.run(web.fetch("https://a.example/1")) == PAGES[0]
    with pytest.raises(WebError, match="not among the 3 pages"):
        asyncio.run(web.fetch("https://a.example/9"))


def test_pages_are_read_from_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text(
        '{"url": "https://a.example/1", "title": "T", "text": "Words", "date": "2025-01-02"}\n\n'
        '{"url": "https://a.example/2", "title": "", "text": "More"}\n',
        encoding="utf-8",
    )
    assert read_pages(path) == [
        WebPage("https://a.example/1", "T", "Words", "2025-01-02"),
        WebPage("https://a.example/2", "", "More", ""),
    ]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (
            [{"url": "u", "title": "t", "text": "x"}, {"url": "u", "title": "t"}],
            r'line 2: a web page needs text under "text"',
        ),
        ([{"url": 7, "title": "t", "text": "x"}], 'under "url"'),
        (["text"], "line 1"),
    ],
)
def test_a_line_that_is_no_page_is_named(tmp_path: Path, lines: list[object], says: str) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    with pytest.raises(CorpusError, match=says):
        read_pages(path)


def test_a_file_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="cannot be read"):
        read_pages(tmp_path / "none.jsonl")
