"""Fit to print: one line, valid UTF-8."""

from __future__ import annotations

import pytest

from holdfact.facts.printable import clean, escaped


@pytest.mark.requirement("SPEC-FACT-5")
def test_escaped_shows_what_hides() -> None:
    hidden = "\0\x1b\n\x7f\x85\x9f\u2028\u2029\u061c\u200e\u202e\u2066\u2069\u200b\u2060\ufeff"
    expected = "".join(f"\\u{ord(character):04x}" for character in hidden)
    assert f"a{expected}z" == escaped(f"a{hidden}z")


@pytest.mark.requirement("SPEC-FACT-5")
def test_escaped_leaves_what_scripts_need() -> None:
    text = "👩\u200d💻 \u200c नमस्ते \xa0 plain \\u0041"
    assert text == escaped(text)


@pytest.mark.requirement("SPEC-FACT-6")
def test_bytes_that_were_no_utf8_become_replacement_characters() -> None:
    assert "caf\ufffd" == escaped("caf\udce9") == clean("caf\udce9")
    assert len("\udcff\udcfe\n") == len(clean("\udcff\udcfe\n"))
    assert "é\n" == clean("é\n")
