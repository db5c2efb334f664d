"""`faithflow`: the group of commands, and how errors end."""

import importlib
import io
import sys

import click

from faithflow import __version__
from faithflow.errors import StoreError, UserError

# Where each command lives: imported only when it is called, so that none pays for another's libraries.
_COMMANDS = {
    "judge": "faithflow.cli.judge",
    "run": "faithflow.cli.run",
    "report": "faithflow.cli.report",
    "ui": "faithflow.cli.ui",
    "doctor": "faithflow.cli.doctor",
    "calibrate": "faithflow.cli.calibrate",
}

BAD_INPUT = 2
FAILED = 1


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = _COMMANDS.get(cmd_name)
        return None if module is None else importlib.import_module(module).command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="faithflow")
def cli() -> None:
    """Measure whether answers are faithful to their evidence, claim by claim and judge by judge."""


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 failed, 2 bad input (nothing called), 3 some claims unscored."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # a terminal that has no sign for a letter shows another one; it does not end the run
            stream.reconfigure(errors="replace")
    try:
        code = cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("\nInterrupted. What was answered is kept: the same command goes on from here.", err=True)
        sys.exit(FAILED)
    except click.ClickException as error:
        error.show()
        sys.exit(BAD_INPUT)
    except UserError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        click.echo("\nInterrupted. What was answered is kept: the same command goes on from here.", err=True)
        sys.exit(FAILED)
    except (OSError, StoreError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(FAILED)
    sys.exit(code if isinstance(code, int) else 0)
