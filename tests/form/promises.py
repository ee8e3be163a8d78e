#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails where docs/PROMISES.md names a test that is not there, or a promise names none.

usage: promises.py ROOT
       promises.py --self-test
"""
import pathlib
import re
import sys


def names_in(line):
    """The tests that a row of a table names in its last column; None where the line is no row."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if not line.startswith("|") or len(cells) != 3 or cells[2] == "test" or set(cells[2]) <= set("-: "):
        return None
    return re.findall(r"`([^`]+)`|\"([^\"]+)\"", cells[2])


def roundtrip_names(cmake):
    """roundtrip.MPI.PROGRAM_END of every reprise_roundtrip() with an end, loops over ends included."""
    names = set()
    for loop, body in re.findall(r"foreach\(end (?:IN ITEMS )?([^)]*)\)(.*?)endforeach", cmake, re.DOTALL):
        for mpi, program in re.findall(r"reprise_roundtrip\((\w+) \d+ (\w+)\.\w+ \$\{end\}\)", body):
            names |= {f"roundtrip.{mpi}.{program}.{end}" for end in loop.split()}
    for mpi, program, end in re.findall(r"reprise_roundtrip\((\w+) \d+ (\w+)\.\w+ (\w+)\)", cmake):
        names.add(f"roundtrip.{mpi}.{program}.{end}")
    return names


def listed_names(cmake):
    """roundtrip.MPI.PROGRAM of the programs of set(programs …) and set(zoo …), which both libraries run."""
    names = set()
    for listed in re.findall(r"set\((?:programs|zoo) ([^)]*)\)", cmake):
        for program in listed.split():
            names |= {f"roundtrip.{mpi}.{pathlib.Path(program).stem}" for mpi in ("openmpi", "mpich")}
    return names


def other_names(fuzz, faults):
    """fuzz.NAME, faults.MPI.KINDS and faults.command.NAME."""
    names = {f"fuzz.{name}" for name in re.findall(r"^ *reprise_fuzzer\((\w+) \d", fuzz, re.MULTILINE)}
    for mpi, kinds in re.findall(r"^reprise_faults\((\w+) \S+ \d+ ([\w,]+)", faults, re.MULTILINE):
        names.add(f"faults.{mpi}.{kinds.replace(',', '_')}")
    for commands in re.findall(r"^foreach\(command ([\w ]+)\)", faults, re.MULTILINE):
        names |= {f"faults.command.{command}" for command in commands.split()}
    return names


def titles_in(source):
    """Of Catch2 tests; texts that are broken over lines joined."""
    joined = re.sub(r"\"\s*\n\s*\"", "", source)
    return set(re.findall(r"TEST_CASE\(\s*\"([^\"]+)\"", joined))


def missing(text, known):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        names = names_in(line)
        if names == []:
            found.append(f"line {number}: a promise without a test")
        for quoted, title in names or []:
            if (quoted or title) not in known:
                found.append(f"line {number}: no test is called {quoted or title}")
    return found


def known_tests(root):
    known = {path.stem for path in (root / "tests/cli/cases").glob("*.case")}
    cmake = {
        name: (root / "tests" / name / "CMakeLists.txt").read_text(encoding="utf-8")
        for name in ("roundtrip", "fuzz", "faults")
    }
    cli = (root / "tests/cli/CMakeLists.txt").read_text(encoding="utf-8")
    known |= set(re.findall(r"^add_test\(NAME (cli\.\w+)", cli, re.MULTILINE))
    known |= roundtrip_names(cmake["roundtrip"]) | listed_names(cmake["roundtrip"])
    known |= other_names(cmake["fuzz"], cmake["faults"])
    for source in (root / "tests").rglob("*.cpp"):
        known |= titles_in(source.read_text(encoding="utf-8"))
    return known


def self_test():
    known = {"a_case"} | titles_in('TEST_CASE("one: two "\n          "three", "[x]") {')
    known |= roundtrip_names("foreach(end abort exit)\n reprise_roundtrip(openmpi 3 bad_end.c ${end})\nendforeach()")
    good = '| a | b | test |\n|---|---|---|\n| x | y | `a_case`, "one: two three", `roundtrip.openmpi.bad_end.exit` |'
    assert missing(good, known) == [], missing(good, known)
    assert missing("| x | y | `another` |", known) == ["line 1: no test is called another"]
    assert missing("| x | y | nothing |", known) == ["line 1: a promise without a test"]
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[1])
    found = missing((root / "docs/PROMISES.md").read_text(encoding="utf-8"), known_tests(root))
    for problem in found:
        print(f"docs/PROMISES.md: {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
