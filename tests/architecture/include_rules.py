#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may include whom (docs/ARCHITECTURE.md), and a few facts about the tree that reviews forget.

usage: include_rules.py [ROOT]     exit 0 when the tree obeys, 1 with one line per violation
       include_rules.py --propose [ROOT]   folders.py anew, from the includes as they are: read the difference before it is committed
       include_rules.py --self-test
"""
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from folders import ABOVE, BELOW, DOCUMENTED  # noqa: E402

PRODUCT = ("trace-io", "recorder", "platforms", "sim")
FOLDERS = (*PRODUCT, "scenarios", "tests")
# What may never be, whatever folders.py says of single folders: folder -> project folders it may include; the longest matching prefix of a
# file's path decides
MAY_INCLUDE = {
    "trace-io/base": ("trace-io/base",),
    "trace-io": ("trace-io",),
    "recorder": ("recorder", "trace-io"),
    "platforms": ("platforms", "trace-io/base"),
    "sim": ("sim", "platforms", "trace-io"),
    "scenarios": (),
    "tests": FOLDERS,
    "tests/roundtrip/programs": (),
    "tests/accuracy/order": (),
}
# MPI programs that are compiled on their own, as a user's are: what they include stands beside them
STANDALONE = ("scenarios", "tests/roundtrip/programs", "tests/accuracy/order")
# (pattern of a system include, folders where it is allowed, why)
OUTSIDE = (
    (re.compile(r"^simgrid"), ("platforms", "sim/network", "tests"), "SimGrid stays in zone builders and networks"),
    (
        re.compile(r"^mpi\.h$"),
        (
            "recorder/wrappers",
            "recorder/live",
            "recorder/probe",
            "scenarios",
            "tests/record",
            "tests/roundtrip",
            "tests/bench",
            "tests/accuracy",
        ),
        "MPI belongs to the recorder",
    ),
    (re.compile(r"^nlohmann/"), ("platforms", "sim", "tests"), "JSON is for platforms and sim"),
    (re.compile(r"^(iostream|locale)$"), ("sim", "tests"), "iostream never enters a traced program"),
)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(name):
    return name.rsplit("/", 1)[0]


def sources(root, *tops):
    for path in sorted(p for top in tops for p in (root / top).rglob("*")):
        if path.suffix in (".hpp", ".cpp", ".h", ".c", ".def"):
            yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8").splitlines()


def includes(lines):
    """(line number, quote, name) of each include."""
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if found:
            yield number, *found.groups()


def rule_for(path):
    best = ""
    for prefix in MAY_INCLUDE:
        if (path + "/").startswith(prefix + "/") and len(prefix) > len(best):
            best = prefix
    return best


def allowed(name, prefixes):
    return any(name == p or name.startswith(p + "/") for p in prefixes)


def violations(root):
    for relative, lines in sources(root, *FOLDERS):
        rule = rule_for(relative)
        for number, quote, name in includes(lines):
            if quote == '"' and rule not in STANDALONE:
                if not name.startswith(FOLDERS):
                    yield f'{relative}:{number}: "{name}" is not written from the root of the tree'
                elif not allowed(name, MAY_INCLUDE[rule]):
                    yield f'{relative}:{number}: {rule} may not include "{name}"'
            for pattern, folders, why in OUTSIDE:
                if quote == "<" and pattern.match(name) and not allowed(relative, folders):
                    yield f"{relative}:{number}: <{name}> is not allowed here: {why}"


def against_the_order(root, below):
    """Includes of a folder that `below` does not name, and names in `below` that no include needs."""
    needed = {folder: set() for folder in below}
    for relative, lines in sources(root, *PRODUCT):
        folder = folder_of(relative)
        if folder not in below:
            yield f"{relative}:1: {folder} is in no row of BELOW\n  give it a row in tests/architecture/folders.py, above what it includes"
            below = {**below, folder: None}
        for number, quote, name in includes(lines):
            other = folder_of(name)
            if quote != '"' or other == folder or below[folder] is None:
                continue
            needed[folder].add(other)
            if other not in below[folder]:
                yield f'{relative}:{number}: {folder} may not include "{name}"\n  {other} is not below it in tests/architecture/folders.py'
    for folder, others in needed.items():
        for other in below[folder] or ():
            if other not in others:
                yield f"tests/architecture/folders.py:1: {folder} does not include {other}\n  take it out of the row"


def graph(root):
    """folder -> the folders that its files include"""
    found = {}
    for relative, lines in sources(root, *PRODUCT):
        others = found.setdefault(folder_of(relative), set())
        others.update(folder_of(name) for _, quote, name in includes(lines) if quote == '"')
        others.discard(folder_of(relative))
    return found


def proposal(root):
    """The text of folders.py that allows just what there is: rows from the bottom up, and what closes a circle in ABOVE."""
    found, order, above = graph(root), [], {}

    def visit(folder, under_way):
        for other in sorted(found.get(folder, ())):
            if other in under_way:
                above.setdefault(folder, set()).add(other)
            elif other not in order:
                visit(other, (*under_way, other))
        order.append(folder)

    for folder in found:
        if folder not in order:
            visit(folder, (folder,))
    yield "# SPDX-License-Identifier: MIT"
    yield '"""What each folder of the product includes, from the bottom up. docs/ARCHITECTURE.md says why; include_rules.py checks both."""'
    yield "BELOW = {"
    for folder in order:
        below = sorted(found.get(folder, set()) - above.get(folder, set()), key=order.index)
        yield f'    "{folder}": ({"".join(f"{other!r}, " for other in below)}),'.replace("'", '"')
    yield "}"
    yield "# Whether docs/ARCHITECTURE.md has a row for each of them, with the same includes."
    yield f"DOCUMENTED = {DOCUMENTED}"
    yield "# Includes against that order: circles still to be broken. None is added."
    yield "ABOVE = {"
    for folder, others in above.items():
        yield f'    "{folder}": ({"".join(f"{other!r}, " for other in sorted(others))}),'.replace("'", '"')
    yield "}"


def order_of(below):
    """The rows stand from the bottom up, so that there is no way round in a circle."""
    seen = set()
    for folder, others in below.items():
        for other in others:
            if other not in seen:
                yield f"tests/architecture/folders.py:1: {folder} stands above {other}, which it includes\n  a row names rows before it only"
        seen.add(folder)


def documented(root, below, document="docs/ARCHITECTURE.md"):
    """Every folder has a row in the document's table, whose last column names what the folder includes (a top folder for any of its folders)."""
    rows = {}
    for number, line in enumerate((root / document).read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3:
            for name in re.findall(r"`([\w/-]+)/`", cells[0]):
                rows[name] = (number, set(re.findall(r"`([\w/-]+?)/?`", cells[2])) & ({*below} | {*PRODUCT}))
    for folder, others in below.items():
        if folder not in rows:
            yield f'{document}:1: {folder} has no row\n  | `{folder}/` | what it holds | {", ".join(f"`{other}`" for other in others)} |'
            continue
        number, told = rows[folder]
        for other in others:
            if not allowed(other, told):
                yield f"{document}:{number}: {folder} includes {other}\n  name it in the last column"
        for name in sorted(told - {folder}):
            if not any(allowed(other, (name,)) for other in others):
                yield f"{document}:{number}: {folder} does not include {name}\n  take it out of the last column"


def names_test(listing, name):
    """A list names a test as it is, or with a variable in it, such as ${network}_network_test.cpp."""
    templates = re.findall(r"\$\{\w+\}(\w+_test\.cpp)", listing)
    return name in listing or any(name.endswith(end) for end in templates)


def unregistered_tests(root):
    """A test file that no CMakeLists.txt names does not run: that is a lie."""
    for path in sorted((root / "tests").rglob("*_test.cpp")):
        lists = [p / "CMakeLists.txt" for p in path.parents if (p / "CMakeLists.txt").exists()]
        if not any(names_test(listing.read_text(encoding="utf-8"), path.name) for listing in lists):
            yield f"{path.relative_to(root).as_posix()}: no CMakeLists.txt registers this test"


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ("trace-io/base", "sim/network", "tests", "docs"):
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

        (root / "trace-io/base/a.hpp").write_text("")
        (root / "sim/b.cpp").write_text('#include "sim/network/n.hpp"\n#include "trace-io/base/a.hpp"\n')
        (root / "sim/network/n.hpp").write_text('#include "sim/b.hpp"\n')
        below = {"trace-io/base": (), "sim/network": ("trace-io/base",), "sim": ("sim/network", "trace-io/base")}
        got = [line.split("\n")[0] for line in against_the_order(root, below)]
        expected = [
            'sim/network/n.hpp:1: sim/network may not include "sim/b.hpp"',
            "tests/architecture/folders.py:1: sim/network does not include trace-io/base",
        ]
        assert got == expected, "\n".join(got)
        got = [line.split("\n")[0] for line in against_the_order(root, {"trace-io/base": (), "sim/network": ("sim",)})]
        assert got == ["sim/b.cpp:1: sim is in no row of BELOW"], "\n".join(got)
        got = [line.split("\n")[0] for line in order_of({"a": ("b",), "b": ("a",)})]
        assert got == ["tests/architecture/folders.py:1: a stands above b, which it includes"], "\n".join(got)

        (root / "sim/network/n.hpp").write_text('#include "trace-io/base/a.hpp"\n#include "sim/b.hpp"\n')
        lines = list(proposal(root))
        assert (
            '    "sim/network": ("trace-io/base", ),' in lines and '    "sim/network": ("sim", ),' in lines
        ), "\n".join(lines)

        (root / "docs/ARCHITECTURE.md").write_text("| `sim/network/` | x | `sim` |\n| `sim/` | x | `trace-io`, std |\n")
        got = [line.split("\n")[0] for line in documented(root, below)]
        expected = [
            "docs/ARCHITECTURE.md:1: trace-io/base has no row",
            "docs/ARCHITECTURE.md:1: sim/network includes trace-io/base",
            "docs/ARCHITECTURE.md:1: sim/network does not include sim",
            "docs/ARCHITECTURE.md:2: sim includes sim/network",
        ]
        assert got == expected, "\n".join(got)


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    if sys.argv[1:2] == ["--propose"]:
        print("\n".join(proposal(pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve())))
        return 0
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    allowed_today = {folder: (*others, *ABOVE.get(folder, ())) for folder, others in BELOW.items()}
    found = [*violations(root), *order_of(BELOW), *against_the_order(root, allowed_today), *unregistered_tests(root)]
    if DOCUMENTED:
        found.extend(documented(root, allowed_today))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
