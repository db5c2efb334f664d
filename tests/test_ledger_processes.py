"""What holds when several processes share a ledger, one of them dies, or the server goes away."""

import asyncio
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import Connection, make_url

import resources.sql_store
from faithflow.errors import StoreError, UserError
from resources.ledger import SqlLedger, open_ledger
from resources.sql_store import open_store
from tests.ledger_calls import CALL, answered_call

ROOT = Path(__file__).parents[1]


def start_recording(database: str, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.ledger_calls", database, name, str(count)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stored_ids(database: str) -> set[str]:
    ledger = open_ledger(database)
    ids = ledger.calls()["call_id"].to_list()
    asyncio.run(ledger.close())
    return set(ids)


def test_processes_that_create_and_fill_one_database_together_lose_nothing(database: str) -> None:
    processes = [start_recording(database, name, 300) for name in "abc"]
    outputs = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], [errors for _, errors in outputs]
    assert stored_ids(database) == {f"{name}-{number}" for name in "abc" for number in range(300)}


def open_each(folder: Path, count: int, barrier: threading.Barrier) -> None:
    for number in range(count):
        barrier.wait(60)
        open_store(str(folder / f"{number}.sqlite")).dispose()


@pytest.mark.slow
def test_many_may_create_one_file_at_the_same_moment(tmp_path: Path) -> None:
    spawning = multiprocessing.get_context("spawn")
    barrier = spawning.Barrier(6)
    processes = [spawning.Process(target=open_each, args=(tmp_path, 40, barrier)) for _ in range(6)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0] * 6


@pytest.mark.postgres
def test_many_may_create_the_tables_of_one_schema_at_the_same_moment(postgres_url: str) -> None:
    def drop(connection: Connection, _again: bool) -> None:
        connection.exec_driver_sql("DROP TABLE calls, embeddings")

    def open_it(_number: int) -> None:
        barrier.wait(60)
        open_store(postgres_url).dispose()

    first = open_store(postgres_url)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(8):
            barrier = threading.Barrier(8)
            first.run(drop)
            list(pool.map(open_it, range(8)))
    first.dispose()


def test_every_record_that_returned_is_there_after_kill_9(database: str) -> None:
    process = start_recording(database, "a", 1_000_000)
    assert process.stdout is not None
    returned = [process.stdout.readline().strip() for _ in range(200)]
    os.kill(process.pid, signal.SIGKILL)
    rest, _ = process.communicate(timeout=30)
    # the last line may have been cut by the kill
    returned += rest.split("\n")[:-1]
    assert len(returned) >= 200
    assert set(returned) <= stored_ids(database)


def test_a_database_is_usable_at_once_after_kill_9(database: str) -> None:
    process = start_recording(database, "a", 1_000_000)
    assert process.stdout is not None
    process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=30)

    async def work() -> None:
        ledger = open_ledger(database)
        await ledger.record(CALL)
        assert await ledger.answered(CALL.key) is not None
        await ledger.close()

    asyncio.run(work())


def test_opening_and_closing_while_others_write_never_finds_the_database_locked(tmp_path: Path) -> None:
    database = str(tmp_path / "ledger.sqlite")
    process = start_recording(database, "long", 1_500)
    assert process.stdout is not None
    process.stdout.readline()
    for round_ in range(15):

        async def work(number: int = round_) -> None:
            ledger = open_ledger(database)
            await asyncio.gather(*(ledger.record(answered_call(i, f"short-{number}")) for i in range(5)))
            await ledger.close()

        asyncio.run(work())
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert len(stored_ids(database)) == 1_500 + 75


