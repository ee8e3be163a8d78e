#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completion in zsh: the file is run as zsh's completion runs it, with functions that print what they are to offer.

usage: completion_zsh.py REPRISE SCRIPT
"""
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import completion_cases  # noqa: E402

# compadd offers words or arrays; _describe arrays of "word:explanation"; each prints what begins as the word that is completed.
STAND_INS = r"""
offer() { local one; for one in "$@"; do [[ $one == ${words[CURRENT]##*,}* ]] && print -r -- $one; done; return 0 }
compadd() { if [[ $1 == -a ]]; then offer ${(P)2}; else shift; offer "$@"; fi }
_describe() { [[ $1 == -t ]] && shift 2; offer ${${(P)2}%%:*} }
_files() { print -r -- FILES "$@" }
_normal() { print -r -- "NORMAL $CURRENT $words" }
compset() { return 0 }
complete_it() { local -a words=(reprise "$@"); integer CURRENT=$#words; source $script }
script=$1; shift; complete_it "$@"
"""


def main():
    reprise, script = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    variables = dict(os.environ, PATH=f"{reprise.parent}:{os.environ['PATH']}")

    def complete(words):
        return subprocess.run(
            ["zsh", "-f", "-c", STAND_INS, "zsh", script, *words],
            env=variables,
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout.splitlines()

    wrong = completion_cases.check(complete)
    table = subprocess.run([reprise, "--print-options"], capture_output=True, encoding="utf-8", check=True).stdout
    for verb, options in completion_cases.every_option(table):
        got = complete([*verb, "x", "--"])
        lacks = [option for option in options if option not in got]
        if lacks:
            wrong.append(f"reprise {' '.join(verb)} --: lacks {lacks}")
    for words, endings in completion_cases.FILES:
        several = f"*.({endings.replace(' ', '|')})" if " " in endings else f"*.{endings}"
        want = {"": "FILES", "/": "FILES -/"}.get(endings, f"FILES -g {several}")
        if want not in complete(words):
            wrong.append(f"reprise {' '.join(words)!r}: lacks {want!r} of {complete(words)[-3:]}")
    for words, rest in (
        (["record", "-o", "x", "mpi"], "NORMAL 1 mpi"),
        (["record", "--", "mpirun", "-n", "2", "ap"], "NORMAL 4 mpirun -n 2 ap"),
    ):
        if rest not in complete(words):
            wrong.append(f"reprise {' '.join(words)!r}: {complete(words)}, not {rest!r}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
