#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may include whom (docs/ARCHITECTURE.md), and a few facts about the tree that reviews forget.

usage: include_rules.py [ROOT]     exit 0 when the tree obeys, 1 with one line per violation
       include_rules.py --self-test
"""
import pathlib
import re
import sys
import tempfile

FOLDERS = ("trace-io", "recorder", "markup", "platforms", "sim", "scenarios", "tests")
# folder -> project folders it may include; the longest matching prefix of a file's path decides
MAY_INCLUDE = {
    "trace-io/base": ("trace-io/base",),
    "trace-io": ("trace-io",),
    "recorder": ("recorder", "trace-io"),
    "markup": ("markup",),
    "platforms": ("platforms", "markup", "trace-io/base"),
    "sim": ("sim", "platforms", "markup", "trace-io"),
    "scenarios": (),
    "tests": FOLDERS,
    "tests/roundtrip/programs": (),
}
# MPI programs that are compiled on their own, as a user's are: what they include stands beside them
STANDALONE = ("scenarios", "tests/roundtrip/programs")
# (pattern of a system include, folders where it is allowed, why)
OUTSIDE = (
    (re.compile(r"^simgrid"), ("platforms", "sim/network", "tests"), "SimGrid stays in zone builders and networks"),
    (
        re.compile(r"^mpi\.h$"),
        ("recorder", "scenarios", "tests/record", "tests/roundtrip", "tests/bench", "tests/accuracy"),
        "MPI belongs to the recorder",
    ),
    (re.compile(r"^nlohmann/"), ("markup", "platforms", "sim", "tests"), "JSON is for platforms and sim"),
    (re.compile(r"^(iostream|locale)$"), ("sim", "tests"), "iostream never enters a traced program"),
)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def rule_for(path):
    best = ""
    for prefix in MAY_INCLUDE:
        if (path + "/").startswith(prefix + "/") and len(prefix) > len(best):
            best = prefix
    return best


def allowed(name, prefixes):
    return any(name == p or name.startswith(p + "/") for p in prefixes)


def violations(root):
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root).as_posix()
        if path.suffix not in (".hpp", ".cpp", ".h", ".c", ".def") or not relative.startswith(FOLDERS):
            continue
        rule = rule_for(relative)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            quote, name = found.groups()
            if quote == '"' and rule not in STANDALONE:
                if not name.startswith(FOLDERS):
                    yield f'{relative}:{number}: "{name}" is not written from the root of the tree'
                elif not allowed(name, MAY_INCLUDE[rule]):
                    yield f'{relative}:{number}: {rule} may not include "{name}"'
            for pattern, folders, why in OUTSIDE:
                if quote == "<" and pattern.match(name) and not allowed(relative, folders):
                    yield f"{relative}:{number}: <{name}> is not allowed here: {why}"


def unregistered_tests(root):
    """A test file that no CMakeLists.txt names does not run: that is a lie."""
    for path in sorted((root / "tests").rglob("*_test.cpp")):
        lists = [p / "CMakeLists.txt" for p in path.parents if (p / "CMakeLists.txt").exists()]
        if not any(path.name in listing.read_text(encoding="utf-8") for listing in lists):
            yield f"{path.relative_to(root).as_posix()}: no CMakeLists.txt registers this test"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ("trace-io/base", "sim", "tests"):
            (root / name).mkdir(parents=True)
        (root / "trace-io/base/a.hpp").write_text('#include "trace-io/model/trace.hpp"\n#include <iostream>\n')
        (root / "sim/b.cpp").write_text('#include "recorder/c.hpp"\n#include <simgrid/s4u.hpp>\n#include "d.hpp"\n')
        (root / "tests/lonely_test.cpp").write_text("")
        (root / "tests/CMakeLists.txt").write_text("")
        got = list(violations(root)) + list(unregistered_tests(root))
    expected = [
        'sim/b.cpp:1: sim may not include "recorder/c.hpp"',
        "sim/b.cpp:2: <simgrid/s4u.hpp> is not allowed here: SimGrid stays in zone builders and networks",
        'sim/b.cpp:3: "d.hpp" is not written from the root of the tree',
        'trace-io/base/a.hpp:1: trace-io/base may not include "trace-io/model/trace.hpp"',
        "trace-io/base/a.hpp:2: <iostream> is not allowed here: iostream never enters a traced program",
        "tests/lonely_test.cpp: no CMakeLists.txt registers this test",
    ]
    assert got == expected, "\n".join(got)


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(violations(root)) + list(unregistered_tests(root))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
