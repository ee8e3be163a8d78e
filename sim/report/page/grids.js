// SPDX-License-Identifier: MIT
// Who talks to whom, and what ranks do when: by hand on canvases, because they may have thousands of cells. A cell can be pointed at, or
// walked to with the arrow keys; what it holds is said below.
const details = results.baseline_details || {};
const rankText = (first, at) => (first[at + 1] - first[at] === 1 ? "rank " + first[at] : "ranks " + first[at] + "–" + (first[at + 1] - 1));

// SPAN: how much wider than the frame all columns are, where the last one is cut. PAINT(context, x, y, width, height, row, column, colours): one cell. SAY(row, column): its text.
function canvasGrid(id, what) {
  let cursor = null;
  const element = document.getElementById(id);
  if (!element) return;
  const canvas = element.querySelector("canvas"), readout = element.querySelector(".readout");
  const box = () => ({ left: what.left, top: 8, width: canvas.clientWidth - what.left - 12, height: what.height(canvas.clientWidth - what.left - 12) });
  function draw() {
    const colours = palette(), area = box(), scale = window.devicePixelRatio || 1;
    canvas.style.height = area.height + area.top + 46 + "px";
    canvas.width = Math.round(canvas.clientWidth * scale);
    canvas.height = Math.round((area.height + area.top + 46) * scale);
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.font = "13px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
    const cellWidth = (area.width * (what.span || 1)) / what.columns, cellHeight = area.height / what.rows, gap = cellHeight > 7 ? 1 : 0;
    context.save();
    context.beginPath();
    context.rect(area.left, area.top, area.width, area.height);
    context.clip();
    for (let row = 0; row < what.rows; ++row)
      for (let column = 0; column < what.columns; ++column)
        what.paint(context, area.left + column * cellWidth, area.top + row * cellHeight, cellWidth + (what.hasGaps ? -gap : 0.3), cellHeight - gap, row, column, colours);
    context.restore();
    context.fillStyle = colours.text;
    context.textBaseline = "middle";
    context.textAlign = "right";
    const every = Math.ceil(18 / cellHeight);
    for (let row = 0; row < what.rows; row += every) context.fillText(what.rowLabel(row), area.left - 8, area.top + (row + 0.5) * cellHeight);
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const [position, text] of what.ticks(cellWidth)) context.fillText(text, Math.min(area.left + position * area.width, area.left + area.width - 14), area.top + area.height + 6);
    context.fillStyle = colours.faint;
    context.fillText(what.axis, area.left + area.width / 2, area.top + area.height + 26);
    if (!cursor) return;
    context.strokeStyle = colours.text;
    context.lineWidth = 2;
    context.strokeRect(area.left + cursor[1] * cellWidth, area.top + cursor[0] * cellHeight, Math.max(4, cellWidth), Math.max(4, cellHeight));
  }
  function point(row, column) {
    cursor = [Math.max(0, Math.min(what.rows - 1, row)), Math.max(0, Math.min(what.columns - 1, column))];
    readout.textContent = what.say(cursor[0], cursor[1]);
    draw();
  }
  canvas.addEventListener("mousemove", (event) => {
    const area = box(), x = event.offsetX - area.left, y = event.offsetY - area.top;
    if (x >= 0 && y >= 0 && x < area.width && y < area.height) point(Math.floor((y / area.height) * what.rows), Math.floor((x / area.width / (what.span || 1)) * what.columns));
  });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    point(cursor ? cursor[0] + step[0] : 0, cursor ? cursor[1] + step[1] : 0);
  });
  picture(id, draw);
}

function mixed(ramp, share) {
  const at = Math.min(ramp.length - 1.0001, Math.max(0, share) * (ramp.length - 1)), low = Math.floor(at);
  const part = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  return "rgb(" + [0, 1, 2].map((i) => Math.round(part(ramp[low], i) + (at - low) * (part(ramp[low + 1], i) - part(ramp[low], i)))).join(",") + ")";
}

// The colours of a matrix of bytes span a factor of two or more, so that differences of some percent look alike: from where on, to where, and the
// share of the ramp of a number of bytes above none.
function matrixColours(bytes) {
  const most = Math.max(...bytes.flat()), least = Math.min(...bytes.flat().filter((b) => b > 0), most), palest = Math.min(least, most / 2);
  return { palest, most, share: (b) => 0.15 + (0.85 * Math.log(b / palest)) / Math.log(most / palest) };
}

function drawMatrix() {
  const matrix = details.matrix;
  if (!matrix || !matrix.bytes || !matrix.bytes.length) return;
  const size = matrix.bytes.length, first = matrix.first_ranks, { palest, most, share } = matrixColours(matrix.bytes);
  document.getElementById("matrix-range").textContent = most > 0 ? bytesText(palest) + " to " + bytesText(most) : "nothing";
  picture("matrix-ramp", (element, colours) => { element.style.background = "linear-gradient(90deg," + colours.ramp.join(",") + ")"; });
  canvasGrid("chart-matrix", {
    rows: size, columns: size, left: 64, hasGaps: true, height: (width) => Math.min(width, 560), axis: "to rank",
    rowLabel: (row) => (row === 0 ? "from " : "") + first[row],
    ticks: (cell) => Array.from({ length: size }, (_, i) => i).filter((i) => i % Math.ceil(30 / cell) === 0).map((i) => [(i + 0.5) / size, String(first[i])]),
    paint: (context, x, y, width, height, row, column, colours) => {
      const bytes = matrix.bytes[row][column];
      context.fillStyle = bytes > 0 ? mixed(colours.ramp, share(bytes)) : colours.line;
      context.globalAlpha = bytes > 0 ? 1 : 0.35;
      context.fillRect(x, y, width, height);
      context.globalAlpha = 1;
    },
    say: (row, column) => rankText(first, row) + " to " + rankText(first, column) + ": " +
      (matrix.bytes[row][column] > 0 ? bytesText(matrix.bytes[row][column]) + " in " + wholeText(matrix.messages[row][column]) + " messages" : "nothing"),
  });
}

function drawTimeLine() {
  const line = details.timeline;
  if (!line || !line.compute || !line.compute.length) return;
  const rows = line.compute.length, first = line.first_ranks, all = line.bin_s * line.compute[0].length, end = Math.min((details.critical_path || {}).time_s || all, all);
  const columns = Math.ceil((end / line.bin_s) * (1 - 1e-9)), whole = line.bin_s * columns, unit = unitFor(end);
  canvasGrid("chart-timeline", {
    rows, columns, span: whole / end, left: 64, hasGaps: false, height: () => Math.max(60, Math.min(560, rows * 30)), axis: "time (" + unit.name + ")",
    rowLabel: (row) => (row === 0 ? "rank " : "") + first[row],
    ticks: () => [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => [share, digits((share * end) / unit.seconds, 3)]),
    paint: (context, x, y, width, height, row, column, colours) => {
      let bottom = y + height;
      for (const [key] of parts) {
        const part = height * Math.min(1, line[key][row][column] * (column === columns - 1 ? line.bin_s / (end - column * line.bin_s) : 1));
        context.fillStyle = colours[key];
        context.fillRect(x, bottom - part, width, part);
        bottom -= part;
      }
    },
    say: (row, column) => rankText(first, row) + ", " + digits((column * line.bin_s) / unit.seconds, 4) + " to " + digits(Math.min(end, (column + 1) * line.bin_s) / unit.seconds, 4) + thin + unit.name + ": " +
      parts.map(([key, title]) => title + " " + percentText(line[key][row][column])).join(", "),
  });
}
drawMatrix();
drawTimeLine();
