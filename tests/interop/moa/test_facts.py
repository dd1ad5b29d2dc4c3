"""Facts against golden data that moa itself produced (tests/fixtures/moa/README.md).

Where ours is meant to differ, the difference stands in a table beside its test, with the reason.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from holdfact.core.errors import FactNotFound, FactUnreadable, HoldfactError, ValueRefused
from holdfact.facts import Lifecycle, Memory, Scope, SearchOptions, Store
from holdfact.facts.folder import FactFolder
from holdfact.facts.prompt_index import render
from holdfact.facts.search import search

_GOLDEN = Path(__file__).parents[2] / "fixtures" / "moa"
_KEY = "eb2a8f3daa91f40e"

# Byte order mark: moa calls the frontmatter missing; we strip the mark and read on.
_READ_BY_US_ONLY = {
    "project/bom": Memory("bom", "d", Scope.PROJECT, "body"),
}
# Not a slug, or reserved: refused as an id, before the file system is asked, by both.
_NO_SLUGS = {"project/Not-Slug", "project/.hidden", "project/MEMORY", "project/MEMORY.md.v1.bak"}

# What moa writes as it was given and then reads back differently, we write in the form in which it
# reads back, with a note. What is read is the same.
_WRITTEN_PLAINER = {
    "desc-space.md": (b"  padded description  ", b"padded description"),
    "desc-quoted.md": (b'"already quoted"', b"already quoted"),
    "crlf-body.md": (b"a\r\nb\r\n", b"a\nb\n"),
    "trailing-newlines.md": (b"\n\n\nlead and trail", b"\nlead and trail"),
}


def _json(name: str) -> Any:  # noqa: ANN401 - golden data is what it is
    return json.loads((_GOLDEN / name).read_text(encoding="utf-8"))


def _read_alike(expected: dict[str, Any], memory: Memory) -> None:
    # JSON can't carry a byte that is no UTF-8: moa's answer has U+FFFD where ours keeps the byte.
    description, body = (
        text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        for text in (memory.description, memory.body)
    )
    assert (
        expected["Name"],
        expected["Description"],
        expected["Type"],
        expected["InvalidateWhen"],
        expected["Body"],
    ) == (memory.name, description, memory.type or "", memory.invalidate_when, body)


# --- parse cases


@pytest.fixture
def parse_cases(tmp_path: Path) -> Store:
    shutil.copytree(_GOLDEN / "parse-cases", tmp_path / "facts")
    (tmp_path / "facts" / "sym.md").symlink_to("crlf.md")
    (tmp_path / "facts" / "dangling.md").symlink_to("/nonexistent/target.md")
    return Store(str(tmp_path / "config"), str(tmp_path), project_dir="facts")


def test_the_parse_cases_are_all_here() -> None:
    golden = _json("parse-cases.expected.json")
    assert 32 == len(golden["raw_hex"]) == len(list((_GOLDEN / "parse-cases").iterdir()))
    for name, raw in golden["raw_hex"].items():
        assert raw == (_GOLDEN / "parse-cases" / name).read_bytes().hex()


@pytest.mark.requirement("FACT-01", "FACT-26", "SPEC-FACT-17", "SPEC-FACT-19")
def test_list_has_what_moa_lists(parse_cases: Store) -> None:
    expected = {*_json("parse-cases.expected.json")["list"], *_READ_BY_US_ONLY}
    memories = parse_cases.list()
    assert sorted(expected, key=str.encode) == [memory.id for memory in memories]


@pytest.mark.requirement("FACT-16", "FACT-17", "FACT-18", "SPEC-FACT-8")
@pytest.mark.parametrize("id_", sorted(_json("parse-cases.expected.json")["reads"]))
def test_read_as_moa_reads(parse_cases: Store, id_: str) -> None:
    expected = _json("parse-cases.expected.json")["reads"][id_]
    if id_ in _READ_BY_US_ONLY:
        assert _READ_BY_US_ONLY[id_] == parse_cases.read(id_)._replace(path=None)
    elif expected["ok"]:
        memory = parse_cases.read(id_)
        _read_alike(expected, memory)
        assert expected["lifecycle"] == memory.lifecycle.value
        assert expected["scope"] == memory.scope.value
    elif id_ in _NO_SLUGS:
        with pytest.raises(ValueRefused, match="is not a fact's name"):
            parse_cases.read(id_)
    else:
        with pytest.raises(FactUnreadable, match=expected["error"].split()[0]):
            parse_cases.read(id_)


@pytest.mark.requirement("SPEC-FACT-18")
def test_what_moa_drops_silently_is_a_problem_of_ours(parse_cases: Store) -> None:
    named = {os.path.basename(problem.path) for problem in parse_cases.problems()}
    dropped = {"unterminated.md", "empty.md", "dangling.md"}
    listed = {"Not-Slug.md", ".hidden.md", "invalid-utf8.md"}
    assert dropped | listed == named


# --- write and read


class _Transcript:
    """moa's requests, made to ours in a tree of the same shape."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "repo").mkdir()
        self.store = Store(str(root / "config"), str(root / "repo"))

    def write(self, request: dict[str, Any]) -> str:
        return self.store.write(
            Memory(
                request["Name"],
                request["Description"],
                Scope(request["Scope"]),
                request["Body"],
                request.get("Type"),
                request.get("Invalidate", ""),
                Lifecycle.DURABLE if request.get("Durable") else Lifecycle.LEGACY,
            )
        )

    def play(self, request: dict[str, Any], response: dict[str, Any]) -> None:
        getattr(self, f"play_{request['Op']}")(request, response)

    def play_write(self, request: dict[str, Any], response: dict[str, Any]) -> None:
        if "error" in response:
            with pytest.raises(ValueRefused) as refused:
                self.write(request)
            assert _subject(response["error"]) == _subject(refused.value.message)
        else:
            note = self.write(request)
            assert ("121 bytes" in response["note"]) is ("121 bytes" in note)

    def play_list(self, _: dict[str, Any], response: dict[str, Any]) -> None:
        assert response["ids"] == [memory.id for memory in self.store.list()]

    def play_read(self, request: dict[str, Any], response: dict[str, Any]) -> None:
        if "error" in response:
            with pytest.raises(ValueRefused) as refused:
                self.store.read(request["ID"])
            assert _subject(response["error"]) == _subject(refused.value.message)
        elif not response["ok"]:
            with pytest.raises(FactNotFound):
                self.store.read(request["ID"])
        else:
            memory = self.store.read(request["ID"])
            _read_alike(response["mem"], memory)
            assert response["lifecycle"] == memory.lifecycle.value
            assert os.path.basename(response["mem"]["Path"]) == os.path.basename(str(memory.path))

    def play_delete(self, request: dict[str, Any], response: dict[str, Any]) -> None:
        assert "not found" in response["error"]
        with pytest.raises(FactNotFound):
            self.store.delete(request["ID"])

    def play_index(self, _: dict[str, Any], response: dict[str, Any]) -> None:
        assert response["text"] == self.store.format_index()
        assert tuple(response["status"].values()) == self.store.index_status()


