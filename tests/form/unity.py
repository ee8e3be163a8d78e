#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails where two sources of one folder would not compile together, as ./bootstrap compiles them (cmake/UnityByFolder.cmake). Several folders are
one where REPRISE_FOLDERS_TOGETHER says so.

usage: unity.py ROOT
       unity.py --self-test

Compared are what sources define for themselves: in unnamed namespaces or as static, by `using` and `namespace x = y` at namespace scope, and
by #define. Two may share
  - the name of a function if the types of its parameters differ, as overloads do, and none of the two passes it on by its name alone;
  - an alias, a using declaration or a macro that means the same.
A source's own names are also compared with what headers declare: those of its folder in the namespace around, where a call would be ambiguous,
and all, in any namespace around, if another file of the folder means that one.
Read are tokens, not C++: a definition is what stands between the end of the last one and the next `;` or block, at the scope of a namespace.
"""
import collections
import pathlib
import re
import subprocess
import sys

from cpp_names import names_of, tokens_of

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
TOGETHER = re.compile(r"^set\(REPRISE_FOLDERS_TOGETHER([^)]*)\)", re.MULTILINE)
APART = re.compile(r"^set_source_files_properties\(([^)]*?)PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON\)", re.MULTILINE)


def same_call(one, other):
    """Whether two functions can be called with the same types: those of the longer are the shorter's, and further ones have defaults."""
    shorter, longer = sorted((one, other), key=len)
    alike = all(a.rstrip("=") == b.rstrip("=") for a, b in zip(shorter, longer))
    return alike and all(b.endswith("=") for b in longer[len(shorter) :])


def clash(one, other):
    """Whether two names of one namespace cannot stand in one source."""
    if one.kind == other.kind == "function":
        return same_call(one.meaning, other.meaning)
    if one.kind == other.kind and one.kind in ("alias", "macro"):
        return one.meaning != other.meaning
    return True


def passed_on(text):
    """Words that stand without a bracket or a name behind, such as a function given to an algorithm; members and qualified names left out."""
    words = [token for token, _ in tokens_of(text)]
    return {
        word
        for before, word, behind in zip([""] + words, words, words[1:] + [""])
        if behind in (",", ")", ";", "}") and before in ("(", ",", "=", "return", "{", "&", "?", ":")
    }


def reached(file, texts, known):
    """All headers of the project that a file includes; texts: name → text, known: what has been found before."""
    if file not in known:
        known[file] = set()
        for one in INCLUDE.findall(texts.get(file, "")):
            known[file] |= {one} | reached(one, texts, known)
    return known[file]


def hidden_function(file, name, other_file, other, used, reach, before):
    """A neighbour in an unnamed namespace that calls a header's function finds this source's own first, and no overload of it."""
    if not (name.where + "::").startswith(other.where + "::"):
        return []
    owners = {one for one, known in before[name.name] if known.own}
    return [
        f"{file}:{name.line}: {name.name} hides the one of {other_file}, which {user} calls"
        for user in sorted(reach)
        if user != file and user not in owners and other_file in reach[user] and name.name in used[user]
    ]


def collisions(sources, headers, outer=(), reach=None):
    """Lines that name two files of one folder; sources and headers: name of the file → its text; outer: all headers' (file, Name); reach:
    source → all headers that it includes."""
    reach = reach or {}
    found, before = [], collections.defaultdict(list)
    for file, text in headers.items():
        for name in names_of(text):
            if name.kind in ("type", "value", "function"):
                before[name.name].append((file, name._replace(own=False)))
    further = collections.defaultdict(list)
    for file, name in outer:
        further[name.name].append((file, name))
    used = {file: {word for word, _ in tokens_of(text)} for file, text in {**sources, **headers}.items()}
    passed = {file: passed_on(text) for file, text in sources.items()}
    for file, text in sources.items():
        mine = {}
        for name in names_of(text):
            if name.own:
                mine.setdefault((name.name, name.where, name.kind, name.meaning), name)
        for name in mine.values():
            for other_file, other in before[name.name]:
                if other_file == file or name.where != other.where:
                    continue
                is_function = name.kind == other.kind == "function"
                is_passed = is_function and any(name.name in passed.get(f, ()) for f in (file, other_file))
                if is_passed or clash(name, other) and not (name.kind == "alias" and not other.own):
                    found.append(f"{file}:{name.line}: {name.name} stands in {other_file}, line {other.line}, too")
            for other_file, other in further[name.name]:
                if "function" in (name.kind, other.kind):
                    found += hidden_function(file, name, other_file, other, used, reach, before)
                    continue
                is_around = (name.where + "::").startswith(other.where + "::") and name.kind in (
                    "type",
                    "alias",
                    "value",
                )
                if is_around and name.meaning != other.where + "::" + other.name:
                    includes = [f for f in sorted(reach) if f != file and other_file in reach[f]]
                    if name.where == other.where and includes and other_file not in headers:
                        found.append(
                            f"{file}:{name.line}: {name.name} stands in {other_file}, line {other.line}, too, which {includes[0]} includes"
                        )
                        continue
                    for user in sorted(used):
                        if (
                            user != file
                            and name.name in used[user]
                            and user not in {f for f, n in before[name.name] if n.own}
                        ):
                            found.append(
                                f"{file}:{name.line}: {name.name} hides the one of {other_file}, which {user} means"
                            )
        for name in mine.values():
            before[name.name].append((file, name))
    return found


