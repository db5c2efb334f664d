"""Cache, repeats and reproducibility, against a real HTTP endpoint (cases 37 to 43), and honest dates."""

import datetime as dt
import itertools
from pathlib import Path

import pytest

from faithflow.errors import LateRunError, UserError
from faithflow.judging.dates import today
from faithflow.study.model import Study
from tests.endpoint import ScriptedEndpoint
from tests.judging import judge, study, trace
from tests.scripted import (
    JsonObject,
    Response,
    answer_all,
    chat,
    error,
    filtered,
    payload,
    rate_limited,
    refuses_parameter,
    sequence,
    server_error,
    verdicts,
)

YESTERDAY = today() - dt.timedelta(days=1)


def with_judges(base: Study, **settings: dict[str, object]) -> Study:
    """The study with more judges like its first, each with settings of its own."""
    first = base.judges[0]
    more = [first.model_copy(update={"name": name, **changed}) for name, changed in settings.items()]
    return base.model_copy(update={"judges": (first, *more)})


def test_two_judges_with_one_prompt_are_two_calls(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        judge(tmp_path, with_judges(study(endpoint), other={"model": "n"}))
        assert sorted(r.json["model"] for r in endpoint.requests) == ["m", "n"]


def test_five_repeats_are_five_calls_and_then_the_same_five(tmp_path: Path) -> None:
    labels = itertools.cycle(["supported", "contradicted"])
    with ScriptedEndpoint(lambda r, _n: chat(r, verdicts(r, next(labels)))) as endpoint:
        asks = study(endpoint, repeats=5, max_concurrency=1)
        cold = judge(tmp_path, asks)
        assert endpoint.count == 5
        warm = judge(tmp_path, asks)
        assert endpoint.count == 5
    assert cold.verdicts.equals(warm.verdicts)
    assert cold.verdicts.filter(claim_id="k1")["call_id"].n_unique() == 5


def test_more_repeats_extend_a_folder(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        judge(tmp_path, study(endpoint, repeats=2))
        judged = judge(tmp_path, study(endpoint, repeats=3))
        assert endpoint.count == 3
    assert judged.verdicts["repeat"].unique().sort().to_list() == [0, 1, 2]


def test_more_traces_and_other_judges_extend_a_folder(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        judge(tmp_path, study(endpoint), trace("t1"))
        judged = judge(tmp_path, study(endpoint, name="k", model="n"), trace("t2"))
    assert judged.verdicts.select("trace_id", "judge").unique().sort("trace_id").rows() == [("t1", "j"), ("t2", "k")]
    assert set(judged.summary["judges"]) == {"j", "k"}


@pytest.mark.parametrize("change", [{"question": "Another?"}, {"contexts": ["Other evidence."]}])
def test_other_words_shown_to_the_judge_are_a_miss(tmp_path: Path, change: dict[str, object]) -> None:
    with ScriptedEndpoint() as endpoint:
        judge(tmp_path, study(endpoint), trace("t1"), {**trace("t1"), "id": "t2", **change})
        assert endpoint.count == 2


def test_other_parameters_are_a_miss(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        judge(tmp_path, study(endpoint, params={"temperature": 0}))
        judge(tmp_path, study(endpoint, params={"temperature": 1}))
        assert endpoint.count == 2


def test_another_prompt_is_a_miss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedEndpoint() as endpoint:
        judge(tmp_path, study(endpoint))
        monkeypatch.setattr("faithflow.judging.prompt._SYSTEM", "Judge otherwise.")
        judge(tmp_path, study(endpoint))
        assert endpoint.count == 2


def test_two_traces_with_the_same_words_share_one_call(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        judged = judge(tmp_path, study(endpoint), trace("t1"), {**trace("t1"), "id": "t2"})
        assert endpoint.count == 1
    assert judged.verdicts.height == 6


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (rate_limited(), "rate_limited"),
        (filtered(), "content_filter"),
        (error(400, "The prompt was filtered", code="content_filter"), "content_filter"),
        (server_error(503), "provider_error"),
        (error(500, "no"), "provider_error"),
    ],
    ids=["429", "filtered reply", "filtered prompt", "503", "500"],
)
def test_a_failure_is_never_stored_as_an_answer(tmp_path: Path, failure, reason: str) -> None:
    with ScriptedEndpoint(sequence(failure, then=answer_all())) as endpoint:
        asks = study(endpoint, max_attempts=1)
        first = judge(tmp_path, asks)
        assert set(first.by_claim("reason").values()) == {reason}
        second = judge(tmp_path, asks)
        assert endpoint.count == 2
    assert set(second.by_claim().values()) == {"supported"}
    assert second.table("calls")["status"].to_list() == ["failed", "answered"]


def test_only_what_failed_runs_again(tmp_path: Path) -> None:
    def script(request: JsonObject, number: int) -> Response:
        text = payload(request)["claims"][0]["text"]
        return chat(request, "no" if "t2" in text and number < 4 else verdicts(request))

    with ScriptedEndpoint(script) as endpoint:
        asks = study(endpoint, max_concurrency=1)
        judge(tmp_path, asks, trace("t1"), trace("t2"), trace("t3"))
        before = endpoint.count
        again = judge(tmp_path, asks, trace("t1"), trace("t2"), trace("t3"))
        fresh = [payload(r.json)["claims"][0]["text"] for r in endpoint.requests[before:]]
    assert fresh == ["Claim number 1 of t2."]
    assert again.outcome.unscored == {}


def test_the_flip_rate_of_repeats_is_shown_with_its_interval(tmp_path: Path) -> None:
    labels = itertools.cycle(["supported", "contradicted"])
    with ScriptedEndpoint(lambda r, _n: chat(r, verdicts(r, next(labels)))) as endpoint:
        judged = judge(tmp_path, study(endpoint, repeats=2, params={"temperature": 0}, max_concurrency=1))
    stability = judged.summary["stability"]["j"]
    assert stability["flip_rate"] == 1.0
    assert stability["n"] == 3
    assert set(judged.table("calls")["params"]) == {'{"temperature":0}'}


def test_a_refused_parameter_is_left_out_and_the_sent_ones_are_recorded(tmp_path: Path) -> None:
    def script(request: JsonObject, _number: int) -> Response:
        return refuses_parameter("temperature") if "temperature" in request else chat(request, verdicts(request))

    with ScriptedEndpoint(script) as endpoint:
        asks = study(endpoint, params={"temperature": 0, "seed": 1}, max_concurrency=1)
        judged = judge(tmp_path, asks, *(trace(f"t{n}") for n in range(6)))
        refusals = sum("temperature" in r.json for r in endpoint.requests)
    answered = judged.table("calls").filter(status="answered")
    assert judged.outcome.unscored == {}
    assert refusals < 4
    assert set(answered["params"]) == {'{"seed":1}'}


@pytest.mark.parametrize("refused", ["response_format", "json_schema"])
def test_an_endpoint_without_structured_output_is_asked_without(tmp_path: Path, refused: str) -> None:
    def script(request: JsonObject, _number: int) -> Response:
        if "response_format" in request:
            return error(400, f"{refused} is not supported here", code="unsupported_parameter")
        return chat(request, verdicts(request))

    with ScriptedEndpoint(script) as endpoint:
        judged = judge(tmp_path, study(endpoint))
    assert set(judged.by_claim().values()) == {"supported"}


def test_an_endpoint_that_takes_no_bounds_gets_a_schema_without(tmp_path: Path) -> None:
    def script(request: JsonObject, _number: int) -> Response:
        if "maxLength" in str(request.get("response_format")):
            return error(400, "Invalid schema for response_format: 'maxLength' is not permitted.")
        return chat(request, verdicts(request))

    with ScriptedEndpoint(script) as endpoint:
        judged = judge(tmp_path, study(endpoint))
        assert "response_format" in endpoint.requests[-1].json
    assert set(judged.by_claim().values()) == {"supported"}


def test_a_past_date_is_rebuilt_from_the_ledger_without_a_call(tmp_path: Path, monkeypatch) -> None:
    flaky = sequence(answer_all("contradicted"), lambda r, _n: chat(r, "no"), lambda r, _n: chat(r, "no"))
    with ScriptedEndpoint(flaky) as endpoint:
        asks = study(endpoint, max_concurrency=1)
        with monkeypatch.context() as patch:
            patch.setattr("faithflow.judging.dates.today", lambda: YESTERDAY)
            before = judge(tmp_path, asks, trace("t1"), trace("t2"), date=YESTERDAY)
        calls = endpoint.count
        rebuilt = judge(tmp_path, asks, trace("t1"), trace("t2"), date=YESTERDAY)
        assert endpoint.count == calls
    assert rebuilt.verdicts.equals(before.verdicts)


def test_a_past_date_that_was_not_judged_is_refused(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        with pytest.raises(LateRunError, match="is not today and the ledger holds no call"):
            judge(tmp_path, study(endpoint), date=YESTERDAY)
        assert endpoint.count == 0
    assert not (tmp_path / "out" / "verdicts.parquet").exists()


def test_a_late_run_is_marked_as_late(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        judged = judge(tmp_path, study(endpoint), date=YESTERDAY, late=True)
    assert judged.verdicts["late"].all()
    assert set(judged.verdicts["judging_date"]) == {YESTERDAY}


def test_todays_run_is_not_late(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        assert not judge(tmp_path, study(endpoint)).verdicts["late"].any()


def test_nobody_judges_tomorrow(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint, pytest.raises(LateRunError, match="in the future"):
        judge(tmp_path, study(endpoint), date=today() + dt.timedelta(days=1), late=True)


def test_a_new_date_is_judged_anew(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        judge(tmp_path, study(endpoint), date=YESTERDAY, late=True)
        judged = judge(tmp_path, study(endpoint))
        assert endpoint.count == 2
    assert judged.verdicts.height == 6
    assert judged.summary["judges"]["j"]["claims"] == 3


def test_a_trace_id_with_other_words_is_refused(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        judge(tmp_path, study(endpoint), trace("t1"))
        with pytest.raises(UserError, match="'t1'; give them new ids"):
            judge(tmp_path, study(endpoint), {**trace("t1"), "question": "Another?"})
        assert endpoint.count == 1