# What an error is about, in moa's words and in ours.
_SUBJECTS = {
    "both lifecycles": ("mutually exclusive", "is durable and has invalidate_when"),
    "name": ("invalid name", "is not a fact's name"),
    "no description": ("description is required", "description is missing"),
    "control": ("control characters", "control character"),
    "long description": ("over the 180-byte limit", "the limit is 180"),
    "no lifecycle": ("must declare its lifecycle", "declares no lifecycle"),
    "line break": ("must be a single line", "invalidate_when has a line break"),
    "size": ("exceeds 16KB limit", "the limit is 16384"),
    "scope": ("invalid scope", "is not a scope"),
}


def _subject(message: str) -> str:
    (subject,) = [name for name, words in _SUBJECTS.items() if any(map(message.count, words))]
    return subject


@pytest.fixture
def played(tmp_path: Path) -> _Transcript:
    transcript = _Transcript(tmp_path)
    # Not `splitlines`: a description holds U+0085 and U+2028.
    lines = (_GOLDEN / "transcript-write-read.jsonl").read_bytes().rstrip().split(b"\n")
    assert 42 == len(lines)
    for line in lines:
        exchange = json.loads(line)
        transcript.play(exchange["req"], exchange["res"])
    return transcript


@pytest.mark.requirement("FACT-02", "FACT-07", "FACT-08", "FACT-30", "FACT-33", "SPEC-FACT-9")
def test_each_request_is_answered_as_moa_answers_it_and_the_bytes_are_equal(
    played: _Transcript,
) -> None:
    golden = {
        path.relative_to(_GOLDEN / "config").as_posix(): path.read_bytes()
        for path in (_GOLDEN / "config").rglob("*")
        if path.is_file()
    }
    for name, (theirs, ours) in _WRITTEN_PLAINER.items():
        path = f"codebases/{_KEY}/memory/{name}"
        assert 1 == golden[path].count(theirs)
        golden[path] = golden[path].replace(theirs, ours)
    key = os.path.basename(os.path.dirname(played.store.project_dir))
    written = {
        path.relative_to(played.root / "config").as_posix().replace(key, _KEY): path.read_bytes()
        for path in (played.root / "config").rglob("*")
        if path.is_file()
    }
    assert golden == written


