#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completion at the keyboard: an interactive shell in a terminal, where Tab is pressed.

usage: completion_keys.py bash|zsh REPRISE SCRIPT

A line is typed, with Tab in it; then the cursor goes to its beginning, "echo " is typed and Enter pressed, so that the shell prints what the line
has become.
"""
import os
import pathlib
import pty
import select
import subprocess
import sys
import tempfile
import time

START, END = "\x01", "\r"
PATIENCE = 120  # seconds, of a busy machine
# Each beginning is that of several; an option or an operand takes one kind of them. Where none is of that kind, any file is offered.
FILES = ("run.reprise", "run.json", "run.html", "mine.reprise", "mine.xml", "notes.txt", "saved.txt")
# what is typed: what the line is then
CASES = {
    "reprise rep\t": "reprise replay",
    "reprise tr\tinf\t": "reprise trace info",
    "reprise study sl\t": "reprise study slurm",
    "reprise replay ru\t": "reprise replay run.reprise",
    "reprise replay run.reprise --scenario ru\t": "reprise replay run.reprise --scenario run.json",
    "reprise replay run.reprise -p mi\t": "reprise replay run.reprise -p mine.xml",
    "reprise study ru\t": "reprise study run.json",
    "reprise trace salvage sa\t": "reprise trace salvage saved.parts",
    "reprise import no\t": "reprise import notes.txt",
    "reprise trace info no\t": "reprise trace info notes.txt",
    "reprise replay run.reprise --lat\t": "reprise replay run.reprise --latency",
    "reprise replay run.reprise -p infiniband-e\t": "reprise replay run.reprise -p infiniband-edr",
    "reprise replay run.reprise --details links,cri\t": "reprise replay run.reprise --details links,critical-path",
    "reprise replay run.reprise --placement cy\t": "reprise replay run.reprise --placement cyclic",
    "reprise replay run.reprise --placement cyclic@s\t": "reprise replay run.reprise --placement cyclic@spread",
    "reprise platform place run.reprise --nodes s\t": "reprise platform place run.reprise --nodes spread",
    "reprise trace info run.reprise --format j\t": "reprise trace info run.reprise --format json",
}
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "set -o emacs; source {script}"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "bindkey -e; fpath=({script.parent} $fpath); autoload -U compinit; compinit -u -D; setopt no_beep",
    ),
}


def typed(command, text, folder, variables):
    """All that the terminal shows."""
    master, slave = pty.openpty()
    shell = subprocess.Popen(
        command, cwd=folder, env=variables, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    os.close(slave)
    os.write(master, text.encode())
    shown, end = b"", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if select.select([master], [], [], 0.2)[0]:
            try:
                shown += os.read(master, 65536)
            except OSError:  # the shell has closed its side
                break
        elif shell.poll() is not None:
            break
    if shell.poll() is None:
        shell.kill()
    shell.wait()
    os.close(master)
    return shown.decode(errors="replace")


def main():
    name, reprise, script = sys.argv[1], *(pathlib.Path(word).resolve() for word in sys.argv[2:])
    command, setup = SHELLS[name]
    variables = {key: value for key, value in os.environ.items() if not key.startswith("REPRISE_")}
    variables |= {"PATH": f"{reprise.parent}:{os.environ['PATH']}", "TERM": "dumb" if name == "bash" else "vt100"}
    variables |= {"PS1": "$ ", "HISTFILE": "", "LC_ALL": "C.UTF-8"}
    lines = [setup.format(script=script), *(f"{keys}{START}echo " for keys in CASES), "exit"]
    with tempfile.TemporaryDirectory() as folder:
        for file in FILES:
            pathlib.Path(folder, file).write_text("")
        pathlib.Path(folder, "saved.parts").mkdir()
        shown = typed(command, "".join(line + END for line in lines), folder, variables | {"HOME": folder})
    printed = {line.strip().rstrip("/") for line in shown.replace("\r", "\n").splitlines()}
    wrong = [f"{keys!r} does not become {line!r}" for keys, line in CASES.items() if line not in printed]
    if wrong:
        print("\n".join(wrong), "the terminal shows:", repr(shown), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
