# SPDX-License-Identifier: MIT
"""A file of the command's JSON, as what it is."""
import json

from . import tables


class NotAnAnswer(ValueError):
    """The file is not JSON that the reprise command writes."""


class Document:
    """Any of the command's answers: its keys by [], its tables by name.

    path: the file; data: the JSON as dicts and lists.
    """

    def __init__(self, path, data):
        self.path, self.data = path, data

    def __getitem__(self, key):
        return self.data[key]

    def __contains__(self, key):
        return key in self.data

    @property
    def tables(self):
        """The names that table() takes."""
        return sorted(self._rows())

    def table(self, name):
        """The table of that name, as a pandas.DataFrame where pandas is installed. Raises KeyError naming those that there are."""
        return tables.table(self.rows(name))

    def rows(self, name):
        """The same table as a list of dicts, with and without pandas."""
        rows = self._rows()
        if name not in rows:
            raise KeyError(f"{self.path} has no table {name!r}, but {', '.join(sorted(rows)) or 'none'}")
        return list(rows[name])

    def _rows(self):
        return {name: value for name, value in self.data.items() if tables.is_rows(value)}


def read(path):
    """The Answer of a replay, the Study of results.json, or a Document of any other JSON of the command.

    Raises OSError where the file cannot be read, NotAnAnswer where it is something else.
    """
    from .answer import Answer  # these derive from Document
    from .study import Study

    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except ValueError as error:  # of UTF-8, or of JSON
        raise NotAnAnswer(f"{path}: is not JSON ({error}); name a file that --format json wrote") from None
    if isinstance(data, list):
        data = {"format": 1, "platforms": data}  # of platform list
    if not isinstance(data, dict) or data.get("format") != 1:
        raise NotAnAnswer(f'{path}: is JSON, but not an answer of reprise ("format": 1 is missing)')
    if "study" in data and "points" in data:
        return Study(path, data)
    if "predicted_time_s" in data and "ranks" in data:
        return Answer(path, data)
    return Document(path, data)
