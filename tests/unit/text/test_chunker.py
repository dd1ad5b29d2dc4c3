"""Where chunks begin and end."""

# ruff: noqa: E501 - a row of a table stands on one line

import pytest

from holdfact.text.chunker import Chunk, chunk
from holdfact.text.graphemes import is_boundary


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
        ("> quote line\n" * 3 + "|a|b|\n" * 6, ["> quote line\n" * 3, "|a|b|\n" * 6]),
        ("> quote 1\n" * 8, ["> quote 1\n" * 6, "> quote 1\n" * 2]),
        ("plain line\n" * 8, ["plain line\n" * 5, "plain line\n" * 3]),
        ("text\n```\n" + "code line\n" * 8 + "```\n", ["text\n```\n" + "code line\n" * 5, "code line\n" * 3 + "```\n"]),
        ("w" * 33 + "? " + "v" * 20 + ". " + "u" * 20, ["w" * 33 + "? " + "v" * 20 + ". ", "u" * 20]),
        ("w" * 33 + ". " + "v" * 20 + "? " + "u" * 20, ["w" * 33 + ". " + "v" * 20 + "? ", "u" * 20]),
        ("w" * 40 + ". \u0301" + "v" * 30, ["w" * 40 + ". \u0301" + "v" * 20, "v" * 10]),
        ("w" * 40 + ". " + "v" * 30, ["w" * 40 + ". ", "v" * 30]),
        ("w" * 40 + " " + "v" * 30, ["w" * 40 + " ", "v" * 30]),
        ("w" * 70, ["w" * 64, "w" * 6]),
        ("漢" * 20, ["漢" * 16, "漢" * 4]),
    ],
)  # fmt: skip
@pytest.mark.requirement("SPEC-TEXT-12")
def test_cuts(text: str, expected: list[str]) -> None:
    assert expected == pieces(text)


