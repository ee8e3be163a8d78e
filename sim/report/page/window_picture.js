// SPDX-License-Identifier: MIT
// A window of the predicted run as a picture: a row for each rank, an arrow for each message, the critical path. A picture costs what the screen has
// pixels, not what the run has calls: each pixel of a row is mixed of the shares of what the rank does in its time, so that nothing flickers or vanishes
// where calls are shorter than pixels. Nothing is asked of the page while one is drawn: its size and colours are told before.
const windowLimits = { arrows: 2000, labels: 300, rowHeight: [10, 30], height: 560, left: 64, right: 12, top: 8, bottom: 46, least: 1e-9 };

// Red, green and blue of a colour "#rrggbb".
const channelsOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
// Pixels of all mixtures of computing, calls and waiting, in steps of a 32nd: that of shares [c, m, w] stands at mixtureAt(c, m, w). Where they are less than
// 1 together it is as much transparent.
const mixtureSteps = 32;
const mixtureAt = (c, m, w) => (((c * mixtureSteps + 0.5) | 0) * (mixtureSteps + 1) + ((m * mixtureSteps + 0.5) | 0)) * (mixtureSteps + 1) + ((w * mixtureSteps + 0.5) | 0);
function mixturesOf(colours) {
  const [compute, communication, wait] = ["compute", "communication", "wait"].map((kind) => channelsOf(colours[kind]));
  const pixels = new Uint32Array((mixtureSteps + 1) ** 3);
  for (let c = 0, at = 0; c <= mixtureSteps; ++c)
    for (let m = 0; m <= mixtureSteps; ++m)
      for (let w = 0; w <= mixtureSteps; ++w, ++at) {
        const all = c + m + w;
        if (all === 0) continue;
        const channel = (i) => Math.round((c * compute[i] + m * communication[i] + w * wait[i]) / all);
        pixels[at] = ((Math.round(255 * Math.min(1, all / mixtureSteps)) << 24) | (channel(2) << 16) | (channel(1) << 8) | channel(0)) >>> 0;
      }
  return pixels;
}

