#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The size of the code: files, lines, methods per class, what a source file pulls in; and the sizes that are allowed.

usage: house.py [ROOT...] [--compile]   a table, one column per tree; --compile adds the CPU seconds of KEY_SOURCES with -O0
       house.py --check [ROOT]          exit 1 with one line per file over MOST_LINES
       house.py --self-test

Product code is what is built into the commands and libraries: .cpp, .hpp, .def, .c, .h of trace-io, recorder, platforms and sim.
"""
import argparse
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

TOPS = ("trace-io", "recorder", "platforms", "sim")
ENDINGS = (".cpp", ".hpp", ".def", ".c", ".h")
MOST_LINES = 400
# Tables that are one thing, however long: file -> reason
LONGER = {
    "recorder/mpi_calls.def": "every MPI procedure, one row each",
    "trace-io/model/procedures.def": "every MPI procedure, one row each",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
METHOD = re.compile(r"(?<![\w.>:~])~?(\w+)\s*\([^;{}]*?\)\s*(?:const|noexcept|override|final|\s)*(?:=\s*\w+\s*)?[;{:]")
NOT_METHODS = {
    "if",
    "for",
    "while",
    "switch",
    "return",
    "sizeof",
    "static_assert",
    "REPRISE_ASSERT",
    "alignas",
    "decltype",
    "noexcept",
}


def product_files(root):
    for top in TOPS:
        yield from sorted(p for p in (root / top).rglob("*") if p.suffix in ENDINGS)


def line_count(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def plain(source):
    source = re.sub(r'R"(\w*)\(.*?\)\1"', '""', source, flags=re.DOTALL)
    source = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', '""', source)
    return re.sub(r"//[^\n]*|/\*.*?\*/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", source, flags=re.DOTALL | re.MULTILINE)


def body_end(source, opening):
    depth = 0
    for index in range(opening, len(source)):
        depth += {"{": 1, "}": -1}.get(source[index], 0)
        if depth == 0:
            return index
    return len(source)


def own_level(body):
    """A class's body without the bodies in it."""
    text, depth = [], 0
    for character in body:
        if character == "}":
            depth -= 1
        if depth == 0:
            text.append(character)
        if character == "{":
            depth += 1
    return "".join(text)


def methods_of_classes(root):
    """(methods, class, file), most first. Constructors, destructors and operators count as well."""
    found = []
    for path in product_files(root):
        source = plain(path.read_text(encoding="utf-8"))
        for begin in re.finditer(
            r"\b(?:class|struct)\s+(?:alignas\([^)]*\)\s*)?(\w+)(?:\s+final)?\s*(?::[^{;]*)?\{", source
        ):
            body = own_level(source[begin.end() : body_end(source, begin.end() - 1)])
            names = [name for name in METHOD.findall(body) if name not in NOT_METHODS]
            found.append(
                (
                    len(names) + len(re.findall(r"\boperator\s*[^\w\s(]+\(", body)),
                    begin.group(1),
                    path.relative_to(root).as_posix(),
                )
            )
    return sorted(found, key=lambda row: (-row[0], row[1]))


def closure(root, name):
    """Project files that `name` includes, itself not counted, and their lines."""
    seen, pending = set(), [name]
    while pending:
        path = root / pending.pop()
        for other in INCLUDE.findall(path.read_text(encoding="utf-8")) if path.is_file() else ():
            if other not in seen and (root / other).is_file():
                seen.add(other)
                pending.append(other)
    return len(seen), sum(line_count(root / other) for other in seen)


def cpu_seconds(root, name):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = ["g++", "-std=c++20", "-fsyntax-only", "-w", "-I.", "-Ibuild", name]
    done = subprocess.run(command, cwd=root, capture_output=True, check=False)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before if done.returncode == 0 else None


