#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Spack recipe says what CMakeLists.txt says: options that there are, and a dependency for each package that is looked for.

The recipe is run with stand-ins for Spack's directives; Spack itself is not needed.

usage: spack_recipe.py SOURCE
"""
import pathlib
import re
import sys
import types

# What CMake looks for -> the recipe's name; None: only tests look for it, or it comes with another one.
PACKAGES = {
    "Boost": "boost",
    "SimGrid": "simgrid",
    "nlohmann_json": "nlohmann-json",
    "EXPAT": "expat",
    "MPI": "mpi",
    "PkgConfig": "pkgconfig",
    "ZLIB": "zlib-api",
    "libzstd": "zstd",
    "libxxhash": "xxhash",
    "libunwind": "libunwind",
    "libdw": "elfutils",
    "otf2": "otf2",
    "Python3": None,
    "Threads": None,
    "Catch2": None,
    "simgrid": None,
    "rapidcheck": None,
}


def run_recipe(path):
    said = {"depends_on": [], "variant": [], "version": []}
    stand_in = types.ModuleType("spack.package")

    class CMakePackage:
        prefix = types.SimpleNamespace(share=types.SimpleNamespace(reprise=types.SimpleNamespace(python="")))

        def define(self, name, value):
            return f"-D{name}={value}"

        def define_from_variant(self, name, variant):
            assert variant in said["variant"], f"no variant {variant}"
            return f"-D{name}=ON"

    stand_in.CMakePackage = CMakePackage
    for directive in ("depends_on", "variant", "version", "license", "generator", "conflicts"):
        setattr(
            stand_in,
            directive,
            lambda what, *_, _said=said.get(directive), **__: None if _said is None else _said.append(what),
        )
    for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["spack.package"] = sys.modules["spack_repo.builtin.build_systems.cmake"] = stand_in
    space = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)  # the recipe is this project's own
    return space["Reprise"](), said


def main():
    source = pathlib.Path(sys.argv[1])
    package, said = run_recipe(source / "packaging/spack/spack_repo/reprise/packages/reprise/package.py")
    lists = [
        p
        for top in ("trace-io", "recorder", "platforms", "sim")
        for p in (source / top).rglob("*")
        if p.suffix in (".txt", ".cmake")
    ]
    text = "\n".join(p.read_text(encoding="utf-8") for p in [source / "CMakeLists.txt", *lists])
    options = set(re.findall(r"^option\((\w+)", text, re.MULTILINE))
    wrong = [word for word in package.cmake_args() if re.match(r"-D(\w+)=", word).group(1) not in options]
    assert not wrong, f"CMakeLists.txt has no {wrong}"
    looked_for = set(re.findall(r"find_package\((\w+)", text)) | set(
        re.findall(r"pkg_check_modules\(\w+ .*?\b(lib\w+|otf2|simgrid)\b", text)
    )
    unknown = sorted(looked_for - set(PACKAGES))
    assert not unknown, f"CMake looks for {unknown}: name them in the recipe, and here"
    depends = {re.match(r"[\w-]+", one).group() for one in said["depends_on"]}
    absent = sorted(name for one in looked_for if (name := PACKAGES[one]) and name not in depends)
    assert not absent, f"the recipe does not depend on {absent}"
    assert said["version"], "no version"
    return 0


if __name__ == "__main__":
    sys.exit(main())
