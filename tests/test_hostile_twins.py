"""Judges that are configured alike: what they agree on is never one answer read twice."""

import itertools
from pathlib import Path

from faithflow.study.endpoint import Price
from faithflow.study.model import Study
from tests.endpoint import ScriptedEndpoint
from tests.judging import judge, study
from tests.scripted import JsonObject, Response, Script, chat, verdicts


def twins(endpoint: ScriptedEndpoint, **changed: object) -> Study:
    base = study(endpoint, max_concurrency=1)
    return base.model_copy(
        update={"judges": (*base.judges, base.judges[0].model_copy(update={"name": "k", **changed}))}
    )


def undecided() -> Script:
    labels = itertools.cycle(["supported", "contradicted"])

    def script(request: JsonObject, _number: int) -> Response:
        return chat(request, verdicts(request, next(labels)))

    return script


def test_two_judges_that_send_the_same_are_two_calls_and_may_differ(tmp_path: Path) -> None:
    with ScriptedEndpoint(undecided()) as endpoint:
        judged = judge(tmp_path, twins(endpoint))
        assert endpoint.count == 2
    assert judged.summary["pairs"][0]["raw"] == 0.0


def test_what_decides_no_answer_makes_no_other_judge_of_a_twin(tmp_path: Path) -> None:
    with ScriptedEndpoint(undecided()) as endpoint:
        judged = judge(tmp_path, twins(endpoint, timeout_s=7.0, price=Price(input=1.0, output=1.0)))
        assert endpoint.count == 2
    assert judged.summary["pairs"][0]["raw"] == 0.0


def test_twins_find_their_own_answers_again(tmp_path: Path) -> None:
    with ScriptedEndpoint(undecided()) as endpoint:
        first = judge(tmp_path, twins(endpoint))
        again = judge(tmp_path, twins(endpoint))
        assert endpoint.count == 2
    assert first.verdicts.equals(again.verdicts)


def test_a_judge_that_was_renamed_finds_its_answers(tmp_path: Path) -> None:
    with ScriptedEndpoint() as endpoint:
        judge(tmp_path, study(endpoint, name="old"))
        judge(tmp_path, study(endpoint, name="new"))
        assert endpoint.count == 1