// SEEN: {rows, rowOf, messages, steps, calls, sites}. Draws what VIEW = {from, to, top} shows.
function windowPicture(canvas, seen) {
  const context = canvas.getContext("2d"), { rows, rowOf, messages, steps } = seen;
  // As they were received; none is under way for longer than the longest.
  const received = Float64Array.from(messages.received_s), longest = messages.sent_s.reduce((most, sent, i) => Math.max(most, received[i] - sent), 0);
  const stepEnds = Float64Array.from(steps, (step) => step.to);
  const rowHeight = Math.max(windowLimits.rowHeight[0], Math.min(windowLimits.rowHeight[1], windowLimits.height / rows.length));
  const size = { rowHeight, height: Math.min(windowLimits.height, Math.ceil(rows.length * rowHeight)), width: 0, ratio: 1 };
  let colours = null, mixtures = null, image = null, pixels = null, shares = null;

  // Reads the page: when its width, its colours or the medium change.
  function measure() {
    colours = palette();
    mixtures = mixturesOf(colours);
    size.ratio = window.devicePixelRatio || 1;
    const all = canvas.clientWidth, tall = size.height + windowLimits.top + windowLimits.bottom;
    size.width = Math.max(40, all - windowLimits.left - windowLimits.right);
    canvas.style.height = tall + "px";
    canvas.width = Math.round(all * size.ratio);
    canvas.height = Math.round(tall * size.ratio);
    image = context.createImageData(Math.round(size.width * size.ratio), Math.max(1, Math.round(size.height * size.ratio)));
    pixels = new Uint32Array(image.data.buffer);
    shares = new Float64Array(3 * image.width);
  }
  const xIn = (view) => (time) => windowLimits.left + ((time - view.from) / (view.to - view.from)) * size.width;
  const yIn = (view) => (row) => windowLimits.top + row * rowHeight - view.top;

  // Computing fills half of a row's height, calls all of it, waiting in them more than half.
  function bars(view) {
    pixels.fill(0);
    const tall = rowHeight * size.ratio;
    for (let r = Math.floor(view.top / rowHeight); r < rows.length && r * rowHeight - view.top < size.height; ++r) {
      const top = (r * rowHeight - view.top) * size.ratio, begin = Math.max(0, Math.round(top)), end = Math.min(image.height, Math.round(top + tall) - 1);
      if (end <= begin) continue;
      rowShares(rows[r], view.from, view.to, image.width, shares);
      const lines = [null, null, null]; // where the outer, the middle and the inner part of the row are drawn first
      for (let y = begin; y < end; ++y) {
        const place = Math.abs((y + 0.5 - top) / (tall - 1) - 0.5), kind = place > 0.35 ? 0 : place > 0.25 ? 1 : 2, start = y * image.width;
        if (lines[kind] !== null) {
          pixels.copyWithin(start, lines[kind], lines[kind] + image.width);
          continue;
        }
        lines[kind] = start;
        for (let x = 0; x < image.width; ++x) {
          const c = shares[3 * x], m = shares[3 * x + 1], w = shares[3 * x + 2];
          pixels[start + x] = mixtures[kind === 0 ? mixtureAt(0, Math.min(1, m + w), 0) : kind === 1 ? mixtureAt(0, m, w) : mixtureAt(c, m, w)];
        }
      }
    }
    context.putImageData(image, Math.round(windowLimits.left * size.ratio), Math.round(windowLimits.top * size.ratio));
  }
  function arrows(view) {
    const shown = [], x = xIn(view), y = yIn(view);
    for (let i = firstFrom(received, view.from); i < received.length && received[i] - longest <= view.to; ++i)
      if (messages.sent_s[i] <= view.to && shown.push(i) > windowLimits.arrows) return;
    context.strokeStyle = context.fillStyle = colours.text;
    context.lineWidth = 1;
    for (const i of shown) {
      const from = rowOf.get(String(messages.from[i])), to = rowOf.get(String(messages.to[i]));
      if (from === undefined || to === undefined) continue;
      const a = x(messages.sent_s[i]), b = x(messages.received_s[i]), c = y(from + 0.5), d = y(to + 0.5), angle = Math.atan2(d - c, b - a);
      context.beginPath();
      context.moveTo(a, c);
      context.lineTo(b, d);
      context.stroke();
      context.beginPath();
      context.moveTo(b, d);
      for (const side of [-0.4, 0.4]) context.lineTo(b - 7 * Math.cos(angle + side), d - 7 * Math.sin(angle + side));
      context.fill();
    }
  }
  // The names of calls that have room for them.
  function names(view) {
    if (rowHeight < 14) return;
    const x = xIn(view), y = yIn(view), shown = [];
    for (let r = Math.floor(view.top / rowHeight); r < rows.length && y(r) < windowLimits.top + size.height; ++r) {
      const row = rows[r], first = firstFrom(row.end, view.from), last = firstFrom(row.begin, view.to, first);
      if (last - first > size.width / 4) continue;
      for (let i = first; i < last; ++i) {
        const left = Math.max(windowLimits.left, x(row.enter[i])), right = Math.min(windowLimits.left + size.width, x(row.end[i]));
        if (right - left > 90) shown.push([seen.sites[seen.calls.site[row.order[i]]].split(" ")[0], left + 5, y(r + 0.5), right - left - 8]);
      }
    }
    if (shown.length > windowLimits.labels) return;
    context.fillStyle = colours.onBars;
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (const [text, left, middle, room] of shown) context.fillText(text, left, middle, room);
  }
  function axes(view) {
    context.fillStyle = colours.text;
    context.textBaseline = "middle";
    context.textAlign = "right";
    const every = Math.ceil(18 / rowHeight), y = yIn(view), unit = unitFor(view.to), right = windowLimits.left + size.width;
    rows.forEach((row, r) => {
      if (r % every === 0 && y(r) >= 0 && y(r + 1) <= windowLimits.top + size.height + 1) context.fillText((r === 0 ? "rank " : "") + row.name, windowLimits.left - 8, y(r + 0.5));
    });
    context.textBaseline = "top";
    const significant = Math.min(12, 3 + Math.max(0, Math.ceil(Math.log10(view.to / (view.to - view.from)))));
    const marks = size.width > 460 ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.5, 1];
    for (const share of marks) {
      context.textAlign = share === 0 ? "left" : share === 1 ? "right" : "center";
      context.fillText(digits((view.from + share * (view.to - view.from)) / unit.seconds, significant), windowLimits.left + share * (right - windowLimits.left), size.height + windowLimits.top + 6);
    }
    context.textAlign = "center";
    context.fillStyle = colours.faint;
    context.fillText("time (" + unit.name + ")", windowLimits.left + size.width / 2, size.height + windowLimits.top + 26);
  }
  // POINTED: {row, call} or null. SHOWN: {messages, path}.
  function draw(view, pointed, shown) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    bars(view);
    context.scale(size.ratio, size.ratio);
    context.font = "13px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
    context.save();
    context.beginPath();
    context.rect(windowLimits.left, windowLimits.top, size.width, size.height);
    context.clip();
    names(view);
    if (shown.messages) arrows(view);
    if (shown.path) drawPath(context, pathPoints(steps, stepEnds, view, xIn(view), yIn(view)), colours);
    if (pointed) {
      const row = rows[pointed.row], x = xIn(view), left = Math.max(windowLimits.left, x(row.begin[pointed.call]));
      context.strokeStyle = colours.text;
      context.lineWidth = 2;
      context.strokeRect(left, yIn(view)(pointed.row), Math.max(3, Math.min(x(row.end[pointed.call]), windowLimits.left + size.width) - left), rowHeight - 1);
    }
    context.restore();
    axes(view);
  }
  return { size, measure, draw, stepEnds };
}
