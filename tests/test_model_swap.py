"""A swapped model: what Dagster calls stale then, what makes it anew, and the sensor that asks for that."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from assets.jobs import answering, nightly_judging
from assets.models import EMBEDDER_MODEL, report_models
from assets.partitions import night_key
from assets.sensors import SWAP_TAG, model_swap
from faithflow.definitions import definitions
from faithflow.judging.dates import today
from resources.house import House
from tests.endpoint import ScriptedEndpoint
from tests.home import QUIET, instance_of
from tests.systems import make, model, serve, stale, write_study

LEXICAL = {"name": "lexical", "provider": "baseline"}
LSA, SMALL = {"name": "lsa", "provider": "lsa"}, {"name": "small", "provider": "lsa", "dimensions": 4}
SMALLER = {**SMALL, "dimensions": 3}
PIPELINES = ["vanilla", "graphrag"]
BOTH = ("lsa", "small")

Stale = dict[str, set[str | None]]


# ---- what is stale


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Stale]]:
    """What was stale in one home: once it was `made`; under another `embedder`; when its passages were `indexed` and
    its questions answered anew; under another `generator`; when all was `answered` anew; and when it was `judged`."""
    folder = tmp_path_factory.mktemp("swap")
    with ScriptedEndpoint(serve()) as endpoint:
        study: dict[str, Any] = {"embedders": [LSA, SMALL], "pipelines": PIPELINES}
        place = write_study(folder, [LEXICAL], **study)
        make(place)
        seen = {"made": stale(place)}

        study["embedders"] = [LSA, SMALLER]
        place = write_study(folder, [LEXICAL], **study)
        report_models(instance_of(place), place.load_study())
        seen["embedder"] = stale(place)
        execute(place, answering.name, "small")
        seen["indexed"] = stale(place)

        study["generator"] = model(endpoint.base_url)
        place = write_study(folder, [LEXICAL], **study)
        seen["generator"] = stale(place)
        for embedder in BOTH:
            execute(place, answering.name, embedder)
        seen["answered"] = stale(place)
        for embedder in BOTH:
            execute(place, nightly_judging.name, night_key(embedder, today()))
        seen["judged"] = stale(place)
        yield seen


def execute(place: House, job: str, key: str) -> None:
    definitions(place).resolve_job_def(job).execute_in_process(
        run_config=QUIET, instance=instance_of(place), partition_key=key
    )


@pytest.mark.slow
def test_nothing_is_stale_in_a_home_that_was_just_made(found: Mapping[str, Stale]) -> None:
    assert found["made"] == {}


@pytest.mark.slow
def test_another_model_under_an_embedders_name_makes_its_own_vectors_stale_alone(found: Mapping[str, Stale]) -> None:
    assert found["embedder"] == {"embeddings": {"small"}}


@pytest.mark.slow
def test_indexing_and_answering_anew_leaves_its_judging_stale_alone(found: Mapping[str, Stale]) -> None:
    assert found["indexed"] == {
        **{name: {"small"} for name in ("verdicts", "calls", "answer_verdicts")},
        **{name: {None} for name in ("report", "published")},
    }


@pytest.mark.slow
def test_another_generator_makes_the_answers_and_their_trajectories_stale_under_every_embedder(
    found: Mapping[str, Stale],
) -> None:
    new = {name: embedders for name, embedders in found["generator"].items() if name not in found["indexed"]}
    assert new == {"answers": set(BOTH), "steps": set(BOTH), "retrievals": set(BOTH)}


@pytest.mark.slow
def test_answering_anew_leaves_nothing_stale_but_the_judging_of_the_new_answers(found: Mapping[str, Stale]) -> None:
    assert found["answered"] == {
        **{name: set(BOTH) for name in ("verdicts", "calls", "answer_verdicts")},
        **{name: {None} for name in ("report", "published")},
    }


@pytest.mark.slow
def test_nothing_is_stale_once_the_new_answers_were_judged(found: Mapping[str, Stale]) -> None:
    assert found["judged"] == {}


def test_a_model_is_reported_once_and_again_when_it_is_another(tmp_path: Path) -> None:
    place = write_study(tmp_path, [LEXICAL], embedders=[LSA, SMALL])
    instance = instance_of(place)
    for embedders in ([LSA, SMALL], [LSA, SMALL], [LSA, SMALLER]):
        report_models(instance, write_study(tmp_path, [LEXICAL], embedders=embedders).load_study())
    records = instance.fetch_observations(EMBEDDER_MODEL.key, limit=10).records
    seen = [record.asset_observation for record in records]
    assert [each.partition for each in seen if each] == ["small", "small", "lsa"]


# ---- the sensor


class Ticks:
    """The sensor's ticks on one study; the cursor goes from one to the next, as the daemon keeps it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._study: dict[str, Any] = {}
        self.place = self.study()
        self._loaded = definitions(self.place).get_repository_def()
        self.cursor: str | None = None

    def study(self, **more: Any) -> House:
        """Edit the study."""
        self._study = {"judges": [LEXICAL], "embedders": [LSA, SMALL], "pipelines": PIPELINES, **self._study, **more}
        self.place = write_study(self._folder, **self._study)
        return self.place

    def reload(self) -> None:
        self._loaded = definitions(self.place).get_repository_def()

    def tick(self) -> dg.SensorResult | dg.SkipReason:
        context = dg.build_sensor_context(
            instance=instance_of(self.place),
            cursor=self.cursor,
            repository_def=self._loaded,
            resources={"house": self.place},
        )
        given = model_swap(context)
        assert isinstance(given, dg.SensorResult | dg.SkipReason)
        if isinstance(given, dg.SensorResult) and given.cursor:
            self.cursor = given.cursor
        return given

    def asked(self) -> list[tuple[str | None, str | None]]:
        """The next tick's run requests: job and partition."""
        given = self.tick()
        return [(each.job_name, str(each.partition_key)) for each in requests_of(given)]

    def words(self) -> str:
        """Why the next tick asks for nothing."""
        given = self.tick()
        assert not requests_of(given)
        reason = given if isinstance(given, dg.SkipReason) else given.skip_reason
        return (reason.skip_message if reason else None) or ""

    def run(self, embedder: str, status: dg.DagsterRunStatus) -> None:
        """A run that answers anew under an embedder, of the newest swap."""
        assert self.cursor
        tags = {SWAP_TAG: json.loads(self.cursor)["swap"], "dagster/partition": embedder}
        instance_of(self.place).add_run(dg.DagsterRun(job_name=answering.name, status=status, tags=tags))


