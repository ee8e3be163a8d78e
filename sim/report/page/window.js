// SPDX-License-Identifier: MIT
// A window of the predicted run: a bar for each call, an arrow for each message, zoomed and moved by mouse and keys. A picture costs what the screen
// has pixels, not what the run has calls.
const windowLimits = { arrows: 3000, rowHeight: [10, 30], height: 560, left: 64, least: 1e-9 };

// The calls of each rank in their order, as numbers side by side.
function windowRows(calls) {
  const rows = new Map();
  calls.rank.forEach((rank, i) => {
    const key = rank + (calls.thread[i] ? "." + calls.thread[i] : "");
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(i);
  });
  return [...rows].sort((a, b) => Number(a[0]) - Number(b[0])).map(([name, order]) => {
    const column = (key) => Float64Array.from(order, (i) => calls[key][i]);
    return { name, order, begin: column("begin_s"), enter: column("enter_s"), end: column("end_s"), wait: column("wait_s") };
  });
}

// The first of ascending numbers, from a place on, that is not below the value.
function firstFrom(numbers, value, low = 0) {
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The parts of a call, by kind: [begin, end, top and height as shares of the row].
const windowParts = {
  compute: (row, i) => [row.begin[i], row.enter[i], 0.25, 0.5],
  communication: (row, i) => [row.enter[i], row.end[i], 0, 1],
  wait: (row, i) => [row.end[i] - row.wait[i], row.end[i], 0.15, 0.7],
};

// A row as pixels side by side, each what the rank does at its middle: for rows with more calls in view than there is room for.
function sampledRow(row, from, to, pixels, shades) {
  let i = firstFrom(row.end, from);
  for (let x = 0; x < pixels.length; ++x) {
    const time = from + ((x + 0.5) / pixels.length) * (to - from);
    if (i < row.end.length && row.end[i] < time) i = firstFrom(row.end, time, i);
    const isThere = i < row.end.length && row.begin[i] <= time;
    pixels[x] = !isThere ? 0 : shades[time < row.enter[i] ? "compute" : time >= row.end[i] - row.wait[i] ? "wait" : "communication"];
  }
}
// A colour "#rrggbb" as pixels have it.
const pixelOf = (hex) => (255 << 24) | (parseInt(hex.slice(5, 7), 16) << 16) | (parseInt(hex.slice(3, 5), 16) << 8) | parseInt(hex.slice(1, 3), 16);

function drawWindow() {
  const seen = (details.timeline || {}).window;
  const element = document.getElementById("chart-window");
  if (!seen || !element) return;
  const { calls, messages, sites } = seen, rows = windowRows(calls);
  const rowOf = new Map(rows.map((row, i) => [row.name, i]));
  const canvas = element.querySelector("canvas"), readout = element.querySelector(".readout");
  const whole = { from: seen.from_s, to: Math.max(seen.to_s, seen.from_s + windowLimits.least), top: 0 };
  const view = { ...whole };
  const rowHeight = Math.max(windowLimits.rowHeight[0], Math.min(windowLimits.rowHeight[1], windowLimits.height / rows.length));
  const height = Math.min(windowLimits.height, Math.ceil(rows.length * rowHeight));
  const width = () => canvas.clientWidth - windowLimits.left - 12;
  const xOf = (time) => windowLimits.left + ((time - view.from) / (view.to - view.from)) * width();
  const yOf = (row) => 8 + row * rowHeight - view.top;
  let pointed = null, waiting = false;

  function bars(context, colours, ratio) {
    const scale = width() / (view.to - view.from), strip = document.createElement("canvas");
    strip.width = Math.max(1, Math.round(width() * ratio));
    strip.height = 1;
    const image = strip.getContext("2d").createImageData(strip.width, 1), pixels = new Uint32Array(image.data.buffer);
    const shades = Object.fromEntries(Object.keys(windowParts).map((kind) => [kind, pixelOf(colours[kind])]));
    context.imageSmoothingEnabled = false;
    rows.forEach((row, r) => {
      const y = yOf(r);
      if (y + rowHeight < 8 || y > 8 + height) return;
      const first = firstFrom(row.end, view.from), last = firstFrom(row.begin, view.to);
      if (2 * (last - first) > width()) {
        sampledRow(row, view.from, view.to, pixels, shades);
        strip.getContext("2d").putImageData(image, 0, 0);
        context.drawImage(strip, windowLimits.left, y, width(), rowHeight - 1);
        return;
      }
      for (const [kind, part] of Object.entries(windowParts)) {
        context.fillStyle = colours[kind];
        for (let i = first; i < last; ++i) {
          const [begin, end, top, share] = part(row, i);
          if (!(end > begin)) continue;
          const x = windowLimits.left + Math.max(0, (begin - view.from) * scale);
          const wide = Math.min(width(), (end - view.from) * scale) + windowLimits.left - x;
          if (wide > 0) context.fillRect(x, y + top * rowHeight, Math.max(0.7, wide), share * rowHeight - 1);
        }
      }
    });
  }
  function arrows(context, colour) {
    const shown = [];
    for (let i = 0; i < messages.from.length && shown.length <= windowLimits.arrows; ++i)
      if (messages.received_s[i] >= view.from && messages.sent_s[i] <= view.to) shown.push(i);
    if (shown.length > windowLimits.arrows) return;
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = 1;
    for (const i of shown) {
      const from = rowOf.get(String(messages.from[i])), to = rowOf.get(String(messages.to[i]));
      if (from === undefined || to === undefined) continue;
      const x = [xOf(messages.sent_s[i]), xOf(messages.received_s[i])], y = [yOf(from + 0.5), yOf(to + 0.5)];
      const angle = Math.atan2(y[1] - y[0], x[1] - x[0]);
      context.beginPath();
      context.moveTo(x[0], y[0]);
      context.lineTo(x[1], y[1]);
      context.stroke();
      context.beginPath();
      context.moveTo(x[1], y[1]);
      for (const side of [-0.4, 0.4]) context.lineTo(x[1] - 7 * Math.cos(angle + side), y[1] - 7 * Math.sin(angle + side));
      context.fill();
    }
  }
  function draw() {
    const colours = palette(), ratio = window.devicePixelRatio || 1, tall = height + 54, unit = unitFor(view.to);
    canvas.style.height = tall + "px";
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(tall * ratio);
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.font = "13px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
    context.save();
    context.beginPath();
    context.rect(windowLimits.left, 8, width(), height);
    context.clip();
    bars(context, colours, ratio);
    arrows(context, colours.text);
    if (pointed) {
      const row = rows[pointed.row], x = Math.max(windowLimits.left, xOf(row.begin[pointed.call]));
      context.strokeStyle = colours.text;
      context.lineWidth = 2;
      context.strokeRect(x, yOf(pointed.row), Math.max(3, Math.min(xOf(row.end[pointed.call]), windowLimits.left + width()) - x), rowHeight - 1);
    }
    context.restore();
    context.fillStyle = colours.text;
    context.textBaseline = "middle";
    context.textAlign = "right";
    const every = Math.ceil(18 / rowHeight);
    rows.forEach((row, r) => {
      if (r % every === 0 && yOf(r) >= 0 && yOf(r) <= height) context.fillText((r === 0 ? "rank " : "") + row.name, windowLimits.left - 8, yOf(r + 0.5));
    });
    context.textAlign = "center";
    context.textBaseline = "top";
    const significant = Math.min(12, 3 + Math.max(0, Math.ceil(Math.log10(view.to / (view.to - view.from)))));
    for (const share of [0, 0.25, 0.5, 0.75, 1])
      context.fillText(digits((view.from + share * (view.to - view.from)) / unit.seconds, significant), Math.min(windowLimits.left + share * width(), windowLimits.left + width() - 30), height + 14);
    context.fillStyle = colours.faint;
    context.fillText("time (" + unit.name + ")", windowLimits.left + width() / 2, height + 34);
  }
  function later() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  }
  function move(time, down) {
    const span = view.to - view.from;
    view.from = Math.max(whole.from, Math.min(whole.to - span, view.from + time));
    view.to = view.from + span;
    view.top = Math.max(0, Math.min(rows.length * rowHeight - height, view.top + down));
    later();
  }
  function zoom(factor, at) {
    const span = Math.max(windowLimits.least, Math.min(whole.to - whole.from, (view.to - view.from) * factor));
    const share = (at - view.from) / (view.to - view.from);
    view.from = at - share * span;
    view.to = view.from + span;
    move(0, 0);
  }
  function say(r, i) {
    const row = rows[r], call = row.order[i], unit = unitFor(row.end[i] - row.begin[i]);
    const time = (seconds) => digits(seconds / unit.seconds, 4) + thin + unit.name;
    pointed = { row: r, call: i };
    readout.textContent = "rank " + row.name + ": " + sites[calls.site[call]] + (calls.iteration[call] === null ? "" : ", iteration " + calls.iteration[call]) +
      ": computes " + time(row.enter[i] - row.begin[i]) + ", in the call " + time(row.end[i] - row.enter[i]) + ", of that waiting " + time(row.wait[i]) +
      "; called at " + digits(row.enter[i], 10) + thin + "s" + (calls.never_ends[call] ? "; it never ends: a deadlock" : "");
    later();
  }
  // To the next call of the rank, or to the one of another rank at that time.
  function step(rowsDown, calls) {
    const from = pointed || { row: 0, call: firstFrom(rows[0].end, view.from) }, last = rows[from.row];
    const r = Math.max(0, Math.min(rows.length - 1, from.row + rowsDown)), row = rows[r];
    const near = rowsDown ? firstFrom(row.end, last.end[Math.min(from.call, last.end.length - 1)]) : from.call + (pointed ? calls : 0);
    const i = Math.max(0, Math.min(row.end.length - 1, near)), span = view.to - view.from;
    if (row.end[i] < view.from || row.begin[i] > view.to) move((row.begin[i] + row.end[i]) / 2 - span / 2 - view.from, 0);
    if (yOf(r) < 8 || yOf(r) + rowHeight > 8 + height) move(0, yOf(r) - 8 - height / 2);
    say(r, i);
  }
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons === 1) return move((-event.movementX / width()) * (view.to - view.from), -event.movementY);
    const r = Math.floor((event.offsetY - 8 + view.top) / rowHeight), time = view.from + ((event.offsetX - windowLimits.left) / width()) * (view.to - view.from);
    if (!rows[r]) return;
    const i = firstFrom(rows[r].end, time);
    if (i < rows[r].end.length && rows[r].begin[i] <= time) say(r, i);
  });
  canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(Math.exp(event.deltaY / 400), view.from + ((event.offsetX - windowLimits.left) / width()) * (view.to - view.from));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const tenth = (view.to - view.from) / 10, middle = (view.from + view.to) / 2;
    const arrows = event.shiftKey
      ? { ArrowLeft: () => move(-tenth, 0), ArrowRight: () => move(tenth, 0), ArrowUp: () => move(0, -rowHeight), ArrowDown: () => move(0, rowHeight) }
      : { ArrowLeft: () => step(0, -1), ArrowRight: () => step(0, 1), ArrowUp: () => step(-1, 0), ArrowDown: () => step(1, 0) };
    const act = {
      ...arrows,
      "+": () => zoom(0.7, middle), "-": () => zoom(1 / 0.7, middle), 0: () => { Object.assign(view, whole); later(); },
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  picture("chart-window", draw);
}
drawWindow();
