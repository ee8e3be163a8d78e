# SPDX-License-Identifier: MIT
# The study's results, cell by cell: editors and Jupyter run what stands between two lines of "# %%".
#
#   reprise study network-upgrade.json
#   python3 explore.py network-upgrade.results/results.json
#
# The module is found where reprise is installed (`module load reprise`, the Debian package), or with PYTHONPATH=…/python.

# %% The results of any study.
import sys

import reprise

results = sys.argv[1] if len(sys.argv) > 1 else "network-upgrade.results/results.json"
study = reprise.read(results)
print(study.name + ": " + study.question)
print("\n".join(study.answer))

# %% A row for each point, as dicts. With pandas, study.points is a frame: study.points.sort_values("predicted_time_s") sorts it.
done = sorted((row for row in study.rows("points") if row["status"] == "done"), key=lambda row: row["predicted_time_s"])
for row in done:
    labels = ", ".join(f"{axis} {row[axis]}" for axis in study.axes)
    print(f"{row['predicted_time_s']:10.6f} s  {labels}")

# %% How much of the fastest point's time is communication, over the ranks.
fastest = done[0]
print(f"communication: {fastest['communication_s'] / fastest['predicted_time_s']:.1%} of the fastest run")

# %% What else there is: each name is a table, of all points together.
print("tables: " + ", ".join(study.tables))
