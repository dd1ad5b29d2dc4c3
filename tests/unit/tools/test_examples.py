"""The runner of documented examples: what it reads, what it compares, what it keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tools.examples import Example, Shell, examples, matches

if TYPE_CHECKING:
    from pathlib import Path

PAGE = """# Page

```console
$ echo one \\
>   two
one two
$ true
```

```sh
not run
```

<!-- exit: 3 -->

1. In a list:
   ```console
   $ no
   ```

<!-- exit: 4 -->
```python
raise SystemExit(4)
```
"""


def test_commands_scripts_outputs_and_exit_codes_are_read() -> None:
    assert [
        Example(4, "console", "echo one \\\n  two\n", "one two\n", 0),
        Example(7, "console", "true\n", "", 0),
        Example(18, "console", "no\n", "", 0),
        Example(23, "python", "raise SystemExit(4)\n", "", 4),
    ] == examples(PAGE)


def test_a_console_block_without_a_command_is_refused() -> None:
    with pytest.raises(ValueError, match="line 2"):
        examples("```console\nls\n```\n")


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        ("a\n", "a\n\n", True),
        ("a  \nb\n", "a\nb", True),
        ("a...c\n", "a b\nc\n", True),
        ("...\nc\n", "a\nb\nc\n", True),
        ("a\n", "a\nb\n", False),
        ("a.c\n", "abc\n", False),
        ("", "a", False),
    ],
)
def test_dots_stand_for_any_text(expected: str, actual: str, *, same: bool) -> None:
    assert same == matches(expected, actual)


def test_no_shown_output_compares_nothing() -> None:
    assert Example(1, "console", "x", "\n", 0).shows("anything")
    assert not Example(1, "console", "x", "y\n", 0).shows("anything")


def test_folder_and_files_last_and_the_home_is_apart(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    run = [
        *("mkdir a; cd a; echo 1 >b", "cat b", "exit 3", 'echo "$HOME $HOLDFACT_HOME"'),
        "echo out; echo err >&2",
    ]
    answers = [shell.run(Example(1, "console", code, "", 0)) for code in run]
    home = tmp_path / "home"
    assert [
        *((0, ""), (0, "1\n"), (3, ""), (0, f"{home} {home}/holdfact\n")),
        (0, "out\nerr\n"),
    ] == answers
    script = Example(1, "python", "print(open('b', encoding='utf-8').read(), end='')", "", 0)
    assert shell.run(script) == (0, "1\n")
