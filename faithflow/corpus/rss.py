"""RSS 2.0 feeds: which documents there are. A feed's descriptions are excerpts and never stand for a document."""

import datetime as dt
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from faithflow.corpus.press_corner import SITE, day_of, language_of, reference_of
from faithflow.errors import CorpusError
from faithflow.text.html import text_of_fragment


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One entry of a feed. `reference` and `language` are set where its address is one of the Press Corner's."""

    url: str
    title: str
    date: dt.date | None
    reference: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """The entries of a feed in its order, each address once; `without_address` counts those that point nowhere."""

    title: str
    items: tuple[FeedItem, ...]
    without_address: int


def parse_feed(body: bytes, url: str) -> Feed:
    """Read a feed; `url` is where it was found, against which its addresses are resolved.

    An entry's address is its link, else its guid where that is one. Entities that the feed itself declares are not
    expanded but refused, and nothing is fetched. Raises CorpusError where this is no RSS 2.0.
    """
    channel = _channel(body, url)
    items: dict[str, FeedItem] = {}
    without_address = 0
    for entry in channel.iterfind("item"):
        address = _address(entry, url)
        if address is None:
            without_address += 1
            continue
        item = FeedItem(address, _text(entry, "title"), _day(_text(entry, "pubDate")))
        language = language_of(address) if _is_press_corner(address, url) else None
        if language is not None:
            item = replace(item, reference=reference_of(address), language=language)
        items.setdefault(address, item)
    return Feed(_text(channel, "title"), tuple(items.values()), without_address)


def _channel(body: bytes, url: str) -> Any:
    from lxml.etree import XMLParser, XMLSyntaxError, fromstring

    parser = XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
    try:
        root = fromstring(body.lstrip(), parser)
    except (XMLSyntaxError, ValueError) as error:
        raise CorpusError(f"{url}: no readable RSS 2.0 feed: {error}; give the address of the feed itself") from None
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise CorpusError(f"{url}: the feed declares entities of its own, which are not expanded; it is not read")
    channel = root.find("channel") if root.tag == "rss" else None
    if channel is None:
        raise CorpusError(f"{url}: an XML document {root.tag!r}, no RSS 2.0 feed; give the address of the feed itself")
    return channel


def _address(entry: Any, feed_url: str) -> str | None:
    guid = entry.find("guid")
    found = entry.findall("link")
    if guid is not None and guid.get("isPermaLink", "true").strip().lower() != "false":
        found.append(guid)
    for element in found:
        # an address is no HTML: &copy= within it is a parameter, and no sign
        name = (element.text or "").strip().replace("&amp;", "&")
        try:
            address = urljoin(feed_url, name)
            parts = urlsplit(address)
        except ValueError:
            continue
        if name and parts.scheme in ("http", "https") and parts.netloc:
            return address
    return None


def _is_press_corner(address: str, feed_url: str) -> bool:
    """Whether it is an address of the Press Corner, or of the feed's own server in its place; not one of strangers that
    looks like it, or has it in a query."""
    parts, site = urlsplit(address), urlsplit(SITE)
    return parts.hostname in (site.hostname, urlsplit(feed_url).hostname) and parts.path.startswith(site.path)


def _text(parent: Any, name: str) -> str:
    """The text of a child element, on one line; feeds write HTML there, escaped once or twice."""
    return " ".join(text_of_fragment(parent.findtext(name) or "").split())


def _day(text: str) -> dt.date | None:
    """The day of an RFC 822 date in its own time zone, or of an ISO one."""
    try:
        return parsedate_to_datetime(text).date()
    except (ValueError, TypeError, IndexError):
        return day_of(text)
