"""The style guide as rules: each takes a source file and yields what breaks it.

`tests/style/test_tidy.py` holds every file to them, and feeds each rule something bad.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["RULES", "Problem", "Source", "check", "parse"]

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 70
BANNED_NAMES = {"util", "utils", "helper", "helpers", "manager", "handler"}
# Start-up is a feature: each costs a large part of a bare interpreter's start.
BANNED_IMPORTS = {"dataclasses", "pathlib"}
PRINTS_IN = "src/holdfact/cli/output.py"
CLOCK_IN = "src/holdfact/core/clock.py"
# SQLite writes its own files; its module names and opens them. A lock is an open, empty file.
WRITES_IN = {f"src/holdfact/core/{name}.py" for name in ("files", "locks", "sqlite")}
CLOCK_CALLS = {
    *("time.time", "time.time_ns", "time.monotonic", "time.monotonic_ns", "time.sleep"),
    *("time.perf_counter", "time.localtime", "time.gmtime", "time.strftime"),
    *("datetime.now", "datetime.utcnow", "datetime.today", "date.today"),
    *("datetime.datetime.now", "datetime.datetime.utcnow", "datetime.date.today"),
}
WRITE_CALLS = {
    f"{module}.{name}"
    for module, names in {
        "os": "rename replace renames remove unlink rmdir removedirs mkdir makedirs symlink link "
        "truncate ftruncate write pwrite mkfifo utime chmod",
        "shutil": "rmtree copy copy2 copyfile copytree move",
        "tempfile": "mkstemp mkdtemp NamedTemporaryFile TemporaryFile TemporaryDirectory",
    }.items()
    for name in names.split()
}
OPENS = {"open", "io.open", "os.fdopen"}


class Source(NamedTuple):
    """One Python file; `path` is relative to the repository, POSIX."""

    path: str
    text: str
    tree: ast.Module

    @property
    def is_product(self) -> bool:
        """Is it part of what is installed?"""
        return self.path.startswith("src/")

    @property
    def is_test(self) -> bool:
        """Does pytest collect it?"""
        return self.path.startswith("tests/") and self.path.rpartition("/")[2].startswith("test_")


class Problem(NamedTuple):
    """What breaks a rule, and where."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        """As compilers write it."""
        return f"{self.path}:{self.line}: {self.message}"


Finding = tuple[int, str]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def parse(path: str, text: str) -> Source:
    """The source ready for the rules."""
    return Source(path, text, ast.parse(text, path))


def check(source: Source) -> list[Problem]:
    """Everything in one file that breaks a rule."""
    return [Problem(source.path, *finding) for rule in RULES for finding in rule(source)]


def file_length(source: Source) -> Iterator[Finding]:
    """A file is short enough to be read."""
    lines = source.text.count("\n")
    if lines > MAX_FILE_LINES:
        yield lines, f"{lines} lines; a file has at most {MAX_FILE_LINES}"


def function_length(source: Source) -> Iterator[Finding]:
    """A function is short enough to be seen at once."""
    for node in _functions(source):
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        if lines > MAX_FUNCTION_LINES:
            yield node.lineno, f"{node.name} has {lines} lines; at most {MAX_FUNCTION_LINES}"


def module_docstring(source: Source) -> Iterator[Finding]:
    """A module says what it is for."""
    if not ast.get_docstring(source.tree):
        yield 1, "the module docstring is missing"


def names(source: Source) -> Iterator[Finding]:
    """Modules, folders and classes are named by what they are."""
    parts = source.path.removesuffix(".py").split("/")
    for word in {word for part in parts for word in part.lower().split("_")} & BANNED_NAMES:
        yield 1, f"a module is not named {word}: name it by a noun of the domain"
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ClassDef):
            for word in {w.lower() for w in re.findall("[A-Z]?[a-z]+", node.name)} & BANNED_NAMES:
                yield node.lineno, f"class {node.name}: not {word}; name it by what it is"


def prints(source: Source) -> Iterator[Finding]:
    """One place writes to the terminal."""
    if not source.is_product or source.path == PRINTS_IN:
        return
    for node in ast.walk(source.tree):
        name = _dotted(node.func) if isinstance(node, ast.Call) else ""
        if name in {"print", "input", "sys.stdout.write", "sys.stderr.write"}:
            yield _line(node), f"{name}() outside {PRINTS_IN}"


def clock(source: Source) -> Iterator[Finding]:
    """One place reads the clock, so that tests can set it."""
    if not source.is_product or source.path == CLOCK_IN:
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            yield node.lineno, f"time is read only in {CLOCK_IN}"
        elif isinstance(node, ast.Call) and _dotted(node.func) in CLOCK_CALLS:
            yield node.lineno, f"{_dotted(node.func)}() outside {CLOCK_IN}"


def encodings(source: Source) -> Iterator[Finding]:
    """Text is read and written in a named encoding."""
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Call):
            continue
        name = _dotted(node.func)
        attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        is_text = name in OPENS and "b" not in _mode(node)
        is_text = is_text or attribute in {"read_text", "write_text"}
        if is_text and not _keyword(node, "encoding") and not _is_fd_of_bytes(node, name):
            yield node.lineno, f"{name or attribute}() without encoding"


def writes(source: Source) -> Iterator[Finding]:
    """One place changes files: atomically, durably, confined."""
    if not source.is_product or source.path in WRITES_IN:
        return
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Call):
            continue
        name = _dotted(node.func)
        attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        opens_to_write = name in OPENS and set(_mode(node)) & set("wax+")
        opens_low = name == "os.open" and _opens_to_write(node)
        is_path_write = attribute in {"write_text", "write_bytes"}
        if name in WRITE_CALLS or opens_to_write or opens_low or is_path_write:
            yield node.lineno, f"{name or attribute}() changes files; use core/files.py"


def imports(source: Source) -> Iterator[Finding]:
    """Nothing in the product imports what start-up can't afford, not even lazily."""
    if not source.is_product:
        return
    for node in ast.walk(source.tree):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        for module in {name.split(".")[0] for name in modules} & BANNED_IMPORTS:
            yield _line(node), f"{module} is too slow to import"


