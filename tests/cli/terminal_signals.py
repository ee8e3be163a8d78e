#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keys of a terminal reach a recorded program once, and Ctrl-Z and fg hold and continue the recording and its program as one job.

usage: terminal_signals.py REPRISE

A pseudo-terminal has a session whose leader does what a shell does: it runs `reprise record` in the foreground, sees it stop, continues it.
"""
import os
import pathlib
import pty
import signal
import sys
import tempfile
import time

# Tells each signal that comes, and what it is told to do by files.
PROGRAM = """
import os, signal, time
told = open("told", "a", buffering=1)
for name in ("SIGINT", "SIGQUIT", "SIGUSR1"):
    signal.signal(getattr(signal, name), lambda number, _: told.write(signal.Signals(number).name + "\\n"))
told.write(f"begun {os.getpid()}\\n")
for i in range(6000):
    if os.path.exists("go"):
        break
    time.sleep(0.01)
os._exit(7)
"""
failures = []


def expect(fact, what):
    if not fact:
        failures.append(what)


def wait_until(fact, what):
    for _ in range(3000):
        if fact():
            return True
        time.sleep(0.01)
    expect(False, f"not within 30 s: {what}")
    return False


def lead(command, folder):
    """The session's leader: does not return."""
    os.chdir(folder)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        for number in (signal.SIGTTOU, signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
            signal.signal(number, signal.SIG_DFL)
        os.execv(command[0], command)
    pathlib.Path("job").write_text(str(job), encoding="utf-8")
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            break
        os.tcsetpgrp(0, os.getpid())
        pathlib.Path("stopped").touch()
        while not os.path.exists("fg"):
            time.sleep(0.01)
        os.unlink("stopped")
        os.tcsetpgrp(0, job)
        os.killpg(job, signal.SIGCONT)
    pathlib.Path("ended").write_text(str(os.waitstatus_to_exitcode(status)), encoding="utf-8")
    os._exit(0)


def state(process):
    if not os.path.exists(f"/proc/{process}"):
        return "gone"
    return pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]


def use_terminal(folder, terminal):
    told = folder / "told"

    def lines():
        return told.read_text(encoding="utf-8").splitlines() if told.exists() else []

    if not wait_until(lines, "the program begins"):
        return
    program = lines()[0].split()[1]
    job = (folder / "job").read_text(encoding="utf-8")
    for key, name in ((b"\x03", "SIGINT"), (b"\x1c", "SIGQUIT")):
        os.write(terminal, key)
        if not wait_until(lambda name=name: name in lines(), f"the program gets {name}"):
            return
    time.sleep(0.2)  # what would be one too many
    expect(lines()[1:] == ["SIGINT", "SIGQUIT"], f"the keys were told as {lines()[1:]}")
    os.write(terminal, b"\x1a")
    if not wait_until((folder / "stopped").exists, "the job stops"):
        return
    expect((state(program), state(job)) == ("T", "T"), f"stopped: {state(program)}, {state(job)}")
    (folder / "fg").touch()
    wait_until(lambda: "T" not in (state(program), state(job)), "the job goes on")
    os.kill(int(job), signal.SIGUSR1)
    wait_until(lambda: "SIGUSR1" in lines(), "the program gets SIGUSR1")
    (folder / "go").touch()
    wait_until((folder / "ended").exists, "the job ends")
    ended = (folder / "ended").read_text(encoding="utf-8")
    expect(ended == "7", f"it ended with {ended}")


def main():
    reprise = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        command = [reprise, "record", "-o", "x.reprise", "--", sys.executable, "-c", PROGRAM]
        leader, terminal = pty.fork()
        if leader == 0:
            lead(command, folder)
        try:
            use_terminal(pathlib.Path(folder), terminal)
        finally:
            os.close(terminal)  # what is left gets SIGHUP
            (pathlib.Path(folder) / "go").touch()
            (pathlib.Path(folder) / "fg").touch()
            os.waitpid(leader, 0)
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
