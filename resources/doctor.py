"""What is right and wrong with an installation and a home; what can be mended without loss is mended."""

import asyncio
import os
import platform
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from faithflow.errors import StoreError, UserError
from faithflow.study.endpoint import Endpoint
from faithflow.study.load import load_study
from faithflow.study.model import LlmClaims, Study
from faithflow.tables.registry import TABLES
from resources.dagster_instance import HOST_TAG, PID_TAG, open_instance
from resources.home import Home, open_home
from resources.ledger_url import ledger_url
from resources.table_checks import check_table

if TYPE_CHECKING:
    from dagster import DagsterInstance, DagsterRun

    from resources.ledger import SqlLedger

State = Literal["ok", "mended", "broken"]

_OURS = ("faithflow", "assets", "resources", "sql")
_LOCKSTEP = ("dagster", "dagster-webserver", "dagster-dg-cli")
_LEFTOVER_AFTER_S = 3600
_ENDPOINT_S = 5.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    state: State
    words: str


def examine(path: Path, study_file: Path | None) -> Iterator[Finding]:
    """Look at everything, one thing after the other; nobody is asked to judge, and endpoints are asked for one page."""
    yield Finding("Python", "ok", f"{platform.python_version()} at {sys.executable}")
    yield from _packages()
    study: Study | None = None
    try:
        study = load_study(study_file)
        yield Finding("study", "ok", f"{study.name}: judges {', '.join(judge.name for judge in study.judges)}")
    except UserError as error:
        yield Finding("study", "broken", str(error))
    if study is not None:
        yield from _endpoints(study)
    try:
        home = open_home(path)
        probe = home.path / ".writable"
        probe.touch()
        probe.unlink()
        yield Finding("home", "ok", str(home.path))
    except (UserError, OSError) as error:
        yield Finding("home", "broken", str(error))
        return
    if study is not None:
        yield _ledger(home, study)
    yield from _tables(home)
    yield _leftovers(home)
    if home.dagster.exists():
        yield from _dagster(home)


def _packages() -> Iterator[Finding]:
    folders = {name: Path(next(iter(import_module(name).__path__))).resolve() for name in _OURS}
    places = {folder.parent for folder in folders.values()}
    if len(places) == 1:
        yield Finding("packages", "ok", f"{', '.join(_OURS)} from {places.pop()}")
    else:
        where = "; ".join(f"{name} from {folder.parent}" for name, folder in folders.items())
        yield Finding("packages", "broken", f"{where}: another package of that name comes first on the path")
    versions = {name: version(name) for name in _LOCKSTEP}
    words = ", ".join(f"{name} {number}" for name, number in versions.items())
    if len(set(versions.values())) == 1:
        yield Finding("Dagster", "ok", words)
    else:
        yield Finding("Dagster", "broken", f"{words}: they must be of one version; install from requirements.lock")


def _endpoints(study: Study) -> Iterator[Finding]:
    """Whether keys are set, and whether configured addresses answer at all."""
    configs: list[tuple[str, Endpoint]] = [(judge.name, judge) for judge in study.judges]
    if isinstance(study.claims, LlmClaims):
        configs.append((study.claims.name, study.claims))
    for name, config in configs:
        key = os.environ.get(config.api_key_env) if config.api_key_env else None
        if config.api_key_env and not key:
            yield Finding(f"key of {name}", "broken", f"the environment variable {config.api_key_env} is not set")
        elif config.api_key_env:
            yield Finding(f"key of {name}", "ok", f"{config.api_key_env} is set")
        if config.base_url:
            yield _endpoint(name, config.base_url, key)


def _endpoint(name: str, base_url: str, key: str | None) -> Finding:
    import urllib.error
    import urllib.request

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    what = f"endpoint of {name}"
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{base_url}/models", headers=headers), timeout=_ENDPOINT_S):
            return Finding(what, "ok", f"{base_url} answers")
    except urllib.error.HTTPError as error:
        if error.code in (401, 403):
            return Finding(what, "broken", f"{base_url} refuses the key (HTTP {error.code})")
        # not every endpoint lists its models
        return Finding(what, "ok", f"{base_url} answers (HTTP {error.code} for the list of models)")
    except OSError as error:
        return Finding(what, "broken", f"{base_url} does not answer: {getattr(error, 'reason', None) or error}")


