"""The Press Corner's addresses, parameters and replies."""

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.corpus.document import Document
from faithflow.corpus.press_corner import (
    LICENCE,
    PressCornerReplyError,
    Skipped,
    day_of,
    language_of,
    parse_document,
    parse_search,
    reference_of,
    search_parameters,
    url_of,
    windows,
)
from tests.press_corner_server import PHANTOM, Release

DAY = dt.date(2026, 9, 18)


def document(html: str = "<p>Some text.</p>", reference: str = "IP/26/1900", **changes: Any) -> Document | Skipped:
    return parse_document(
        Release(reference, "A title", DAY, html, changes=changes).payload, reference, "en", ["harbours"]
    )


def version(**changes: Any) -> dict[str, Any]:
    return {**Release("IP/26/1900", "A title", DAY).payload["docuLanguageResource"], **changes}


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("https://ec.europa.eu/commission/presscorner/detail/en/ip_26_1900", "IP/26/1900"),
        ("https://ec.europa.eu/commission/presscorner/detail/FR/SPEECH_26_1968?x=1#top", "SPEECH/26/1968"),
        ("ip_26_1900", "IP/26/1900"),
        ("IP/26/1900", "IP/26/1900"),
        ("mex_18_s5678", "MEX/18/S5678"),
        ("https://ec.europa.eu/commission/presscorner/home/en", None),
        ("https://example.org/news/ip-26-1900", None),
        ("../../etc/passwd", None),
        ("", None),
    ],
)
def test_a_reference_is_read_from_an_address_a_slug_or_itself(name: str, reference: str | None) -> None:
    assert reference_of(name) == reference


@settings(deadline=None)
@given(st.from_regex(r"[A-Z]{1,10}/\d{2}/[A-Z]?\d{1,5}", fullmatch=True), st.sampled_from(["en", "fr", "de"]))
def test_a_public_address_gives_its_reference_and_language_back(reference: str, language: str) -> None:
    assert reference_of(url_of(reference, language)) == reference
    assert language_of(url_of(reference, language)) == language


def test_a_document_keeps_what_is_known_of_it() -> None:
    found = document("<p>One</p><ul><li>two</li></ul>")
    assert found == Document(
        reference="IP/26/1900",
        kind="press_release",
        title="A title",
        text="One\n\n- two",
        date=DAY,
        language="en",
        source_url="https://ec.europa.eu/commission/presscorner/detail/en/ip_26_1900",
        licence=LICENCE,
        access="public",
        valid_from=DAY,
        topics=("harbours",),
    )


@pytest.mark.parametrize(
    ("reference", "resource", "kind"),
    [
        ("STATEMENT/26/1", {"code": "STATEMENT"}, "statement"),
        ("SPEECH/26/1", None, "speech"),
        ("IP/26/1", [], "press_release"),
        ("XYZ/26/1", {"code": "XYZ", "description": "Some Other kind"}, "some_other_kind"),
        ("XYZ/26/1", {"code": 7, "description": None}, "xyz"),
    ],
)
def test_the_kind_is_that_of_the_types_code_or_the_reference(reference: str, resource: object, kind: str) -> None:
    found = document(reference=reference, docutypeResource=resource)
    assert isinstance(found, Document)
    assert found.kind == kind


def test_a_subtitle_that_says_more_is_added_to_the_title() -> None:
    for title, subtitle, whole in (
        ("Harbour &amp; ships", "harbour & ships", "Harbour & ships"),
        ("Harbours", "Twelve <em>million</em> for quays", "Harbours – Twelve million for quays"),
        (None, "Only this", "Only this"),
        (None, None, "IP/26/1900"),
    ):
        found = document(docuLanguageResource=version(title=title, subtitle=subtitle))
        assert isinstance(found, Document)
        assert found.title == whole


def test_a_document_under_embargo_has_an_access_label_of_its_own() -> None:
    found = document(isEmbargo=True)
    assert isinstance(found, Document)
    assert found.access == "embargo"


