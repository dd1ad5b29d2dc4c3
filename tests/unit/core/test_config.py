"""Configuration: precedence, origins, mistakes, trust."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from holdfact.core import config as config_module
from holdfact.core import trust
from holdfact.core.config import load
from holdfact.core.config_edit import set_value, unset_value
from holdfact.core.config_keys import KEYS
from holdfact.core.errors import ConfigError, ConfigKeyUnknown, ConfigValueInvalid
from holdfact.core.limits import MAX_CHUNK_TOKENS

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from holdfact.core.config_keys import Key

    Place = Any


def write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.requirement("SPEC-CORE-01")
def test_each_place_wins_over_the_ones_below_it(place: Place) -> None:
    def seen(flags: dict[str, str] | None = None) -> tuple[object, str]:
        config = load(str(place.root), environ=place.environ, flags=flags)
        return config.get("recall.k"), config.origin("recall.k")

    assert seen() == (8, "default")
    user = write(place.home / "config.toml", "[recall]\nk = 2\n")
    assert seen() == (2, user)
    project = write(place.root / "holdfact.toml", "[recall]\nk = 3\n")
    assert seen() == (3, project)
    place.environ["HOLDFACT_RECALL_K"] = "4"
    assert seen() == (4, "environment HOLDFACT_RECALL_K")
    assert seen({"recall.k": "5"}) == (5, "flag")


def test_every_default_is_a_value_that_its_key_allows(place: Place) -> None:
    config = load(None, environ=place.environ)
    for key in KEYS:
        assert key.default == config.get(key.name)
        assert key.meaning.endswith(".")


def test_typed_accessors(place: Place) -> None:
    write(place.home / "config.toml", '[review]\ncommands = { ok = ["true", "-x"] }\n')
    config = load(str(place.root), environ=place.environ)

    assert config.text("recall.mode") == "hybrid"
    assert config.integer("engine.chunk_tokens") == 400
    assert config.globs("engine.sources") == ("**/*.md", "**/*.mdx", "**/*.markdown")
    assert config.commands("review.commands") == {"ok": ("true", "-x")}
    assert config.path("facts.root") is None


def test_an_unknown_key_asked_for_is_an_error(place: Place) -> None:
    config = load(None, environ=place.environ)
    with pytest.raises(ConfigKeyUnknown, match=r"did you mean recall\.k"):
        config.get("recall.kk")
    with pytest.raises(ConfigKeyUnknown, match=r"unknown key 'zzz'$"):
        config.origin("zzz")


@pytest.mark.requirement("SPEC-CORE-02")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[engine]\nchunk_token = 3\n", "unknown key 'engine.chunk_token'; did you mean engine.ch"),
        ("[engin]\nx = 3\n", "unknown section 'engin'; did you mean engine"),
        ("[qqqq]\nx = 3\n", "unknown section 'qqqq'"),
        ("q" * 500 + " = 3\n", "unknown section '" + "q" * 80 + "'"),
        ("[engine.deep]\nx = 3\n", "unknown key 'engine.deep'"),
    ],
)
def test_unknown_keys_name_the_file_and_the_nearest(place: Place, text: str, message: str) -> None:
    path = write(place.root / "holdfact.toml", text)
    with pytest.raises(ConfigKeyUnknown) as caught:
        load(str(place.root), environ=place.environ)
    assert f"{path}: {message}" in caught.value.message


@pytest.mark.requirement("SPEC-CORE-03")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[recall]\nk = "3"\n', "recall.k is '3', but must be a whole number from 1 to 1000"),
        ("[recall]\nk = true\n", "recall.k is True"),
        ("[recall]\nk = 0x" + "f" * 20_000, "recall.k is a number of thousands of digits"),
        ("[recall]\nk = 0\n", "recall.k is 0"),
        ('[recall]\nmode = "fast"\n', "recall.mode is 'fast', but must be one of hybrid, lexical"),
        ("[recall]\nmode = 3\n", "recall.mode is 3"),
        ('[engine]\nsources = "*.md"\n', "engine.sources is '*.md', but must be a list"),
        ('[engine]\nsources = ["/x"]\n', "engine.sources is ['/x']"),
        ("[engine]\nexclude = [3]\n", "engine.exclude is [3]"),
        ("[facts]\nproject_dir = 3\n", "facts.project_dir is 3, but must be a path inside"),
        ('[facts]\nproject_dir = " x"\n', "facts.project_dir is ' x'"),
        ('[facts]\nproject_dir = "' + "a/" * 3000 + '"\n', "…, but must be a path inside"),
        ("engine = 3\n", "engine must be a table"),
        ("[engine]\nchunk_tokens = 100\nchunk_overlap = 51\n", "engine.chunk_overlap is 51 ("),
    ],
)
def test_wrong_values_name_file_key_value_and_what_is_allowed(
    place: Place, text: str, message: str
) -> None:
    path = write(place.root / "holdfact.toml", text)
    with pytest.raises(ConfigValueInvalid) as caught:
        load(str(place.root), environ=place.environ)
    assert path in caught.value.message
    assert message in caught.value.message


@pytest.mark.requirement("SPEC-CORE-03")
@pytest.mark.parametrize(
    "text",
    [
        "commands = 3",
        "commands = { a = [] }",
        'commands = { a = "x" }',
        "commands = { a = [3] }",
        'commands = { a = [""] }',
        'commands = { a = ["x\\u0000"] }',
    ],
)
def test_commands_are_lists_of_words(place: Place, text: str) -> None:
    write(place.home / "config.toml", f"[review]\n{text}\n")
    with pytest.raises(ConfigValueInvalid, match=r"review\.commands is .* a table of lists"):
        load(None, environ=place.environ)


@pytest.mark.requirement("SPEC-CORE-01")
@pytest.mark.parametrize(
    "text", ["x", "1e3", "٣", "9" * 40, "-5", "--5", "-", "+5", "5-", "0", " "]
)
def test_a_wrong_variable_or_flag_is_an_error(place: Place, text: str) -> None:
    with pytest.raises(ConfigValueInvalid, match=r"command line: recall\.k is"):
        load(None, environ=place.environ, flags={"recall.k": text})
    place.environ["HOLDFACT_RECALL_K"] = text
    with pytest.raises(ConfigValueInvalid, match=r"environment HOLDFACT_RECALL_K: recall\.k is"):
        load(None, environ=place.environ)


@pytest.mark.requirement("SPEC-CORE-03")
@pytest.mark.parametrize(
    "key", [key for key in KEYS if key.type == "integer"], ids=lambda k: k.name
)
def test_a_number_is_taken_up_to_its_limits_wherever_it_is_set(place: Place, key: Key) -> None:
    section, name = key.name.split(".")
    # Of two settings that depend on each other, the other one allows everything.
    others = {"engine.chunk_tokens": str(MAX_CHUNK_TOKENS), "engine.chunk_overlap": "0"}
    others.pop(key.name, None)

    def from_a_flag(number: int) -> object:
        flags = {**others, key.name: f" {number}\n"}
        return load(None, environ=place.environ, flags=flags).get(key.name)

    def from_a_file(number: int) -> object:
        write(place.root / "holdfact.toml", f"[{section}]\n{name} = {number}\n")
        return load(str(place.root), environ=place.environ, flags=others).get(key.name)

    for take in (from_a_flag, from_a_file):
        assert [key.least, key.most] == [take(key.least), take(key.most)]
        for number in (key.least - 1, key.most + 1):
            with pytest.raises(ConfigValueInvalid, match=f"{key.name} is {number}, but must be"):
                take(number)


@pytest.mark.requirement("SPEC-CORE-03")
@pytest.mark.parametrize(
    ("text", "is_taken"),
    [
        ("[engine]\nexclude = [" + "'a'," * 1_000 + "]\n", True),
        ("[engine]\nexclude = [" + "'a'," * 1_001 + "]\n", False),
        ("[engine]\nexclude = ['" + "a" * 1_024 + "']\n", True),
        ("[engine]\nexclude = ['" + "a" * 1_025 + "']\n", False),
        ("[facts]\nroot = '/" + "a/" * 2_047 + "a'\n", True),
        ("[facts]\nroot = '/" + "a/" * 2_047 + "ab'\n", False),
        ("[facts]\nroot = '/a '\n", False),
        ("[review]\ncommands = { a = [" + "'a'," * 1_000 + "] }\n", True),
        ("[review]\ncommands = { a = [" + "'a'," * 1_001 + "] }\n", False),
        ("[review]\ncommands = { a = ['a', ''] }\n", True),
        ("[engine]\nchunk_tokens = 100\nchunk_overlap = 50\n", True),
        ("[engine]\nchunk_tokens = 100\nchunk_overlap = 51\n", False),
    ],
)
def test_the_largest_value_is_taken_and_one_more_is_not(
    place: Place, text: str, *, is_taken: bool
) -> None:
    write(place.home / "config.toml", text)
    try:
        load(str(place.root), environ=place.environ)
        refusal = ""
    except ConfigValueInvalid as err:
        refusal = err.message
    assert is_taken == (not refusal)
    assert is_taken or "but must be" in refusal


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.md", ("a.md",)),
        ("a.md, b/**,", ("a.md", "b/**")),
        ("a,b.md\nc.md\n", ("a,b.md", "c.md")),
    ],
)
def test_lists_from_the_environment(place: Place, text: str, expected: tuple[str, ...]) -> None:
    place.environ["HOLDFACT_ENGINE_SOURCES"] = text
    assert expected == load(None, environ=place.environ).get("engine.sources")


@pytest.mark.requirement("SPEC-CORE-04")
def test_unknown_variables_are_listed_and_empty_ones_are_unset(place: Place) -> None:
    place.environ.update(
        HOLDFACT_RECALL_KK="3", HOLDFACT_REVIEW_COMMANDS="x", HOLDFACT_RECALL_K="", OTHER="1"
    )
    config = load(None, environ=place.environ)

    assert ["HOLDFACT_RECALL_KK", "HOLDFACT_REVIEW_COMMANDS"] == config.unknown_variables
    assert config.origin("recall.k") == "default"


def test_a_path_is_text(place: Place) -> None:
    write(place.home / "config.toml", "[facts]\nroot = 3\n")
    with pytest.raises(
        ConfigValueInvalid, match=r"facts\.root is 3, but must be a path of at most"
    ):
        load(None, environ=place.environ)


def test_the_process_environment_is_the_default(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFACT_HOME", str(place.home))
    monkeypatch.setenv("HOLDFACT_RECALL_K", "7")
    assert load(None).integer("recall.k") == 7


@pytest.mark.requirement("SPEC-CORE-05", "SPEC-CORE-26")
def test_an_untrusted_project_can_not_move_the_facts(place: Place) -> None:
    write(place.root / "holdfact.toml", '[facts]\nroot = "elsewhere"\n[recall]\nk = 3\n')
    config = load(str(place.root), environ=place.environ)

    expected = config_module.Ignored(
        "facts.root", "elsewhere", "the project is not trusted", "holdfact config trust"
    )
    assert [expected] == config.ignored
    assert config.path("facts.root") is None
    assert config.integer("recall.k") == 3

    shown = trust.describe(str(place.root), config.home)
    trust.trust(str(place.root), config.home, sha256=shown.sha256)
    config = load(str(place.root), environ=place.environ)
    assert [] == config.ignored
    assert not load(None, environ=place.environ).is_project_trusted
    assert config.path("facts.root") == str(place.root / "elsewhere")
    assert config.is_project_trusted


@pytest.mark.requirement("SPEC-CORE-06")
def test_commands_of_a_project_are_never_run(place: Place) -> None:
    write(place.root / "holdfact.toml", '[review]\ncommands = { a = ["rm"] }\n')
    config = load(str(place.root), environ=place.environ)

    assert config.commands("review.commands") == {}
    assert [("review.commands", f"edit {place.home}/config.toml")] == [
        (one.key, one.command) for one in config.ignored
    ]


@pytest.mark.requirement("SPEC-CORE-07")
@pytest.mark.parametrize("value", ["../x", "/etc", "link/x"])
def test_paths_of_a_project_stay_inside_it(place: Place, value: str) -> None:
    (place.root / "link").symlink_to(place.root.parent)
    path = write(place.root / "holdfact.toml", f'[facts]\nproject_dir = "{value}"\n')
    with pytest.raises(ConfigValueInvalid, match="must be a path inside the project") as caught:
        load(str(place.root), environ=place.environ)
    assert path in caught.value.message
    place.environ["HOLDFACT_FACTS_PROJECT_DIR"] = value
    write(place.root / "holdfact.toml", "")
    with pytest.raises(ConfigValueInvalid, match="must be a path inside the project"):
        load(str(place.root), environ=place.environ)


def test_the_project_s_fact_folder_means_nothing_outside_a_project(place: Place) -> None:
    place.environ["HOLDFACT_FACTS_PROJECT_DIR"] = "facts"
    assert load(None, environ=place.environ).path("facts.project_dir") is None
    inside = load(str(place.root), environ=place.environ).path("facts.project_dir")
    assert str(place.root / "facts") == inside


def test_paths_are_absolute_and_relative_to_their_place(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def root(flags: dict[str, str] | None = None) -> str | None:
        return load(None, environ=place.environ, flags=flags).path("facts.root")

    write(place.home / "config.toml", '[facts]\nroot = "here"\n')
    assert root() == str(place.home / "here")
    monkeypatch.chdir(place.root)
    assert root({"facts.root": "x"}) == str(place.root / "x")
    assert root({"facts.root": "~/x"}) == place.environ["HOME"] + "/x"
    assert root({"facts.root": "~"}) == place.environ["HOME"]
    place.environ["HOME"] = "nowhere"
    assert root({"facts.root": "~/x"}) == str(place.root / "~" / "x")


@pytest.mark.requirement("SPEC-CORE-09")
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[recall]\nk = \n", "line 2"),
        (b"[recall]\nk = 3\nk = 4\n", "is not TOML"),
        (b"[recall]\nk = " + b"9" * 5_000, "is not TOML"),
        (b"a." * 500_000 + b"a = 1\n", "a key of more than 32 parts"),
        (b"x = {" + b"'a' . " * 33 + b"a = 1}\n", "a key of more than 32 parts"),
        (b"[recall]\n# \xff\n", "is not UTF-8 (line 2)"),
        (b"x" * 1_048_577, "has 1048577 bytes; the limit is 1048576"),
    ],
)
def test_a_damaged_file_is_named_with_the_line(place: Place, data: bytes, message: str) -> None:
    place.home.mkdir()
    path = place.home / "config.toml"
    path.write_bytes(data)
    with pytest.raises(ConfigError) as caught:
        load(None, environ=place.environ)
    assert str(path) in caught.value.message
    assert message in caught.value.message
    assert str(path) in caught.value.hint


@pytest.mark.requirement("SPEC-CORE-09")
def test_a_glob_with_many_dots_is_not_a_deep_key(place: Place) -> None:
    glob = ".".join("v" * 30) + ".md"
    write(place.root / "holdfact.toml", f'[engine]\nsources = ["{glob}", "{glob}"]\n')
    assert (glob, glob) == load(str(place.root), environ=place.environ).globs("engine.sources")


def test_a_file_that_is_no_file_is_an_error_and_a_byte_order_mark_is_not(place: Place) -> None:
    (place.home / "config.toml").mkdir(parents=True)
    with pytest.raises(ConfigError, match="not a regular file"):
        load(None, environ=place.environ)
    (place.home / "config.toml").rmdir()
    (place.home / "config.toml").write_bytes(b"\xef\xbb\xbf[recall]\nk = 3\n")
    assert load(None, environ=place.environ).integer("recall.k") == 3


@pytest.mark.requirement("SPEC-CORE-07")
def test_a_project_file_that_leads_out_is_refused(place: Place) -> None:
    outside = place.root.parent / "outside.toml"
    outside.write_text("[recall]\nk = 3\n", encoding="utf-8")
    (place.root / "holdfact.toml").symlink_to(outside)
    with pytest.raises(ConfigError, match="resolves outside"):
        load(str(place.root), environ=place.environ)


@pytest.mark.requirement("SPEC-CORE-08")
def test_set_keeps_comments_and_order(place: Place) -> None:
    text = "# mine\n[recall] # daily\nk = 3   # few\nmode = 'lexical'\n\n[engine]\n# none\n"
    path = write(place.root / "holdfact.toml", text)
    config = load(str(place.root), environ=place.environ)

    assert path == set_value(config, "recall.k", "5", project=True)
    assert text.replace("k = 3", "k = 5") == (place.root / "holdfact.toml").read_text(
        encoding="utf-8"
    )
    set_value(config, "engine.exclude", "a/**, b.md", project=True)
    unset_value(config, "recall.k", project=True)
    unset_value(config, "facts.root", project=True)
    after = (place.root / "holdfact.toml").read_text(encoding="utf-8")
    assert 'exclude = ["a/**", "b.md"]' in after
    assert "# mine\n[recall] # daily\nmode = 'lexical'\n" in after


@pytest.mark.requirement("SPEC-CORE-08")
def test_set_creates_the_file_of_the_user_privately_and_the_project_s_readably(
    place: Place,
) -> None:
    config = load(str(place.root), environ=place.environ)
    user = set_value(config, "recall.k", "5", project=False)
    project = set_value(config, "recall.k", "6", project=True)
    (place.root / "holdfact.toml").chmod(0o640)
    set_value(config, "recall.k", "7", project=True)

    assert (str(place.home / "config.toml"), str(place.root / "holdfact.toml")) == (user, project)
    assert (place.home / "config.toml").stat().st_mode & 0o777 == 0o600
    assert (place.root / "holdfact.toml").stat().st_mode & 0o777 == 0o640
    assert load(str(place.root), environ=place.environ).integer("recall.k") == 7


def test_set_removes_what_a_killed_one_left(place: Place) -> None:
    left = place.root / ".holdfact-tmp-1-a"
    left.touch()
    os.utime(left, (0, 0))
    set_value(load(str(place.root), environ=place.environ), "recall.k", "5", project=True)
    assert ["holdfact.toml"] == os.listdir(place.root)


def test_unset_of_what_is_not_set_writes_nothing(place: Place) -> None:
    config = load(None, environ=place.environ)
    unset_value(config, "recall.k", project=False)
    assert not (place.home / "config.toml").exists()


def test_set_follows_the_link_of_a_file_that_is_kept_elsewhere(place: Place) -> None:
    place.home.mkdir()
    real = place.root.parent / "dotfiles.toml"
    real.write_text("[recall]\nk = 3\n", encoding="utf-8")
    (place.home / "config.toml").symlink_to(real)
    set_value(load(None, environ=place.environ), "recall.k", "5", project=False)

    assert (place.home / "config.toml").is_symlink()
    assert real.read_text(encoding="utf-8") == "[recall]\nk = 5\n"


@pytest.mark.requirement("SPEC-CORE-08")
@pytest.mark.parametrize(
    ("key", "value", "project", "message"),
    [
        ("recall.k", "0", False, "the new value: recall.k is 0"),
        ("review.commands", "x", False, "is a table"),
        ("review.commands", "x", True, "can't be set in the project's file"),
        ("facts.project_dir", "../x", True, "inside the project"),
        ("engine.chunk_overlap", "300", True, "at most half"),
        ("engine.chunk_overlapp", "3", False, "did you mean engine.chunk_overlap"),
        ("engine.exclude", ",".join(["x" * 1024] * 1000), True, "would have"),
        ("engine.exclude", ",".join(["x" * 1024] * 1001), True, "at most 1000"),
    ],
)
def test_set_refuses_what_load_would_refuse(
    place: Place, key: str, value: str, *, project: bool, message: str
) -> None:
    write(place.root / "holdfact.toml", "# " + "x" * 100_000 + "\n")
    config = load(str(place.root), environ=place.environ)
    with pytest.raises(ConfigError) as caught:
        set_value(config, key, value, project=project)
    assert message in caught.value.message
    assert not (place.home / "config.toml").exists()
    assert (place.root / "holdfact.toml").stat().st_size == 100_003


def test_set_for_a_project_needs_one_and_a_wrong_file_is_mended_by_hand(place: Place) -> None:
    config = load(None, environ=place.environ)
    with pytest.raises(Exception, match="there is no project here"):
        set_value(config, "recall.k", "3", project=True)
    write(place.home / "config.toml", "[recall]\nk = \n")
    with pytest.raises(ConfigError, match="line 2"):
        set_value(config, "recall.k", "3", project=False)
    assert (place.home / "config.toml").read_text(encoding="utf-8") == "[recall]\nk = \n"


@pytest.mark.requirement("SPEC-CORE-08")
@pytest.mark.parametrize(
    "text",
    [
        "engine = { chunk_overlap = 9 } # inline\n",
        "engine.chunk_overlap = 9 # dotted\n",
        "[engine]\r\nchunk_overlap = 9 # with carriage returns\r\n",
        '[engine]\nexclude = [\n  "a", # why\n  "b",\n]\nchunk_overlap = 9\n[recall]\nk = 3\n',
        '"engine"."chunk_overlap" = 9\n',
    ],
)
def test_set_and_unset_know_every_way_to_write_a_key(place: Place, text: str) -> None:
    path = place.root / "holdfact.toml"
    path.write_bytes(text.encode())
    for key, value in (("engine.chunk_overlap", "7"), ("engine.chunk_tokens", "300")):
        set_value(load(str(place.root), environ=place.environ), key, value, project=True)
    config = load(str(place.root), environ=place.environ)
    assert (config.integer("engine.chunk_overlap"), config.integer("engine.chunk_tokens")) == (
        7,
        300,
    )
    for comment in ("# inline", "# dotted", "# why", "# with carriage returns\r\n"):
        assert (comment in text) == (comment.encode() in path.read_bytes())
    unset_value(config, "engine.chunk_overlap", project=True)
    assert load(str(place.root), environ=place.environ).integer("engine.chunk_overlap") == 80