def _ledger(home: Home, study: Study) -> Finding:
    from resources.ledger import open_ledger

    if study.stores.ledger_url_env is None and not home.ledger.exists():
        return Finding("ledger", "ok", f"{home.ledger} is made at the first run")
    try:
        ledger = open_ledger(ledger_url(study, home.ledger))
        asyncio.run(_read(ledger))
    except (UserError, StoreError) as error:
        return Finding("ledger", "broken", str(error))
    where = study.stores.ledger_url_env or home.ledger
    return Finding("ledger", "ok", f"{where} opens and can be read")


async def _read(ledger: "SqlLedger") -> None:
    try:
        await ledger.answered("0" * 64)
    finally:
        await ledger.close()


def _tables(home: Home) -> Iterator[Finding]:
    for name in TABLES:
        files = home.warehouse.files(name)
        if not files:
            continue
        try:
            broken = [check for check in check_table(home.warehouse, name, {}) if not check.passed]
            rows = home.warehouse.scan(name).select("*").collect().height
        except UserError as error:
            yield Finding(f"table {name}", "broken", str(error))
            continue
        if broken:
            words = "; ".join(f"{c.doc}: {c.failures} rows, for example {c.example}" for c in broken)
            yield Finding(f"table {name}", "broken", f"{words}; materialize it again")
        else:
            yield Finding(f"table {name}", "ok", f"{rows:,} rows in {len(files)} files")


def _leftovers(home: Home) -> Finding:
    """Temporary files that a killed writer left: nobody reads them."""
    old = time.time() - _LEFTOVER_AFTER_S
    found = [path for path in home.path.rglob(".*.tmp*") if path.is_file() and path.stat().st_mtime < old]
    for path in found:
        path.unlink(missing_ok=True)
    if found:
        return Finding("temporary files", "mended", f"removed {len(found)} that killed writers had left")
    return Finding("temporary files", "ok", "none left over")


def _dagster(home: Home) -> Iterator[Finding]:
    instance = open_instance(home)
    try:
        yield _dead_runs(instance)
        yield _pools(instance)
    finally:
        instance.dispose()


def _dead_runs(instance: "DagsterInstance") -> Finding:
    """Runs of `faithflow run` whose process is gone stand as under way for ever: they are marked as failed."""
    from dagster import DagsterRunStatus, RunsFilter

    under_way = [DagsterRunStatus.STARTING, DagsterRunStatus.STARTED, DagsterRunStatus.CANCELING]
    runs = instance.get_runs(RunsFilter(statuses=under_way))
    dead = [run for run in runs if _is_dead(run)]
    for run in dead:
        instance.report_run_failed(run, "The process of this run ended without a word (marked by faithflow doctor).")
    if dead:
        return Finding("Dagster runs", "mended", f"marked {len(dead)} runs as failed whose process is gone")
    return Finding("Dagster runs", "ok", f"{len(runs)} under way")


def _is_dead(run: "DagsterRun") -> bool:
    pid = run.tags.get(PID_TAG)
    if pid is None or run.tags.get(HOST_TAG) != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _pools(instance: "DagsterInstance") -> Finding:
    """Slots of pools that runs hold which are over."""
    storage = instance.event_log_storage
    if not storage.supports_global_concurrency_limits:
        return Finding("Dagster pools", "ok", "none")
    freed = 0
    for run_id in storage.get_concurrency_run_ids():
        run = instance.get_run_by_id(run_id)
        if run is None or run.is_finished:
            storage.free_concurrency_slots_for_run(run_id)
            freed += 1
    if freed:
        return Finding("Dagster pools", "mended", f"freed the slots of {freed} runs that are over")
    return Finding("Dagster pools", "ok", "no slot is held by a run that is over")
