#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program built with -fsanitize=address is recorded as any other: in front of its launcher and behind it, with options of the user's own.

usage: sanitized.py --bin FOLDER --launcher MPIRUN PROGRAM (sanitized.c)

The trace has its calls, a line says what was added to ASAN_OPTIONS, and an error that the sanitizer finds is found, with the exit status of the bare
run. Where the user has set verify_asan_link_order himself, it stays, and the program ends as the sanitizer has it.
"""
import os
import pathlib
import subprocess
import tempfile

import recordings
from recordings import expect

RANKS = 2


def run(command, folder, **variables):
    words = [str(word) for word in command]
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=100, env=os.environ | variables, check=False
    )


def main():
    options = recordings.options_of(recordings.parser(__doc__))
    launch = [options.launcher, "-n", RANKS]
    record = [options.reprise, "record", "--force", "-o", "run.reprise", "--"]
    leaks = {"ASAN_OPTIONS": "detect_leaks=0"}  # Open MPI's own
    line = (
        f"reprise: ASAN_OPTIONS has verify_asan_link_order=0 in this run: {options.program} is built with "
        "-fsanitize=address, which ends programs behind a preloaded library\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        for where, command, says in (
            ("in front", [*record, *launch, options.program], 1),
            ("behind", [*launch, *record, options.program], 0),
        ):
            done = run(command, folder, **leaks)
            expect((done.returncode, done.stdout) == (0, "sanitized: ok\n"), f"{where}: {done}")
            expect(done.stderr.count(line) == says, f"{where}: stderr {done.stderr!r}")
            calls = recordings.info_of(options, folder, "run.reprise")["procedures"]
            expect(calls.get("MPI_Barrier") == 10 * RANKS, f"{where}: {calls}")
            (pathlib.Path(folder) / "run.reprise").unlink()
        overrun = [options.program, "overrun"]
        bare, recorded = run([*launch, *overrun], folder, **leaks), run([*record, *launch, *overrun], folder, **leaks)
        expect(recorded.returncode == bare.returncode != 0, f"{recorded.returncode}, bare {bare.returncode}")
        expect("heap-buffer-overflow" in recorded.stderr, f"stderr {recorded.stderr!r}")
        refused = run([*record, *launch, options.program], folder, ASAN_OPTIONS="verify_asan_link_order=1")
        expect(refused.returncode != 0 and line not in refused.stderr, f"with the user's own: {refused}")
    recordings.finish()


if __name__ == "__main__":
    main()
