"""The ranking formula and its brute-force reference."""

import pytest

from holdfact.text.bm25 import Ranked, idf, rank, term_score, weigh


@pytest.mark.requirement("SPEC-TEXT-14")
def test_formula() -> None:
    assert pytest.approx(idf(3, 1) + 0.40546510810816444) == 1.3862943611198906
    # At average length: 2.2·tf / (tf + 1.2).
    assert term_score(2.0, 3, 10, 10.0) == pytest.approx(2.0 * 2.2 * 3 / (3 + 1.2))
    assert term_score(1.0, 1, 20, 10.0) == pytest.approx(2.2 / (1 + 0.3 + 1.8))


def test_weighed_frequencies_fit_a_byte() -> None:
    assert weigh({"a": 1, "c": 300}, [{"a": 2}, {"b": 1}]) == {"a": 5, "b": 2, "c": 255}


def test_rank_orders_by_score_then_id() -> None:
    entries = {3: {"a": 1}, 1: {"a": 1}, 2: {"a": 2, "b": 1}, 4: {}}
    found = rank(entries, ["b", "a", "a"], 2)
    assert [hit.id for hit in found] == [2, 1]
    assert found[0].score > found[1].score
    assert [hit.id for hit in rank(entries, ["a", "b"], 9)] == [2, 1, 3]


@pytest.mark.parametrize("entries", [{}, {1: {}}])
def test_nothing_is_found_in_nothing(entries: dict[int, dict[str, int]]) -> None:
    expected: list[Ranked] = []
    assert expected == rank(entries, ["a"], 5)


def test_variants_of_a_word_share_one_weight() -> None:
    entries = {1: {"haus": 1}, 2: {"hause": 1}, 3: {"x": 1}}
    apart, together = rank(entries, ["haus", "hause"], 9), rank(entries, [("haus", "hause")], 9)
    assert [hit.id for hit in together] == [1, 2]
    assert together[0].score == pytest.approx(idf(3, 2))
    assert apart[0].score == pytest.approx(idf(3, 1))
