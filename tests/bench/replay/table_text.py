# SPDX-License-Identifier: MIT
"""What table.py has measured, as text: a line for each case, a table in Markdown, the worst growth of costs; and several files of rows as one."""
import json
import math
import pathlib

PATTERNS = ("halo", "permutation", "bursts", "mixed", "cg", "wavefront", "alltoall", "linear", "incast", "collectives")


def joined(files):
    """The rows of several --json files, each with the simulators of all. Rows of the same case are of the same length."""
    rows = {}
    for name in files:
        for row in json.loads(pathlib.Path(name).read_text()):
            one = rows.setdefault((row["pattern"], row["ranks"]), row)
            if one["messages"] != row["messages"]:
                raise SystemExit(f"{name}: {row['pattern']} on {row['ranks']} ranks is of another length")
            one["found"] |= row["found"]
            one["empty"] |= row["empty"]
    return sorted(rows.values(), key=lambda row: (row["ranks"], PATTERNS.index(row["pattern"])))


def shown(values, digits):
    return " ".join("      -" if value is None else f"{value:7.{digits}f}" for value in values)


def line(row, simulators):
    found = row["found"]
    reference = found.get("simgrid") or found.get("flow")
    cost, start, memory = (
        [found[s][key] if found.get(s) else None for s in simulators] for key in ("cost", "start", "mb")
    )
    digits = 0 if row["instructions"] else 2
    against = []
    for simulator in simulators:
        one = found.get(simulator)
        known = one and reference and simulator != "loggopsim"
        against.append(f"{off(one, reference):+9.1e}" if known else "        -")
    star = " " if found.get("simgrid") else "*"
    return (
        f"{row['pattern']:12} {row['ranks']:6} {row['messages']:8}{' ' if row['lengths'] == 2 else '+'}|"
        f" {shown(cost, digits)} | {shown(start, 0)} | {shown(memory, 0)} |"
        f" {reference['time_s'] if reference else math.nan:10.6f}{star} {' '.join(against)}"
    )


def off(one, reference):
    """How far a predicted time is from the reference's for the same run."""
    return one["time_s"] / (one.get("against_s") or reference["time_s"]) - 1


def short_count(number):
    """17 million, 4.3 billion."""
    for unit, name in ((1e9, "billion"), (1e6, "million")):
        if number >= unit:
            return f"{number / unit:.{0 if number >= 10 * unit else 1}f} {name}"
    return str(number)


def cell(row, simulator):
    """CPU us a message, MB, difference of the predicted time, for --markdown; or why the case was not run."""
    found = row and row["found"].get(simulator)
    if not found:
        why = row and row["empty"].get(simulator)
        if why and " messages " in why:
            return why
        return "" if not why or why.startswith(("more than", "no --")) else "–"
    reference_name = "simgrid" if row["found"].get("simgrid") else "flow"
    reference = row["found"].get(reference_name)
    text = f"{found['cost']:.2f}{'' if found.get('lengths', row['lengths']) == 2 else '+'}, {found['mb']:.0f}"
    if reference is None or simulator in (reference_name, "loggopsim"):
        return text
    by = off(found, reference)
    return text + (", =" if abs(by) < 1e-6 else f", {by:+.1e}" if abs(by) < 1e-3 else f", {100 * by:+.1f} %")


def markdown(rows, simulators):
    all_ranks = sorted({row["ranks"] for row in rows})
    print("| pattern | simulator | " + " | ".join(map(str, all_ranks)) + " |")
    print("|" + "---|" * (2 + len(all_ranks)))
    at = {(row["pattern"], row["ranks"]): row for row in rows}
    for pattern in PATTERNS:
        for simulator in simulators:
            cells = [cell(at.get((pattern, ranks)), simulator) for ranks in all_ranks]
            if any(cells):
                print(f"| {pattern} | `{simulator}` | " + " | ".join(cells) + " |")


def growths(rows, simulator, pattern):
    """(cost over that of a quarter of the ranks, ranks, least and most of it by the rounds), where both were measured in the same way."""
    of = {
        row["ranks"]: row["found"][simulator]
        for row in rows
        if row["pattern"] == pattern and row["found"].get(simulator)
    }
    for ranks, found in of.items():
        before = of.get(ranks // 4)
        if before and before["cost"] > 0 and before.get("lengths") == found.get("lengths"):
            now, then = found.get("costs") or [found["cost"]], before.get("costs") or [before["cost"]]
            least, most = now[0] / then[-1], now[-1] / then[0] if then[0] > 0 else math.inf
            yield found["cost"] / before["cost"], ranks, (least, most)


def growth(rows, simulators):
    """The worst growth of each pattern and simulator, and all of more than 2."""
    print("\nworst growth of a message's cost for 4 times the ranks (to how many ranks):")
    print(f"{'pattern':12} " + " ".join(f"{s:>15}" for s in simulators))
    for pattern in dict.fromkeys(row["pattern"] for row in rows):
        cells = []
        for simulator in simulators:
            steps = list(growths(rows, simulator, pattern))
            cells.append("{0:.2f} ({1})".format(*max(steps)) if steps else "-")
        print(f"{pattern:12} " + " ".join(f"{cell:>15}" for cell in cells))
    for simulator in simulators:
        steps = [(*step, pattern) for pattern in PATTERNS for step in growths(rows, simulator, pattern)]
        above = [
            f"{pattern} to {ranks} {by:.2f} ({least:.2f} to {most:.2f})"
            for by, ranks, (least, most), pattern in sorted(steps, reverse=True)
            if by > 2
        ]
        print(f"{simulator}: {len(above)} of {len(steps)} above 2" + (": " + ", ".join(above) if above else ""))
