# SPDX-License-Identifier: MIT
"""Aggregated time of programs as bars: what was measured, replayed live and simulated, each split into computing and MPI."""
from xml.sax.saxutils import escape

COLOURS = {"mpip": "#3b6ea5", "live": "#5a9367", "simulated": "#b5651d"}
LABELS = {"mpip": "program (mpiP)", "live": "live replay", "simulated": "simulated replay"}
BAR, GAP, HEIGHT, LEFT, TOP = 18, 26, 240, 60, 40


def bars(groups):
    """`groups`: {program: {method: [Σ time over ranks, of which in MPI]}}, seconds. Heights are relative to the program's own time."""
    most = max(total / methods["mpip"][0] for methods in groups.values() for total, _ in methods.values())
    width = LEFT + sum(len(methods) * BAR + GAP for methods in groups.values()) + 20
    y_of = lambda share: TOP + HEIGHT * (1 - share / (most * 1.05))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT + TOP + 120}" font-family="sans-serif" font-size="11">',
        f'<rect width="{width}" height="{HEIGHT + TOP + 120}" fill="white"/>',
    ]
    for tenth in range(0, int(most * 1.05 * 10) + 1, 2):
        y = y_of(tenth / 10)
        parts.append(
            f'<line x1="{LEFT}" x2="{width - 10}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tenth * 10} %</text>'
        )
    x = LEFT + GAP / 2
    for name, methods in groups.items():
        base = methods["mpip"][0]
        for method, (total, inside) in methods.items():
            low, high, top = y_of(0), y_of((total - inside) / base), y_of(total / base)
            colour = COLOURS[method]
            parts.append(
                f'<rect x="{x:.1f}" y="{high:.1f}" width="{BAR - 2}" height="{low - high:.1f}" fill="{colour}"/>'
                f'<rect x="{x:.1f}" y="{top:.1f}" width="{BAR - 2}" height="{high - top:.1f}" fill="{colour}" fill-opacity="0.4" '
                f'stroke="{colour}"/>'
            )
            x += BAR
        centre = x - len(methods) * BAR / 2
        parts.append(f'<text transform="translate({centre:.1f},{TOP + HEIGHT + 14}) rotate(40)">{escape(name)}</text>')
        x += GAP
    x = LEFT
    for method, label in LABELS.items():
        parts.append(
            f'<rect x="{x}" y="12" width="12" height="12" fill="{COLOURS[method]}"/><text x="{x + 16}" y="22">{label}</text>'
        )
        x += 130
    parts.append(f'<text x="{x}" y="22">full: computing, pale: MPI; all ranks, relative to the program</text></svg>')
    return "\n".join(parts) + "\n"
