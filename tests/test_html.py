"""HTML to text: what a reader sees, and nothing that breaks on broken markup."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.text.html import text_of_fragment, title_of


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<h2>Head</h2>Body <b>of</b> it<div>next</div>", "Head\n\nBody of it\n\nnext"),
        ("plain words", "plain words"),
        ("<p>a<br>b<br><br>c</p>", "a\nb\n\nc"),
        ("<p>CO<sub>2</sub> and <em>10</em><sup>th</sup></p>", "CO2 and 10th"),
        ("<p>  white \n\t space&nbsp;&nbsp;here </p>", "white space here"),
        ("<p>soft&shy;ware\u200b</p>", "software"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_blocks_are_parted_by_blank_lines_and_white_space_is_collapsed(html: str, text: str) -> None:
    assert text_of_fragment(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<ul><li>a</li><li>b</li></ul>after", "- a\n- b\n\nafter"),
        ("<ol><li>a<ul><li>b</li></ul></li><li><p>c</p><p>more of c</p></li></ol>", "- a\n- b\n- c\n\nmore of c"),
        ("<ul><li><li>b</ul>", "- b"),
    ],
)
def test_list_items_are_lines_with_a_dash(html: str, text: str) -> None:
    assert text_of_fragment(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            "<table><caption>C</caption><tr><th>A</th><th>B</th></tr><tr><td>1</td><td><p>2</p><p>3</p></td></tr></table>",
            "C\n\nA | B\n1 | 2 3",
        ),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a | b\nc | d"),
        ("<table><tr><td>x</td><td><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>", "x | 1 | 2"),
        ("<table><tr><td>a</td><td>b<br>c", "a | b c"),
        ("<tr><tr><td>a</td><td>b</td></tr></tr>z", "a | b\n\nz"),
    ],
)
def test_table_rows_are_lines_with_bars_between_their_cells(html: str, text: str) -> None:
    assert text_of_fragment(html) == text


def test_a_table_that_only_lays_out_the_page_keeps_its_paragraphs() -> None:
    assert text_of_fragment("<table><tr><td><p>One</p><p>Two</p></td><td></td></tr></table>") == "One\n\nTwo"


def test_cells_nested_without_end_lose_no_text() -> None:
    depth = 60
    html = "".join(f"<table><tr><td>left{i}</td><td>right{i}" for i in range(depth))
    words = text_of_fragment(html)
    assert all(f"left{i}" in words and f"right{i}" in words for i in range(depth))
    assert text_of_fragment(html + "</td></tr></table>" * depth + "<p>end</p>").endswith("\n\nend")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>&euro;3.3 &ldquo;billion&rdquo; &#8364; &#x20AC;</p>", "€3.3 “billion” € €"),
        ("<p>a&amp;nbsp;b&amp;euro; AT&amp;T &amp;amp; R&amp;D</p>", "a b€ AT&T & R&D"),
        ("<p>a &unknownentity; b &#xD800; &#0;</p>", "a &unknownentity; b � �"),
    ],
)
def test_entities_are_decoded_also_where_they_were_escaped_twice(html: str, text: str) -> None:
    assert text_of_fragment(html) == text


def test_scripts_styles_comments_and_titles_are_no_text() -> None:
    html = (
        "<html><head><title>T</title><style>p{}</style></head><body><p>a</p><!-- <p>c</p> --><script>'<p>'</script>"
        "<noscript>n</noscript><svg><text>s</text><title>t</title></svg><template><p>t</p></template><p>z</p></body></html>"
    )
    assert text_of_fragment(html) == "a\n\nz"


def test_preformatted_lines_stay_lines() -> None:
    assert text_of_fragment("<pre>one\n  two</pre><p>three\nfour</p>") == "one\ntwo\n\nthree four"


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> A &amp; B\n c</title><h1>H</h1>", "A & B c"),
        ("<svg><title>icon</title></svg><title>Page</title>", "Page"),
        ("<h1>The <em>head</em></h1><h1>second</h1>", "The head"),
        ("<title></title><p>text</p>", ""),
        ("", ""),
    ],
)
def test_a_title_is_the_pages_own_or_its_first_heading(html: str, title: str) -> None:
    assert title_of(html) == title


def test_tags_nested_a_hundred_thousand_deep_are_read() -> None:
    assert text_of_fragment("<div>" * 100_000 + "deep" + "</div>" * 100_000 + "<p>after</p>") == "deep\n\nafter"
    assert text_of_fragment("<table><tr><td>" * 20_000 + "deep") == "deep"


_TAGS = st.sampled_from(("p", "li", "ul", "td", "tr", "table", "br", "title", "script", "pre", "h1"))
_OTHER = st.sampled_from(("&", "&amp;nbsp;", "<!--", "-->", "<", "\x00", "\ud800"))
_MARKUP = st.lists(
    st.one_of(_TAGS.map("<{}>".format), _TAGS.map("</{}>".format), _OTHER, st.text(max_size=8)), max_size=40
).map("".join)


@settings(deadline=None)
@given(_MARKUP)
def test_any_markup_gives_trimmed_text_without_a_raise(html: str) -> None:
    text = text_of_fragment(html)
    assert text == text.strip()
    assert not re.search(r"\n{3,}|[^\S\n]{2,}|[^\S\n]\n", text)
    assert title_of(html) == title_of(html).strip()


@settings(deadline=None)
@given(st.lists(st.text("abc", min_size=1, max_size=5), min_size=1, max_size=8))
def test_every_cell_of_a_table_is_in_its_row(cells: list[str]) -> None:
    html = "<table><tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr></table>"
    assert text_of_fragment(html) == " | ".join(cells)
