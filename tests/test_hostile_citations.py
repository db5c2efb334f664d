"""Citations as models write them when nobody told them how, and text that only looks like one."""

import pytest

from faithflow.corpus.citation_vocabulary import Citable, Vocabulary
from faithflow.corpus.citations import ContextItem, cited

CORPUS = Vocabulary(
    [
        *(Citable(f"HB/26/{n}", f"Berths, part {n}", "", f"p{n}") for n in (1, 2, 3, 4, 12)),
        Citable("32022R0001 Article 5", "Moorings", "", "p_moorings"),
        Citable("U.S.", "The United States", "", "p_us"),
    ]
)
FOUR = [ContextItem(f"p{n}", f"E{n}", f"HB/26/{n}") for n in (1, 2, 3, 4)]


def valid(answer):
    """The numbers of the passages cited, and what was cited in vain."""
    found = cited(answer, FOUR, CORPUS)
    return {c.passage_id for c in found if c.valid}, [c.cited for c in found if not c.valid]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Fees rose ［1］.", {"p1"}),
        ("Fees rose ［E1、E2］ and ［E3］.", {"p1", "p2", "p3"}),
        ("Fees rose 〔2〕.", {"p2"}),
        ("Fees rose.¹", {"p1"}),
        ("Fees rose.¹⁻³", {"p1", "p2", "p3"}),
        ("Fees rose¹,² in spring.", {"p1", "p2"}),
        ("Fees rose.<sup>2</sup>", {"p2"}),
        ("Fees rose.<sup>1, 3</sup>", {"p1", "p3"}),
        ("Fees rose.<sup>[4]</sup>", {"p4"}),
        ("Fees rose [1]–[3].", {"p1", "p2", "p3"}),
        ("Fees rose [E2]-[E4].", {"p2", "p3", "p4"}),
        ("Fees rose [E1 E3].", {"p1", "p3"}),
        ("Fees rose [E1/E3] or [E2|E4].", {"p1", "p2", "p3", "p4"}),
        ("Fees rose \\[E1\\] and fell \\[2\\].", {"p1", "p2"}),
        ("Fees rose [**E1**, _E2_].", {"p1", "p2"}),
        ("Fees rose [E1.].", {"p1"}),
        ("Fees rose [\u200eE1\u200b].", {"p1"}),
        ("Fees rose [E1,\nE2].", {"p1", "p2"}),
        ("Fees rose [E1\n].", {"p1"}),
        ("Fees rose (Source 2).", {"p2"}),
        ("Fees rose (sources: 1 and 3).", {"p1", "p3"}),
        ("Fees rose [HB/26/3; E4].", {"p3", "p4"}),
        ("Fees rose [[E1], [E2]].", {"p1", "p2"}),
        ("Fees rose [１].", {"p1"}),
    ],
)
def test_labels_cite_however_they_are_set(answer, expected):
    assert valid(answer) == (expected, [])


@pytest.mark.parametrize(
    "answer",
    [
        "The quay has 12 km² and x² + y² = z².",
        "The berth is 40 m<sup>2</sup> large.",
        "On the 21<sup>st</sup> of May.",
        "About 10⁻³ of it, or 6.02×10²³.",
        "It costs [10 000] crowns.",
        "[ ] open\n[x] done",
        "`a[1]` and\n```\nb = [1]\nc = [1]-[2]\n```\n",
        "Article 5 (source of the law) and (document) and (12).",
        "[\n1\n2\n]",
    ],
)
def test_units_powers_and_code_cite_nothing(answer):
    assert valid(answer) == (set(), [])


@pytest.mark.parametrize(
    ("answer", "listed"),
    [
        ("Fees rose.⁹", ["9"]),
        ("Fees rose [E4]–[E6].", ["E5", "E6"]),
        ("Fees rose [4]–[1].", ["4–1"]),
        ("Fees rose (Source 9).", ["9"]),
        ("Fees rose [E1/E9].", ["E9"]),
        ("Fees rose ［0］.", ["0"]),
        ("Fees rose [**HB/26/77**].", ["**HB/26/77**"]),
    ],
)
def test_what_the_context_lacked_is_invalid_however_it_is_set(answer, listed):
    assert valid(answer)[1] == listed


def test_an_id_that_a_line_end_breaks_at_its_blank_is_still_one():
    (found,) = cited("As 32022R0001\nArticle 5 says, ropes are checked.", FOUR, CORPUS)
    assert (found.passage_id, found.char_start, found.char_end) == ("p_moorings", 3, 23)


def test_a_paragraphs_end_parts_two_ids():
    assert [c.passage_id for c in cited("See 32022R0001\n\nArticle 5 of another act.", FOUR, CORPUS)] == []


def test_a_reference_that_ends_in_a_mark_is_found_with_it():
    assert [c.passage_id for c in cited("Ports [U.S.; HB/26/2] agree.", FOUR, CORPUS)] == ["p2", "p_us"]


@pytest.mark.parametrize("piece", ["[E1 ", "[1]–", "¹", ".¹", "<sup>", ".<sup>1", "［", "[\n", "E1/", "[E1/E2/"])
def test_long_runs_of_broken_marks_are_read(piece):
    for citation in cited(piece * (20_000 // len(piece)), FOUR, CORPUS):
        assert citation.valid or citation.passage_id is None
