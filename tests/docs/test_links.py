"""Every link inside the repository leads somewhere, headings included."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")


def documents() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("demo/*.md")])


def prose(text: str) -> str:
    """The text without its code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"(?ms)^ *(```|~~~).*?^ *\1", "", text))


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings."""
    found = set()
    for heading in re.findall(r"(?m)^#+ +(.+?)(?: *\{[^}]*\})?$", text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        found.add(re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain.lower()).strip()))
    return found | set(re.findall(r"\{ *#([\w-]+)", text))


def broken(path: Path, text: str) -> list[str]:
    """The links of one document that lead nowhere."""
    found = []
    for link in LINK.findall(prose(text)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if name and not target.exists():
            found.append(link)
        elif anchor and target.suffix == ".md":
            page = text if target == path else target.read_text(encoding="utf-8")
            if anchor not in anchors(page):
                found.append(link)
    return found


@pytest.mark.parametrize("path", documents(), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_no_link_is_broken(path: Path) -> None:
    assert [] == broken(path, path.read_text(encoding="utf-8"))


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("# One two", encoding="utf-8")
    text = (
        "# Here\n[1](a.md#one-two) [2](#here) [3](https://x.example) `[4](no)`\n"
        "[5](b.md) [6](a.md#no) [7](#no)"
    )
    assert ["b.md", "a.md#no", "#no"] == broken(tmp_path / "c.md", text)
