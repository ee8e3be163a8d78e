# SPDX-License-Identifier: MIT
"""What a study's results.json says."""
from . import tables
from .reading import Document

_PLAIN = ("compute_s", "communication_s", "wait_s", "speedup", "fastest", "probability_fastest")


class Study(Document):
    @property
    def name(self):
        return self.data["study"]["name"]

    @property
    def question(self):
        return self.data["study"].get("question", "")

    @property
    def axes(self):
        """Their names, in the order of the study's file."""
        return [axis["name"] for axis in self.data["study"]["axes"]]

    @property
    def answer(self):
        """The sentences that answer the question."""
        return self.data.get("answer", [])

    @property
    def remarks(self):
        """The notes that the command prints: the study's own, then those of its points, once each, with how many points have it where not all do.

        Results that an earlier version wrote have the study's own only; rows("points") has the points' in "remarks".
        """
        return self.data.get("remarks", []) + self.data.get("remarks_of_points", [])

    @property
    def points(self):
        """A row for each point: a column for each axis, status, predicted_time_s with low_s and high_s over seeds, and so on.

        What a point does not have (it deadlocked, it has no band) is None. remarks is a list: the notes of a replay of the point. Its losses, if
        any point has some, are the table "losses".
        """
        return tables.table([self._row(point) for point in self.data["points"]])

    def _row(self, point):
        row = {"status": point["status"]}
        time = point.get("predicted_time_s") or {}
        row["predicted_time_s"], row["low_s"], row["high_s"] = (time.get(key) for key in ("median", "low", "high"))
        row.update({key: point.get(key) for key in _PLAIN})
        band = point.get("band") or {}
        row["band_low_s"], row["band_high_s"] = band.get("low_s"), band.get("high_s")
        row["remarks"] = point.get("remarks", [])
        return tables.labelled(self._labels(point), row)

    def _labels(self, of):
        """By axis; that of an application is left out where OF is a combination for all of them."""
        return {axis: of["labels"][axis] for axis in self.axes if axis in of["labels"]}

    def _rows(self):
        """Figures of the points, each row with the labels of its point."""
        rows = {"points": [self._row(point) for point in self.data["points"]], **self._offers()}
        for point in self.data["points"]:
            labels = self._labels(point)
            for name, value in point.items():
                if tables.is_rows(value):
                    rows.setdefault(name, []).extend(tables.labelled(labels, one) for one in value)
                elif name == "efficiencies":
                    rows.setdefault(name, []).append(tables.labelled(labels, value))
        return rows

    def _offers(self):
        """Rows of the combinations of a basket, or of machines with prices: "offers", and "offer_applications" where applications are several."""
        rows = {}
        for offer in (self.data.get("offers") or {}).get("list", []):
            labels = self._labels(offer)
            figures = {
                key: value for key, value in offer.items() if key != "labels" and not isinstance(value, (dict, list))
            }
            for name in ("speedup_band", "against_best"):
                figures.update({f"{name}_{key}": value for key, value in (offer.get(name) or {}).items()})
            for axis, found in offer.get("against_best_along", {}).items():
                figures.update({f"against_best_along_{axis}_{key}": value for key, value in found.items()})
            figures = {"missing": "; ".join(offer.get("missing", [])), **figures}
            rows.setdefault("offers", []).append(tables.labelled(labels, figures))
            for one in offer.get("applications", []):
                labels_of_one = {"application": one["label"], **labels}
                rows.setdefault("offer_applications", []).append(tables.labelled(labels_of_one, one))
        return rows