def measure(root, compiled):
    """Label -> text, in the order of the table."""
    files = list(product_files(root))
    sizes = [line_count(path) for path in files]
    sources = [path.relative_to(root).as_posix() for path in files if path.suffix == ".cpp"]
    classes = methods_of_classes(root)
    closures = {name: closure(root, name) for name in sources}
    widest = max(sources, key=lambda name: closures[name][1])
    rows = {
        "product files": f"{len(files)}",
        "product lines": f"{sum(sizes)}",
        "median lines of a file": f"{statistics.median(sizes):.0f}",
        "largest file": "{1} ({0})".format(
            *max(((p.relative_to(root).as_posix(), n) for p, n in zip(files, sizes)), key=lambda x: x[1])
        ),
        f"files over {MOST_LINES} lines": f"{sum(n > MOST_LINES for n in sizes)}",
        "files under 25 lines": f"{sum(n < 25 for n in sizes)}",
        "folders with code": f"{len({path.parent for path in files})}",
        "classes with methods": f"{sum(row[0] > 0 for row in classes)}",
        "most methods of a class": ", ".join(f"{name} {count}" for count, name, _ in classes[:3]),
        "median methods of a class": f"{statistics.median([row[0] for row in classes if row[0] > 0] or [0]):.0f}",
        "friends": f"{sum(len(re.findall(r'friend (?:class|struct) ', plain(p.read_text(encoding='utf-8')))) for p in files)}",
        "project headers behind a source file, median": f"{statistics.median(c[0] for c in closures.values()):.0f}",
        "their lines, median": f"{statistics.median(c[1] for c in closures.values()):.0f}",
        "widest source file": f"{widest}: {closures[widest][0]} headers, {closures[widest][1]} lines",
    }
    if compiled:
        seconds = [cpu_seconds(root, name) for name in sources if name.startswith("sim/")]
        rows[
            "parsing sim's source files, CPU seconds"
        ] = f"{sum(s for s in seconds if s):.0f} ({sum(s is None for s in seconds)} not parsed)"
    return rows


def too_long(root):
    for path in [
        *product_files(root),
        *sorted(p for p in (root / "tests").rglob("*") if p.suffix in (*ENDINGS, ".py")),
    ]:
        name, lines = path.relative_to(root).as_posix(), line_count(path)
        if lines > MOST_LINES and name not in LONGER:
            yield f"{name}:{lines}: {lines} lines, at most {MOST_LINES} are one idea\n  split it by what its parts are"
    for name in LONGER:
        if not (root / name).is_file():
            yield f"tests/architecture/house.py:1: {name} may be longer, but is not there\n  take its row out of LONGER"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in (*TOPS, "tests", "trace-io/model"):
            (root / name).mkdir(exist_ok=True)
        for name in LONGER:
            (root / name).write_text("\n" * 500)
        (root / "sim/a.hpp").write_text(
            "class A : public B {\n public:\n  A();\n  ~A();\n  int f(int x) const { if (x) { g(x); } return 0; }\n"
            "  void h();  // not this(one);\n  bool operator==(const A&) const;\n  struct C { void inner(); };\n  int x_ = 0;\n};\n"
        )
        (root / "sim/b.cpp").write_text('#include "sim/a.hpp"\n' + "\n" * MOST_LINES)
        assert methods_of_classes(root) == [(5, "A", "sim/a.hpp"), (1, "C", "sim/a.hpp")], methods_of_classes(root)
        assert closure(root, "sim/b.cpp") == (1, 10)
        assert [line.split(":")[0] for line in too_long(root)] == ["sim/b.cpp"]
        assert measure(root, False)["product files"] == "4"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("roots", nargs="*", type=pathlib.Path, default=[pathlib.Path(".")])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        self_test()
        return 0
    if options.check:
        found = list(too_long(options.roots[0].resolve()))
        print("\n".join(found))
        return 1 if found else 0
    columns = [measure(root.resolve(), options.compile) for root in options.roots]
    print("|  | " + " | ".join(root.name or "." for root in options.roots) + " |")
    print("|---" * (1 + len(columns)) + "|")
    for label in columns[0]:
        print(f"| {label} | " + " | ".join(column[label] for column in columns) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
