"""From a query to hits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from holdfact.engine.exact import is_code
from holdfact.engine.retrieve import Filter, Retrieved

if TYPE_CHECKING:
    from holdfact.engine.plan import FactSource
    from tests.unit.engine.conftest import FactsOf, Project


def find(
    project: Project,
    query: str,
    k: int = 10,
    narrow: Filter | None = None,
    facts: FactSource | None = None,
) -> Retrieved:
    """What a fresh engine finds."""
    with project.engine() as engine:
        engine.sync(facts)
        return engine.search(query, k, narrow)


def test_a_hit_tells_where_and_what(project: Project) -> None:
    project.write("docs/a.md", "# Animals\n\nFirst lines.\n\n## Walrus\n\nThe walrus sings.\n")
    project.write("b.md", "something else\n")
    found = find(project, "walrus")
    (hit,) = found.hits
    assert (hit.rank, hit.kind, hit.id, hit.path) == (1, "document", "docs/a.md", "docs/a.md")
    assert hit.title == "Animals"
    assert hit.lines == (5, 7)
    assert hit.score > 0
    assert "walrus" in hit.snippet
    assert len(hit.sha256) == 64
    assert not hit.changed_since_indexed
    assert (found.total, found.generation, found.stale) == (1, 1, [])


def test_one_hit_a_document_with_its_best_chunk(project: Project) -> None:
    filler = "".join(f"plain words of line {n} about nothing at all\n" for n in range(200))
    project.write("a.md", f"# Long\n\nwalrus once\n\n{filler}\n\nwalrus walrus walrus\n")
    found = find(project, "walrus")
    assert [hit.id for hit in found.hits] == ["a.md"]
    assert found.hits[0].lines[1] > 200


@pytest.mark.requirement("SPEC-ENG-03")
def test_nothing_rather_than_noise(project: Project) -> None:
    for number in range(30):
        project.write(f"d{number}.md", f"# Page {number}\nabout a common subject\n")
    project.write("good.md", "walrus tusk ivory with a common word\n")
    assert [hit.id for hit in find(project, "walrus tusk ivory common").hits] == ["good.md"]
    unknown = "zyzzyva quokka axolotl capybara wombat common"
    assert find(project, unknown).hits == []
    assert find(project, "zyzzyva").total == 0


@pytest.mark.requirement("SPEC-ENG-03")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("docs/setup.md", "docs/setup.md"),
        ("./docs/setup.md", "docs/setup.md"),
        ("where is setup.md", "docs/setup.md"),
        ("project/tusk-length", "project/tusk-length"),
        ("tusk-length", "project/tusk-length"),
        ('"sings at NIGHT"', "song.md"),
        ("“sings at night” walrus walrus", "song.md"),
        ("walrus walrus ERR_4042 walrus", "error.md"),
        ("walrus foo_bar.baz", "code.md"),
        ("(walrus: see `docs/setup.md`!)", "docs/setup.md"),
        ("walrus of guide.mdx", "docs/guide.mdx"),
        ("walrus guide.markdown, please", "docs/old/guide.markdown"),
        ("old/guide.markdown walrus", "docs/old/guide.markdown"),
        ("walrus in project/tusk-length", "project/tusk-length"),
        ("global/tusk-care", "global/tusk-care"),
        ("tusk-care", "global/tusk-care"),
        ("  tusk-length ", "project/tusk-length"),
        ("«sings at\nnight» walrus", "song.md"),
        ('walrus "" "sings at night', "song.md"),
    ],
)
def test_exact_matches_keep_their_place(
    project: Project, facts_of: FactsOf, query: str, expected: str
) -> None:
    for number in range(12):
        project.write(f"w{number}.md", f"walrus walrus setup walrus tusk length {number}\n")
    project.write("docs/setup.md", "nothing that the query says\n")
    project.write("song.md", "a long page where it\nsings at  night and " + "words " * 60)
    project.write("error.md", "page about ERR_4042 and " + "other words " * 60)
    project.write("code.md", "call foo_bar.baz with " + "other words " * 60)
    project.write("docs/guide.mdx", "nothing either\n")
    project.write("docs/old/guide.markdown", "nothing as well\n")
    facts = facts_of(
        ("project/tusk-length", "Ivory", "How long."), ("global/tusk-care", "Polish", "Softly.")
    )
    with project.engine(sources=("**/*.md", "**/*.mdx", "**/*.markdown")) as engine:
        engine.sync(facts)
        for k in (1, 3, 9):
            hit = engine.search(query, k).hits[0]
            assert (hit.id, hit.is_exact) == (expected, True)


def test_what_a_query_names_comes_in_the_order_of_its_certainty(project: Project) -> None:
    """A file before a quoted phrase, a phrase before a code, and these before mere words."""
    for number in range(12):
        project.write(f"w{number}.md", f"walrus walrus night 4042 {number}\n")
    project.write("z/setup.md", "nothing that the query says\n")
    project.write("y.md", "a long page where it sings at night and " + "words " * 60)
    project.write("x.md", "page about ERR_4042 and " + "other words " * 60)
    found = find(project, 'walrus ERR_4042 "sings at night" setup.md')
    assert ["z/setup.md", "y.md", "x.md"] == [hit.id for hit in found.hits if hit.is_exact]
    assert ["z/setup.md", "y.md", "x.md"] == [hit.id for hit in found.hits[:3]]


def test_a_word_is_no_name_beside_other_words(project: Project, facts_of: FactsOf) -> None:
    project.write("a.md", "walrus tusk length and care\n")
    facts = facts_of(("project/tusk-length", "Ivory", "How long."))
    assert not any(hit.is_exact for hit in find(project, "walrus tusk-length", facts=facts).hits)
    assert find(project, "tusk-length", facts=facts).hits[0].is_exact


def test_documents_of_one_text_are_each_shown_when_they_are_named(project: Project) -> None:
    for name in ("a.md", "b.md", "c.md"):
        project.write(name, "# Song\n\nthe walrus sings of tusk, ivory and ice\n")
    one = find(project, "walrus sings tusk ivory ice b.md").hits
    assert [("b.md", 2)] == [(hit.id, hit.duplicates) for hit in one]
    both = find(project, "walrus sings tusk ivory ice a.md c.md").hits
    assert {"a.md", "c.md"} == {hit.id for hit in both}
    assert 1 == sum(hit.duplicates for hit in both)


def test_a_phrase_keeps_its_place_among_many_texts_with_its_words(project: Project) -> None:
    for number in range(250):
        project.write(f"n{number:03}.md", f"tusk of number{number}, and then a walrus too\n")
    project.write("z.md", "walrus tusk\n" + "and something else\n" * 30)
    found = project.ids('"walrus tusk"')
    assert "z.md" == found[0]


def test_a_code_in_many_places_changes_no_order(project: Project) -> None:
    for number in range(40):
        project.write(f"w{number:02}.md", f"page {number} names v1.30 once\n")
    found = find(project, "v1.30", k=50)
    assert found.total == 40
    assert not any(hit.is_exact for hit in found.hits)


@pytest.mark.parametrize(
    "word",
    [
        "ERR_4042",
        "0x80070005",
        "foo_bar",
        "C++20",
        "x.509",
        "1.2.3",
        "a_b",
        "1.2",
        "été4",
        "C++",
        "v10",
    ],
)
def test_codes(word: str) -> None:
    assert is_code(word)


@pytest.mark.parametrize(
    "word",
    ["go", "walrus", "GitHub", "2024", "C+", "and/or", "...", "", "v1", "_._", "é-à", "成语接"],
)
def test_words_that_are_no_codes(word: str) -> None:
    assert not is_code(word)


def test_a_word_of_every_text_is_enough_in_a_small_memory(project: Project) -> None:
    project.write("a.md", "docker runs the tests\n")
    project.write("b.md", "docker holds the images\n")
    assert len(find(project, "docker compose setup").hits) == 2


def test_equal_texts_are_one_hit_with_a_count(project: Project) -> None:
    for name in ("a.md", "b.md", "c.md"):
        project.write(name, "# Same\nthe walrus sings\n")
    project.write("d.md", "# Same\nthe walrus dives\n")
    found = find(project, "walrus")
    assert [(hit.id, hit.duplicates) for hit in found.hits] == [("a.md", 2), ("d.md", 0)]
    assert found.total == 2


def test_facts_of_both_scopes_stay_and_the_project_comes_first(
    project: Project, facts_of: FactsOf
) -> None:
    facts = facts_of(("global/a", "Walrus", "Tusk."), ("project/a", "Walrus", "Tusk."))
    found = find(project, "walrus", facts=facts)
    assert [hit.id for hit in found.hits] == ["project/a", "global/a"]
    assert [hit.scope for hit in found.hits] == ["project", "global"]


def test_a_fact_with_headings_is_found_by_words_of_all_its_sections(
    project: Project, facts_of: FactsOf
) -> None:
    body = "# Start\n\nThe walrus container.\n\n# Ports\n\nThe pelican listens.\n"
    others = [(f"project/f{n}", "Other", "The walrus sleeps.\n") for n in range(9)]
    facts = facts_of(("project/setup", "Setup", body), *others)
    found = find(project, "walrus pelican", facts=facts)
    assert ["project/setup"] == [hit.id for hit in found.hits][:1]
    assert (6, 12) == found.hits[0].lines
    quoted = find(project, '"container. # Ports The pelican"', facts=facts).hits[0]
    assert ("project/setup", True) == (quoted.id, quoted.is_exact)


def test_filters(project: Project, facts_of: FactsOf) -> None:
    project.write("docs/a.md", "walrus one\n")
    project.write("notes/b.md", "walrus two\n")
    facts = facts_of(("global/a", "Walrus", ""), ("project/a", "Walrus", ""))

    def ids(**narrow: Any) -> list[str]:  # noqa: ANN401 - parts of a filter
        return sorted(
            h.id for h in find(project, "walrus", facts=facts, narrow=Filter(**narrow)).hits
        )

    assert ids() == ["docs/a.md", "global/a", "notes/b.md", "project/a"]
    assert ids(scope="global") == ["global/a"]
    assert ids(scope="project") == ["project/a"]
    assert ids(kinds=("document",)) == ["docs/a.md", "notes/b.md"]
    assert ids(path_glob="docs/**") == ["docs/a.md"]
    assert ids(path_glob="none/**") == []
    assert ids(hidden=frozenset({("fact", "global/a")})) == ["docs/a.md", "notes/b.md", "project/a"]


def test_a_filter_holds_for_exact_matches_too(project: Project) -> None:
    project.write("docs/a.md", "walrus ERR_1 says it\n")
    project.write("notes/b.md", "walrus\n")
    narrow = Filter(path_glob="notes/**")
    for query in ("docs/a.md walrus", "ERR_1 walrus", '"says it" walrus', "a.md walrus"):
        assert [hit.id for hit in find(project, query, narrow=narrow).hits] == ["notes/b.md"]


@pytest.mark.requirement("SPEC-ENG-04")
def test_a_larger_k_only_adds(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    from holdfact.engine import retrieve

    monkeypatch.setattr(retrieve, "RECALL_POOL_CHUNKS", 3)
    for number in range(60):
        words = "walrus " * (1 + number % 5) + "filler " * (number % 7)
        project.write(f"d{number:02}.md", f"{words} unique{number}\n")
    with project.engine() as engine:
        engine.sync()
        every = [hit.id for hit in engine.search("walrus filler", 60).hits]
        assert len(every) > 20
        for k in range(1, len(every) + 1):
            assert [hit.id for hit in engine.search("walrus filler", k).hits] == every[:k]


@pytest.mark.requirement("SPEC-ENG-04")
def test_a_larger_k_changes_no_named_document(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which chunk shows a named document, and so its order, must not depend on the pool."""
    from holdfact.engine import retrieve

    monkeypatch.setattr(retrieve, "RECALL_POOL_CHUNKS", 2)
    for number in range(8):
        more = " more" * number
        filler = "other words here\n\n" * 40
        project.write(f"d{number}/index.md", f"# Part\n\n{filler}\n## The index\n\nSee md{more}\n")
    with project.engine(chunk_tokens=60, chunk_overlap=5) as engine:
        engine.sync()
        most = [(hit.id, hit.score, hit.lines) for hit in engine.search("index.md", 100).hits]
        assert 8 == len(most)
        assert all(score > 0 for _, score, _ in most)
        for k in range(1, 8):
            hits = engine.search("index.md", k).hits
            assert most[:k] == [(hit.id, hit.score, hit.lines) for hit in hits]


def test_languages_of_the_corpus_do_not_dilute_a_query(project: Project) -> None:
    german = "Die Verwaltung der Einstellungen ist für die Benutzer nicht einfach. "
    english = "The configuration of the settings is not easy for all users of this. "
    project.write("de.md", german * 3)
    project.write("en.md", english * 3)
    assert find(project, "configuration settings").hits[0].id == "en.md"
    assert find(project, "Einstellungen Verwaltung").hits[0].id == "de.md"


def test_an_empty_document_is_a_document(project: Project) -> None:
    project.write("empty.md", "")
    project.write("a.md", "walrus\n")
    found = find(project, "empty.md")
    assert [hit.id for hit in found.hits][:1] == ["empty.md"]
    assert found.hits[0].is_exact
