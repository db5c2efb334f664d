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


def prepare_instance(home: Home) -> None:
    """Write the instance's settings where there are none yet."""
    settings = home.dagster / "dagster.yaml"
    if not settings.exists():
        home.dagster.mkdir(parents=True, exist_ok=True)
        with replacing(settings) as temporary:
            temporary.write_text(_SETTINGS, encoding="utf-8")


def open_instance(home: Home) -> "DagsterInstance":
    """The home's instance. Close it with `dispose`."""
    from dagster import DagsterInstance

    prepare_instance(home)
    return DagsterInstance.from_config(str(home.dagster))
