#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a replay fetches ahead is fetched in the program as it was built, too, not in the source alone.

usage: prefetches.py REPRISE SOURCES
       prefetches.py --self-test

GCC leaves out calls of functions that do nothing but prefetch, unless they do it by trace-io/base/prefetch.hpp. Nothing but time shows it: the
replay of thousands of ranks takes up to three times as long. So the program is disassembled, for amd64, with optimisation:
  - each function with a prefetch instruction is called, or is one of ROOTS, which are called by way of tables;
  - so many prefetch instructions, or more, can be reached from each of these by calls that name their function. What is missing is a call that was
    left out, or one that was inlined without what it should do;
  - no other source prefetches by itself.
"""
import collections
import pathlib
import re
import subprocess
import sys

# Mangled names, since those of C++ may contain anything, and the least number of prefetches. GCC 12 has 68, 25, 14 to 20, 8, 53 and 1, by what it
# inlines where; without the assembly in prefetch.hpp less than half in the first and 40 before a call.
ROOTS = {
    "FlowNetwork3run": 55,
    "FluidNetwork3run": 18,
    "QueueNetwork3run": 12,
    "UncontendedNetwork3run": 7,
    "11Interpreter7prepare": 45,
    "FlowNetwork6expect": 1,
    "FluidNetwork6expect": 1,
    "QueueNetwork6expect": 1,
    "UncontendedNetwork6expect": 1,
}
# The second says that it will write what it fetches; that it is called is checked here like any other.
BY_THEMSELVES = ("trace-io/base/prefetch.hpp", "trace-io/compress/active_loops.cpp")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
CALL = re.compile(r"\t(?:bnd )?(?:call|j[a-z]+) +[0-9a-f]+ <(.+?)(?:\+0x[0-9a-f]+)?>$")


class Code:
    """Of a program: prefetch instructions by function, and whom each function calls or jumps to."""

    def __init__(self, lines):
        self.prefetches, self.calls = collections.Counter(), collections.defaultdict(set)
        function = None
        for line in lines:
            line = line.rstrip()
            if found := FUNCTION.match(line):
                function = found[1]
            elif "\tprefetch" in line:
                self.prefetches[function] += 1
            elif (found := CALL.search(line)) and found[1] != function:
                self.calls[function].add(found[1])

    def named(self, part):
        return [name for name in {*self.prefetches, *self.calls} if part in name]

    def reached(self, functions):
        seen, waiting = set(functions), list(functions)
        while waiting:
            new = self.calls.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        return seen


def faults(code):
    found, called = [], set().union(*code.calls.values())
    for name in sorted(code.prefetches):
        if "reprise" in name and name not in called and not any(root in name for root in ROOTS):
            found.append(f"nobody calls {name}, which prefetches")
    for root, least in ROOTS.items():
        count = sum(code.prefetches[name] for name in code.reached(code.named(root)))
        if count < least:
            found.append(f"{root} reaches {count} prefetches, not {least}")
    return found


def by_themselves(root):
    for folder in ("trace-io", "sim", "platforms", "recorder"):
        for path in sorted(pathlib.Path(root, folder).rglob("*.[ch]pp")):
            name = str(path.relative_to(root))
            if name not in BY_THEMSELVES and re.search(r"_mm_prefetch|__builtin_prefetch", path.read_text()):
                yield f"{name}: prefetches by itself; take prefetch() of trace-io/base/prefetch.hpp"


def disassembled(program):
    with subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", program], stdout=subprocess.PIPE, text=True) as run:
        code = Code(run.stdout)
    if run.returncode != 0:
        sys.exit(f"prefetches.py: objdump cannot read {program}")
    return code


def self_test():
    def code(**calls):
        """A program in which each root has what it must, and calls these, each with a prefetch of its own."""
        lines = []
        for root, least in ROOTS.items():
            lines += [f"10 <_ZN7reprise{root}Ev>:", *["  11:\tprefetcht0 (%rax)\n"] * least]
        for name, whom in calls.items():
            lines += [f"20 <{name}>:", "  21:\tprefetcht0 0x40(%rax)", f"  22:\tcall   30 <{whom}+0x8>"]
        return Code(lines)

    assert faults(code()) == []
    assert faults(code(_reprise_a="_reprise_b", _reprise_b="_reprise_a")) == []
    assert faults(code(_reprise_a="_reprise_a")) == ["nobody calls _reprise_a, which prefetches"]
    assert faults(code(other="other")) == []  # a library's own affair
    lost = code()
    lost.prefetches["_ZN7repriseFluidNetwork3runEv"] -= 1
    assert faults(lost) == ["FluidNetwork3run reaches 17 prefetches, not 18"]
    lost.calls["_ZN7repriseFluidNetwork3runEv"] = {"_deeper"}
    lost.calls["_deeper"] = {"_reprise_fetch"}
    lost.prefetches["_reprise_fetch"] = 1
    assert faults(lost) == []
    lost.prefetches.clear()
    assert len(faults(lost)) == len(ROOTS)
    print("ok")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    code = disassembled(sys.argv[1])
    found = faults(code) + list(by_themselves(sys.argv[2]))
    for one in found:
        print(one)
    for root in ROOTS:
        print(f"{root}: {sum(code.prefetches[name] for name in code.reached(code.named(root)))} prefetches")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
