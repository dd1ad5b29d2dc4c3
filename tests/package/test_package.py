"""What is published: its files, its metadata, and that it runs on its own."""

from __future__ import annotations

import json
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import holdfact

if TYPE_CHECKING:
    from email.message import Message

    from tests.package.conftest import Installed

# In one process: what is built is built once.
pytestmark = pytest.mark.xdist_group("package")
ROOT = Path(__file__).parents[2]
VERSION = holdfact.__version__
INFO = f"holdfact-{VERSION}.dist-info"
# Each would cost a cold start more than all of holdfact.
HEAVY = {
    *("apsw", "Stemmer", "re2", "numpy", "mcp", "starlette", "uvicorn", "jinja2", "pydantic"),
    *("onnxruntime", "tokenizers", "httpx2", "psycopg", "sqlite3", "dataclasses", "pathlib"),
    *("json", "subprocess", "hashlib", "tempfile", "shutil", "logging", "asyncio", "argparse"),
}


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        return message_from_bytes(archive.read(f"{INFO}/METADATA"))


def test_the_wheel_holds_the_product_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "holdfact").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    about = {
        f"{INFO}/{name}"
        for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    }
    assert sources | about == names
    assert "holdfact/py.typed" in names


def test_the_sdist_holds_what_a_wheel_is_made_of(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2].split("/")[0] for name in archive.getnames()}
    # hatchling adds .gitignore, so that a second build ignores the same files
    assert {"src", "LICENSE", "README.md", "pyproject.toml", "PKG-INFO", ".gitignore"} == names


def test_the_metadata_says_what_it_is(wheel: Path) -> None:
    found = metadata(wheel)
    assert ("holdfact", VERSION, "MIT", ">=3.11") == tuple(
        found[name] for name in ("Name", "Version", "License-Expression", "Requires-Python")
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(project["optional-dependencies"]) == set(found.get_all("Provides-Extra", []))
    always = [r for r in found.get_all("Requires-Dist", []) if "extra ==" not in r]
    assert {each.lower() for each in project["dependencies"]} == {r.lower() for r in always}


def test_no_address_is_published(wheel: Path) -> None:
    found = metadata(wheel)
    addresses = [found.get_all(name) for name in ("Home-page", "Download-URL", "Project-URL")]
    assert [None, None, None] == addresses


def test_the_program_tells_its_version(installed: Installed) -> None:
    done = installed.run("holdfact", "--version")
    assert (0, "", [VERSION]) == (done.returncode, done.stderr, done.stdout.split()[-1:])


def test_importing_loads_nothing_heavy(installed: Installed) -> None:
    # -S and -I: without what the environment's own start loads
    site = next((installed.bin.parent / "lib").glob("python3*")) / "site-packages"
    code = (
        f"import sys; sys.path.insert(0, {str(site)!r}); before = set(sys.modules); "
        "import holdfact; print(sorted(set(sys.modules) - before))"
    )
    done = installed.run("python", "-I", "-S", "-c", code)
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout.replace("'", '"')))
    assert "holdfact" in loaded
    assert set() == HEAVY & loaded


def test_the_main_job_works_in_an_empty_folder(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Tea\n\nThe kettle is in the pantry.\n", encoding="utf-8")
    wrote = installed.run(
        *("holdfact", "remember", "tea-time", "--scope", "project", "--durable"),
        *("--description", "Tea is at four"),
        cwd=tmp_path,
    )
    assert wrote.returncode == 0, wrote.stderr
    asked = installed.run("holdfact", "recall", "kettle", "--json", cwd=tmp_path)
    assert asked.returncode == 0, asked.stderr
    assert ["notes.md"] == [hit["id"] for hit in json.loads(asked.stdout)["hits"]]
    fact = installed.run("holdfact", "recall", "tea at four", "--json", cwd=tmp_path)
    assert "project/tea-time" in [hit["id"] for hit in json.loads(fact.stdout)["hits"]]


@pytest.mark.skipif(str(ROOT / "src") in sys.path, reason="plain pytest tests the sources")
def test_the_tests_import_what_is_installed() -> None:
    assert Path(holdfact.__file__).is_relative_to(sys.prefix)
