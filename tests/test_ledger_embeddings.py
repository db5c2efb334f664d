import asyncio
import threading

from resources.embedding_cache import open_embedding_cache
from resources.ledger import open_ledger
from tests.ledger_calls import CALL


def test_vectors_are_found_by_model_and_hash(database: str) -> None:
    cache = open_embedding_cache(database)
    cache.put_many("e5", {"h1": b"\x00\xff", "h2": b"2"})
    cache.put_many("other", {"h1": b"3"})
    assert cache.get_many("e5", ["h1", "h2", "h3", "h1"]) == {"h1": b"\x00\xff", "h2": b"2"}
    assert cache.get_many("other", ["h1", "h2"]) == {"h1": b"3"}
    cache.close()


def test_nothing_asked_and_nothing_put_is_nothing(database: str) -> None:
    cache = open_embedding_cache(database)
    cache.put_many("e5", {})
    assert cache.get_many("e5", []) == {}
    cache.close()


def test_vectors_outlive_the_cache_that_put_them(database: str) -> None:
    first = open_embedding_cache(database)
    first.put_many("e5", {"h": b"v"})
    first.close()
    first.close()
    second = open_embedding_cache(database)
    assert second.get_many("e5", ["h"]) == {"h": b"v"}
    second.close()


def test_the_first_vector_of_a_hash_stays(database: str) -> None:
    cache = open_embedding_cache(database)
    cache.put_many("e5", {"h": b"first"})
    cache.put_many("e5", {"h": b"second", "g": b"new"})
    assert cache.get_many("e5", ["h", "g"]) == {"h": b"first", "g": b"new"}
    cache.close()


def test_more_hashes_than_a_statement_takes_are_all_found(database: str) -> None:
    cache = open_embedding_cache(database)
    vectors = {f"h{number}": number.to_bytes(4) for number in range(2_500)}
    cache.put_many("e5", vectors)
    assert cache.get_many("e5", [*vectors, "absent"]) == vectors
    cache.close()


def test_threads_that_put_the_same_hashes_in_other_orders_do_not_wait_for_each_other_for_ever(database: str) -> None:
    cache = open_embedding_cache(database)
    hashes = [f"h{number}" for number in range(1_000)]
    failures: list[BaseException] = []

    def put(order: list[str]) -> None:
        try:
            for round_ in range(5):
                cache.put_many(f"e5-{round_}", {key: key.encode() for key in order})
        except Exception as error:
            failures.append(error)

    threads = [
        threading.Thread(target=put, args=(order,)) for order in (hashes, hashes[::-1], hashes[50:] + hashes[:50])
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    assert len(cache.get_many("e5-0", hashes)) == 1_000
    cache.close()


def test_ledger_and_cache_share_a_database(database: str) -> None:
    async def work() -> None:
        ledger = open_ledger(database)
        cache = open_embedding_cache(database)
        for number in range(20):
            cache.put_many("e5", {f"h{number}": b"v"})
            assert await ledger.answered(f"{number:064x}") is None
        await ledger.record(CALL)
        assert await ledger.answered(CALL.key) == CALL
        cache.close()
        await ledger.close()

    asyncio.run(work())
