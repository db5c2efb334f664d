"""At scale, against a real HTTP endpoint (cases 44 to 48): storms, deadlines, budgets, prices, event loops."""

import asyncio
import json
from pathlib import Path

import pytest

from faithflow.errors import UserError
from tests.endpoint import ScriptedEndpoint
from tests.judging import judge, judge_async, study, trace
from tests.scripted import (
    JsonObject,
    Response,
    always,
    answer_all,
    chat,
    error,
    never,
    no_choices,
    not_json,
    payload,
    rate_limited,
    reset,
    sequence,
    too_long,
    verdicts,
    without,
)

MANY = [trace(f"t{n}", 2) for n in range(12)]


@pytest.mark.parametrize("as_date", [False, True], ids=["seconds", "date"])
def test_retry_after_is_kept(tmp_path: Path, as_date: bool) -> None:
    with ScriptedEndpoint(sequence(rate_limited(1, as_date=as_date), then=answer_all())) as endpoint:
        judged = judge(tmp_path, study(endpoint))
        first, second = endpoint.requests
    # the wall clock, which a date is told by, may be corrected meanwhile
    assert second.at - first.at >= 0.8
    assert judged.outcome.unscored == {}


def test_a_storm_of_rate_limits_loses_no_row(tmp_path: Path) -> None:
    def script(request: JsonObject, number: int) -> Response:
        return rate_limited(0.05) if number % 2 == 0 else chat(request, verdicts(request))

    with ScriptedEndpoint(script) as endpoint:
        judged = judge(tmp_path, study(endpoint, max_attempts=20), *MANY)
    assert judged.verdicts.height == 24
    assert judged.outcome.unscored == {}


def test_rate_limits_without_end_are_unscored(tmp_path: Path) -> None:
    with ScriptedEndpoint(always(rate_limited(0.01))) as endpoint:
        judged = judge(tmp_path, study(endpoint, max_attempts=3))
        assert endpoint.count == 3
    assert set(judged.by_claim("reason").values()) == {"rate_limited"}


def test_an_endpoint_that_asks_for_an_hour_is_left_for_the_next_run(tmp_path: Path) -> None:
    with ScriptedEndpoint(always(rate_limited(3600))) as endpoint:
        judged = judge(tmp_path, study(endpoint, max_concurrency=1), *MANY)
        assert endpoint.count == 1
    assert judged.outcome.unscored == {"rate_limited": 24}


def test_an_endpoint_that_never_answers_meets_the_deadline(tmp_path: Path) -> None:
    with ScriptedEndpoint(always(never())) as endpoint:
        judged = judge(tmp_path, study(endpoint, timeout_s=0.3, max_attempts=5), *MANY)
        assert endpoint.count == 24
    assert judged.outcome.unscored == {"timeout": 24}


@pytest.mark.parametrize(
    "broken",
    [always(reset()), always(not_json()), no_choices, lambda r, _n: without(chat(r, "x"), "choices")],
    ids=["reset", "no JSON", "no choices", "choices left out"],
)
def test_a_broken_reply_is_a_providers_error(tmp_path: Path, broken) -> None:
    with ScriptedEndpoint(broken) as endpoint:
        judged = judge(tmp_path, study(endpoint, max_attempts=1))
    assert set(judged.by_claim("reason").values()) == {"provider_error"}


def test_a_connection_lost_once_is_tried_again(tmp_path: Path) -> None:
    with ScriptedEndpoint(sequence(reset(), then=answer_all())) as endpoint:
        judged = judge(tmp_path, study(endpoint))
    assert judged.outcome.unscored == {}


def test_evidence_that_the_endpoint_finds_too_long_is_unscored(tmp_path: Path) -> None:
    with ScriptedEndpoint(always(too_long())) as endpoint:
        judged = judge(tmp_path, study(endpoint))
        assert endpoint.count == 1
    assert set(judged.by_claim("reason").values()) == {"too_long"}


def test_a_wrong_key_is_tried_once_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    denied = always(error(401, "Incorrect API key provided: sk-very-secret", code="invalid_api_key"))
    with ScriptedEndpoint(denied) as endpoint:
        judged = judge(tmp_path, study(endpoint, api_key_env="MY_KEY", max_concurrency=1), *MANY)
        assert endpoint.count == 1
        assert endpoint.requests[0].headers["Authorization"] == "Bearer sk-very-secret"
    assert judged.outcome.unscored == {"provider_error": 24}
    for file in judged.folder.iterdir():
        assert b"sk-very-secret" not in file.read_bytes(), file.name


def test_a_missing_key_is_named_before_any_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_KEY_HERE", raising=False)
    with ScriptedEndpoint() as endpoint:
        with pytest.raises(UserError, match="NO_KEY_HERE: it is not set"):
            judge(tmp_path, study(endpoint, api_key_env="NO_KEY_HERE"))
        assert endpoint.count == 0


