"""What counts as a citation, which passage it names, and what it names in vain."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.corpus.citation_address import page_key
from faithflow.corpus.citation_vocabulary import Citable, Vocabulary, vocabulary_of
from faithflow.corpus.citations import ContextItem, cited

PAGE = "https://ec.example.eu/detail/en/ip_26_1900"
CORPUS = Vocabulary(
    [
        *(Citable(f"SRD-{n}", f"Requirement {n}", "", f"p_srd{n}") for n in (1, 12, 120, 13)),
        Citable("IP/26/1900", "New ferry rules", PAGE, "p_ferry"),
        Citable("IP/26/1901", "New rail rules", PAGE.replace("1900", "1901"), "p_rail"),
        Citable("32022R2554 Article 5(2)", "Governance", "", "p_dora5"),
        Citable("Port Blair", "Port Blair", "", "p_blair"),
        Citable("Boeing 747", "Boeing 747", "", "p_boeing"),
        Citable("notes.txt", "Notes of the meeting", "", "p_notes"),
    ]
)
THREE = [
    ContextItem("p_ferry", "E1", "IP/26/1900", PAGE),
    ContextItem("p_ferry2", "E2", "IP/26/1900", PAGE),
    ContextItem("p_blair", "E3", "Port Blair"),
]
REQUIREMENTS = [ContextItem("p_srd12", "SRD-12", "SRD-12"), ContextItem("p_srd13", "SRD-13", "SRD-13")]


def names(answer, context=THREE):
    """(cited, passage, valid) of each citation."""
    return [(c.cited, c.passage_id, c.valid) for c in cited(answer, context, CORPUS)]


def passages(answer, context=THREE):
    """The passages of the valid citations."""
    return {c.passage_id for c in cited(answer, context, CORPUS) if c.valid}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Fares fall [1, 2].", {"p_ferry", "p_ferry2"}),
        ("Fares fall [1-3].", {"p_ferry", "p_ferry2", "p_blair"}),
        ("Fares fall [1][1].", {"p_ferry"}),
        ("Fares fall [E1,E3].", {"p_ferry", "p_blair"}),
        ("Fares fall [E1–E3].", {"p_ferry", "p_ferry2", "p_blair"}),
        ("Fares fall [E1 to 3].", {"p_ferry", "p_ferry2", "p_blair"}),
        ("Fares fall [E1 and E3].", {"p_ferry", "p_blair"}),
        ("Fares fall [E1; E2, and e3].", {"p_ferry", "p_ferry2", "p_blair"}),
        ("Fares fall (E1, E2).", {"p_ferry", "p_ferry2"}),
        ("Fares fall [Source 2].", {"p_ferry2"}),
        ("Fares fall [^2].", {"p_ferry2"}),
        ("Fares fall【2†source】.", {"p_ferry2"}),
        ("Fares fell in 2024[1].", {"p_ferry"}),
        ("Fares fall [E1, p. 3].", {"p_ferry"}),
    ],
)
def test_labels_cite_in_every_usual_form(answer, expected):
    assert passages(answer) == expected
    assert all(valid for _, _, valid in names(answer))


@pytest.mark.parametrize("answer", ["[0]", "[9]", "[E9]", "[E0]", "see [E4] for more"])
def test_a_label_outside_the_context_is_an_invalid_citation(answer):
    ((_, passage, valid),) = names(answer)
    assert passage is None
    assert not valid


def test_a_range_that_leaves_the_context_lists_each_label():
    assert names("[2-5]") == [("2", "p_ferry2", True), ("3", "p_blair", True), ("4", None, False), ("5", None, False)]


@pytest.mark.parametrize("answer", ["[1-999999999]", "[1-999999999999]", "[3-1]", "[E1-E99999]"])
def test_a_range_over_millions_or_backwards_is_one_invalid_citation(answer):
    ((_, passage, valid),) = names(answer)
    assert (passage, valid) == (None, False)


@pytest.mark.parametrize(
    "answer",
    [
        "The digest is SHA-256.",
        "Certified under DO-254 and ISO 9001.",
        "It was so [sic].",
        "In the year [2024] it fell.",
        "From [1990-2024] it fell.",
        "Set `x[0] = 1` first.",
        "```\nrows[1] += rows[2]\n```",
        "then x[0] is read",
        "then row_ids[1] is read",
        "then items[3] = 5 follows",
        "1) ferries (1) and trains (2)",
        "The additive (E621) is listed.",
        "A Boeing 747 flew to Port Blair.",
        "![E1](https://elsewhere.example/picture.png)",
        "Tasks: [x] done, [ ] open.",
        "Write to [us](mailto:a@b.example).",
        "Buy at https://shop.example/ferry today.",
        "Visa B[2b] and form [A4].",
        "",
    ],
)
def test_incidental_tokens_cite_nothing(answer):
    assert names(answer) == []


def test_the_longest_reference_wins_and_none_lies_inside_a_longer_word():
    assert names("SRD-120 extends SRD-12.", []) == [("SRD-120", "p_srd120", False), ("SRD-12", "p_srd12", False)]
    assert names("X-SRD-12 and ASRD-12 are others.") == []


def test_a_reference_in_the_context_is_valid_and_one_of_the_corpus_alone_is_not():
    assert names("By SRD-12 and SRD-120.", REQUIREMENTS) == [
        ("SRD-12", "p_srd12", True),
        ("SRD-120", "p_srd120", False),
    ]


@pytest.mark.parametrize(
    "made_up", ["SRD-999", "SRD-12a", "SRD-12-3", "SRD-12-B", "IP/25/77", "IP/26/19001", "32022R9999"]
)
def test_an_id_that_only_has_a_prefix_of_the_corpus_is_invalid(made_up):
    assert names(f"As {made_up} says.", REQUIREMENTS) == [(made_up, None, False)]
    assert names(f"As it says [{made_up}].", REQUIREMENTS) == [(made_up, None, False)]


def test_the_act_of_which_the_corpus_holds_articles_is_no_invented_id():
    assert names("Under 32022R2554 firms report.") == []
    assert names("Under 32022R2554 Article 5(2) firms report.") == [("32022R2554 Article 5(2)", "p_dora5", False)]


@pytest.mark.parametrize("answer", ["SRD-12-based tests", "SRD-12's text", "(SRD-12)", "SRD-12/SRD-13", "**SRD-12**"])
def test_a_reference_may_be_glued_to_words_and_marks(answer):
    assert "p_srd12" in passages(answer, REQUIREMENTS)


def test_hyphens_and_blanks_of_typesetting_are_those_of_the_corpus():
    assert passages("By SRD\u201112.", REQUIREMENTS) == {"p_srd12"}


def test_another_case_counts_in_brackets_alone():
    assert names("by srd-12", REQUIREMENTS) == []
    assert names("so it is [srd-12]", REQUIREMENTS) == [("srd-12", "p_srd12", True)]


def test_a_title_cites_in_brackets_alone():
    assert names("It lies there [Port Blair].") == [("Port Blair", "p_blair", True)]


def test_a_list_may_mix_references_labels_and_inventions():
    context = [*THREE, *REQUIREMENTS]
    assert names("So [E1, SRD-12; SRD-999].", context) == [
        ("E1", "p_ferry", True),
        ("SRD-12", "p_srd12", True),
        ("SRD-999", None, False),
    ]


def test_a_reference_cites_each_passage_of_its_document_that_the_context_held():
    assert names("Says IP/26/1900.") == [("IP/26/1900", "p_ferry", True), ("IP/26/1900", "p_ferry2", True)]


def test_a_link_with_a_label_cites_that_passage_of_the_page():
    assert names(f"So [E2]({PAGE}).") == [("E2", "p_ferry2", True)]
    assert names(f"So [[E2]]({PAGE}).") == [("E2", "p_ferry2", True)]
    assert names(f'So <a href="{PAGE}">E2</a>.') == [("E2", "p_ferry2", True)]


def test_a_link_with_other_words_cites_all_of_the_page_that_the_context_held():
    assert passages(f"So [the press release]({PAGE}).") == {"p_ferry", "p_ferry2"}


def test_where_label_and_address_differ_the_address_names_the_page():
    assert passages(f"So [E3]({PAGE}).") == {"p_ferry", "p_ferry2"}
    assert names("So [E1](https://elsewhere.example/x).") == [("https://elsewhere.example/x", None, False)]


def test_an_invalid_label_beside_a_right_one_in_a_link_is_listed():
    assert names(f"So [E1, E9]({PAGE}).") == [("E1", "p_ferry", True), ("E9", None, False)]


def test_a_link_to_a_document_that_the_context_lacked_is_invalid():
    other = PAGE.replace("1900", "1901")
    assert names(f"So [here]({other}).") == [(other, "p_rail", False)]


def test_an_address_that_stands_alone_cites_a_page_of_the_context_or_the_corpus():
    assert passages(f"See {PAGE}.") == {"p_ferry", "p_ferry2"}
    assert passages(f"See <{PAGE}>") == {"p_ferry", "p_ferry2"}


def test_a_link_within_the_page_cites_by_its_text():
    assert passages("So [E2](#evidence).") == {"p_ferry2"}


@pytest.mark.parametrize(
    "address",
    [
        PAGE + "/",
        PAGE + "#top",
        PAGE.replace("https://ec.example.eu", "HTTP://EC.Example.EU:80"),
        PAGE + "?utm_source=x&fbclid=1",
        PAGE.replace("detail", "det%61il"),
    ],
)
def test_other_spellings_of_an_address_name_the_same_page(address):
    assert page_key(address) == page_key(PAGE)


@pytest.mark.parametrize(
    "address", [PAGE + "0", PAGE + "?ref=2", PAGE.upper(), PAGE + "#/annex/1", "https://ec.example.eu:8443/detail"]
)
def test_other_pages_keep_other_keys(address):
    assert page_key(address) != page_key(PAGE)


@pytest.mark.parametrize(
    "address", ["mailto:a@b.example", "#top", "/a/b", "https://[bad", "http://h:99999/", "", "x y"]
)
def test_what_is_no_web_address_has_no_key(address):
    assert page_key(address) is None


def test_of_two_documents_with_one_reference_the_newest_is_cited():
    documents = pl.DataFrame(
        {
            "document_id": ["d1", "d2"],
            "reference": ["R-1", "R-1"],
            "title": ["Old", "New"],
            "date": ["2025-01-01", "2026-01-01"],
            "source_url": [None, "https://a.example/r"],
        }
    )
    places = {"document_id": ["d1", "d2", "d2"], "position": [0, 1, 0], "passage_id": ["p1", "p2b", "p2a"]}
    vocabulary = vocabulary_of(documents, pl.DataFrame(places))
    assert vocabulary.passage_of("R-1") == "p2a"
    assert vocabulary.passage_at(page_key("https://a.example/r/")) == "p2a"


PIECES = st.sampled_from(
    [
        "SRD-12",
        "SRD-",
        "[",
        "]",
        "(",
        ")",
        "E1",
        "1",
        "-",
        ",",
        " ",
        f"({PAGE})",
        "https://",
        "<a href=",
        "`",
        "\n",
        "0",
    ]
)


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)))
def test_any_text_gives_sorted_citations_whose_spans_hold_what_is_cited(answer):
    found = cited(answer, [*THREE, *REQUIREMENTS], CORPUS)
    assert [c.char_start for c in found] == sorted(c.char_start for c in found)
    for c in found:
        mark = answer[c.char_start : c.char_end]
        assert mark
        assert c.cited.strip("E0123456789") in mark
        assert c.valid <= (c.passage_id is not None)
    keys = [(c.char_start, c.cited, c.passage_id) for c in found]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    "piece", ["[", "[E1", "<a href='", "](", "SRD-", "[1-", "https://a.b/(", "`", "((E1)", "[a](b "]
)
def test_long_runs_of_broken_marks_are_read(piece):
    assert isinstance(cited(piece * 4_000, THREE, CORPUS), list)
