"""The extractive model: it quotes what fits, cites it, bridges hops, marks conflicts and abstains."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.llm.model import CallError, Message, Request
from faithflow.pipelines.evidence import evidence_of
from faithflow.pipelines.extractive.provider import MODEL, ExtractiveProvider
from faithflow.pipelines.extractive.reading import Piece as ReadPiece
from faithflow.pipelines.extractive.reading import statements_of
from faithflow.pipelines.extractive.terms import terms_of
from faithflow.pipelines.model import INCONCLUSIVE
from faithflow.pipelines.prompt import CRITIC, GROUNDED, IN_SECTIONS, ROUTER, SECTIONS, Prompt
from faithflow.retrieval.model import IndexedPassage

FUND = "The Harbour Commission opened the Ferry Fund on 3 March 2026. The Ferry Fund pays EUR 40 million for ferries."
HEAD = "Ada Lindqvist leads the Ferry Fund. She was born in a lighthouse."
QUAY = "Norrvik built a charging quay in 2025. Ada Lindqvist was mayor of Norrvik until 2024."
SALT = "The Salt Office tests barrels of brine on Tuesdays."


def material(question: str, texts: Sequence[str | tuple[str, str]], **more: Any) -> dict[str, Any]:
    """A question with texts as evidence, each from the documents or, as a pair, from a source of its own."""
    pairs = [("embedding", text) if isinstance(text, str) else text for text in texts]
    passages = [
        (IndexedPassage(f"p{n}", "d", f"IP/26/{n:04}", "", "", f"https://e.example/{n}", text, "public"), source)
        for n, (source, text) in enumerate(pairs, start=1)
    ]
    evidence = [piece.as_json() for piece in evidence_of(passages)]  # type: ignore[arg-type]
    return {"question": question, **more, "evidence": evidence}


def ask(prompt: Prompt, material: Mapping[str, Any]) -> str:
    request = Request("baseline", "in-process", MODEL, {}, prompt.messages(material), None, prompt.version, 0, None)
    return asyncio.run(ExtractiveProvider().complete(request, 10)).text


def answer(question: str, *texts: str) -> str:
    return ask(GROUNDED, material(question, texts))


def in_sections(question: str, *texts: str | tuple[str, str]) -> dict[str, str]:
    reply = ask(IN_SECTIONS, material(question, texts, sections=list(SECTIONS)))
    parts = re.split(r"^## (.+)$", reply, flags=re.MULTILINE)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def test_the_sentence_that_answers_is_quoted_with_its_citation() -> None:
    quoted = answer("How much does the Ferry Fund pay for ferries?", SALT, FUND)
    assert quoted == "The Ferry Fund pays EUR 40 million for ferries [E2](https://e.example/2)."


def test_a_question_word_prefers_what_it_asks_for() -> None:
    texts = ("The Ferry Fund opened with music.", "The Ferry Fund opened on 3 March 2026.")
    assert answer("When was the Ferry Fund opened?", *texts).startswith("The Ferry Fund opened on 3 March 2026")
    texts = ("The head of the fund sings.", "The head of the fund is Ada Lindqvist.")
    assert answer("Who is the head of the fund?", *texts).startswith("The head of the fund is Ada Lindqvist")


def test_a_second_hop_is_reached_over_a_shared_name() -> None:
    reply = answer("Where was the head who leads the Ferry Fund mayor?", FUND, HEAD, QUAY, SALT)
    assert "Ada Lindqvist leads the Ferry Fund [E2]" in reply
    assert "Ada Lindqvist was mayor of Norrvik until 2024 [E3]" in reply
    assert "Salt Office" not in reply


@pytest.mark.parametrize(
    "question",
    [
        "What colour is the flag of Zanzibar?",
        "Who leads the Salt Treaty of Oslo?",
        "What does SRD-012 demand?",
        "",
        "???",
    ],
)
def test_it_abstains_where_nothing_fits(question: str) -> None:
    assert answer(question, FUND, HEAD, QUAY, SALT) == INCONCLUSIVE


def test_an_identifier_is_not_found_inside_a_longer_one() -> None:
    assert answer("What does SRD-12 demand?", "SRD-120 demands that the pump starts.") == INCONCLUSIVE
    assert "pump starts" in answer("What does SRD-120 demand?", "SRD-120 demands that the pump starts.")


def test_a_requirement_is_known_by_its_reference() -> None:
    asked = material("What does IP/26/0002 say about tests?", [SALT, "Tests of the pump are run each night."])
    assert ask(GROUNDED, asked) == "Tests of the pump are run each night [E2](https://e.example/2)."


def test_markup_and_foreign_citations_are_not_quoted() -> None:
    text = "The **Ferry Fund** pays EUR 40 million for [ferries](https://evil.example) [E9](https://evil.example)."
    reply = answer("How much does the Ferry Fund pay for ferries?", text)
    assert reply == "The Ferry Fund pays EUR 40 million for ferries [E1](https://e.example/1)."


def test_questions_and_headings_of_the_evidence_are_not_quoted() -> None:
    text = (
        "# The Ferry Fund pays for ferries\n\nHow much does the Ferry Fund pay for ferries?\n\nIt pays EUR 40 million."
    )
    assert "How much" not in answer("How much does the Ferry Fund pay for ferries?", text)


def test_a_statement_without_a_full_stop_gets_one_behind_its_citation() -> None:
    reply = answer("What shall the ferry pump do?", "The ferry pump shall start within 5 s")
    assert reply == "The ferry pump shall start within 5 s [E1](https://e.example/1)."


def test_the_same_sentence_in_two_pieces_is_quoted_once() -> None:
    reply = answer("How much does the Ferry Fund pay for ferries?", FUND, FUND)
    assert reply.count("EUR 40 million") == 1


def test_at_most_four_statements_are_quoted() -> None:
    texts = [f"The Ferry Fund pays for item{n} of harbour{n}." for n in range(6)]
    question = "What does the Ferry Fund pay for: " + ", ".join(f"item{n} of harbour{n}" for n in range(6)) + "?"
    assert answer(question, *texts).count("https://e.example/") == 4


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wie viel zahlt der Fährfonds für Fähren?", "Der Fährfonds zahlt 40 Millionen Euro für elektrische Fähren."),
        ("Combien le fonds paie-t-il pour les ferries ?", "Le fonds paie 40 millions d'euros pour les ferries."),
        ("Сколько фонд платит за паромы?", "Фонд платит 40 миллионов евро за паромы."),
    ],
)
def test_other_languages_are_answered_too(question: str, text: str) -> None:
    assert text.rstrip(".") in answer(question, text)


LINKS = [
    "HLR-2 derives from SYS-1",
    "LLR-7 derives from HLR-2",
    "LLR-8 derives from HLR-2",
    "LLR-8 satisfies HLR-3",
    "HLR-2 verified by TST-4",
]


def answer_by_links(question: str, links: Sequence[str] = LINKS) -> list[str]:
    """The links quoted, from two pieces that hold them all beside a sentence each."""
    asked = material(question, [SALT, "The thermal guard of HLR-2 shall cool each cell."])
    for piece in asked["evidence"]:
        piece["links"] = list(links)
    quoted = ask(GROUNDED, asked)
    return [link for link in links if link in quoted] if "[E1](https://e.example/1)." in quoted else []


@pytest.mark.parametrize(
    ("question", "links"),
    [
        ("Which requirement does LLR-7 derive from?", ["LLR-7 derives from HLR-2"]),
        ("Which low-level requirements derive from HLR-2?", ["LLR-7 derives from HLR-2", "LLR-8 derives from HLR-2"]),
        ("From which requirement is HLR-2 derived?", ["HLR-2 derives from SYS-1"]),
        ("What does LLR-8 satisfy?", ["LLR-8 satisfies HLR-3"]),
        ("By which requirement is HLR-3 satisfied?", ["LLR-8 satisfies HLR-3"]),
        ("Which requirement is satisfied by LLR-8?", ["LLR-8 satisfies HLR-3"]),
        ("Which test verifies HLR-2?", ["HLR-2 verified by TST-4"]),
        ("By which test is HLR-2 verified?", ["HLR-2 verified by TST-4"]),
        ("Does LLR-7 derive from HLR-2?", ["LLR-7 derives from HLR-2"]),
        ("From what does LLR-7 derive in turn?", ["HLR-2 derives from SYS-1", "LLR-7 derives from HLR-2"]),
    ],
)
def test_a_link_answers_what_is_asked_of_an_id_in_its_direction(question: str, links: list[str]) -> None:
    assert answer_by_links(question) == links


@pytest.mark.parametrize("question", ["Which requirement does LLR-9 derive from?", "Which aim does LLR-7 refine?"])
def test_links_of_another_id_or_kind_answer_nothing(question: str) -> None:
    assert answer_by_links(question) == []


def test_at_most_eight_links_are_quoted() -> None:
    links = [f"LLR-{n} derives from HLR-2" for n in range(10, 22)]
    assert answer_by_links("Which requirements derive from HLR-2?", links) == links[:8]


def test_the_critic_keeps_both_ends_of_a_link() -> None:
    asked = material("What does LLR-8 satisfy?", ["It keeps logs.", "It cools cells.", SALT], asked=[])
    for piece in asked["evidence"][:2]:
        piece["links"] = ["LLR-8 satisfies HLR-3"]
    assert json.loads(ask(CRITIC, asked)) == {"keep": ["E1", "E2"], "sufficient": True, "query": ""}


def test_words_spread_over_pieces_about_different_things_are_no_answer() -> None:
    captain = "The alarm goes to the port captain every 45 seconds."
    ferry = "The yard delivers the electric ferry Havorn in April."
    assert answer("Who will be the port captain of the ferry Havorn?", ferry, captain) == INCONCLUSIVE


def test_the_thing_named_behind_which_has_to_be_there() -> None:
    holds = "Mirefjord Power holds most of the consortium for Kestrel Sound since 2025."
    assert answer("Which turnover did Mirefjord Power have in 2025?", holds) == INCONCLUSIVE
    assert answer("Which consortium does Mirefjord Power hold since 2025?", holds) != INCONCLUSIVE


def test_sections_keep_documents_and_web_apart() -> None:
    question = "How much does the Ferry Fund pay for ferries?"
    parts = in_sections(question, FUND, ("web", "The Ferry Fund pays EUR 55 million for ferries."))
    assert list(parts) == list(SECTIONS)
    assert parts["Internal Findings"] == "The Ferry Fund pays EUR 40 million for ferries [E1](https://e.example/1)."
    assert parts["Web Insights"] == "The Ferry Fund pays EUR 55 million for ferries [E2](https://e.example/2)."


@pytest.mark.parametrize(
    ("inside", "outside", "what"),
    [
        (
            "The Ferry Fund pays EUR 40 million for ferries.",
            "The Ferry Fund pays EUR 55 million for ferries.",
            "figure",
        ),
        ("The Ferry Fund opened in March 2026.", "The Ferry Fund opened in April 2026.", "date"),
        ("The Ferry Fund pays for old ferries.", "The Ferry Fund does not pay for old ferries.", "denial"),
    ],
)
def test_what_differs_between_documents_and_web_is_a_conflict(inside: str, outside: str, what: str) -> None:
    parts = in_sections("What does the Ferry Fund pay for old ferries, opened in March?", inside, ("web", outside))
    assert what in parts["Conflicts"]
    for said in (f"“{inside[:-1]}” [E1](https://e.example/1)", f"“{outside[:-1]}” [E2](https://e.example/2)"):
        assert said in parts["Conflicts"]


def test_what_agrees_is_no_conflict() -> None:
    parts = in_sections("How much does the Ferry Fund pay for ferries?", FUND, ("web", FUND))
    assert parts["Conflicts"] == "No conflicts were found."


def test_figures_of_different_things_are_no_conflict() -> None:
    inside = "The Sund yard shut in 2023 and 1,140 people lost their work."
    outside = "Where the Sund yard built trawlers, 760 people learn to weld aluminium and to handle batteries."
    parts = in_sections("How many people lost their work at the Sund yard?", inside, ("web", outside))
    assert parts["Conflicts"] == "No conflicts were found."


def test_a_side_without_an_answer_says_so() -> None:
    parts = in_sections("How much does the Ferry Fund pay for ferries?", FUND, ("web", SALT))
    assert parts["Web Insights"] == "The web search results do not answer the question."


def test_sections_give_way_to_the_inconclusive_line() -> None:
    asked = material("Who won in Zanzibar?", [FUND, ("web", SALT)], sections=list(SECTIONS))
    assert ask(IN_SECTIONS, asked) == INCONCLUSIVE


def route(**given: Any) -> dict[str, str]:
    asked = {"tools": ["search_documents", "graph_lookup"], "asked": [], "wanted": "", **given}
    return json.loads(ask(ROUTER, material("Who leads the Ferry Fund?", asked.pop("texts", []), **asked)))


def test_the_router_looks_up_the_links_of_an_id_first() -> None:
    asked = material("What does LLR-8 satisfy?", [], tools=["search_documents", "graph_lookup"], asked=[], wanted="")
    assert json.loads(ask(ROUTER, asked))["tool"] == "graph_lookup"
    asked["asked"] = [{"tool": "graph_lookup", "query": "x"}]
    assert json.loads(ask(ROUTER, asked))["tool"] == "search_documents"


def test_the_router_searches_first_and_then_follows_links() -> None:
    assert route() == {"tool": "search_documents", "query": "Who leads the Ferry Fund?"}
    searched = [{"tool": "search_documents", "query": "x"}]
    assert route(texts=[FUND], asked=searched, wanted="Ada") == {"tool": "graph_lookup", "query": "Ada"}
    assert route(texts=[], asked=searched)["tool"] == "search_documents"
    followed = [*searched, {"tool": "graph_lookup", "query": "x"}]
    assert route(texts=[FUND], asked=followed)["tool"] == "search_documents"


def critique(question: str, *texts: str) -> dict[str, Any]:
    return json.loads(ask(CRITIC, material(question, texts, asked=[])))


def test_the_critic_keeps_what_would_be_quoted_and_has_enough() -> None:
    found = critique("How much does the Ferry Fund pay for ferries?", SALT, FUND)
    assert found == {"keep": ["E2"], "sufficient": True, "query": ""}


def test_the_critic_looks_next_for_the_names_that_it_found() -> None:
    found = critique("Where was the head who leads the Ferry Fund mayor?", HEAD, SALT)
    assert found["keep"] == ["E1"]
    assert found["sufficient"] is False
    assert "Lindqvist" in found["query"]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "no json",
        "[]",
        '{"task": "sing"}',
        '{"task": "answer"}',
        '{"task": "answer", "question": "q", "evidence": [1]}',
    ],
)
def test_a_request_out_of_protocol_is_an_error_of_the_call(line: str) -> None:
    request = Request("baseline", "in-process", MODEL, {}, (Message("user", f"Do it.\n{line}"),), None, "v", 0, None)
    with pytest.raises(CallError) as raised:
        asyncio.run(ExtractiveProvider().complete(request, 10))
    assert raised.value.reason == "provider_error"


def test_a_reply_costs_no_tokens_and_names_the_program() -> None:
    asked = material("Who leads the Ferry Fund?", [HEAD])
    request = Request("baseline", "in-process", MODEL, {}, GROUNDED.messages(asked), None, "v", 0, None)
    reply = asyncio.run(ExtractiveProvider().complete(request, 10))
    assert (reply.finish_reason, reply.prompt_tokens, reply.completion_tokens) == ("stop", 0, 0)
    assert reply.served_model == MODEL
    assert re.fullmatch(r"extractive-[0-9a-f]{8}", MODEL)


TEXT = st.text(st.sampled_from("Ada Ferry Fund 40 EUR 2026 . ? ! \n # - [E1](x) SRD-1 é 中 。"), max_size=200)


@settings(max_examples=60, deadline=None)
@given(TEXT, st.lists(TEXT, max_size=4))
def test_any_question_and_evidence_have_one_answer_that_cites_only_what_was_shown(
    question: str, texts: list[str]
) -> None:
    asked = material(question, texts)
    reply = ask(GROUNDED, asked)
    assert reply == ask(GROUNDED, asked)
    assert reply == INCONCLUSIVE or any(piece["cite_as"] in reply for piece in asked["evidence"])


@settings(max_examples=60, deadline=None)
@given(TEXT)
def test_every_statement_is_made_of_words_of_its_piece(text: str) -> None:
    piece = ReadPiece("E1", "[E1]", "embedding", "", "", text)
    for statement in statements_of([piece], "en"):
        letters = [char for char in text if char.isalnum()]
        position = 0
        for char in statement.text:
            if char.isalnum():
                position = letters.index(char, position) + 1


def test_names_identifiers_numbers_and_dates_are_told_apart() -> None:
    terms = terms_of("Ada Lindqvist signed SRD-012 for EUR 40 million in March 2026.", "en")
    assert terms.identifiers == {"#SRD-012"}
    assert terms.names == {"ada", "lindqvist"}
    assert terms.numbers == {"40000000"}
    assert terms.dates == {"march", "2026"}
