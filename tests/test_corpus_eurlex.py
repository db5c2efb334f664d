"""Acts of EUR-Lex as articles and recitals."""

import datetime as dt
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.corpus.document import CorpusContent, Link
from faithflow.corpus.eurlex import celex_of, named_articles, read_eurlex
from faithflow.corpus.source import SourceFile
from faithflow.errors import CorpusError

TITLE = "REGULATION (EU) 2031/77 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL of 3 May 2031 on harbour cranes"


def unit(kind: str, text: str, ref: str | None = None, article: str | None = None) -> dict[str, str | None]:
    return {"id": f"{kind}-{ref}", "type": kind, "ref": ref, "text": text, "article_number": article}


ACT = [
    unit("document_title", TITLE),
    unit("recital", "Cranes should be safe.", "(1)"),
    unit("article", "", "Article 1", "1"),
    unit("paragraph", "Operators shall, under Article 2(1), register:", "1.", "1"),
    unit("point", "tower cranes;", "(a)", "1"),
    unit("point", "gantry cranes.", "(b)", "1"),
    unit("subparagraph", "Registers are public.", None, "1"),
    unit("paragraph", "Article 4 of Directive 2009/138/EC applies.", "2.", "1"),
    unit("article", "", "Article 2", "2"),
    unit("paragraph", "This Article and Article 9 apply.", None, "2"),
    unit("article", "", "Article 3", "3"),
    unit("paragraph", "Regulation (EU) 2020/1 is amended as follows: in Article 1 the word is struck.", None, "3"),
]


def read(units: list[dict[str, str | None]]) -> CorpusContent:
    return read_eurlex([SourceFile("act.jsonl", "\n".join(map(json.dumps, units)).encode())])


def test_each_article_and_recital_is_a_document_of_the_act() -> None:
    content = read(ACT)
    assert [document.reference for document in content.documents] == [
        "32031R0077",
        "32031R0077 Recital 1",
        "32031R0077 Article 1",
        "32031R0077 Article 2",
        "32031R0077 Article 3",
    ]
    act, _, article, *_ = content.documents
    assert (act.title, act.text, act.date) == ("Regulation (EU) 2031/77", TITLE, dt.date(2031, 5, 3))
    assert article.title == "Regulation (EU) 2031/77, Article 1"
    assert article.source_url == "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:32031R0077"
    assert Link(article.reference, "part_of", act.reference) in content.links


def test_a_paragraph_with_its_points_is_a_block() -> None:
    assert read(ACT).documents[2].text == (
        "1. Operators shall, under Article 2(1), register:\n(a) tower cranes;\n(b) gantry cranes.\n\n"
        "Registers are public.\n\n2. Article 4 of Directive 2009/138/EC applies."
    )


def test_an_article_is_linked_to_the_articles_of_its_own_act_that_it_names() -> None:
    links = [link for link in read(ACT).links if link.relation == "references"]
    assert links == [Link("32031R0077 Article 1", "references", "32031R0077 Article 2")]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("in accordance with Article 6(4), in order to", ["6"]),
        ("Articles 5 to 7 of this Regulation shall not apply", ["5", "6", "7"]),
        ("Articles 38 and 39, respectively;", ["38", "39"]),
        ("Article 6(5) and Article 16(2).", ["6", "16"]),
        ("Article 20, first paragraph, point (a), point (ii), submit", ["20"]),
        ("referred to in Article 31(1), point (b) of this Regulation;", ["31"]),
        ("Article 32(4), points (a), (b) and (c), and to the JON", ["32"]),
        ("Articles 31(6) and 43(2) shall be conferred", ["31", "43"]),
        ("Article 2(5), points (4) to (23), of Directive 2013/36/EU", []),
        ("Article 2, point (10), and Article 22 of Directive 2013/34/EU;", []),
        ("Articles 10 to 14 of Regulations (EU) No 1093/2010", []),
        ("Article 127(2) TFEU, should be exempted", []),
        ("Article 101 of the Treaty", []),
        ("Article 2(1), points (34) to (36) thereof", []),
        ("Article 4 of that Directive", []),
    ],
)
def test_articles_of_other_acts_are_not_taken_for_the_acts_own(text: str, numbers: list[str]) -> None:
    assert named_articles(text) == numbers


@given(st.text(alphabet="Articles 0123456789()ab,toandf", max_size=200))
def test_any_text_names_articles_by_number(text: str) -> None:
    assert all(number.isdigit() for number in named_articles(text))


@pytest.mark.parametrize(
    ("title", "celex"),
    [
        ("REGULATION (EU) 2022/2554 OF THE", "32022R2554"),
        ("Regulation (EU) No 600/2014 of the", "32014R0600"),
        ("DIRECTIVE 2014/65/EU OF THE", "32014L0065"),
        ("Directive 95/46/EC", "31995L0046"),
        ("COUNCIL DECISION (CFSP) 2019/797", "32019D0797"),
        ("Notes on nothing", None),
    ],
)
def test_the_celex_number_follows_from_the_title(title: str, celex: str | None) -> None:
    assert celex_of(title) == celex


def test_an_act_without_a_known_title_is_named_by_its_file() -> None:
    assert [document.reference for document in read(ACT[1:2]).documents] == ["act", "act Recital 1"]


def test_a_unit_of_another_form_is_refused_with_its_line() -> None:
    with pytest.raises(CorpusError, match=r'act.jsonl, line 2: a unit needs "id"'):
        read([ACT[0], {"text": "x"}])
    with pytest.raises(CorpusError, match="no articles or recitals"):
        read(ACT[:1])