def test_one_failing_answer_of_three_moves_nothing(tmp_path: Path) -> None:
    def script(request: JsonObject, _number: int) -> Response:
        text = payload(request)["claims"][0]["text"]
        label = "contradicted" if "t3" in text else "supported"
        return chat(request, "no" if "t2" in text else verdicts(request, label))

    with ScriptedEndpoint(script) as endpoint:
        judged = judge(tmp_path, study(endpoint), trace("t1", 2), trace("t2", 2), trace("t3", 2))
    assert judged.by_claim(trace_id="t1") == {"k1": "supported", "k2": "supported"}
    assert judged.by_claim("reason", "t2") == {"k1": "parse", "k2": "parse"}
    assert judged.by_claim(trace_id="t3") == {"k1": "contradicted", "k2": "contradicted"}


def test_one_model_with_two_settings_is_two_judges(tmp_path: Path) -> None:
    with ScriptedEndpoint(
        lambda r, _n: chat(r, verdicts(r, "supported" if r["seed"] == 1 else "contradicted"))
    ) as endpoint:
        base = study(endpoint, params={"seed": 1})
        other = base.judges[0].model_copy(update={"name": "other", "params": {"seed": 2}})
        judged = judge(tmp_path, base.model_copy(update={"judges": (*base.judges, other)}))
    found = {name: set(judged.verdicts.filter(judge=name)["verdict"]) for name in ("j", "other")}
    assert found == {"j": {"supported"}, "other": {"contradicted"}}
    assert judged.summary["pairs"][0]["raw"] == 0.0


def test_a_model_without_a_price_has_tokens_and_an_unknown_cost(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        summary = judge(tmp_path, study(endpoint)).summary["judges"]["j"]
    assert summary["prompt_tokens"] > 0
    assert summary["cost"] is None


def test_a_priced_model_costs_what_its_tokens_cost(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        summary = judge(tmp_path, study(endpoint, price={"input": 2.0, "output": 8.0})).summary["judges"]["j"]
    paid = (summary["prompt_tokens"] * 2 + summary["completion_tokens"] * 8) / 1e6
    assert summary["cost"] == pytest.approx(paid)


def test_usage_that_the_endpoint_left_out_is_counted_and_marked(tmp_path: Path) -> None:
    with ScriptedEndpoint(lambda r, _n: without(chat(r, verdicts(r)), "usage")) as endpoint:
        calls = judge(tmp_path, study(endpoint)).table("calls")
    assert calls["estimated"].all()
    assert calls["prompt_tokens"].min() > 100


def test_a_budget_stops_cleanly_and_a_rerun_goes_on(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        tight = study(endpoint, budget={"tokens": 6000}, max_concurrency=2)
        stopped = judge(tmp_path, tight, *MANY)
        spent = stopped.table("calls").select("prompt_tokens", "completion_tokens").sum().row(0)
        done = endpoint.count
        assert 0 < done < 12
        finished = judge(tmp_path, study(endpoint), *MANY)
        assert endpoint.count == 12
    assert sum(spent) <= 6000
    assert stopped.outcome.unscored == {"budget": 2 * (12 - done)}
    assert stopped.verdicts.height == 24
    assert finished.outcome.unscored == {}


def test_a_budget_in_money_stops_too(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        price = {"input": 1000.0, "output": 1000.0}
        asks = study(endpoint, budget={"cost": 4.0}, price=price, max_concurrency=1)
        judged = judge(tmp_path, asks, *MANY)
        assert 0 < endpoint.count < 12
    assert judged.table("calls")["cost"].sum() <= 4.0
    assert set(judged.outcome.unscored) == {"budget"}


def test_judging_works_from_a_running_event_loop_twice(tmp_path: Path) -> None:
    async def twice() -> list[int]:
        rows: list[int] = []
        with ScriptedEndpoint() as endpoint:
            for _ in range(2):
                judged = await judge_async(tmp_path, study(endpoint))
                rows.append(judged.outcome.rows)
        return rows

    assert asyncio.run(twice()) == [3, 3]


def test_two_runs_into_one_folder_at_once_lose_nothing(tmp_path: Path) -> None:
    async def both() -> None:
        with ScriptedEndpoint(latency=0.02) as endpoint:
            for name in ("a", "b"):
                (tmp_path / name).mkdir()
                (tmp_path / name / "out").symlink_to(tmp_path / "shared", target_is_directory=True)
            (tmp_path / "shared").mkdir()
            await asyncio.gather(
                judge_async(tmp_path / "a", study(endpoint, name="a"), *MANY),
                judge_async(tmp_path / "b", study(endpoint, name="b", model="n"), *MANY),
            )

    asyncio.run(both())
    summary = json.loads((tmp_path / "shared" / "summary.json").read_text(encoding="utf-8"))
    assert {name: numbers["claims"] for name, numbers in summary["judges"].items()} == {"a": 24, "b": 24}


def test_no_more_calls_are_open_than_the_judge_allows(tmp_path: Path) -> None:
    with ScriptedEndpoint(latency=0.02) as endpoint:
        judge(tmp_path, study(endpoint, max_concurrency=3), *MANY)
        assert endpoint.most_at_once == 3


def test_one_client_serves_all_calls_of_a_judge(tmp_path: Path) -> None:
    with ScriptedEndpoint(latency=0.01) as endpoint:
        judge(tmp_path, study(endpoint, max_concurrency=2), *MANY)
        assert endpoint.connections <= 2
