"""Triples against gold: when two ends and two triples are the same, and the rows that follow."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.graph.triple_gold import Fact, date_of, match_gold, same_end, same_fact
from faithflow.graph.triple_rows import gold_rows, missed_id
from tests.triples import triple


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("AWH_Engineering_College", "the AWH Engineering College"),
        ("B.M. Reddy", "B M Reddy"),
        ("EC", "European Commission"),
        ("Sprent Dabwido", "Sprent Arumogo Dabwido"),
        ("1920-08-16", "August 16th, 1920"),
        ("1920-08-16", "08-16-1920"),
        ("2001", "2001"),
        ("250", "250 academic staff"),
        ("15100000000", "15,100,000,000"),
        ('"~500"', "500"),
        ("Mahé", "Mahe"),
        ("Member States'", "Member States"),
    ],
)
def test_ends_agree_whichever_way_they_are_written(a: str, b: str) -> None:
    assert same_end(a, b)
    assert same_end(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("250", "251 academic staff"),
        ("250 staff", "250 students"),
        ("2001", "2002"),
        ("16 August 1920", "17 August 1920"),
        ("August 1920", "16 August 1920"),
        ("5%", "5.5%"),
        ("Malta", "Republic of Malta"),
        ("EC", "European Parliament"),
        ("President of Malta", "Vice President of Malta"),
        ("Regulation 2022/1 of Malta", "Regulation of Malta"),
    ],
)
def test_ends_that_differ_in_a_number_or_a_word_do_not_agree(a: str, b: str) -> None:
    assert not same_end(a, b)
    assert not same_end(b, a)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("the first of January 1913", "1913-01-01"),
        ("3 May 2026", "2026-05-03"),
        ("May 2026", "2026-05"),
        ("2026", "2026"),
        ("31 February 2026", None),
        ("3 May", None),
        ("between 2001 and 2003", None),
        ("board of 2003", None),
    ],
)
def test_a_date_is_read_from_words_and_what_is_none_is_not(text: str, iso: str | None) -> None:
    assert date_of(text) == iso


def test_a_fact_is_the_same_the_other_way_round_and_relations_count_only_when_asked_for() -> None:
    a, b = Fact("Malta", "capital", "Valletta"), Fact("Valletta", "CAPITAL_OF", "Malta")
    assert same_fact(a, b)
    assert same_fact(a, b, relations=True)
    assert same_fact(a, Fact("Malta", "LARGEST_TOWN", "Valletta"))
    assert not same_fact(a, Fact("Malta", "LARGEST_TOWN", "Valletta"), relations=True)


def test_several_triples_may_say_one_gold_fact() -> None:
    match = match_gold([Fact("A", "r", "B"), Fact("b", "s", "a"), Fact("A", "r", "C")], [Fact("A", "x", "B")])
    assert (match.correct, match.found) == ((True, True, False), (True,))


def test_the_rows_of_gold_say_what_is_right_made_up_and_missed() -> None:
    right, wrong = triple("The Agency", "FOUNDED_IN", "1998"), triple("Agency", "LOCATED_IN", "Malta")
    missed = Fact("Agency", "EMPLOYS", "85")
    rows = gold_rows("d", [right, wrong], [Fact("agency", "founded", "1998"), missed, missed])
    assert [(row["triple_id"], row["label"]) for row in rows] == [
        (right.triple_id, "correct"),
        (wrong.triple_id, "hallucinated"),
        (missed_id("d", missed), "missed"),
    ]
    assert {(row["judge"], row["status"], row["reason"]) for row in rows} == {("gold", "scored", None)}


_NAMES = st.text(alphabet="aAéB .,'1250%()-", min_size=1, max_size=12)


@settings(deadline=None)
@given(_NAMES, _NAMES)
def test_agreement_is_symmetric_and_every_end_agrees_with_itself(a: str, b: str) -> None:
    assert same_end(a, a)
    assert same_end(a, b) == same_end(b, a)