@pytest.mark.parametrize("size", [1, 2, 16])
def test_the_smallest_sizes_are_sizes(size: int) -> None:
    text = "ab cd ef\n" * 3
    assert text == "".join(pieces(text, size))
    assert size * 4 >= max(map(len, pieces(text, size, size // 2)))


# The window of 16 tokens is 64 ASCII characters.
@pytest.mark.parametrize(
    ("before", "first"),
    [(14, 64), (15, 16), (16, 17), (40, 41), (62, 63), (63, 64)],
)
@pytest.mark.requirement("SPEC-TEXT-12")
def test_a_section_of_a_quarter_of_the_window_stands_alone(before: int, first: int) -> None:
    text = "x" * before + "\n# H\n" + "word\n" * 30
    assert first == len(pieces(text)[0])


@pytest.mark.requirement("SPEC-TEXT-12")
def test_the_best_place_in_the_last_half_of_the_window_is_taken() -> None:
    def first(*parts: str) -> str:
        return pieces("".join(parts) + "z" * 70)[0]

    filler, blank, item, line, stop = "x" * 8, "\n\n", "\n- ", "\n", ". "
    # Before the half nothing but a line counts; after it the better place, not the later one.
    assert first(filler * 3, stop, filler * 3, " y") == filler * 3 + stop + filler * 3 + " "
    assert first(filler * 3, blank, filler * 2, line) == filler * 3 + blank + filler * 2 + line
    assert first(filler * 4, blank, filler, line, filler) == filler * 4 + blank
    assert first(filler * 4, item, filler, line, filler) == filler * 4 + "\n"
    assert first(filler * 4, stop, filler, line, filler) == filler * 4 + stop + filler + line
    assert first(filler * 4, stop, filler, " ", filler) == filler * 4 + stop
    assert first(filler * 3, line, filler * 2, " ", filler) == filler * 3 + line
    assert first(filler * 3, line, filler * 9) == filler * 3 + line
    assert first(filler * 3, stop, filler * 9) == (filler * 3 + stop + filler * 9)[:64]


@pytest.mark.parametrize(
    "mark", ["\n\n", "\n\r\n", "\n- ", "\n* ", "\n+ ", "\n1. ", ". ", "! ", "? ", "\n", " "]
)
@pytest.mark.requirement("SPEC-TEXT-12")
def test_places_to_cut_at(mark: str) -> None:
    first = pieces("x" * 40 + mark + "y" * 40)[0]
    # An item's mark opens the next chunk, all others close this one.
    assert first == "x" * 40 + ("\n" if mark[0] == "\n" and mark.endswith(" ") else mark)


@pytest.mark.parametrize("mark", ["\u3002", "\uff01", "\uff1f"])
def test_sentences_of_other_scripts_end_too(mark: str) -> None:
    assert "漢" * 10 + mark == pieces("漢" * 10 + mark + "字" * 10)[0]


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


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("# A\nx\n# B\ny\n", 1),
        ("", 1),
        ("# A\n" + "x" * 59 + "\n", 1),
        ("# A\n" + "x" * 60 + "\n", 2),
        ("# A\n漢字\n## B\n漢字漢\n", 1),
        ("# A\n漢字\n## B\n漢字漢字漢字漢字漢字漢字漢字\n", 2),
    ],
)
def test_a_text_that_is_kept_whole_is_one_chunk_where_it_fits(text: str, count: int) -> None:
    found = chunk(text, size_tokens=16, overlap_tokens=4, keeps_whole=True)
    assert count == len(found)
    assert len(text) == found[-1].end
    if count > 1:
        assert found == chunk(text, size_tokens=16, overlap_tokens=4)


def test_a_whole_text_has_its_lines_bytes_and_first_headings() -> None:
    found = chunk("# A\n## é\nx\n# B\ny\n", size_tokens=16, overlap_tokens=4, keeps_whole=True)
    assert [Chunk(0, 17, 0, 1, 5, 0, 18, ("A", "é"))] == found


def test_lines_end_as_in_an_editor() -> None:
    found = chunk("a\rb\r\nc\nd\u2028e", size_tokens=400, overlap_tokens=80)
    assert [(c.first_line, c.last_line) for c in found] == [(1, 4)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Headings that open a piece are its path; one that follows text opens the next piece.
        ("# A\n\n## B\n\ntext of the section\n\n## C\n\nmore\n", [("A", "B"), ("A", "C")]),
        ("text\n\n# A\n\nmore\n", [(), ("A",)]),
        ("# A\n# B\ntext below the second of two\n", [("B",)]),
        ("#\n## B\ntext below\n", [("B",)]),
        ("### C\n# A\n## B\n" + "word " * 9, [("A", "B")]),
        (
            "# A\n" + "word " * 16 + "\n## B\n" + "word " * 16,
            [("A",), ("A",), ("A", "B"), ("A", "B")],
        ),
        (
            "# A\n## B\n" + "w" * 50 + "\n# C\n" + "w" * 40 + "\n## D\n",
            [("A", "B"), ("C",), ("C", "D")],
        ),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-13")
def test_a_chunk_stands_under_the_headings_that_open_it(
    text: str, expected: list[tuple[str, ...]]
) -> None:
    found = chunk(text, size_tokens=16, overlap_tokens=0)
    assert expected == [c.headings for c in found]


@pytest.mark.parametrize(
    ("overlap", "expected"),
    [
        (0, ""),
        (2, "line 6\n"),
        (3, "line 6\n"),
        (4, "line 5\nline 6\n"),
        (6, "line 4\nline 5\nline 6\n"),
    ],
)
def test_the_overlap_is_whole_lines_as_many_as_fit(overlap: int, expected: str) -> None:
    text = "".join(f"line {n}\n" for n in range(9))
    first, second = chunk(text, size_tokens=13, overlap_tokens=overlap)[:2]
    assert text[: first.end] == "".join(f"line {n}\n" for n in range(7))
    assert expected == text[second.start : second.start + second.overlap]


def test_a_cluster_that_does_not_fit_beside_the_overlap_is_kept_whole() -> None:
    """First the overlap goes, then the cluster is cut."""
    family = "👩\u200d" * 6 + "👧"  # 13 characters of four quarters each
    text = "ab cd ef gh " * 4 + "漢" * 3 + family * 3
    found = chunk(text, size_tokens=14, overlap_tokens=7)
    assert [family] * 3 == [text[c.start : c.end] for c in found[-3:]]
    assert text == "".join(text[c.start + c.overlap : c.end] for c in found)


def test_an_overlap_does_not_begin_with_a_mark() -> None:
    text = "xy \u0301z" * 40
    found = chunk(text, size_tokens=16, overlap_tokens=4)
    assert len(found) > 4
    assert all(c.overlap and is_boundary(text, c.start) for c in found[1:])
