# SPDX-License-Identifier: MIT
"""What the tests of recordings share: options, commands with their failures, and what must hold of any trace.

A test imports it, notes what is not as it should be with expect(), and ends with finish(), whose exit status is 1 where anything was noted.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

PLATFORMS = ("ethernet-10g", "infiniband-edr")
failures = []


def parser(text):
    """--bin FOLDER, --launcher MPIRUN, PROGRAM; a test adds what it needs besides."""
    made = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--bin", type=pathlib.Path, required=True)
    made.add_argument("--launcher", required=True)
    made.add_argument("program", type=pathlib.Path)
    return made


def options_of(made):
    """The arguments, with whole paths and `reprise`; the environment lets any user start any number of ranks."""
    options = made.parse_args()
    options.reprise = options.bin.resolve() / "reprise"
    options.program = options.program.resolve()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    return options


def expect(fact, what):
    if not fact:
        failures.append(what)


def run(command, folder, may_fail=False):
    """What it printed. A failure ends the test, for all that follows needs what the command makes."""
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=200)
    if done.returncode != 0 and not may_fail:
        failures.append(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
        finish()
    return done.stdout


def record(options, folder, trace, settings, ranks, *arguments, may_fail=False):
    """The lines that the program printed; `settings`: options of `reprise record`."""
    command = [options.reprise, "record", *settings, "-o", trace, "--", options.launcher, "-n", ranks]
    return run([*command, options.program, *arguments], folder, may_fail).splitlines()


def answer(options, folder, *command):
    """The JSON that a verb prints."""
    return json.loads(run([options.reprise, *command, "--format", "json"], folder))


def info_of(options, folder, trace):
    return answer(options, folder, "trace", "info", trace)


def expect_consistent(options, folder, trace, severities=("notice",)):
    command = [options.reprise, "trace", "check", trace, "--format", "json"]
    for finding in json.loads(run(command, folder, may_fail=True))["findings"]:
        expect(finding["severity"] in severities, f"{trace}: {finding}")


def expect_strict_replays(options, folder, trace, operations, networks=(None,)):
    """All operations are played, with nothing left out, on both platforms."""
    for platform in PLATFORMS:
        for network in networks:
            command = ["replay", trace, "--strict", "--platform", platform]
            outcome = answer(options, folder, *command, *(["--network", network] if network else []))
            made = outcome.get("operations")
            expect(made == operations, f"{trace}, {platform}, {network}: {made} operations, not {operations}")


def finish():
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)
