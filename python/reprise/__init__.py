# SPDX-License-Identifier: MIT
"""Answers of the reprise command in Python: replays and studies as tables.

    import reprise
    study = reprise.read("network-upgrade.results/results.json")
    study.points            # a row for each point: labels, predicted time, speed-up
    answer = reprise.read("answer.json")        # reprise replay … --details all --format json -o answer.json
    answer.ranks            # a row for each rank
    answer.table("call_sites")

A table is a pandas.DataFrame where pandas is installed, else a list of dicts with the same keys. Names and units of columns are those of the
JSON (docs/JSON.md): seconds end in _s, sizes are bytes. Nothing here is compiled, and nothing but the standard library is needed.
"""
from .answer import Answer
from .reading import Document, NotAnAnswer, read
from .study import Study

__all__ = ["Answer", "Document", "NotAnAnswer", "Study", "read"]
