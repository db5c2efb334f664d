"""The adaptive limit on open calls."""

import asyncio
import time

from faithflow.llm.limiter import AdaptiveLimiter


def test_the_window_grows_by_a_success_up_to_the_maximum() -> None:
    limiter = AdaptiveLimiter(40)
    before = limiter.window
    for _ in range(50):
        limiter.succeeded()
    assert before < limiter.window == 40


def test_one_episode_of_rate_limits_cuts_once() -> None:
    limiter = AdaptiveLimiter(8)
    sent = time.monotonic()
    for _ in range(6):
        limiter.limited(sent, 0)
    assert limiter.window == 4


def test_a_later_episode_cuts_again() -> None:
    limiter = AdaptiveLimiter(8)
    limiter.limited(time.monotonic(), 0)
    limiter.limited(time.monotonic() + 1, 0)
    assert limiter.window == 2


def test_after_a_cut_the_window_grows_by_one_a_window() -> None:
    limiter = AdaptiveLimiter(16)
    limiter.limited(time.monotonic(), 0)
    start = limiter.window
    for _ in range(int(start)):
        limiter.succeeded()
    assert start < limiter.window <= start + 1


def test_the_window_never_closes() -> None:
    limiter = AdaptiveLimiter(2)
    for n in range(10):
        limiter.limited(time.monotonic() + n, 0)
    assert limiter.window == 1


async def _peak(limiter: AdaptiveLimiter, calls: int) -> int:
    open_now = peak = 0

    async def call() -> None:
        nonlocal open_now, peak
        async with limiter.slot():
            open_now += 1
            peak = max(peak, open_now)
            await asyncio.sleep(0)
            open_now -= 1

    await asyncio.gather(*(call() for _ in range(calls)))
    return peak


def test_no_more_calls_are_open_than_the_window_allows() -> None:
    limiter = AdaptiveLimiter(3)
    assert asyncio.run(_peak(limiter, 40)) == 3


def test_who_comes_ahead_is_served_before_those_that_wait() -> None:
    async def scenario() -> list[str]:
        limiter = AdaptiveLimiter(1)
        served: list[str] = []

        async def call(name: str, ahead: bool) -> None:
            async with limiter.slot(ahead=ahead):
                served.append(name)
                await asyncio.sleep(0)

        calls = [("first", False), ("second", False), ("third", False), ("hurried", True), ("hurried too", True)]
        await asyncio.gather(*(call(name, ahead) for name, ahead in calls))
        return served

    assert asyncio.run(scenario()) == ["first", "hurried", "hurried too", "second", "third"]


def test_retry_after_holds_back_every_call_of_the_account() -> None:
    async def wait() -> float:
        limiter = AdaptiveLimiter(4)
        limiter.limited(time.monotonic(), 0.2)
        start = time.monotonic()
        async with limiter.slot():
            return time.monotonic() - start

    assert asyncio.run(wait()) >= 0.19


def test_a_cancelled_wait_gives_its_slot_back() -> None:
    async def scenario() -> int:
        limiter = AdaptiveLimiter(1)

        async def hold() -> None:
            async with limiter.slot():
                await asyncio.sleep(30)

        first = asyncio.create_task(hold())
        await asyncio.sleep(0)
        waiting = asyncio.create_task(hold())
        await asyncio.sleep(0)
        waiting.cancel()
        first.cancel()
        await asyncio.gather(first, waiting, return_exceptions=True)
        return await _peak(limiter, 5)

    assert asyncio.run(scenario()) == 1
