"""How public servers are asked: with pauses, with patience, and with what they ask for."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from resources import polite
from resources.http import HttpError
from resources.polite import Polite


class Clock:
    """A clock that only waiting moves; `slept` are the waits, `at` the times of the attempts."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []
        self.at: list[float] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def attempt(self, *outcomes: str | Exception, takes: float = 0.0) -> Callable[[], Awaitable[str]]:
        left = list(outcomes)

        async def run() -> str:
            self.at.append(self.now)
            self.now += takes
            outcome = left.pop(0)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        return run


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(polite.time, "monotonic", clock.monotonic)
    monkeypatch.setattr(polite.asyncio, "sleep", clock.sleep)
    return clock


def broken(**more: object) -> HttpError:
    return HttpError("HTTP 503", status=503, transient=True, **more)


def test_requests_are_a_second_apart_from_the_end_of_one_to_the_next(clock: Clock) -> None:
    async def run() -> None:
        client = Polite()
        await asyncio.gather(*(client.run(clock.attempt("ok", takes=0.25)) for _ in range(3)))

    asyncio.run(run())
    assert clock.at == [100.0, 101.25, 102.5]


def test_passing_faults_are_waited_out_for_two_four_and_eight_seconds(clock: Clock) -> None:
    found = asyncio.run(Polite().run(clock.attempt(broken(), broken(), broken(), "ok")))
    assert found == "ok"
    assert clock.slept == [2.0, 4.0, 8.0]


def test_after_four_tries_the_fault_is_raised_with_their_number(clock: Clock) -> None:
    with pytest.raises(HttpError, match=r"HTTP 503 \(4 tries\)"):
        asyncio.run(Polite().run(clock.attempt(*(broken() for _ in range(9)))))
    assert len(clock.at) == 4


def test_a_lasting_fault_is_raised_at_once(clock: Clock) -> None:
    with pytest.raises(HttpError, match=r"HTTP 404$"):
        asyncio.run(Polite().run(clock.attempt(HttpError("HTTP 404", status=404), "ok")))
    assert clock.slept == []


def test_a_fault_may_allow_fewer_tries(clock: Clock) -> None:
    with pytest.raises(HttpError, match="2 tries"):
        asyncio.run(Polite().run(clock.attempt(*(broken(most_retries=1) for _ in range(9)))))


def test_a_server_that_asks_to_wait_is_given_its_time(clock: Clock) -> None:
    asyncio.run(Polite().run(clock.attempt(broken(retry_after=30.0), broken(retry_after=0.5), "ok")))
    assert clock.slept == [30.0, 4.0]


def test_a_server_that_asks_for_an_hour_is_left_alone(clock: Clock) -> None:
    with pytest.raises(HttpError):
        asyncio.run(Polite().run(clock.attempt(broken(retry_after=3600.0), "ok")))
    assert clock.slept == []
