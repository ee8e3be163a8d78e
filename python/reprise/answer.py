# SPDX-License-Identifier: MIT
"""What `reprise replay --format json` says."""
from . import tables
from .reading import Document


class Answer(Document):
    @property
    def predicted_time(self):
        """Seconds."""
        return self.data["predicted_time_s"]

    @property
    def how_sure(self):
        """What is known of the error of `predicted_time`, and what is not: a sentence."""
        return self.data["how_sure"]

    @property
    def ranks(self):
        """A row for each rank: rank, compute_s, communication_s, wait_s, finish_s."""
        return self.table("ranks")

    @property
    def remarks(self):
        return self.data.get("remarks", [])

    def _rows(self):
        rows = super()._rows()
        if "matrix" in self.data:
            rows["matrix"] = tables.rows_of_matrix(self.data["matrix"])
        if "iterations" in self.data:
            rows["iterations"] = tables.rows_of_iterations(self.data["iterations"])
            rows["iterations_by_rank"] = tables.rows_of_iteration_map(self.data["iterations"])
        if "timeline" in self.data:
            rows["timeline"] = tables.rows_of_timeline(self.data["timeline"])
            for name, columns in self.data["timeline"].get("window", {}).items():
                if name != "sites" and tables.is_columns(columns):
                    rows[name] = tables.rows_of_columns(columns)
        for key, figure in (
            ("critical_path", "parts"),
            ("wait_states", "by_site"),
            ("delay_costs", "delays"),
            ("functions", "functions"),
        ):
            if key in self.data:
                rows[key] = self.data[key][figure]
        if "efficiencies" in self.data:
            rows["efficiencies"] = [self.data["efficiencies"]]
        return rows