def self_test():
    def of(*texts, header="", outer="", reach=None):
        sources = {f"{n}.cpp": text for n, text in enumerate(texts)}
        return len(collisions(sources, {"h.hpp": header}, [("o.hpp", name) for name in names_of(outer)], reach))

    def inside(text):
        return f"namespace a::b {{\nnamespace {{\n{text}\n}}  // namespace\n}}\n"

    assert of(inside("int f(int a) { return a; }"), inside("int f(int b) { if (b) { return 1; } return 2; }")) == 1
    assert of(inside("int f(int a) { return a; }"), inside("int f(double a) { return 2; }")) == 0
    assert (
        of(
            inside("template <class T> int f(const std::map<int, T>& a, int = 3) { return {}; }"),
            inside("int f(std::map<int, T> const& b, int c);"),
        )
        == 1
    )
    assert of(inside("struct S { int f(int a); };"), inside("struct S : T { };")) == 1
    assert of(inside("struct S { int g() { return 1; } };"), inside("int g() { return 1; }")) == 0
    assert of(inside("constexpr int kN = 3;"), inside('const char* kN[] = {"a", "b;}"};')) == 1
    assert of(inside("constexpr double kA = f(1, 2), kB = 2, kC[] = {1, 2};"), inside("int kB = 1;")) == 1
    assert of(inside("constexpr double kA = 1, kB = 2, kC[] = {1, 2};"), inside("int kC = 1;")) == 1
    assert of(inside("std::map<int, X> kA{1, kB};"), inside("int X = 1, kB;")) == 0
    assert of(inside("struct T a {};"), inside("std::array<struct T, kN.size()> a;")) == 1
    assert of(inside("struct T a {};"), inside("struct T b {};")) == 0
    assert of(inside("using X = int;"), inside("using X = int;")) == 0
    assert of(inside("using X = int;"), inside("using X = long;")) == 1
    assert of(inside("using c::X;"), inside("using d::X;")) == 1
    assert of(inside("namespace p = q::r;"), inside("namespace p = q::s;")) == 1
    assert of(inside("int f() { return 1; }"), inside("constexpr auto f = [](int a) { return a; };")) == 1
    assert of("static int f() { return 1; }", "static int f() { return 2; }") == 1
    assert of("int f();", "int f();") == 0
    assert of("namespace a { int f() { return 1; } }", inside("int f() { return 1; }")) == 0
    assert of("#define N 1\n", "#define N 2\n") == 1
    assert of("#define N 1\n", "#define N 1\n") == 0
    assert of("#define N(a) \\\n  int a;\n", "#define N(a) \\\n  int b;\n") == 1
    assert of("#define N 1\n#undef N\n", "#define N 2\n") == 0
    assert of(inside("int A::f(int a) { return a; }"), inside("int A::f(int a) { return a; }")) == 0
    assert of(inside("enum class E : int { kOne, kTwo };"), inside("enum class E { kThree };")) == 1
    assert of(inside("// int f() {\nint g();"), inside("/* } */ int h();\nint f() { return '\"'; }")) == 0
    assert of(inside("int f(int a) { return a; }"), header="namespace a::b {\nint f(int a);\n}\n") == 1
    assert of(inside("int f(int a) { return a; }"), header="namespace a {\nint f(int a);\n}\n") == 0
    assert (
        of(
            "namespace a { A::A(int b) : b_{b}, c_(b) {}\nnamespace { int f() { return 1; } } }",
            "namespace a {\nnamespace { int f() { return 1; } } }",
        )
        == 1
    )
    less, more = "bool less(int a, int b) { return a < b; }", "bool less(double a, double b) { return a < b; }"
    assert of(inside(less), inside(more)) == 0
    assert of(inside(less + "void f(V& v) { std::sort(v.begin(), v.end(), less); }"), inside(more)) == 1
    assert (
        of(inside("using Bytes = V;"), inside("int f(Bytes b) { return 1; }"), outer="namespace a { struct Bytes {}; }")
        == 1
    )
    assert (
        of(inside("using Bytes = V;"), inside("int f(int b) { return 1; }"), outer="namespace a { struct Bytes {}; }")
        == 0
    )
    assert of(inside("int f(int a, int b = 1) { return a; }"), inside("int f(int b) { return 1; }")) == 1
    assert of(inside("int f(int a, int b) { return a; }"), inside("int f(int b) { return 1; }")) == 0
    deep = inside("constexpr int kDeep = 1;")
    assert of(deep, inside("int f() { return 1; }"), outer="namespace a::b { inline int kDeep = 1; }") == 0
    assert of(deep, "", outer="namespace a::b { inline int kDeep = 1; }", reach={"1.cpp": {"o.hpp"}}) == 1
    twice = "namespace a { inline int f(int a) { return a; } }"
    assert (
        of(
            inside("int f(int a, int b) { return a; }"),
            inside("int g() { return f(1); }"),
            outer=twice,
            reach={"1.cpp": {"o.hpp"}},
        )
        == 1
    )
    assert (
        of(
            inside("int f(int a, int b) { return a; }"),
            inside("int g() { return 1; }"),
            outer=twice,
            reach={"1.cpp": {"o.hpp"}},
        )
        == 0
    )
    together = 'set(REPRISE_FOLDERS_TOGETHER\n  "a a/b"\n  "c/d e")\nset(most "f g")\n'
    assert first_folders(together) == {"a": "a", "a/b": "a", "c/d": "c/d", "e": "c/d"}
    assert reached("a", {"a": '#include "b"\n', "b": '#include "c"\n#include "a"\n'}, {}) == {"a", "b", "c"}
    return 0


