// SPDX-License-Identifier: MIT
// The critical path of a window: on which rank it is when, and the messages by which it moves on, as a line across the rows.

// Steps on a rank have a row; those between ranks go from the row of the step before to that of the next one.
function windowPath(path, rowOf) {
  if (!path) return [];
  const steps = path.rank.map((rank, i) => ({
    rank, part: path.part[i], site: path.site[i], from: path.from_s[i], to: path.to_s[i], isBetween: path.between_ranks[i], row: rowOf.get(String(rank)),
  }));
  let next = null;
  for (let i = steps.length - 1; i >= 0; --i) {
    steps[i].toRow = steps[i].isBetween && next ? next.row : steps[i].row;
    steps[i].toRank = steps[i].isBetween && next ? next.rank : steps[i].rank;
    if (!steps[i].isBetween) next = steps[i];
  }
  return steps;
}

// The points of the line in view, [x, y] one after the other, with a break (NaN) where it leaves the rows shown. Of what falls onto one
// pixel column the first, the highest, the lowest and the last point are kept: more would not be seen.
function pathPoints(steps, ends, view, xOf, yOf) {
  const points = [];
  let column = NaN, kept = [];
  const flush = () => {
    if (kept.length > 4) {
      const byHeight = [...kept].sort((a, b) => a[1] - b[1]);
      kept = [kept[0], byHeight[0], byHeight[byHeight.length - 1], kept[kept.length - 1]];
    }
    points.push(...kept);
    kept = [];
  };
  const add = (time, row) => {
    if (row === undefined) {
      flush();
      points.push([NaN, NaN]);
      return;
    }
    const x = xOf(time);
    if (Math.round(x) !== column) flush();
    column = Math.round(x);
    kept.push([x, yOf(row + 0.5)]);
  };
  for (let i = Math.max(0, firstFrom(ends, view.from) - 1); i < steps.length && steps[i].from <= view.to; ) {
    // Latency, transfer and sharing of a message are one line.
    let last = i;
    while (steps[i].isBetween && last + 1 < steps.length && steps[last + 1].isBetween) ++last;
    add(steps[i].from, steps[i].row);
    add(steps[last].to, steps[last].toRow);
    i = last + 1;
  }
  flush();
  return points;
}

function drawPath(context, points, colours) {
  for (const [width, colour] of [[5, colours.card], [2.5, colours.path]]) {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.lineJoin = "round";
    for (let begin = 0; begin < points.length; begin += 200) {
      context.beginPath();
      let isDown = false;
      for (let i = begin; i <= Math.min(begin + 200, points.length - 1); ++i) {
        const [x, y] = points[i];
        if (isDown && !Number.isNaN(x)) context.lineTo(x, y);
        else if (!Number.isNaN(x)) context.moveTo(x, y);
        isDown = !Number.isNaN(x);
      }
      context.stroke();
    }
  }
}

function pathStepText(step, sites) {
  const time = secondsText(step.to - step.from), site = step.site === null ? "" : sites[step.site];
  if (step.isBetween) return "critical path: a message from rank " + step.rank + (step.toRank === step.rank ? "" : " to rank " + step.toRank) + ", " + step.part + " " + time + (site ? ", of " + site : "");
  return "critical path: rank " + step.rank + ", " + step.part + " " + time + (site ? (step.part === "compute" ? " before " : " in ") + site : "") + ", from " + digits(step.from, 10) + thin + "s";
}
