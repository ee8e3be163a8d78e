#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The walks of docs/ARCHITECTURE.md are still true: each hop names a file that exists and what is defined in it.

usage: walks.py [ROOT]      exit 0, or 1 with one line per hop that is wrong
       walks.py --self-test

A walk is a numbered list under a heading that begins with "Walk"; a hop is

    1. `sim/cli/main.cpp` `main`: what happens there

with one file and one or more names in backticks before the colon. A name is a function, a class, a constant or a row of a table; `Class::function` is
both. A definition counts, a declaration or a call does not; in a .def file the name stands in a row. At most ten hops to a walk.
"""
import pathlib
import re
import sys
import tempfile

WALKS = 3
MOST_HOPS = 10
HEADING = re.compile(r"^#+\s+(Walk\b.*)", re.IGNORECASE)
HOP = re.compile(r"^(\d+)\.\s+(.*)")
FORM = re.compile(r"^`([^`]+)`((?:,?\s+(?:and\s+)?`[^`]+`)+):\s+\S")


def without_comments(source):
    source = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', source)
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", source, flags=re.DOTALL)


def brackets_end(source, at):
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for index in range(at, len(source)):
        depth += {"(": 1, ")": -1}.get(source[index], 0)
        if depth == 0:
            return index + 1
    return len(source)


def defines_function(source, name):
    """`name(...) ... {` where a statement begins: with a type before it, or qualified by its class."""
    for found in re.finditer(rf"(?<![\w.>]){re.escape(name)}\s*\(", source):
        line = source[source.rfind("\n", 0, found.start()) + 1 : found.start()]
        if re.search(r"[=(,!?|&+<]\s*$|\b(return|throw|case|new|else)\b|[.;{]\s*$|->\s*$", line):
            continue
        begins = re.search(r"[;{}]\s*$", source[: found.start()])
        if (
            begins
            and "::" not in name
            and line.strip() == ""
            and not re.search(rf"\b(class|struct)\s+{re.escape(name)}\b", source)
        ):
            continue
        after = source[brackets_end(source, found.end() - 1) :]
        if re.match(r"\s*(const|noexcept|override|final|&&?|->\s*[\w:<>,&*\s]+?|\s)*\s*(:\s*\w+[({]|\{|try\b)", after):
            return True
    return False


def defines_value(source, name):
    """A class or enumeration with a body, an alias, a constant or a table; a macro."""
    word = re.escape(name.split("::")[-1])
    return bool(
        re.search(rf"\b(class|struct|enum|enum class|union)\s+{word}\b[^;({{]*\{{", source)
        or re.search(rf"\busing\s+{word}\s*=", source)
        or re.search(rf"^[ \t]*#\s*define\s+{word}\b", source, re.MULTILINE)
        or re.search(rf"\b(const|constexpr)\b[^;=(]*\b{word}(\[[^\]]*\])*\s*(=|\{{)", source)
    )


def defines(root, path, name):
    source = without_comments(path.read_text(encoding="utf-8"))
    if path.suffix == ".def":
        return bool(re.search(rf"\(\s*{re.escape(name.removeprefix('MPI_'))}\b", source)) or defines_value(source, name)
    if defines_function(source, name) or defines_value(source, name):
        return True
    # a wrapper that a macro makes of each row of a table
    if name.startswith("MPI_") and re.search(r"\bMPI_##\w+[^;]*\{", source):
        tables = re.findall(r'#\s*include\s*"([^"]+\.def)"', path.read_text(encoding="utf-8"))
        return any(defines(root, root / table, name) for table in tables if (root / table).is_file())
    # a member defined in its class's body
    owner, _, member = name.rpartition("::")
    return bool(owner) and defines_value(source, owner) and defines_function(source, member)


def walks(document):
    """Title of each walk -> [(line, text of the hop)]."""
    found, title = {}, None
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            heading = HEADING.match(line)
            title = heading.group(1) if heading else None
            if title:
                found[title] = []
        elif title and HOP.match(line):
            found[title].append((number, HOP.match(line).group(2)))
    return found


def findings(root, document="docs/ARCHITECTURE.md"):
    found = walks(root / document)
    if len(found) != WALKS:
        yield f'{document}:1: {len(found)} headings begin with "Walk", {WALKS} should\n  one for recording, one for a replay, one for a study'
    for title, hops in found.items():
        if not hops:
            yield f'{document}:1: "{title}" has no hops\n  number them: 1. `FILE` `NAME`: what happens there'
        if len(hops) > MOST_HOPS:
            yield f'{document}:{hops[-1][0]}: "{title}" has {len(hops)} hops, at most {MOST_HOPS} are a walk\n  leave out what only passes on, in the code if need be'
        for number, hop in hops:
            form = FORM.match(hop)
            if not form:
                yield f"{document}:{number}: not in the form of a hop\n  1. `FILE` `NAME`: what happens there"
                continue
            path = root / form.group(1)
            if not path.is_file():
                yield f'{document}:{number}: "{form.group(1)}" is not there\n  write the file that does this now'
                continue
            for name in re.findall(r"`([^`]+)`", form.group(2)):
                if not defines(root, path, name.rstrip("()")):
                    yield f'{document}:{number}: {form.group(1)} does not define "{name}"\n  write the name that it has now, in the file that defines it'


def self_test():
    source = """// absent() { }
#define RECORDED(name) int MPI_##name() { return 0; }
#include "calls.def"
namespace a {
class Loop {
 public:
  void step() { turn(); }
  void declared();
};
using Alias = int;
constexpr int kTable[] = {1};
Loop::Loop(int a) : a_(f(a)) {}
auto trailing(int a) -> std::vector<int> {
  called(a);
  if (x) called(a);
  const int y = other(3);
}
void Loop::torn(int a,
                std::vector<int> b) const noexcept {
  turn([&] { return 1; });
}
static void plain() {
}
int main(int count, char** arguments) {
"""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "a.cpp").write_text(source)
        (root / "calls.def").write_text("RECORDED(Isend, describe_isend)\n")
        there = (
            "Loop",
            "Loop::step",
            "Alias",
            "kTable",
            "trailing",
            "Loop::torn",
            "plain",
            "main",
            "torn",
            "RECORDED",
            "MPI_Isend",
        )
        absent = ("absent", "called", "other", "turn", "Loop::declared", "Loop::turn", "missing", "MPI_Send")
        assert [name for name in there if not defines(root, root / "a.cpp", name)] == []
        assert [name for name in absent if defines(root, root / "a.cpp", name)] == []
        assert defines(root, root / "calls.def", "MPI_Isend") and not defines(root, root / "calls.def", "MPI_Send")
        many = "".join(f"{i}. `a.cpp` `main`: goes on\n" for i in range(1, 12))
        (root / "doc.md").write_text(
            "# House\n1. no hop\n## Walk: one\n1. `a.cpp` `main`: begins\n2. `a.cpp` `plain`, `Loop::torn`: goes on\n"
            "3. `gone.cpp` `x`: goes on\n4. `a.cpp` `called`: goes on\n5. a.cpp\n## Walk: two\n"
            + many
            + "## Else\n1. no hop\n"
        )
        got = [line.split("\n")[0] for line in findings(root, "doc.md")]
    expected = [
        'doc.md:1: 2 headings begin with "Walk", 3 should',
        'doc.md:6: "gone.cpp" is not there',
        'doc.md:7: a.cpp does not define "called"',
        "doc.md:8: not in the form of a hop",
        'doc.md:20: "Walk: two" has 11 hops, at most 10 are a walk',
    ]
    assert got == expected, "\n".join(got)


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    found = list(findings(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