class Relay:
    """A TCP relay to a server that can be cut, so that the server seems to be gone."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """Refuse new connections and end those that are open."""
        for each in [self._listener, *self._sockets]:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._sockets.clear()

    def restore(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(self._target)
                self._sockets += [near, far]
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._copy, args=(source, sink), daemon=True).start()

    @staticmethod
    def _copy(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while received := source.recv(65536):
                sink.sendall(received)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def relay(postgres_url: str) -> Iterator[Relay]:
    address = make_url(postgres_url)
    assert address.host is not None
    relay = Relay(address.host, address.port or 5432)
    yield relay
    relay.cut()


@pytest.fixture
def relayed(postgres_url: str, relay: Relay) -> str:
    through = make_url(postgres_url).set(host="127.0.0.1", port=relay.port)
    return through.render_as_string(hide_password=False)


@pytest.mark.postgres
def test_a_short_outage_of_postgres_loses_nothing_and_shows_nowhere(relay: Relay, relayed: str) -> None:
    async def work() -> None:
        ledger = open_ledger(relayed)
        await ledger.record(answered_call(0))
        relay.cut()
        waiting = [asyncio.create_task(ledger.record(answered_call(number))) for number in range(1, 20)]
        looking = asyncio.create_task(ledger.answered(answered_call(0).key))
        await asyncio.sleep(0.3)
        relay.restore()
        await asyncio.gather(*waiting)
        assert await looking == answered_call(0)
        assert ledger.calls().height == 20
        await ledger.close()

    asyncio.run(work())


@pytest.mark.postgres
def test_a_long_outage_of_postgres_is_an_error_that_names_the_server_and_not_its_password(
    relay: Relay, relayed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources.sql_store, "PATIENCE_S", 0.3)
    password = make_url(relayed).password
    assert password

    async def work() -> None:
        ledger = open_ledger(relayed)
        relay.cut()
        failures = await asyncio.gather(
            ledger.record(answered_call(0)), ledger.answered(CALL.key), return_exceptions=True
        )
        for failure in failures:
            assert isinstance(failure, StoreError)
            assert f"127.0.0.1:{relay.port}" in str(failure)
            assert "refused" in str(failure)
            assert password not in repr(failure)
        assert password not in repr(ledger)
        relay.restore()
        await ledger.record(answered_call(1))
        assert ledger.calls()["call_id"].to_list() == ["call-1"]
        await ledger.close()

    asyncio.run(work())


@pytest.mark.postgres
def test_a_commit_whose_confirmation_was_lost_is_not_stored_twice_and_not_refused(postgres_url: str) -> None:
    async def work() -> None:
        ledger = open_ledger(postgres_url)
        lose_next_confirmation(ledger)
        await asyncio.gather(*(ledger.record(answered_call(number)) for number in range(10)))
        assert ledger.calls().height == 10
        await ledger.close()

    asyncio.run(work())


def lose_next_confirmation(ledger: SqlLedger) -> None:
    """The next commit succeeds on the server, but the client hears of a lost connection."""
    import psycopg

    engine = ledger._store._engine  # pyright: ignore[reportPrivateUsage]
    commit = engine.dialect.do_commit

    def lost(connection: object) -> None:
        commit(connection)
        engine.dialect.do_commit = commit
        raise psycopg.OperationalError("the connection is lost")

    engine.dialect.do_commit = lost


@pytest.mark.postgres
def test_a_wrong_password_is_an_error_of_the_user_that_does_not_show_it(postgres_url: str) -> None:
    wrong = make_url(postgres_url).set(password="a wrong/secret@word").render_as_string(hide_password=False)
    with pytest.raises(UserError, match="password authentication failed") as caught:
        open_ledger(wrong)
    assert "secret" not in str(caught.value)


@pytest.mark.postgres
def test_a_database_that_does_not_exist_is_named(postgres_url: str) -> None:
    absent = make_url(postgres_url).set(database="absent").render_as_string(hide_password=False)
    with pytest.raises(UserError, match='database "absent" does not exist'):
        open_ledger(absent)


def test_a_server_that_does_not_listen_is_named_without_the_password() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"postgresql://me:hush@127.0.0.1:{port}/db?sslpassword=hush2"
    with pytest.raises(UserError, match=f"cannot open the database postgresql://me:.*127.0.0.1:{port}/db") as caught:
        open_ledger(url)
    assert "hush" not in str(caught.value)
