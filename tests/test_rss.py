"""Feeds: which documents there are, and feeds that mean harm."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.corpus.rss import Feed, FeedItem, parse_feed
from faithflow.errors import CorpusError

URL = "https://feeds.example.org/news/rss.xml"


def feed(*items: str, head: str = "") -> bytes:
    channel = f"<channel><title>News</title>{''.join(items)}</channel>"
    return f'<?xml version="1.0"?>{head}<rss version="2.0">{channel}</rss>'.encode()


def item(link: str = "", title: str = "A title", date: str = "", rest: str = "") -> str:
    return f"<item><title>{title}</title><link>{link}</link><pubDate>{date}</pubDate>{rest}</item>"


def only(body: bytes) -> FeedItem:
    (found,) = parse_feed(body, URL).items
    return found


def test_an_item_of_the_press_corner_is_known_by_its_reference_and_language() -> None:
    address = "https://ec.europa.eu/commission/presscorner/detail/fr/ip_26_1707"
    found = only(feed(item(address, "Le titre", "Fri, 18 Sep 2026 09:47:46 +0200")))
    assert found == FeedItem(address, "Le titre", dt.date(2026, 9, 18), "IP/26/1707", "fr")


def test_another_address_has_no_reference_even_if_it_looks_like_one() -> None:
    assert only(feed(item("https://blog.example.org/ip_26_1707"))).reference is None


def test_the_description_is_no_part_of_what_is_read() -> None:
    found = only(feed(item("https://a.example/1", rest="<description>the excerpt</description>")))
    assert "excerpt" not in repr(found)


@pytest.mark.parametrize(
    ("rest", "address"),
    [
        ("<guid>https://a.example/guid</guid>", "https://a.example/guid"),
        ('<guid isPermaLink="false">https://a.example/guid</guid>', None),
        ("<guid>javascript:alert(1)</guid>", None),
        ("<guid>file:///etc/passwd</guid>", None),
        ("<guid>http://[broken</guid>", None),
        ("", None),
    ],
)
def test_without_a_link_the_guid_is_the_address_where_it_is_one(rest: str, address: str | None) -> None:
    parsed = parse_feed(feed(item(rest=rest)), URL)
    assert [found.url for found in parsed.items] == ([address] if address else [])
    assert parsed.without_address == (0 if address else 1)


def test_relative_addresses_are_resolved_and_repeated_ones_come_once() -> None:
    parsed = parse_feed(feed(item("../a?x=1&amp;y=2", "First"), item("/a?x=1&amp;y=2", "Again"), item("/b")), URL)
    assert [(found.url, found.title) for found in parsed.items] == [
        ("https://feeds.example.org/a?x=1&y=2", "First"),
        ("https://feeds.example.org/b", "A title"),
    ]


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("Fri, 18 Sep 2026 23:59:59 GMT", dt.date(2026, 9, 18)),
        ("18 Sep 26 00:10 +0200", dt.date(2026, 9, 18)),
        ("2026-09-18T09:47:46Z", dt.date(2026, 9, 18)),
        ("some day", None),
        ("Fri, 99 Sep 2026 00:00:00 GMT", None),
        ("", None),
    ],
)
def test_dates_are_read_in_the_forms_that_feeds_use(written: str, day: dt.date | None) -> None:
    assert only(feed(item("https://a.example/1", date=written))).date == day


def test_a_title_with_escaped_marks_is_plain() -> None:
    body = feed(
        item("https://a.example/1", "&lt;b&gt;Tariffs&lt;/b&gt; &amp;amp; more"),
        item("https://a.example/2", "<![CDATA[A & B]]>"),
    )
    assert [found.title for found in parse_feed(body, URL).items] == ["Tariffs & more", "A & B"]


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))


@pytest.mark.parametrize(
    "head",
    [
        f'<!DOCTYPE rss [<!ENTITY l0 "ha">{LAUGHS}]>',
        '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE rss [<!ENTITY % x SYSTEM "http://127.0.0.1:9/evil.dtd">]>',
    ],
)
def test_a_feed_that_declares_entities_is_refused(head: str) -> None:
    with pytest.raises(CorpusError, match="declares entities"):
        parse_feed(feed(item("https://a.example/1", "&x;" if "&x" in head else "t"), head=head), URL)


def test_an_external_entity_is_never_read(tmp_path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("SECRET")
    head = f'<!DOCTYPE rss [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    with pytest.raises(CorpusError) as error:
        parse_feed(feed(item("https://a.example/1", "&x;"), head=head), URL)
    assert "SECRET" not in str(error.value)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not xml",
        b"<html><body>A page</body></html>",
        b'<feed xmlns="http://www.w3.org/2005/Atom"/>',
        b"<rss version='2.0'><channel><item>",
        b"<rss version='2.0'/>",
        b"<a>" * 100_000,
        b"\x00\xff\xfe",
    ],
)
def test_what_is_no_rss_is_a_clear_error_that_names_the_address(body: bytes) -> None:
    with pytest.raises(CorpusError, match=r"feeds\.example\.org"):
        parse_feed(body, URL)


def test_an_old_document_type_and_leading_blank_lines_do_no_harm() -> None:
    head = '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://127.0.0.1:9/rss.dtd">'
    assert only(b"\n\n " + feed(item("https://a.example/1"), head=head)).url == "https://a.example/1"


@settings(deadline=None)
@given(st.text(), st.text(), st.text())
def test_any_words_in_an_item_are_read_or_refused_clearly(title: str, link: str, date: str) -> None:
    import html

    try:
        parsed = parse_feed(feed(item(html.escape(link), html.escape(title), html.escape(date))), URL)
    except (CorpusError, UnicodeEncodeError):
        return
    assert isinstance(parsed, Feed)
    assert len(parsed.items) + parsed.without_address == 1