def listed(root, *patterns):
    return subprocess.run(
        ["git", "ls-files", *patterns], cwd=root, check=True, capture_output=True, text=True
    ).stdout.split()


def compiled_apart(root):
    """Sources that a CMakeLists.txt leaves out, as paths from the root."""
    return {
        (pathlib.Path(file).parent / name).as_posix()
        for file in listed(root, "*CMakeLists.txt")
        for names in APART.findall((root / file).read_text(encoding="utf-8"))
        for name in names.split()
    }


def first_folders(text):
    """Folder → the first of those that it is compiled together with; text: of UnityByFolder.cmake."""
    lines = re.findall(r'"([^"]+)"', TOGETHER.search(text).group(1))
    return {folder: line.split()[0] for line in lines for folder in line.split()}


def folders_of(root):
    """Folder → the names of its sources and headers, and of those of the folders that it is compiled together with."""
    folders, apart = collections.defaultdict(list), compiled_apart(root)
    first = first_folders((root / "cmake" / "UnityByFolder.cmake").read_text(encoding="utf-8"))
    for name in listed(root, "*.cpp", "*.hpp"):
        if name not in apart:
            folder = pathlib.Path(name).parent.as_posix()
            folders[first.get(folder, folder)].append(name)
    return folders


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[1])
    folders = folders_of(root)
    texts = {name: (root / name).read_text(encoding="utf-8") for files in folders.values() for name in files}
    outer = [
        (file, name)
        for file in sorted(texts)
        if file.endswith(".hpp")
        for name in names_of(texts[file])
        if name.kind in ("type", "value", "function") and name.where
    ]
    found, known = [], {}
    for files in folders.values():
        sources = {name: texts[name] for name in sorted(files) if name.endswith(".cpp")}
        headers = {name: texts[name] for name in sorted(files) if name.endswith(".hpp")}
        found += collisions(sources, headers, outer, {name: reached(name, texts, known) for name in sources})
    for problem in found:
        print(problem)
    if found:
        print("Two sources of a folder are compiled together, and of folders in one line of REPRISE_FOLDERS_TOGETHER:")
        print("give one of the two another name, or write it once.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