@pytest.mark.requirement("SPEC-FACT-28")
def test_what_moa_wrote_reads_the_same_through_ours(played: _Transcript) -> None:
    theirs = FactFolder(Scope.PROJECT, str(_GOLDEN / "config" / "codebases" / _KEY / "memory"))
    problems: list[Any] = []
    read = [file.parsed.as_memory(file.name, Scope.PROJECT) for file in theirs.files(problems)]
    ours = [memory._replace(path=None) for memory in played.store.list()]
    assert [memory for memory in ours if memory.scope is Scope.PROJECT] == read
    assert [] == problems


# --- the prompt index


@pytest.mark.requirement("FACT-13", "FACT-14", "FACT-25")
@pytest.mark.parametrize("case", sorted(_json("index-budget.expected.json")))
def test_the_index_has_moas_bytes(case: str) -> None:
    golden = _json("index-budget.expected.json")[case]
    memories = [
        Memory(f"{letter}-{n:03d}", fill * golden[f"d{letter}"], scope)
        for letter, fill, scope in (("p", "d", Scope.PROJECT), ("g", "g", Scope.GLOBAL))
        for n in range(golden[f"n{letter}"])
    ]
    index = render(memories)
    assert tuple(golden["status"].values()) == index.status
    lines = index.text.splitlines(keepends=True)
    if index.status.dropped:  # the note is in our own words: put moa's in its place
        assert f"({index.status.dropped} facts have" in lines[-1]
        lines[-1] = golden["tail"].splitlines(keepends=True)[-1]
    data = "".join(lines).encode()
    assert golden["bytes"] == len(data)
    assert golden["sha256"] == hashlib.sha256(data).hexdigest()
    assert golden["shown_p"] == sum(line.startswith("- project/") for line in lines)
    assert golden["shown_g"] == sum(line.startswith("- global/") for line in lines)


def test_the_budget_cases_are_all_here() -> None:
    assert 8 == len(_json("index-budget.expected.json"))


# --- search


_SEARCHES = _json("search.expected.json")


def test_the_searches_are_all_here() -> None:
    assert 46 == len(_SEARCHES["queries"])


@pytest.mark.requirement(
    "FACT-09", "FACT-10", "FACT-21", "FACT-22", "FACT-23", "FACT-31", "FACT-32"
)
@pytest.mark.parametrize("number", range(len(_SEARCHES["queries"])))
def test_search_finds_what_moa_finds(number: int) -> None:
    case = _SEARCHES["queries"][number]
    facts = [
        Memory(fact["Name"], fact["Description"], Scope(fact["Scope"]), fact["Body"])
        for fact in _SEARCHES["facts"]
    ]
    options = SearchOptions(case["query"], case["regex"], case["limit"], case["offset"])
    expected = case["res"]
    if "error" in expected:
        with pytest.raises(HoldfactError) as refused:
            search(facts, options)
        assert 2 == refused.value.exit_code
    else:
        result = search(facts, options)
        assert (expected["hits"] or []) == [hit._asdict() for hit in result.hits]
        assert (expected["total"], expected["offset"], expected["limit"]) == result[1:]
