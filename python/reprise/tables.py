# SPDX-License-Identifier: MIT
"""Rows as tables, and the shapes that rows have in the JSON."""
try:
    import pandas
except ImportError:
    pandas = None


def table(rows):
    """A pandas.DataFrame of a list of dicts, or the list itself where pandas is not installed."""
    return list(rows) if pandas is None else pandas.DataFrame(list(rows))


def labelled(labels, figures):
    """A row: labels by the names of their axes, and figures. An axis keeps its name, whatever it is; a figure that has the same one gets "_value"
    behind its own, as often as it takes to be alone."""
    row = dict(labels)
    for key, value in figures.items():
        name = key
        while name in labels or (name != key and name in figures):
            name += "_value"
        row[name] = value
    return row


def is_rows(value):
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def is_columns(value):
    """{"rank": [0, 1], "site": [3, 4]}: columns of one length."""
    if not isinstance(value, dict) or not value or not all(isinstance(column, list) for column in value.values()):
        return False
    return len({len(column) for column in value.values()}) == 1


def rows_of_columns(columns):
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def rows_of_matrix(matrix):
    """A row for each pair of blocks of ranks that send to one another."""
    first = matrix["first_ranks"]
    blocks = range(len(first) - 1)
    return [
        {
            "from_rank": first[sender],
            "to_rank": first[receiver],
            "bytes": matrix["bytes"][sender][receiver],
            "messages": matrix["messages"][sender][receiver],
        }
        for sender in blocks
        for receiver in blocks
        if matrix["messages"][sender][receiver] > 0
    ]


def rows_of_timeline(timeline):
    """A row for each block of ranks and bin of time: the shares of its time."""
    first, width = timeline["first_ranks"], timeline["bin_s"]
    return [
        {
            "first_rank": first[block],
            "begin_s": i * width,
            "compute": timeline["compute"][block][i],
            "communication": timeline["communication"][block][i],
            "wait": timeline["wait"][block][i],
        }
        for block in range(len(first) - 1)
        for i in range(len(timeline["compute"][block]))
    ]


def rows_of_iterations(iterations):
    """A row for each column of the graph, one iteration or a few: of each metric the largest and smallest of any rank and iteration, and the
    median over the ranks as a mean over the iterations."""
    each, last = iterations["iterations_per_column"], iterations["iterations"] - 1
    graph = iterations["graph"]
    columns = max((len(of_metric["largest"]) for of_metric in graph.values()), default=0)
    rows = []
    for column in range(columns):
        row = {"first_iteration": column * each, "last_iteration": min((column + 1) * each - 1, last)}
        for metric, of_metric in graph.items():
            row.update({f"{metric}_{name}": values[column] for name, values in of_metric.items()})
        rows.append(row)
    return rows


def rows_of_iteration_map(iterations):
    """A row for each block of ranks and column: the means of an iteration, as `--format csv` has them."""
    each, last, first = iterations["iterations_per_column"], iterations["iterations"] - 1, iterations["first_ranks"]
    maps = iterations["map"]
    rows = []
    for block in range(len(first) - 1):
        for column in range(max((len(of_metric[block]) for of_metric in maps.values()), default=0)):
            means = {metric: of_metric[block][column] for metric, of_metric in maps.items()}
            if any(mean is None for mean in means.values()):
                continue  # these ranks have no such iteration
            row = {"first_rank": first[block], "last_rank": first[block + 1] - 1}
            row.update({"first_iteration": column * each, "last_iteration": min((column + 1) * each - 1, last)})
            rows.append({**row, **means})
    return rows
