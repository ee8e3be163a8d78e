#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Form that a tool decides: one tool over all its files, one line per place with what to do about it.

usage: formatters.py TOOL [ROOT]       TOOL: clang-format, black, pyflakes, shellcheck
       formatters.py --self-test

pyflakes and not ruff: Debian 12 has no ruff.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import tree  # noqa: E402

CXX = (".cpp", ".hpp", ".c", ".h")


def once_per_line(output, pattern, text):
    seen = set()
    for found in re.finditer(pattern, output, re.MULTILINE):
        if found.groups()[:2] not in seen:
            seen.add(found.groups()[:2])
            yield text.format(*found.groups())


def clang_format(root, run):
    output = run(["clang-format", "--dry-run", "-Werror", *tree.files(root, *CXX)])
    yield from once_per_line(
        output, r"^(\S+?):(\d+):\d+: error: ", "{0}:{1}: not as .clang-format has it\n  clang-format -i {0}"
    )


def black(root, run):
    output = run(["black", "--check", *tree.files(root, ".py")])
    yield from once_per_line(output, r"^would reformat (\S+)()", "{0}:1: not as black has it\n  black {0}")
    yield from once_per_line(
        output, r"^error: cannot format (\S+?): (.*)", "{0}:1: {1}\n  correct what python3 {0} complains of"
    )


def pyflakes(root, run):
    output = run(["pyflakes3", *tree.files(root, ".py")])
    yield from once_per_line(output, r"^(\S+?):(\d+):\d+:? (.*)", "{0}:{1}: {2}\n  remove or correct it")


def shellcheck(root, run):
    output = run(["shellcheck", "--format=gcc", *tree.shell_scripts(root)])
    yield from once_per_line(
        output, r"^(\S+?):(\d+):\d+: \w+: (.*) \[(SC\d+)\]", "{0}:{1}: {2}\n  https://www.shellcheck.net/wiki/{3}"
    )


TOOLS = {
    "clang-format": (clang_format, "clang-format"),
    "black": (black, "black"),
    "pyflakes": (pyflakes, "pyflakes3"),
    "shellcheck": (shellcheck, "shellcheck"),
}


def findings(tool, root):
    check, program = TOOLS[tool]
    if not shutil.which(program):
        return [f"{program} is not installed\n  ./bootstrap deps"]
    status = 0

    def run(command):
        nonlocal status
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        status = done.returncode
        return done.stdout + done.stderr

    found = list(check(root, run))
    if status != 0 and not found:
        found.append(f"{program} ended with status {status} and named no place\n  run it by hand")
    return found


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        tree.self_test(root)
        (root / ".clang-format").write_text("BasedOnStyle: Google\n")
        (root / "a.cpp").write_text("int  a;\nint b;\n")
        (root / "a.py").write_text("import os\nx = 'y'\n")
        (root / "b.sh").write_text("#!/bin/sh\nrm $1\n")
        assert findings("clang-format", root) == ["a.cpp:1: not as .clang-format has it\n  clang-format -i a.cpp"]
        assert findings("black", root) == ["a.py:1: not as black has it\n  black a.py"]
        assert findings("pyflakes", root) == ["a.py:1: 'os' imported but unused\n  remove or correct it"]
        quoted = (
            "b.sh:2: Double quote to prevent globbing and word splitting.\n  https://www.shellcheck.net/wiki/SC2086"
        )
        assert findings("shellcheck", root) == [quoted], findings("shellcheck", root)


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    if len(sys.argv) < 2 or sys.argv[1] not in TOOLS:
        print(__doc__, file=sys.stderr)
        return 2
    found = findings(sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve())
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
