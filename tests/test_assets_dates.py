"""Honest dates: a night is judged on its day, rebuilt from the ledger, or marked as late."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

import faithflow.judging.dates
import resources.night
from faithflow.corpus.trace import TRACES_EMBEDDER
from faithflow.judging.dates import today
from tests.endpoint import ScriptedEndpoint
from tests.home import judge, judge_date, made, make_house, take_in
from tests.judging import trace
from tests.scripted import answer_all, error, sequence

DAY = dt.timedelta(days=1)


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as found:
        yield found


def pretend(monkeypatch: pytest.MonkeyPatch, date: dt.date) -> None:
    """Let faithflow take it for another day; calls are stamped with the real time all the same."""
    monkeypatch.setattr(faithflow.judging.dates, "today", lambda: date)
    monkeypatch.setattr(resources.night, "today", lambda: date)


def night(date: dt.date) -> dict[str, str]:
    return {"embedder": TRACES_EMBEDDER, "judging_date": date.isoformat()}


def test_a_past_date_that_nobody_judged_is_refused_without_a_call(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    home = take_in(place)
    with pytest.raises(dg.Failure, match=r"nobody judged on it.*late run") as caught:
        judge_date(place, today() - DAY)
    assert caught.value.allow_retries is False
    assert endpoint.count == 0
    assert home.warehouse.files("verdicts") == []


def test_a_date_to_come_is_refused(tmp_path: Path, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    take_in(place)
    real = today()
    pretend(monkeypatch, real - DAY)
    with pytest.raises(dg.Failure, match="lies in the future"):
        judge_date(place, real, late=True)
    assert endpoint.count == 0


def test_a_late_run_is_let_and_marked(tmp_path: Path, endpoint: ScriptedEndpoint) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    home = take_in(place)
    result = judge_date(place, today() - DAY, late=True)
    rows = home.warehouse.read("verdicts", night(today() - DAY))
    assert rows["late"].to_list() == [True] * 3
    assert {c.check_name: c.passed for c in result.get_asset_check_evaluations()}["late_rows"] is False
    assert result.success


def test_a_past_date_is_rebuilt_from_the_ledger_alone(
    tmp_path: Path, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    judges = [judge("a", endpoint.base_url), judge("b", endpoint.base_url)]
    place = make_house(tmp_path, judges, trace("t1"), trace("t2", contexts=[]), repeats=2)
    home = take_in(place)
    date = today()
    version = (made(judge_date(place, date), "verdicts").tags or {})["dagster/data_version"]
    calls = endpoint.count
    for path in home.warehouse.files("verdicts", night(date)):
        path.unlink()
    pretend(monkeypatch, date + DAY)
    rebuilt = made(judge_date(place, date), "verdicts")
    assert (rebuilt.tags or {})["dagster/data_version"] == version
    assert endpoint.count == calls
    assert not home.warehouse.read("verdicts")["late"].any()


def test_an_answer_that_came_later_has_no_part_in_a_past_date(
    tmp_path: Path, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    judges = [judge("a", endpoint.base_url)]
    place = make_house(tmp_path, judges, trace("t1"))
    take_in(place)
    date = today()
    judge_date(place, date)
    make_house(tmp_path, judges, trace("t1"), trace("t2"))
    home = take_in(place)
    pretend(monkeypatch, date + DAY)
    metadata = made(judge_date(place, date), "verdicts").metadata
    assert (metadata["answers"].value, metadata["answers_left_out"].value) == (1, 1)
    assert set(home.warehouse.read("verdicts", night(date))["trace_id"]) == {"t1"}


def test_a_judge_that_came_later_cannot_join_a_past_date(
    tmp_path: Path, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    take_in(place)
    date = today()
    judge_date(place, date)
    make_house(tmp_path, [judge("a", endpoint.base_url), judge("b", endpoint.base_url)])
    pretend(monkeypatch, date + DAY)
    with pytest.raises(dg.Failure, match=r"'b'.*no call of that date"):
        judge_date(place, date)
    assert endpoint.count == 1


def test_a_past_date_keeps_the_rows_of_answers_that_were_replaced(
    tmp_path: Path, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    judges = [judge("a", endpoint.base_url)]
    place = make_house(tmp_path, judges, trace("t1"))
    take_in(place)
    date = today()
    judge_date(place, date)
    make_house(tmp_path, judges, trace("t2"))
    home = take_in(place)
    before = home.warehouse.read("verdicts", night(date))
    pretend(monkeypatch, date + DAY)
    with pytest.raises(dg.Failure, match="in no corpus of the study any more"):
        judge_date(place, date)
    assert home.warehouse.read("verdicts", night(date)).equals(before)


def test_nights_stand_side_by_side_in_the_trend(
    tmp_path: Path, endpoint: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make_house(tmp_path, [judge("a", endpoint.base_url)])
    home = take_in(place)
    date = today() - DAY
    pretend(monkeypatch, date)
    judge_date(place, date)
    endpoint.script = answer_all("contradicted")
    pretend(monkeypatch, date + DAY)
    judge_date(place, date + DAY)
    rows = home.warehouse.read("trends").sort("judging_date")
    assert rows["judging_date"].to_list() == [date, date + DAY]
    assert rows["rate"].to_list() == [1.0, 0.0]


def test_with_anchors_later_nights_judge_them_and_what_failed_or_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = [trace(f"t{n}", claims=1) for n in range(6)]
    with ScriptedEndpoint(sequence(error(500, "down"), then=answer_all())) as endpoint:
        judges = [judge("a", endpoint.base_url, max_attempts=1, max_concurrency=1)]
        place = make_house(tmp_path, judges, *traces, anchors={"per_cell": 2})
        home = take_in(place)
        date = today() - DAY
        pretend(monkeypatch, date)
        judge_date(place, date)
        first = home.warehouse.read("verdicts", night(date))
        assert first.height == 6
        failed = set(first.filter(status="unscored")["trace_id"])
        assert len(failed) == 1
        make_house(tmp_path, judges, *traces, trace("new", claims=1), anchors={"per_cell": 2})
        take_in(place)
        pretend(monkeypatch, date + DAY)
        judge_date(place, date + DAY)
    second = set(home.warehouse.read("verdicts", night(date + DAY))["trace_id"])
    assert second >= failed | {"new"}
    assert 3 <= len(second) <= 4
