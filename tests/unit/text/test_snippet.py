"""What is shown of a chunk, with the query's words marked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.text.snippet import snippet
from holdfact.text.tokenizer import Analyzer

ANALYZER = Analyzer()


def marked(text: str, query: str, limit: int = 240) -> str:
    found = snippet(
        text, ANALYZER.query_terms(query, ["english"]), ANALYZER, "english", limit_bytes=limit
    )
    shown, shift = found.text, 0
    for start, end in found.matches:
        shown = (
            shown[: start + shift]
            + "["
            + shown[start + shift : end + shift]
            + "]"
            + shown[end + shift :]
        )
        shift += 2
    return shown


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("", "x", ""),
        ("The  servers\nare up.", "server up?", "The [servers] are up."),
        ("see ./src/a.py.", "a.py", "see ./src/[a.py]."),
        ("nothing here", "else", "nothing here"),
        ("玩成语接龙吧", "接龙", "玩成语[接龙]吧"),
        ("玩成语接龙吧", "语", "玩成[语]接龙吧"),
        ("使用itgc工具", "itgc", "使用[itgc]工具"),
        ("das Größte, über", "größte", "das [Größte], über"),
        ("한국어 문서", "국어", "한[국어] 문서"),
        ("한국어 문서", "한국어", "[한국어] 문서"),
        ("fooBar Ünder", "bar", "foo[Bar] Ünder"),
        ("fooBar", "fooBar", "[fooBar]"),
        ("set HOLDFACT_HOME now", "home", "set HOLDFACT_[HOME] now"),
        ("HOLDFACT_HOME", "HOLDFACT_HOME", "[HOLDFACT_HOME]"),
        (
            "https://example.org/compare/a...b.md",
            "compare object",
            "https://example.org/[compare]/a...b.md",
        ),
        ("go//host.org/x", "host.org", "go//[host.org]/x"),
        ("the x.comparing.objectId", "compare object", "the x.[comparing].[object]Id"),
        ("größe_wert.md", "wert", "größe_[wert].md"),
        ("v1.2 and sha256", "1.2 sha", "[v1.2] and [sha256]"),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-16")
def test_matches(text: str, query: str, expected: str) -> None:
    assert expected == marked(text, query)


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("---\ntitle: Walrus\n---\nA walrus.", "walrus", "A [walrus]."),
        ("---\ntitle: Walrus\n---\nA tusk.", "walrus", "--- title: [Walrus] --- A tusk."),
        ("---\ntitle: Walrus\n---\nA tusk.", "else", "A tusk."),
        ("---\ntitle: Walrus\n---\n", "else", "--- title: Walrus ---"),
        ("---\nno header, a walrus", "walrus", "--- no header, a [walrus]"),
    ],
)
def test_a_header_is_shown_when_it_alone_has_the_words(
    text: str, query: str, expected: str
) -> None:
    assert expected == marked(text, query)


def test_the_window_holds_most_different_terms() -> None:
    text = "alpha " + "filler " * 40 + "alpha beta gamma " + "filler " * 40
    shown = marked(text, "alpha beta gamma", 60)
    assert "[alpha] [beta] [gamma]" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert marked("x " * 100, "nothing", 40).startswith("x x")


def test_a_window_may_reach_the_end() -> None:
    assert marked("filler " * 20 + "the needle", "needle", 46).endswith("\u2026the [needle]")


def test_a_window_does_not_begin_with_a_mark() -> None:
    shown = marked("x" * 60 + " \u0301y needle " + "z" * 60, "needle", 46)
    assert shown.startswith("…y [needle]")


@given(st.text(max_size=80), st.text(max_size=10), st.integers(16, 60))
@pytest.mark.requirement("SPEC-TEXT-16")
def test_a_snippet_keeps_its_limit(text: str, query: str, limit: int) -> None:
    terms = ANALYZER.query_terms(query, ["english"])
    found = snippet(text, terms, ANALYZER, "english", limit_bytes=limit)
    assert len(found.text.encode("utf-8", "surrogatepass")) <= limit
    assert all(0 <= start < end <= len(found.text) for start, end in found.matches)


_POOL = [
    "walrus",
    "fooBar",
    "C++20",
    "größte",
    "成语接龙",
    "x.509",
    "src/a.md",
    "Walruses",
    "ERR_4042",
    "tusk",
]
_FILLED = st.lists(
    st.sampled_from([*_POOL, "and", "then\n", "a", "。", "\u0301", "—"]), max_size=40
)


@given(words=_FILLED, asked=st.lists(st.sampled_from(_POOL), max_size=3), limit=st.integers(16, 90))
@pytest.mark.requirement("SPEC-TEXT-16")
def test_a_snippet_is_a_part_of_the_text_with_its_matches(
    words: list[str], asked: list[str], limit: int
) -> None:
    text = " ".join(words)
    terms = ANALYZER.query_terms(" ".join(asked), ["english"])
    found = snippet(text, terms, ANALYZER, "english", limit_bytes=limit)
    line = " ".join(text.split())
    assert found.text.strip("…") in line
    ends = [0, *(at for match in found.matches for at in match)]
    assert sorted(ends) == ends
    for start, end in found.matches:
        assert set(terms) & set(ANALYZER.terms(found.text[start:end], "english"))
    if len(line.encode()) <= limit:
        assert found.text == line
        assert bool(found.matches) == bool(set(terms) & set(ANALYZER.terms(line, "english")))


@pytest.mark.parametrize("at", range(0, 200, 7))
def test_the_only_match_is_in_the_window_wherever_it_stands(at: int) -> None:
    words = ["filler"] * 200
    words[at] = "needle"
    shown = marked(" ".join(words), "needle", 60)
    assert "[needle]" in shown
    assert shown.startswith("…") == (at > 1)
    inner = shown.strip("…").replace("[", "").replace("]", "")
    assert set(inner.split()) <= {"filler", "needle"}, "whole words only"
    assert len(inner) >= 40 or not shown.endswith("…")


@given(
    language=st.sampled_from(["", "english"]),
    word=st.from_regex(r"[A-Za-z][a-z]{1,20}", fullmatch=True),
)
def test_no_stem_begins_with_another_letter_than_its_word(language: str, word: str) -> None:
    # The snippet passes over plain words by their first letter.
    assert [word[0].lower()] == [term[0] for term in ANALYZER.terms(word, language)]
