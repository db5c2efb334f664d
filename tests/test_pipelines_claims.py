"""Answers as the pipelines write them are taken apart into claims without their citations and their talk."""

import pytest

from faithflow.claims.claim import ClaimKind
from faithflow.claims.extraction import claims_of
from faithflow.corpus.trace import Trace
from faithflow.pipelines.model import INCONCLUSIVE

S, A, N, H = ClaimKind.STATEMENT, ClaimKind.ABSTENTION, ClaimKind.NOT_CHECKWORTHY, ClaimKind.HEADING


def kinds(answer: str) -> list[tuple[ClaimKind, str]]:
    return [(claim.kind, claim.text) for claim in claims_of(Trace("t", "What?", answer, ())).claims]


def test_the_inconclusive_line_is_an_abstention() -> None:
    assert kinds(INCONCLUSIVE) == [(A, INCONCLUSIVE)]


@pytest.mark.parametrize(
    "cite_as",
    [
        "[E3](https://press.example.org/ip_26?lang=en&x=1)",
        "[E3]",
        "[SRD-012]",
        "[REQ-TRAQ-SWH-12]",
        "[LLR_7.2]",
        "[E1](https://a.example/x)[E2](https://b.example/X_%28film%29)",
    ],
)
@pytest.mark.parametrize("form", ["The fund opened{}. It pays.", "The fund opened.{} It pays."])
def test_a_citation_is_no_part_of_a_claim(cite_as: str, form: str) -> None:
    assert kinds(form.format(f" {cite_as}")) == [(S, "The fund opened."), (S, "It pays.")]


def test_words_in_brackets_with_a_number_are_kept() -> None:
    assert kinds("The fund [as amended in March 2026] opened.") == [(S, "The fund [as amended in March 2026] opened.")]


def test_thoughts_and_the_absence_of_conflicts_are_nothing_to_check() -> None:
    answer = (
        "## Thought Process\n\nTwo passages bear on it.\n\n## Internal Findings\n\nThe fund opened [E1].\n\n"
        "## Web Insights\n\nThe web search results do not answer the question.\n\n"
        "## Conflicts\n\nNo conflicts were found."
    )
    assert [kind for kind, _ in kinds(answer)] == [H, N, H, S, H, A, H, N]


@pytest.mark.parametrize(
    "sentence", ["None.", "No conflicts between the sources were identified.", "There are no contradictions."]
)
def test_no_conflict_is_said_in_many_ways(sentence: str) -> None:
    assert kinds(f"## Conflicts\n\n{sentence}")[1][0] is N


def test_a_conflict_that_is_named_is_a_statement() -> None:
    answer = "## Conflicts\n\nThe documents state EUR 40 million [E1], the web EUR 55 million [E2]."
    assert kinds(answer)[1] == (S, "The documents state EUR 40 million, the web EUR 55 million.")


def test_the_same_words_without_such_a_heading_are_statements() -> None:
    assert kinds("## Findings\n\nNo conflicts were found in the region.")[1][0] is S
    assert kinds("Two ministers bear the cost.")[0][0] is S