def test_the_language_is_the_one_that_the_reply_has() -> None:
    found = document(docuLanguageResource=version(language="FR"))
    assert isinstance(found, Document)
    assert (found.language, found.source_url) == ("fr", url_of("IP/26/1900", "fr"))


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (None, "null"),
        ([], "a list"),
        ("text", "a str"),
        ({**Release("IP/26/1900", "T", DAY).payload, "docuLanguageResource": None}, "language 'en'"),
        ({**Release("IP/26/1900", "T", DAY).payload, "docuLanguageResource": version(htmlContent="")}, "PDF alone"),
        ({**Release("IP/26/1900", "T", DAY).payload, "docuLanguageResource": version(htmlContent=None)}, "PDF alone"),
        (
            {
                **Release("IP/26/1900", "T", DAY).payload,
                "docuLanguageResource": version(htmlContent="<p> </p>", hasPdf=0),
            },
            "no text",
        ),
        (Release("IP/26/1901", "T", DAY).payload, "another document, IP/26/1901"),
    ],
)
def test_a_reply_without_a_text_is_skipped_with_its_reason(payload: object, reason: str) -> None:
    found = parse_document(payload, "IP/26/1900", "en")
    assert isinstance(found, Skipped)
    assert reason in found.reason


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2026-09-18", DAY),
        ("2026-09-18T23:47:46.000+02:00", DAY),
        ("18/09/2026", DAY),
        ("18.9.2026 10:00", DAY),
        ("18092026", DAY),
        (1789689600000, dt.date(2026, 9, 18)),
        ("2026-13-01", None),
        ("soon", None),
        (True, None),
        (10**30, None),
        (None, None),
        ({}, None),
    ],
)
def test_days_are_read_in_every_form_that_replies_have(value: object, day: dt.date | None) -> None:
    assert day_of(value) == day


def test_without_a_day_of_the_event_that_of_the_publication_counts() -> None:
    found = document(eventDate=None)
    assert isinstance(found, Document)
    assert found.date == found.valid_from == DAY


def test_a_search_page_counts_entries_that_name_no_document() -> None:
    entries = [Release("IP/26/1", "One", DAY).entry, PHANTOM, "noise", {"refCode": 7}, {"refCode": "not one"}]
    page = parse_search({"totalNumber": 99, "docuLanguageListResources": entries})
    assert (page.total, page.entries, [item.reference for item in page.items]) == (99, 5, ["IP/26/1"])


@pytest.mark.parametrize(
    "payload", [None, [], "x", 7, {}, {"docuLanguageListResources": None}, {"docuLanguageListResources": {}}]
)
def test_what_is_no_search_page_is_an_error_and_never_an_empty_page(payload: object) -> None:
    with pytest.raises(PressCornerReplyError):
        parse_search(payload)


def test_a_long_time_is_cut_into_calendar_months_newest_first() -> None:
    since, until = dt.date(2025, 11, 15), dt.date(2026, 2, 3)
    assert windows(since, until) == [
        (dt.date(2026, 2, 1), until),
        (dt.date(2026, 1, 1), dt.date(2026, 1, 31)),
        (dt.date(2025, 12, 1), dt.date(2025, 12, 31)),
        (since, dt.date(2025, 11, 30)),
    ]
    assert windows(None, until) == [(None, until)]
    assert windows(until, since) == []


@settings(deadline=None)
@given(st.dates(dt.date(2000, 1, 1), dt.date(2030, 1, 1)), st.integers(0, 900))
def test_the_windows_hold_each_day_of_a_time_once(since: dt.date, days: int) -> None:
    until = since + dt.timedelta(days=days)
    held = [
        start + dt.timedelta(days=i)
        for start, end in windows(since, until)
        if start and end
        for i in range((end - start).days + 1)
    ]
    assert sorted(held) == [since + dt.timedelta(days=i) for i in range(days + 1)]


def test_parameters_are_spelled_as_the_server_knows_them() -> None:
    assert search_parameters("US tariffs", DAY, None, "EN", ("IP", "STATEMENT"), 2) == {
        "language": "en",
        "global": "US tariffs",
        "pagesize": "100",
        "pagenumber": "2",
        "documentTypeCodes": "IP,STATEMENT",
        "datefrom": "18092026",
    }


_JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=10)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["refCd", "docuLanguageResource", "htmlContent", "title", "language", "eventDate", "code"]),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=15,
)


@settings(deadline=None)
@given(_JSON)
def test_no_reply_makes_the_reader_raise(payload: object) -> None:
    found = parse_document(payload, "IP/26/1900", "en")
    assert found.reference == "IP/26/1900"


@pytest.mark.data
def test_real_replies_are_read(data: Path) -> None:
    folder = data / "presscorner"
    page = parse_search(json.loads((folder / "search_response_4items.json").read_text(encoding="utf-8")))
    assert (page.total, page.entries, len(page.items)) == (130_937, 4, 4)
    assert (page.items[2].reference, page.items[2].date) == ("IP/26/1954", dt.date(2026, 9, 23))
    reply = json.loads((folder / "documents_IP_26_1900_truncated.json").read_text(encoding="utf-8"))
    found = parse_document(reply, "IP/26/1900", "en")
    assert isinstance(found, Document)
    assert (found.kind, found.date, found.language) == ("press_release", DAY, "en")
    assert "€90 billion Ukraine Support Loan" in found.text
    assert "“Today" in found.text
    assert len(found.text.split("\n\n")) == 2
