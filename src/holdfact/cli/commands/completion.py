"""`holdfact completion`: the completion script of a shell."""

from __future__ import annotations

from holdfact.cli.command import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from holdfact.cli.session import Session

__all__ = ["COMMAND", "SCRIPTS"]

# Each script only passes the words on: the program knows its verbs, options and facts.
_BASH = """\
_holdfact() {
    local IFS=$'\\n'
    COMPREPLY=($(holdfact complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _holdfact holdfact
"""
_ZSH = """\
#compdef holdfact
_holdfact() {
    local -a found
    found=("${(@f)$(holdfact complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    compadd -a found || _files
}
compdef _holdfact holdfact
"""
_FISH = """\
function __holdfact_complete
    set -l words (commandline -opc) (commandline -ct)
    holdfact complete -- $words[2..-1] 2>/dev/null
end
complete -c holdfact -f -a '(__holdfact_complete)'
"""
SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=tuple(SCRIPTS), help="whose script")


def _run(args: argparse.Namespace, session: Session) -> int:
    script = SCRIPTS[args.shell]
    if session.out.is_json:
        data = {"shell": args.shell, "script": script}
        session.out.answer(data, plain=list, human=list)
    else:
        session.out.raw(script)
    return 0


COMMAND = Command(
    description="Print a script that makes a shell complete commands, options and the names of"
    " facts.",
    examples=(
        (
            "holdfact completion bash > ~/.local/share/bash-completion/completions/holdfact",
            "bash; the folder must be there",
        ),
        ("holdfact completion zsh > ~/.zfunc/_holdfact", "zsh, with a folder ~/.zfunc in fpath"),
        ("holdfact completion fish > ~/.config/fish/completions/holdfact.fish", "fish"),
    ),
    exit_status=(),
    configure=_configure,
    run=_run,
)
