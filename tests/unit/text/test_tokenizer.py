"""The analyser: what finds what."""

# ruff: noqa: RUF001 - other alphabets have letters that look like Latin ones

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.core.limits import MAX_QUERY_CHARS, MAX_QUERY_TERMS
from holdfact.text.query_words import content_words
from holdfact.text.tokenizer import Analyzer, detect_language

ANALYZER = Analyzer()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("... # ## /", []),
        ("Deployments deploy", ["deploy", "deploy"]),
        ("HTTP Http http", ["http"] * 3),
        ("URLs", ["url"]),
        ("foo_bar.baz", ["foo_bar.baz", "foo_bar", "foo", "bar", "baz"]),
        ("0x80070005", ["0x80070005", "80070005"]),
        ("C++20", ["c++20", "c++", "20"]),
        ("C# is", ["c#", "is"]),
        ("notepad++", ["notepad++", "notepad"]),
        ("a+b page.md#top", ["a", "b", "page.md", "page", "md", "top"]),
        ("ERR_4042", ["err_4042", "err", "4042"]),
        ("x.509 X509", ["x.509", "x", "509", "x509", "x", "509"]),
        ("v1.2", ["v1.2", "1.2", "v1", "v", "1", "2"]),
        ("../src/a.md", ["src/a.md", "src", "a.md", "a", "md"]),
        ("C:\\bin\\x", ["c", "bin/x", "bin", "x"]),
        ("https://a.io/b", ["https", "a.io", "a", "io", "b"]),
        ("getHTTPCode2", ["gethttpcode2", "get", "http", "code2", "code", "2"]),
        ("aBcDeFgHiJkLmNoPqRs", ["abcdefghijklmnopqr"]),
        ("ÄndernÜber", ["ändernüber", "ändern", "über"]),
        ("größe2", ["grösse2", "grösse", "2"]),
        ("Cafe\u0301", ["café"]),
        ("हिन्दी", ["हिन्दी"]),
        ("soft\u00adware zero\u200bwidth", ["softwar", "zero", "width"]),
        ("使用itgc工具", ["使", "用", "使用", "itgc", "工", "具", "工具"]),
        ("한국어 C언어", ["한국어", "한국", "국어", "c", "언어"]),
        ("ไทย", ["ไ", "ท", "ย", "ไท", "ทย"]),
        ("ก็ดี", ["ก็", "ดี", "ก็ดี"]),
        ("😀 \ud800", []),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-1", "SPEC-TEXT-2")
def test_terms(text: str, expected: list[str]) -> None:
    assert expected == ANALYZER.terms(text, "english")


@pytest.mark.parametrize(
    "probe", ["成语接龙", "itgc", "0x80070005", "foo_bar.baz", "C++20", "go", "ERR_4042"]
)
@pytest.mark.requirement("SPEC-TEXT-3")
def test_probe_is_found(probe: str) -> None:
    document = "玩成语接龙，使用itgc工具 (0x80070005), see foo_bar.baz; C++20 go ERR_4042."
    query = ANALYZER.query_terms(probe, ["english", ""])
    assert query
    assert set(query) <= set(ANALYZER.counts(document, "english"))


