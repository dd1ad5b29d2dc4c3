"""Where chunks begin and end."""

# ruff: noqa: E501 - a row of a table stands on one line

import pytest

from holdfact.text.chunker import Chunk, chunk


def pieces(text: str, size: int = 16, overlap: int = 0) -> list[str]:
    found = chunk(text, size_tokens=size, overlap_tokens=overlap)
    return [text[c.start : c.end] for c in found]


@pytest.mark.requirement("SPEC-TEXT-11")
def test_an_empty_document_is_a_document() -> None:
    assert [Chunk(0, 0, 0, 1, 1, 0, 0, ())] == chunk("", size_tokens=4, overlap_tokens=0)


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (4, 3), (4, -1)])
def test_sizes_that_make_no_sense_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="overlap"):
        chunk("x", size_tokens=size, overlap_tokens=overlap)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n" + "a " * 10 + "\n## B\nb\n", ["# A\n" + "a " * 10 + "\n", "## B\nb\n"]),
        ("a" * 34 + "\n\n" + "b" * 20 + "\n" + "c" * 30, ["a" * 34 + "\n\n", "b" * 20 + "\n" + "c" * 30]),
        ("x" * 35 + "\n- one\n- two " + "y" * 40, ["x" * 35 + "\n- one\n", "- two " + "y" * 40]),
        ("x" * 20 + "\n```\n" + "a\n\n" * 14 + "```\n", ["x" * 20 + "\n", "```\n" + "a\n\n" * 14 + "```\n"]),
        ("x" * 20 + "\n```\n\n" + "a" * 14 + "\n```\n" + "b" * 40, ["x" * 20 + "\n```\n\n" + "a" * 14 + "\n```\n", "b" * 40]),
        ("x" * 20 + "\n```\n" + "a" * 12 + "\n\naaaa\n```\n" + "b" * 40, ["x" * 20 + "\n```\n" + "a" * 12 + "\n\naaaa\n```\n", "b" * 40]),
        ("p" * 20 + "\n" + "|a|b|\n" * 9, ["p" * 20 + "\n", "|a|b|\n" * 9]),
        ("First one is here. And this is the second sentence of all of it.", ["First one is here. And this is the second sentence of all of it."]),
        ("w" * 40 + ". " + "v" * 30, ["w" * 40 + ". ", "v" * 30]),
        ("w" * 40 + " " + "v" * 30, ["w" * 40 + " ", "v" * 30]),
        ("w" * 70, ["w" * 64, "w" * 6]),
        ("漢" * 20, ["漢" * 16, "漢" * 4]),
    ],
)  # fmt: skip
@pytest.mark.requirement("SPEC-TEXT-12")
def test_cuts(text: str, expected: list[str]) -> None:
    assert expected == pieces(text)


@pytest.mark.requirement("SPEC-TEXT-13")
def test_heading_paths() -> None:
    filler = "word " * 10 + "\n"
    text = f"# A\n\n## B #\n{filler}```\n# no heading\n```\n### C\n{filler}Two\n---\n{filler}# D\n{filler}"
    found = chunk(text, size_tokens=18, overlap_tokens=0)
    paths = list(dict.fromkeys(c.headings for c in found))
    assert paths == [("A", "B"), ("A", "B", "C"), ("A", "Two"), ("D",)]


def test_overlap_begins_at_a_line_or_a_word_and_not_before_a_heading() -> None:
    text = "# H\n" + "".join(f"line {n:02}\n" for n in range(20))
    found = chunk(text, size_tokens=16, overlap_tokens=4)
    assert all(text[c.start :].startswith("line") for c in found[1:])
    assert all(c.overlap in {8, 16} for c in found[1:])
    words = chunk("wo rd" * 40, size_tokens=16, overlap_tokens=4)
    assert all(("wo rd" * 40)[c.start - 1] == " " for c in words[1:])
    solid = chunk("x" * 200, size_tokens=16, overlap_tokens=4)
    assert [16] * (len(solid) - 1) == [c.overlap for c in solid[1:]]


def test_a_cluster_larger_than_a_chunk_is_cut_between_code_points() -> None:
    text = "a" + "\u0301" * 40
    assert text == "".join(pieces(text, 4))
    assert len(pieces("ab c" * 3 + text, 4, 2)) > 1


def test_lines_end_as_in_an_editor() -> None:
    found = chunk("a\rb\r\nc\nd\u2028e", size_tokens=400, overlap_tokens=80)
    assert [(c.first_line, c.last_line) for c in found] == [(1, 4)]
