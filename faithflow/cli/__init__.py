"""The command line. Each command's module is imported when it is called."""

from faithflow.cli.main import main

__all__ = ["main"]
