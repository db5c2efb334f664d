"""What a question asks the graph for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.graph.model import Edge, Fact
from faithflow.graph.terms import matched_terms, ranked_facts, search_terms


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ('Who states "boundary value"?', {"boundary value", "boundary", "value", "states"}),
        ("What does IP/26/1900 say?", {"ip/26/1900", "say"}),
        ("Does SRD-012 derive from REQ-TRAQ-SWH-1?", {"srd-012", "req-traq-swh-1", "derive"}),
        ("What is in Regulation 2016/679?", {"regulation", "2016/679"}),
        ("Who was fined €4.3 billion?", {"€4.3 billion", "fined"}),
        ("Is the limit 300 km/h or 12.5 %?", {"300 km/h", "12.5 %", "limit"}),
        ("What happened in 1994?", {"1994", "happened"}),
        ("Who led the European Commission?", {"european commission", "european", "commission", "led"}),
        ("Where is the Bank of England?", {"bank of england", "bank", "england"}),
        ("Did Meta and Apple pay?", {"meta and apple", "meta", "apple", "pay"}),
        ("When was Lilli's Marriage shot?", {"lilli's marriage", "lilli", "marriage", "shot"}),
        ("欧盟的罚款", {"欧盟", "盟的", "的罚", "罚款"}),
        ("What is it?", set()),
        ("", set()),
    ],
)
def test_the_terms_of_a_question(question: str, terms: set[str]) -> None:
    assert set(search_terms(question)) == terms


def test_the_pieces_of_an_identifier_are_no_terms() -> None:
    assert not {"req", "traq", "swh", "1"} & set(search_terms("Does REQ-TRAQ-SWH-1 hold?"))


def test_short_words_are_terms_only_where_there_is_no_other() -> None:
    assert search_terms("EU") == ("eu",)
    assert "eu" not in search_terms("Which EU law holds?")


@given(st.text(max_size=300))
def test_terms_are_lower_case_distinct_longest_first_and_few(question: str) -> None:
    terms = search_terms(question)
    assert list(terms) == sorted(set(terms), key=lambda term: (-len(term), term))
    assert all(term and term == term.lower() and term == term.strip() for term in terms)
    assert len(terms) <= 24


@pytest.mark.parametrize("piece", ["_a1", "(1.", "A and ", "'a ", "1,", "IP/", '"a', "a.-", "A "])
def test_a_hostile_question_is_read_in_linear_time(piece: str) -> None:
    # far beyond what a quadratic reading could finish within the test's own limit
    assert len(search_terms(piece * 20_000)) <= 24


def test_a_term_stands_in_a_name_or_in_a_relation_as_words_or_as_written() -> None:
    terms = ("meta", "based in", "based_in", "absent", "dublin")
    assert matched_terms(terms, "Meta Platforms", "BASED_IN", "Dublin") == ("meta", "based in", "based_in", "dublin")


def told(name: str, *matched: str) -> Fact:
    return Fact(Edge("e1", "KNOWS", name, "public"), "e1", name, matched)


def test_the_fact_of_the_rarest_terms_is_first_and_equal_ones_stay() -> None:
    common = [told(f"c{i}", "commission") for i in range(5)]
    rare, both = told("rare", "meta"), told("both", "commission", "meta")
    assert ranked_facts([*common, rare, both], ("commission", "meta")) == [both, rare, *common]
    assert ranked_facts([], ("commission",)) == []


def test_terms_that_were_not_asked_for_weigh_nothing() -> None:
    first, second = told("first", "other"), told("second", "meta")
    assert ranked_facts([first, second], ("meta",)) == [second, first]
