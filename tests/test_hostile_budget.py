"""Budgets against judges that write more than anybody expected."""

from pathlib import Path

import pytest

from tests.endpoint import ScriptedEndpoint
from tests.judging import judge, study, trace
from tests.scripted import JsonObject, Response, answer_all, chat, verdicts

MANY = [trace(f"t{n}") for n in range(40)]


def verbose(request: JsonObject, _number: int) -> Response:
    """Some eight thousand tokens a reply, where a few hundred would do."""
    return chat(request, verdicts(request, justification="word " * 2000))


@pytest.mark.parametrize("concurrency", [1, 16])
def test_a_verbose_judge_stays_within_its_tokens(tmp_path: Path, concurrency: int) -> None:
    with ScriptedEndpoint(verbose, latency=0.01) as endpoint:
        judged = judge(tmp_path, study(endpoint, budget={"tokens": 40_000}, max_concurrency=concurrency), *MANY)
        assert endpoint.count == 4
    used = judged.table("calls").select("prompt_tokens", "completion_tokens").sum().row(0)
    assert sum(used) <= 40_000
    assert judged.outcome.unscored == {"budget": 3 * 36}


def test_two_verbose_judges_go_beyond_one_budget_by_one_call_at_most(tmp_path: Path) -> None:
    price = {"input": 1.0, "output": 10.0}
    with ScriptedEndpoint(verbose, latency=0.01) as endpoint:
        base = study(endpoint, budget={"cost": 0.5}, price=price)
        other = base.judges[0].model_copy(update={"name": "k", "model": "n"})
        judged = judge(tmp_path, base.model_copy(update={"judges": (*base.judges, other)}), *MANY)
    costs = judged.table("calls")["cost"]
    # the second judge's first call, of a length that nobody knew, may be what goes beyond
    assert 0.25 < costs.sum() <= 0.5 + costs.max()


def test_a_budget_that_suffices_is_not_given_up_while_calls_are_under_way(tmp_path: Path) -> None:
    with ScriptedEndpoint(answer_all(), latency=0.01) as endpoint:
        judge(tmp_path, study(endpoint), *MANY)
        calls = judge(tmp_path, study(endpoint), *MANY).table("calls")
    needed = sum(calls.select("prompt_tokens", "completion_tokens").sum().row(0))
    (tmp_path / "again").mkdir()
    with ScriptedEndpoint(answer_all(), latency=0.01) as endpoint:
        # each call under way is held at more than it uses, so that sixteen of them fill this budget for a moment
        judged = judge(tmp_path / "again", study(endpoint, budget={"tokens": needed + 1000}), *MANY)
    assert judged.outcome.unscored == {}


def test_a_limit_on_the_reply_bounds_what_is_held_for_it(tmp_path: Path) -> None:
    with ScriptedEndpoint(answer_all()) as endpoint:
        asks = study(endpoint, budget={"tokens": 900}, params={"max_tokens": 100})
        assert judge(tmp_path, asks).outcome.unscored == {}