def requests_of(given: dg.SensorResult | dg.SkipReason) -> list[dg.RunRequest]:
    return list(given.run_requests or []) if isinstance(given, dg.SensorResult) else []


@pytest.fixture
def ticks(tmp_path: Path) -> Ticks:
    """A sensor whose first tick is over."""
    made = Ticks(tmp_path)
    assert made.words() == "watching from now on"
    return made


def judging(*embedders: str) -> list[tuple[str, str]]:
    return [(nightly_judging.name, f"{today()}|{embedder}") for embedder in embedders]


def test_nothing_is_asked_for_while_the_models_stay(ticks: Ticks) -> None:
    assert ticks.words() == "no model was swapped"


def test_a_swapped_embedder_is_answered_anew_in_its_partition_and_then_judged(ticks: Ticks) -> None:
    ticks.study(embedders=[LSA, SMALLER])
    assert ticks.asked() == [(answering.name, "small")]
    assert ticks.words() == "waiting for the answers of the swapped models"
    ticks.run("small", dg.DagsterRunStatus.STARTED)
    assert ticks.words() == "waiting for the answers of the swapped models"
    ticks.run("small", dg.DagsterRunStatus.SUCCESS)
    assert ticks.asked() == judging("small")
    assert ticks.words() == "no model was swapped"


def test_a_tick_reports_the_swapped_embedder_to_its_asset(ticks: Ticks) -> None:
    ticks.study(embedders=[LSA, SMALLER])
    ticks.tick()
    (record,) = instance_of(ticks.place).fetch_observations(EMBEDDER_MODEL.key, limit=1).records
    assert record.asset_observation
    assert record.asset_observation.partition == "small"


@pytest.mark.parametrize(
    "swap",
    [
        {"generator": model("http://127.0.0.1:9/v1")},
        {"pipelines": ["vanilla"]},
        {"reranker": {"provider": "none"}},
        {"scope": {"access": ["public", "internal"]}},
    ],
    ids=lambda swap: next(iter(swap)),
)
def test_what_all_answers_follow_from_has_them_all_made_anew(ticks: Ticks, swap: dict[str, Any]) -> None:
    ticks.study(**swap)
    assert ticks.asked() == [(answering.name, "lsa"), (answering.name, "small")]
    ticks.run("lsa", dg.DagsterRunStatus.SUCCESS)
    assert "waiting" in ticks.words()
    ticks.run("small", dg.DagsterRunStatus.SUCCESS)
    assert ticks.asked() == judging("lsa", "small")


