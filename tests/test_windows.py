"""Evidence that does not fit a judge's window."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faithflow.claims.claim import ClaimKind
from faithflow.judging.prompt import AskedClaim, Exhibit, messages_for
from faithflow.judging.windows import TooLongError, plan_windows
from faithflow.llm.tokens import estimate_prompt

CLAIM = AskedClaim("c1", "The fund opened in March.", ClaimKind.STATEMENT)


def passages(*texts: str) -> list[Exhibit]:
    return [Exhibit(f"e{n}", None, text) for n, text in enumerate(texts, start=1)]


def test_without_a_limit_everything_goes_in_one_window() -> None:
    evidence = passages("word " * 50_000)
    assert [w.evidence for w in plan_windows("q", evidence, [CLAIM], None)] == [tuple(evidence)]


def test_what_fits_goes_in_one_window() -> None:
    assert len(plan_windows("q", passages("short"), [CLAIM], 4096)) == 1


def test_passages_keep_their_order_and_their_ids() -> None:
    windows = plan_windows(
        "q", passages(*(f"Passage {n}. " + "Words follow here. " * 60 for n in range(9))), [CLAIM], 1800
    )
    ids = [e.local_id for w in windows for e in w.evidence]
    assert len(windows) > 1
    assert list(dict.fromkeys(ids)) == [f"e{n}" for n in range(1, 10)]


def test_every_window_fits_the_limit() -> None:
    for window in plan_windows("q", passages("A sentence of seven words is here. " * 900), [CLAIM], 2000):
        assert estimate_prompt(messages_for("q", window.evidence, window.claims)) <= 2000


def test_many_claims_are_split_before_the_evidence_is_crushed() -> None:
    claims = [
        AskedClaim(f"c{n}", "A claim of some length stands here. " * 4, ClaimKind.STATEMENT) for n in range(1, 41)
    ]
    windows = plan_windows("q", passages("Evidence. " * 300), claims, 4000)
    assert {c.local_id for w in windows for c in w.claims} == {c.local_id for c in claims}
    assert all(len(w.claims) < len(claims) for w in windows)


def test_a_claim_that_leaves_no_room_is_too_long() -> None:
    with pytest.raises(TooLongError):
        plan_windows("q", passages("evidence"), [AskedClaim("c1", "word " * 4000, ClaimKind.STATEMENT)], 2000)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=3000), min_size=1, max_size=4), st.integers(min_value=1200, max_value=4000))
def test_no_character_of_the_evidence_is_lost(texts: list[str], limit: int) -> None:
    windows = plan_windows("q", passages(*texts), [CLAIM], limit)
    for number, text in enumerate(texts, start=1):
        parts = [e.text for w in windows for e in w.evidence if e.local_id == f"e{number}"]
        assert "".join(parts) == text
