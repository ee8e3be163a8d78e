#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the documents point to exists: relative links, their anchors, and the files and folders that stand in backticks.

usage: links.py [ROOT]      exit 0, or 1 with one line per link that leads nowhere
       links.py --self-test

In backticks, a word is taken for a path if it begins with a folder of the tree's top, or if it is the name of a C++, Python, CMake or
Markdown file; `*` stands for anything. A name without the folders above it is found anywhere.
"""
import fnmatch
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import tree  # noqa: E402

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
CODE = re.compile(r"`([^`\n]+)`")
NAME = re.compile(r"^[\w.*-]+(?:/[\w.*-]*)*$")
FENCE = re.compile(r"^\s*(```|~~~)")
FILE_ENDINGS = (".hpp", ".cpp", ".def", ".py", ".md", ".cmake", "CMakeLists.txt", ".schema.json")


def lines_outside_code(path):
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(path):
    """The anchors that a forge makes of the headings."""
    seen = {}
    for _, line in lines_outside_code(path):
        heading = re.match(r"#+\s+(.*)", line)
        if heading:
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).strip().lower()
            slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
            yield slug if slug not in seen else f"{slug}-{seen[slug]}"
            seen[slug] = seen.get(slug, 0) + 1
        yield from re.findall(r'<a (?:name|id)="([^"]+)"', line)


def link_problem(root, document, target):
    if re.match(r"[a-z]+:", target):
        return None
    name, _, anchor = target.partition("#")
    path = (root / document).parent / name if name else root / document
    if not path.exists():
        return f'"{target}" is not there\n  correct the link, or the place of the file'
    if anchor and path.suffix == ".md" and anchor not in set(anchors(path)):
        return f'"{target}": {path.name} has no heading "{anchor}"\n  its headings are its anchors: lower case, hyphens for spaces'
    return None


def is_there(name, known):
    name = name.rstrip("/")
    return any(fnmatch.fnmatch(path, name) or fnmatch.fnmatch(path, "*/" + name) for path in known)


def findings(root):
    files = list(tree.files(root))
    known = {path.as_posix() for path in files} | {parent.as_posix() for path in files for parent in path.parents} - {
        "."
    }
    tops = {path.parts[0] for path in files if len(path.parts) > 1}
    for document in (path for path in files if path.suffix == ".md"):
        for number, line in lines_outside_code(root / document):
            for target in LINK.findall(line):
                problem = link_problem(root, document, target)
                if problem:
                    yield f"{document}:{number}: {problem}"
            for code in CODE.findall(line):
                name = re.sub(r":\d+$", "", code.split()[0]) if code.split() else ""
                is_path = "/" in name and name.split("/")[0] in tops
                if NAME.match(name) and (is_path or name.endswith(FILE_ENDINGS)) and not is_there(name, known):
                    yield f'{document}:{number}: "{name}" is not in the tree\n  write the name that it has now'


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "sim/network").mkdir(parents=True)
        (root / "sim/network/flow.hpp").write_text("")
        (root / "OTHER.md").write_text("# A heading, and `more`\n")
        (root / "README.md").write_text(
            "[a](OTHER.md#a-heading-and-more) [b](OTHER.md#none) [c](gone.md) [d](https://x.org/y)\n"
            "`sim/network/` `network/flow.hpp` `flow.hpp` `sim/*/flow.hpp` `sim/gone.cpp --x` `gone.hpp` `a/b` `/tmp/x`\n"
            "```\n[e](gone.md) `sim/gone`\n```\n"
        )
        got = [line.split("\n")[0] for line in findings(root)]
    expected = [
        'README.md:1: "OTHER.md#none": OTHER.md has no heading "none"',
        'README.md:1: "gone.md" is not there',
        'README.md:2: "sim/gone.cpp" is not in the tree',
        'README.md:2: "gone.hpp" is not in the tree',
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