def test_a_swapped_judge_judges_every_partition_today_and_answers_nothing(ticks: Ticks) -> None:
    ticks.study(judges=[LEXICAL, {"name": "other", "provider": "baseline", "model": "lexical"}])
    assert ticks.asked() == judging("lsa", "small")
    assert ticks.words() == "no model was swapped"


def test_a_judge_that_is_swapped_meanwhile_waits_for_the_answers_too(ticks: Ticks) -> None:
    ticks.study(embedders=[LSA, SMALLER])
    ticks.tick()
    ticks.study(judges=[{"name": "other", "provider": "baseline", "model": "lexical"}])
    assert "waiting" in ticks.words()
    ticks.run("small", dg.DagsterRunStatus.SUCCESS)
    assert ticks.asked() == judging("lsa", "small")


def test_a_second_swap_asks_again_for_what_the_first_still_waits_for(ticks: Ticks) -> None:
    ticks.study(embedders=[LSA, SMALLER])
    ticks.tick()
    ticks.study(embedders=[{**LSA, "dimensions": 5}, SMALLER])
    assert ticks.asked() == [(answering.name, "lsa"), (answering.name, "small")]


def test_a_model_that_comes_back_is_asked_for_anew(ticks: Ticks) -> None:
    keys: list[str | None] = []
    for embedder in (SMALLER, SMALL, SMALLER, SMALL):
        ticks.study(embedders=[LSA, embedder])
        keys += [each.run_key for each in requests_of(ticks.tick())]
        ticks.run("small", dg.DagsterRunStatus.SUCCESS)
        keys += [each.run_key for each in requests_of(ticks.tick())]
    assert len(keys) == len(set(keys)) == 8


def test_a_tick_that_is_evaluated_twice_asks_for_the_same_runs(ticks: Ticks) -> None:
    ticks.study(embedders=[LSA, SMALLER])
    before = ticks.cursor
    first = [each.run_key for each in requests_of(ticks.tick())]
    ticks.cursor = before
    assert [each.run_key for each in requests_of(ticks.tick())] == first


@pytest.mark.parametrize("status", [dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED])
def test_judging_waits_while_the_answers_failed_and_says_so(ticks: Ticks, status: dg.DagsterRunStatus) -> None:
    ticks.study(embedders=[LSA, SMALLER])
    ticks.tick()
    ticks.run("small", status)
    assert ticks.words() == "the answers of small failed: run them again, judging waits for them"
    ticks.run("small", dg.DagsterRunStatus.SUCCESS)
    assert ticks.asked() == judging("small")


def test_answers_that_a_person_had_made_after_a_failure_are_judged(ticks: Ticks) -> None:
    ticks.study(embedders=[LSA, SMALLER])
    ticks.tick()
    ticks.run("small", dg.DagsterRunStatus.FAILURE)
    assert "failed" in ticks.words()
    instance_of(ticks.place).report_runless_asset_event(dg.AssetMaterialization("claims", partition="small"))
    assert ticks.asked() == judging("small")


def test_a_new_embedder_waits_until_the_code_location_is_loaded_again(ticks: Ticks) -> None:
    third = {"name": "third", "provider": "lsa", "dimensions": 5}
    ticks.study(embedders=[LSA, SMALL, third])
    assert ticks.words().startswith("the study names third anew: reload the code location")
    ticks.reload()
    assert ticks.asked() == [(answering.name, "third")]


def test_an_embedder_that_leaves_the_study_is_not_waited_for(ticks: Ticks) -> None:
    ticks.study(embedders=[LSA, SMALLER])
    ticks.tick()
    ticks.study(embedders=[LSA])
    ticks.reload()
    assert ticks.words() == "no model was swapped"


def test_a_study_that_cannot_be_read_is_said_and_forgotten_once_it_can(ticks: Ticks) -> None:
    ticks.study(embedders=[{"name": "lsa", "provider": "lsi"}])
    assert ticks.words().startswith("the study cannot be read: ")
    ticks.study(embedders=[LSA, SMALL])
    assert ticks.words() == "no model was swapped"


def test_the_sensor_is_off_until_someone_turns_it_on() -> None:
    assert model_swap.default_status is dg.DefaultSensorStatus.STOPPED
    assert {job.name for job in model_swap.jobs} == {answering.name, nightly_judging.name}
