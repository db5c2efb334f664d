"""The Dagster UI of a home: its web server and its daemon (schedules, sensors, run queue) as two processes."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Collection, Generator
from pathlib import Path

from faithflow.errors import UserError
from resources.dagster_instance import open_instance
from resources.house import BUNDLED, House

HOST = "127.0.0.1"

_STOP_S = 20.0
_POLL_S = 0.2
_TAIL_LINES = 15


class UiError(Exception):
    """The web server or the daemon ended; the message shows the end of its log."""


class Ui:
    """The two running processes. `url` is the address of the pages."""

    def __init__(self, url: str, processes: dict[Path, subprocess.Popen[bytes]]) -> None:
        self.url = url
        self._processes = processes

    def wait_until_up(self, timeout_s: float) -> None:
        """Return once the pages are served. Raises UiError where a process ends or the time is over."""
        deadline = time.monotonic() + timeout_s
        while not _answers(f"{self.url}/server_info"):
            self.check()
            if time.monotonic() > deadline:
                raise UiError(f"{self.url} did not answer within {timeout_s:g} s; see {next(iter(self._processes))}")
            time.sleep(_POLL_S)

    def check(self) -> None:
        """Raises UiError where one of the processes has ended."""
        for log, process in self._processes.items():
            if process.poll() is not None:
                lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_TAIL_LINES:]
                raise UiError("\n".join([f"{log.stem} ended with code {process.returncode}; its log ({log}):", *lines]))


@contextlib.contextmanager
def dagster_ui(house: House, port: int) -> Generator[Ui]:
    """Start web server and daemon on a house, and stop them at the end of the block.

    Raises UserError where the port is taken.
    """
    home = house.open_home()
    open_instance(home).dispose()
    _refuse_taken(port)
    environment = {**os.environ, "DAGSTER_HOME": str(home.dagster), "FAITHFLOW_HOME": str(home.path)}
    environment.pop("FAITHFLOW_STUDY", None)
    if house.study != BUNDLED:
        environment["FAITHFLOW_STUDY"] = house.study
    # the code that runs here is the code that they load
    root = str(Path(__file__).parent.parent)
    code = ["-m", "faithflow.definitions", "-d", root]
    commands = {
        "webserver": ["dagster_webserver", *code, "-h", HOST, "-p", str(port), "--log-level", "warning"],
        "daemon": ["dagster._daemon", "run", *code],
    }
    processes: dict[Path, subprocess.Popen[bytes]] = {}
    try:
        for name, command in commands.items():
            log = home.dagster / f"{name}.log"
            with log.open("wb") as output:
                processes[log] = subprocess.Popen(
                    [sys.executable, "-m", *command], cwd=root, env=environment, stdout=output, stderr=output
                )
        yield Ui(f"http://{HOST}:{port}", processes)
    finally:
        _stop(processes.values())


def _stop(processes: Collection[subprocess.Popen[bytes]]) -> None:
    """As Ctrl-C does, so that they end their own children too; what does not heed it is killed."""
    for process in processes:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
    deadline = time.monotonic() + _STOP_S
    for process in processes:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2):
            return True
    except (urllib.error.URLError, OSError):
        return False


def _refuse_taken(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise UserError(f"port {port} cannot be used ({error.strerror}); give another --port") from error
