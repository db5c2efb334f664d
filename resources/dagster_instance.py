"""The Dagster instance of a home: SQLite files under `<home>/dagster`, nothing sent anywhere."""

from typing import TYPE_CHECKING

from resources.files import replacing
from resources.home import Home

if TYPE_CHECKING:
    from dagster import DagsterInstance

PID_TAG, HOST_TAG = "faithflow/pid", "faithflow/host"
"""On each run that `faithflow run` makes: the process that it lives in, so that `faithflow doctor` knows the dead."""

_SETTINGS = """\
# The Dagster instance of this home. Change it as Dagster's documentation says; it is written only where it is missing.
telemetry:
  enabled: false
nux:
  enabled: false
# a run whose process died is marked as failed instead of standing as running for ever
run_monitoring:
  enabled: true
"""


def open_instance(home: Home) -> "DagsterInstance":
    """The home's instance, made at the first call. Close it with `dispose`."""
    from dagster import DagsterInstance

    # two processes that make one database at once trip over each other's tables
    with home.deriving("dagster"):
        _write_settings(home)
        instance = DagsterInstance.from_config(str(home.dagster))
        _ = instance.run_storage, instance.event_log_storage, instance.schedule_storage
    return instance


def _write_settings(home: Home) -> None:
    settings = home.dagster / "dagster.yaml"
    if not settings.exists():
        home.dagster.mkdir(parents=True, exist_ok=True)
        with replacing(settings) as temporary:
            temporary.write_text(_SETTINGS, encoding="utf-8")