@pytest.mark.parametrize(
    ("query", "languages", "expected"),
    [
        ("How do I use the go tool?", ["english"], ["use", "go", "tool"]),
        ("What is it", ["english"], ["what", "is", "it"]),
        ("What is it — 😀", ["english"], ["what", "is", "it"]),
        ("… who am I …", ["english", "german"], ["who", "am", "i"]),
        ("What's configured?", ["english"], ["configur"]),
        ("can’t connect", ["english"], ["connect"]),
        ("configured", ["english", ""], ["configur", "configured"]),
        ("wie werden die Häuser gebaut", ["german"], ["haus", "gebaut"]),
        ("processes die", ["german", "english"], ["process", "die"]),
        ("plain words", [], ["plain", "words"]),
        ("go Go", ["english"], ["go"]),
        ("", ["english"], []),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-4", "SPEC-TEXT-5")
def test_query_terms(query: str, languages: list[str], expected: list[str]) -> None:
    assert expected == ANALYZER.query_terms(query, languages)


def test_counts_and_counts_of_parts_agree() -> None:
    texts = ["one two two", "", "two fooBar"]
    expected = [{"one": 1, "two": 2}, {}, {"two": 1, "foobar": 1, "foo": 1, "bar": 1}]
    data = " é ".join(texts).encode()
    parts = [(data.index(text.encode()), len(text)) for text in texts]
    spans = [(start, start + size) for start, size in parts]
    assert expected == list(ANALYZER.counts_of_parts(data, spans, "english"))
    assert expected == [ANALYZER.counts(text, "english") for text in texts]


_WRITTEN = st.lists(
    st.one_of(
        st.text(max_size=6),
        st.sampled_from(
            ["the", "Deployments", "fooBar_baz.py", "C++20", "don't", "x.509", "ERR_4042",
             "größte", "成语接龙", "한국어", "ไทย", "src/a.md", "URLs", "die", "Häuser", "v1.2",
             "soft\u00adware", "\ud800", "Ｆｕｌｌ", "—"]
        ),
    ),
    max_size=8,
).map(" ".join)  # fmt: skip


@given(text=_WRITTEN, language=st.sampled_from(["", "english", "german"]))
@pytest.mark.requirement("SPEC-TEXT-1")
def test_a_text_is_found_by_its_own_words(text: str, language: str) -> None:
    """Index and query are one analysis: whatever is asked for in a text's words is in its terms."""
    counts = ANALYZER.counts(text, language)
    assert set(ANALYZER.query_terms(text, [language])) <= set(counts)
    assert counts == Counter(ANALYZER.terms(text, language))
    assert bool(counts) == bool(ANALYZER.query_terms(text, [language]))


@given(query=_WRITTEN, languages=st.lists(st.sampled_from(["", "english", "german", "french"])))
@pytest.mark.requirement("SPEC-TEXT-5")
def test_variants_are_the_query_terms_by_word(query: str, languages: list[str]) -> None:
    groups = ANALYZER.query_variants(query, languages)
    flat = [term for group in groups for term in group]
    assert flat == ANALYZER.query_terms(query, languages)
    assert len(set(flat)) == len(flat)
    assert all(1 <= len(group) <= max(1, len(set(languages))) for group in groups)


@pytest.mark.parametrize(
    ("query", "languages", "expected"),
    [
        ("configured", ["english", ""], [("configur", "configured")]),
        ("configured tool", ["english", ""], [("configur", "configured"), ("tool",)]),
        ("configured configure", ["english", ""], [("configur", "configured"), ("configure",)]),
        ("fooBar", ["english", "german"], [("foobar",), ("foo",), ("bar",)]),
        ("tool", ["english", "english"], [("tool",)]),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-5")
def test_the_stems_of_one_word_stand_together(
    query: str, languages: list[str], expected: list[tuple[str, ...]]
) -> None:
    assert expected == ANALYZER.query_variants(query, languages)


def test_a_long_query_is_read_to_its_limits() -> None:
    many = " ".join(f"w{number}x" for number in range(MAX_QUERY_TERMS + 9))
    assert MAX_QUERY_TERMS == len(ANALYZER.query_terms(many, [""]))
    assert MAX_QUERY_TERMS == len(ANALYZER.query_terms(many, ["", "english"]))
    assert f"w{MAX_QUERY_TERMS - 1}x" == ANALYZER.query_terms(many, [""])[-1]
    for at, expected in ((MAX_QUERY_CHARS - 4, ["last"]), (MAX_QUERY_CHARS - 3, ["las"])):
        assert expected == ANALYZER.query_terms(" " * at + "last", [""])


@pytest.mark.parametrize(
    ("words", "languages", "expected"),
    [
        ("how to deploy", ["english"], "deploy"),
        ("How TO. Deploy", ["english"], "Deploy"),
        ("who are you", ["english"], "who are you"),
        ("wie starte ich das Programm", ["german"], "starte Programm"),
        ("wie starte ich das Programm", ["english", "german"], "starte Programm"),
        # One German function word in an English query may be an English word.
        ("threads die", ["english", "german"], "threads die"),
        ("threads die", ["german"], "threads"),
        ("the threads die", ["english", "german"], "threads die"),
        ("comment installer le paquet", ["french", ""], "installer paquet"),
        ("deploy", [], "deploy"),
        ("the deploy", [], "deploy"),
        ("", ["english"], ""),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-4")
def test_words_that_say_what_is_searched_for(
    words: str, languages: list[str], expected: str
) -> None:
    found = content_words(words.encode().split(), languages)
    assert expected == b" ".join(found).decode()


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfact.text.tokenizer.MAX_MEMO_WORDS", 3)
    analyzer = Analyzer()
    words = [f"w{letter}" for letter in "abcdefgh"] + ["x" * 100]
    assert [*words[:-1], "x" * 64] == analyzer.terms(" ".join(words), "")
    assert len(analyzer._lexicon("")) <= 3  # noqa: SLF001 - the bound is the promise


def test_identity_names_the_stemmer() -> None:
    assert Analyzer.identity().startswith(f"{Analyzer.VERSION}+snowball-")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Deploy on port 3306; use docker", "english"),
        ("Der Server läuft auf dem Port und wird nicht gestartet, wenn er da ist", "german"),
        ("Wij gebruiken een database voor de gegevens en het is niet nodig", "dutch"),
        ("Сервер работает на порту и не должен быть", "russian"),
        ("El servidor se ejecuta en el puerto y no debe reiniciarse con los datos", "spanish"),
        ("Le serveur est dans la base de données et il ne faut pas", "french"),
        ("O servidor não deve ser reiniciado com uma base para os clientes", "portuguese"),
        ("Il server non deve essere riavviato con la base di dati per gli utenti", "italian"),
        ("Сервер працює на порту і не повинен бути", ""),
        ("Serwer jest na porcie i nie może być", ""),
        ("サーバーはポートで動く", ""),
        ("das Haus", "english"),
        ("größer als", ""),
        ("the und Haus", "english"),
        ("word " * 3_000, "english"),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-6")
def test_language(text: str, expected: str) -> None:
    assert expected == detect_language(text)


_GERMAN = "Der Server läuft nicht, wenn er auf dem Port ist und "


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Three different function words, an eighth of all words.
        ("oder nicht wird " + "xq " * 21, "german"),
        ("oder nicht wird " + "xq " * 23, "english"),
        ("oder nicht oder nicht xq", "english"),
        # English without evidence has few words of other letters.
        ("xq " * 9 + "é", "english"),
        ("xq " * 8 + "é", ""),
        # The beginning and the middle speak for a long text; what is behind them is not read.
        ("code " * 205 + _GERMAN * 40, "german"),
        (_GERMAN * 20 + "code " * 900, "german"),
        ("code " * 900 + _GERMAN * 10, "english"),
        (_GERMAN.upper(), "german"),
        ("123 456", ""),
        ("😀", ""),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-6")
def test_how_much_tells_a_language(text: str, expected: str) -> None:
    assert expected == detect_language(text)
