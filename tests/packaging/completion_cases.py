# SPDX-License-Identifier: MIT
"""What completions of a command line have to offer: (words so far, the last one being completed; offered; not offered)."""
CASES = [
    (["rep"], ["replay"], ["record", "trace"]),
    ([""], ["record", "replay", "study", "trace", "platform", "validate", "import", "export", "compare"], ["info"]),
    (["--v"], ["--version"], ["--help"]),
    (["trace", ""], ["info", "dump", "check", "diff", "salvage"], ["replay", "calibrate"]),
    (["platform", "ca"], ["calibrate"], ["check"]),
    (["study", "sl"], ["slurm"], ["merge"]),
    (["replay", "t.reprise", "--lat"], ["--latency"], ["--bandwidth"]),
    (["trace", "info", "--"], ["--format", "--output", "--quiet"], ["--latency", "--members"]),
    (["study", "slurm", "--mem"], ["--members", "--memory"], ["--retry"]),
    (["replay", "t.reprise", "--network", ""], ["flow", "fluid", "queue", "uncontended", "simgrid", "all"], ["json"]),
    (["trace", "info", "t.reprise", "--format", "j"], ["json"], ["text"]),
    (["replay", "t.reprise", "--details", "cri"], ["critical-path"], ["links"]),
    (["replay", "t.reprise", "-p", "ethernet-1"], ["ethernet-10g", "ethernet-100g"], ["laptop"]),
    (["replay", "t.reprise", "--placement", "cy"], ["cyclic"], ["block"]),
    (["record", "--timing", ""], ["stat", "histogram", "path"], ["wall"]),
]

# Files that an option or an operand takes: (words so far, endings offered), "/" for folders alone, "" for all files.
FILES = [
    (["replay", ""], "reprise"),
    (["trace", "info", ""], "reprise"),
    (["trace", "calls", ""], "calls"),
    (["trace", "assemble", ""], ""),
    (["trace", "salvage", ""], "/"),
    (["trace", "info", "x.reprise", "-o", ""], ""),
    (["replay", "x.reprise", "-p", ""], "json xml"),
    (["platform", "show", ""], "json xml"),
    (["platform", "calibrate", "--from", ""], "reprise"),
    (["replay", "x.reprise", "--scenario", ""], "json"),
    (["replay", "x.reprise", "--html", ""], "html"),
    (["study", ""], "json"),
    (["study", "slurm", ""], "json"),
    (["study", "x.json", "-o", ""], "/"),
    (["validate", ""], "reprise mpiP"),
    (["validate", "x.reprise", "--mpip", ""], "mpiP"),
    (["import", ""], ""),
]


def check(complete):
    """COMPLETE: words -> what is offered. Returns what is wrong, a line each."""
    wrong = []
    for words, offered, not_offered in CASES:
        got = complete(words)
        lacks = [word for word in offered if word not in got]
        has = [word for word in not_offered if word in got]
        if lacks or has:
            wrong.append(f"reprise {' '.join(words)!r}: lacks {lacks}, wrongly has {has}, of {sorted(got)[:20]}")
    return wrong


def every_option(table):
    """(words of the verb, all its long options), for each verb and action of the table."""
    verbs = {}
    for row in table.splitlines():
        columns = row.split("\t")
        if columns[0] == "option":
            verbs.setdefault(columns[1], []).append(columns[2])
    return [(verb.split(), options) for verb, options in verbs.items()]
