#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completion in bash: the function is called as bash calls it.

usage: completion_bash.py REPRISE SCRIPT
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import completion_cases  # noqa: E402


def main():
    reprise, script = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    variables = dict(os.environ, PATH=f"{reprise.parent}:{os.environ['PATH']}")

    def bash(text, *words, folder=None):
        return subprocess.run(
            ["bash", "--norc", "-c", f'source "$0"\n{text}', script, *words],
            env=variables,
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout.splitlines()

    def complete(words, folder=None):
        return bash(
            'COMP_WORDS=(reprise "$@"); COMP_CWORD=$#; _reprise; printf "%s\\n" "${COMPREPLY[@]}"',
            *words,
            folder=folder,
        )

    wrong = completion_cases.check(complete)
    table = subprocess.run([reprise, "--print-options"], capture_output=True, encoding="utf-8", check=True).stdout
    for verb, options in completion_cases.every_option(table):
        got = complete([*verb, "x", "--"])
        lacks = [option for option in options if option not in got]
        if lacks:
            wrong.append(f"reprise {' '.join(verb)} --: lacks {lacks}")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "run.reprise").write_text("")
        for words in (
            ["replay", "ru"],
            ["trace", "info", "ru"],
            ["trace", "info", "x", "-o", "ru"],
            ["record", "--", "ru"],
        ):
            if "run.reprise" not in complete(words, folder):
                wrong.append(f"reprise {' '.join(words)!r}: the file run.reprise is not offered")
        kinds = ("reprise", "calls", "json", "xml", "html", "mpiP", "txt")
        for kind in kinds:
            pathlib.Path(folder, f"one.{kind}").write_text("")
        pathlib.Path(folder, "below").mkdir()
        for words, endings in completion_cases.FILES:
            got = {word for word in complete(words, folder) if word.startswith("one.") or word == "below"}
            want = {f"one.{kind}" for kind in (endings.split() if endings else kinds) if kind != "/"} | {"below"}
            if got != want:
                wrong.append(f"reprise {' '.join(words)!r}: offers {sorted(got)}, not {sorted(want)}")
        if "bash" not in complete(["record", "-o", "x", "bas"], folder):
            wrong.append("reprise record -o x 'bas': the command bash is not offered")
        if complete(["replay", "t.reprise", "--details", "links,cri"], folder) != ["links,critical-path"]:
            wrong.append("the second of a list of details is not completed")
    if "complete -o bashdefault -o filenames -F _reprise reprise" not in bash("complete -p reprise"):
        wrong.append("bash does not know the completion: " + "\n".join(bash("complete -p reprise")))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
