"""The main text of a web page: without navigation, advertisements and footers."""

import functools
import logging

from faithflow.retrieval.model import WebPage
from faithflow.text.html import text_of_fragment, title_of

# Beyond so many characters or tags trafilatura takes more than its share: a minute for a table of 60,000 rows.
_MOST_CHARACTERS = 1_000_000
_MOST_TAGS = 20_000


def page_of(html: str, url: str) -> WebPage:
    """The page's main text, title and date (ISO, "" where it names none) by trafilatura; `text` is "" where the page
    shows none. Where no main text is told from the rest, and for pages over a million characters or 20,000 tags, it is
    all the text.

    Blocks, list items and table rows come as `faithflow.text.html.text_of_fragment` writes them.
    """
    # trafilatura reads nothing beyond a NUL
    html = html.replace("\x00", "")
    is_large = len(html) > _MOST_CHARACTERS or html.count("<") > _MOST_TAGS
    title, date, text = ("", "", "") if is_large else _main_part(html, url)
    return WebPage(url, title or title_of(html), text or text_of_fragment(html), date)


def _main_part(html: str, url: str) -> tuple[str, str, str]:
    _keep_quiet()
    from trafilatura import extract_with_metadata

    try:
        found = extract_with_metadata(
            html,
            url=url,
            output_format="html",
            include_comments=False,
            # without it, emphasis and line breaks would be lost together
            include_formatting=True,
            date_extraction_params={"extensive_search": False, "original_date": True, "outputformat": "%Y-%m-%d"},
        )
    except Exception:
        # a library that guesses at the web's markup fails in ways of its own; the page has text all the same
        return "", "", ""
    if found is None:
        return "", "", ""
    return " ".join((found.title or "").split()), found.date or "", text_of_fragment(found.text or "")


@functools.cache
def _keep_quiet() -> None:
    """What the libraries say of a page that is not well formed is nobody's business."""
    for name in ("trafilatura", "htmldate"):
        logging.getLogger(name).addHandler(logging.NullHandler())
