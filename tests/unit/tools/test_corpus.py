"""The corpus is unpacked whole, and only when its bytes are the right ones."""

from __future__ import annotations

import hashlib
import io
import tarfile
from typing import TYPE_CHECKING

import pytest

from demo.corpus import ARCHIVE, CorpusDamaged, unpack

if TYPE_CHECKING:
    from pathlib import Path


def packed(folder: Path, checksum: str | None = None) -> Path:
    archive = folder / "small.tar.xz"
    with tarfile.open(archive, "w:xz") as tar:
        for name in ("a/one.md", "a/two.md"):
            member = tarfile.TarInfo(name)
            member.size = 5
            tar.addfile(member, io.BytesIO(b"# One"))
    real = hashlib.sha256(archive.read_bytes()).hexdigest()
    beside = archive.with_name("small.tar.xz.sha256")
    beside.write_text(f"{checksum or real}  small.tar.xz\n", encoding="ascii")
    return archive


def test_it_is_unpacked_and_counted(tmp_path: Path) -> None:
    assert unpack(tmp_path / "out", packed(tmp_path)) == 2
    assert (tmp_path / "out" / "a" / "two.md").read_bytes() == b"# One"


def test_other_bytes_are_refused_and_nothing_is_unpacked(tmp_path: Path) -> None:
    with pytest.raises(CorpusDamaged, match=r"small\.tar\.xz: sha256 is"):
        unpack(tmp_path / "out", packed(tmp_path, checksum="0" * 64))
    assert not (tmp_path / "out").exists()


def test_the_committed_archive_is_the_one_its_readme_describes() -> None:
    stated = ARCHIVE.with_name(ARCHIVE.name + ".sha256").read_text(encoding="ascii").split()[0]
    assert stated == hashlib.sha256(ARCHIVE.read_bytes()).hexdigest()