def test_sleeps(source: Source) -> Iterator[Finding]:
    """A test waits for what it needs, never for time to pass."""
    if not source.path.startswith("tests/"):
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            sleeps = _dotted(node.func) in {"time.sleep", "sleep"}
        elif isinstance(node, ast.ImportFrom):
            sleeps = node.module == "time" and any(alias.name == "sleep" for alias in node.names)
        else:
            continue
        if sleeps:
            yield node.lineno, "a test does not sleep"


def test_can_fail(source: Source) -> Iterator[Finding]:
    """A test states something that could be false."""
    if not source.is_test:
        return
    checking = _checking_functions(source)
    for node in _functions(source):
        if node.name.startswith("test") and not _states(node, checking):
            yield node.lineno, f"{node.name} asserts nothing"
    for inner in ast.walk(source.tree):
        if isinstance(inner, ast.Assert) and isinstance(inner.test, ast.Constant):
            yield inner.lineno, "this assertion is always the same"


def test_reasons(source: Source) -> Iterator[Finding]:
    """A test that is skipped or expected to fail says why."""
    if not source.path.startswith("tests/"):
        return
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Attribute):
            continue
        name, call = _dotted(node), _call_of(node, source)
        if name in {"pytest.mark.skip", "pytest.mark.xfail", "pytest.mark.skipif"}:
            reason = _keyword(call, "reason")
        elif name in {"pytest.skip", "pytest.xfail"}:
            reason = _keyword(call, "reason") or (call.args[0] if call and call.args else None)
        else:
            continue
        if reason is None or (isinstance(reason, ast.Constant) and not reason.value):
            yield node.lineno, f"{name} without a reason"


def silenced(source: Source) -> Iterator[Finding]:
    """What silences a rule says why; what is unfinished is an issue, not a comment."""
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type != tokenize.COMMENT:
            continue
        line = token.start[0]
        if "noqa" in token.string and not re.search(r"noqa: [A-Z0-9, ]+ - \S", token.string):
            yield line, "a rule is silenced without a reason: noqa: CODE - why"
        if re.search(r"\b(TODO|FIXME|XXX)\b", token.string):
            yield line, "unfinished: file an issue"


def _functions(source: Source) -> Iterator[Function]:
    for node in ast.walk(source.tree):
        if isinstance(node, Function):
            yield node


def _checking_functions(source: Source) -> set[str]:
    """The functions and methods of this file that a test may leave its assertions to."""
    checking: set[str] = set()
    while True:
        found = {
            node.name
            for node in _functions(source)
            if not node.name.startswith("test") and _states(node, checking)
        }
        if found == checking:
            return checking
        checking = found


def _states(function: Function, checking: set[str]) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            last = _dotted(node.func).rpartition(".")[2]
            if last in checking | {"raises", "warns", "fail"} or re.match(
                r"_?(check|assert)", last
            ):
                return True
    return False


def _call_of(attribute: ast.Attribute, source: Source) -> ast.Call | None:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and node.func is attribute:
            return node
    return None


def _opens_to_write(call: ast.Call) -> bool:
    shown = ast.dump(call)
    is_writing = any(flag in shown for flag in ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"))
    return is_writing and "devnull" not in shown


def _keyword(call: ast.Call | None, name: str) -> ast.expr | None:
    for keyword in call.keywords if call else []:
        if keyword.arg == name:
            return keyword.value
    return None


def _mode(call: ast.Call) -> str:
    node = _keyword(call, "mode") or (call.args[1] if len(call.args) > 1 else None)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_fd_of_bytes(call: ast.Call, name: str) -> bool:
    """A mode that is not a literal can't be judged here; only `open` with a literal is."""
    mode = _keyword(call, "mode") or (call.args[1] if len(call.args) > 1 else None)
    return name in OPENS and mode is not None and not isinstance(mode, ast.Constant)


def _dotted(node: ast.expr) -> str:
    """`a.b.c` of a name or of attributes of one, else an empty string."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = _dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 1))


RULES: tuple[Callable[[Source], Iterator[Finding]], ...] = (
    *(file_length, function_length, module_docstring, names, prints, clock, encodings),
    *(writes, imports, silenced, test_sleeps, test_can_fail, test_reasons),
)
