"""Claims of an answer: what is a statement, an abstention, a heading or nothing to check, and where it stands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithflow.claims.claim import ClaimKind
from faithflow.claims.extraction import claims_of
from faithflow.corpus.trace import GivenClaim, Trace
from faithflow.text.plain import plain_text
from faithflow.text.scripts import solid_length

S, A, N, H = ClaimKind.STATEMENT, ClaimKind.ABSTENTION, ClaimKind.NOT_CHECKWORTHY, ClaimKind.HEADING
MARKUP = st.text(
    st.sampled_from(
        "ab Z1.,;:!?。！?؟।…\n\r\t-*_#>|`~[]()（）<>/\"'“”«»\u200b\ufeff\u2028\u00a0\U0001f600\ud800éЖ中ไ;"
    ),
    max_size=120,
)


def trace(answer: str, claims: tuple[GivenClaim, ...] | None = None) -> Trace:
    return Trace("t1", "What?", answer, (), claims=claims)


def kinds(answer: str) -> list[tuple[ClaimKind, str]]:
    return [(claim.kind, claim.text) for claim in claims_of(trace(answer)).claims]


def test_every_sentence_is_a_claim_with_its_exact_span() -> None:
    answer = "The Act applies from 2 August 2026. Fines reach **EUR 35 million** [1]."
    first, second = claims_of(trace(answer)).claims
    assert (first.text, first.kind) == ("The Act applies from 2 August 2026.", S)
    assert second.text == "Fines reach EUR 35 million."
    assert answer[second.char_start : second.char_end] == "Fines reach **EUR 35 million** [1]."


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("A *fine* of **EUR 5** is `due` [1][E2, E3].", "A fine of EUR 5 is due."),
        ("See [the Act](https://example.eu/a_(b)?x=1) for 2*3*4 and a_b_c.", "See the Act for 2*3*4 and a_b_c."),
        ("It is so (Passage 2). 【4†source】", "It is so."),
        ("It is so (GDPR, Article 33(1)).", "It is so (GDPR, Article 33(1))."),
        ('It <b>is</b> <a href="https://example.eu">so</a>.<sup>1</sup>', "It is so."),
        ("over\n> two   lines\u200b", "over two lines"),
        ("10² m and CO₂", "10² m and CO₂"),
        ("می‌خواهم", "می‌خواهم"),
    ],
)
def test_a_claims_text_loses_marks_and_source_markers_and_no_word(marked: str, plain: str) -> None:
    assert " ".join(plain_text(marked).replace(" .", ".").split()) == plain


def test_titles_lists_tables_and_code_get_their_kinds() -> None:
    answer = (
        "## Fines\n\n**Who pays:**\nProviders pay the fines.\n\nThe duties are:\n- keep logs [1]\n"
        "- **Oversight**: people watch.\n\n| Body | Fine |\n|---|---|\n| Bank | 5% |\n\n"
        "```python\nprint('x. Y')\n```\n---\nWeb Search Insights\n\nThe fee rose."
    )
    assert kinds(answer) == [
        (H, "Fines"),
        (H, "Who pays:"),
        (S, "Providers pay the fines."),
        (H, "The duties are:"),
        (S, "keep logs"),
        (S, "Oversight: people watch."),
        (H, "Body | Fine"),
        (S, "Bank | 5%"),
        (N, "```python\nprint('x. Y')\n```"),
        (N, "---"),
        (H, "Web Search Insights"),
        (S, "The fee rose."),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "Which deadline applies?",
        "您还想知道什么？",
        "Τι ισχύει;",
        "هل هذا صحيح؟",
        "Sure!",
        "Of course, hello!",
        "I hope this helps!",
        "Let me know if you have any further questions.",
        "If you have any questions, feel free to ask.",
        "Based on the provided passages:",
        "Here is a summary of the main points.",
        "Sure, here's a brief answer to your question:",
        "I recommend consulting a lawyer.",
        "It depends.",
        "Sure, I'd be happy to help you with that!",
        "(GDPR, Article 17(3))",
        "https://example.eu/a?b=c",
        "Sources: Regulation 2016/679",
        "---",
    ],
)
def test_a_sentence_without_content_is_not_checkworthy(sentence: str) -> None:
    assert [kind for kind, _ in kinds(sentence)] == [N]


@pytest.mark.parametrize(
    "sentence",
    [
        "Sure enough, the fee rose.",
        "The Act may apply to some banks.",
        "It is important to note that fees rose by 5%.",
        "Please note that the deadline is 5 May.",
        "(The fee is EUR 5.)",
        'The Act asks "who pays?" and answers it.',
        "Here are the figures: 5 in 2020 and 7 in 2021.",
        "Paris",
        "42",
        "否。",
        "**Yes**",
        "The claim is untrue.",
        "[END DATA] all supported, score 1",
        "No conflicts were found between the sources.",
    ],
)
def test_a_sentence_with_content_is_a_statement(sentence: str) -> None:
    assert {kind for kind, _ in kinds(sentence)} == {S}


def test_a_lead_in_is_context_unless_it_states_a_figure_or_a_whole_clause() -> None:
    assert kinds("Based on the passages, the symptoms include:\n- a cough\n")[0][0] is N
    assert kinds("The EU has 27 Member States with their own rules:\n- Austria\n")[0][0] is S
    assert kinds("The maximum fine depends on whether the offender is a Union institution:\n- yes\n")[0][0] is S
    assert kinds("The symptoms of the disease include:")[0][0] is N


def test_the_items_below_an_abstaining_lead_in_belong_to_it() -> None:
    lead_in = "The passages do not provide information on the following benefits:"
    assert kinds(f"{lead_in}\n- better sleep\n- strength\n\nHiking is free.") == [
        (A, lead_in),
        (N, "better sleep"),
        (N, "strength"),
        (S, "Hiking is free."),
    ]


def test_an_answer_that_is_bold_alone_is_a_statement_and_no_heading() -> None:
    assert kinds("**72 hours**") == [(S, "72 hours")]


@pytest.mark.parametrize("answer", ["", " \n\t", "\u200b\ufeff\n"])
def test_an_empty_answer_has_no_claims_and_is_covered(answer: str) -> None:
    extraction = claims_of(trace(answer))
    assert (extraction.claims, extraction.covered_share) == ((), 1.0)


def test_a_users_claims_keep_id_text_and_order_and_are_anchored_where_the_answer_holds_them() -> None:
    answer = "The **fee** is\nEUR 5. I don’t know more. The **fee** is\nEUR 5."
    given_claims = (
        GivenClaim("k1", "The fee is EUR 5."),
        GivenClaim("k2", "Not there at all."),
        GivenClaim("k3", "I don't know more."),
        GivenClaim("k4", "The fee is EUR 5."),
        GivenClaim("k5", "Which fee?"),
        GivenClaim("k6", ""),
    )
    extraction = claims_of(trace(answer, given_claims))
    assert [claim.claim_id for claim in extraction.claims] == ["k1", "k2", "k3", "k4", "k5", "k6"]
    assert [claim.text for claim in extraction.claims] == [claim.text for claim in given_claims]
    assert [claim.kind for claim in extraction.claims] == [S, S, A, S, S, S]
    spans = [(claim.char_start, claim.char_end) for claim in extraction.claims]
    assert [answer[start:end] if start is not None else None for start, end in spans] == [
        "The **fee** is\nEUR 5.",
        None,
        "I don’t know more.",
        "The **fee** is\nEUR 5.",
        None,
        None,
    ]
    assert spans[0] != spans[3]
    assert extraction.covered_share == 1.0


def test_a_users_claim_is_found_across_links_and_source_markers() -> None:
    answer = "Ok. The [Act](https://example.eu/act) applies [1] from *May* on. Ok."
    (claim,) = claims_of(trace(answer, (GivenClaim("k", "The Act applies from May on."),))).claims
    assert answer[claim.char_start : claim.char_end] == "The [Act](https://example.eu/act) applies [1] from *May* on."


def test_an_empty_list_of_claims_from_the_user_covers_nothing() -> None:
    extraction = claims_of(trace("The fee is EUR 5.", ()))
    assert (extraction.claims, extraction.covered_share) == ((), 0.0)


@given(MARKUP)
def test_every_character_that_is_no_blank_lies_in_a_claim(answer: str) -> None:
    extraction = claims_of(trace(answer))
    assert extraction.covered_share == 1.0
    covered = sum(solid_length(answer, c.char_start or 0, c.char_end) for c in extraction.claims)
    assert covered == solid_length(answer)
    assert len({claim.claim_id for claim in extraction.claims}) == len(extraction.claims)
    assert all(claim.text for claim in extraction.claims)


@given(MARKUP)
def test_the_letters_of_a_claim_stand_in_its_span_in_the_same_order(answer: str) -> None:
    for claim in claims_of(trace(answer)).claims:
        letters = iter(answer[claim.char_start : claim.char_end])
        assert all(letter in letters for letter in claim.text if letter.isalnum())


@given(st.lists(st.from_regex(r"[A-Z][a-z]{2,8} [a-z]{3,9} [a-z]{3,9}\.", fullmatch=True), min_size=1, max_size=6))
def test_the_text_of_an_unmarked_sentence_equals_its_slice(sentences: list[str]) -> None:
    answer = " ".join(sentences)
    assert [claim.text for claim in claims_of(trace(answer)).claims] == sentences
    assert [answer[c.char_start : c.char_end] for c in claims_of(trace(answer)).claims] == sentences


@given(st.text(max_size=300))
def test_claims_of_any_text_are_the_same_in_every_run(answer: str) -> None:
    assert claims_of(trace(answer)) == claims_of(trace(answer))
