// SPDX-License-Identifier: MIT
// The window of the predicted run under the reader's hands: zoomed and moved by mouse and keys, each call and each step of the critical path told in words.
function drawWindow() {
  const seen = (details.timeline || {}).window, element = document.getElementById("chart-window");
  if (!seen || !element) return;
  const { calls, messages, sites } = seen, rows = windowRows(calls), rowOf = new Map(rows.map((row, i) => [row.name, i]));
  const inner = calls.inner_iterations, steps = windowPath(seen.path, rowOf);
  const canvas = element.querySelector("canvas"), readout = element.querySelector(".readout");
  const drawing = windowPicture(canvas, { rows, rowOf, messages, steps, calls, sites }), { size, stepEnds } = drawing, { rowHeight } = size;
  const whole = { from: seen.from_s, to: Math.max(seen.to_s, seen.from_s + windowLimits.least), top: 0 };
  const view = { ...whole };
  const switches = { messages: document.getElementById("window-messages"), path: document.getElementById("window-path") };
  let pointed = null, step = -1, isWaiting = false;

  function draw() {
    drawing.draw(view, pointed, { messages: !switches.messages || switches.messages.checked, path: !switches.path || switches.path.checked });
  }
  function later() {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; draw(); });
  }
  function move(time, down) {
    const span = view.to - view.from;
    view.from = Math.max(whole.from, Math.min(whole.to - span, view.from + time));
    view.to = view.from + span;
    view.top = Math.max(0, Math.min(rows.length * rowHeight - size.height, view.top + down));
    later();
  }
  function zoom(factor, at) {
    const span = Math.max(windowLimits.least, Math.min(whole.to - whole.from, (view.to - view.from) * factor));
    const share = (at - view.from) / (view.to - view.from);
    view.from = at - share * span;
    view.to = view.from + span;
    move(0, 0);
  }
  const timeAt = (x) => view.from + ((x - windowLimits.left) / size.width) * (view.to - view.from);
  // Moves so that a stretch of a row can be seen.
  function reveal(row, from, to) {
    const span = view.to - view.from, y = row * rowHeight - view.top;
    if (to < view.from || from > view.to) move((from + to) / 2 - span / 2 - view.from, 0);
    if (y < 0 || y + rowHeight > size.height) move(0, y - size.height / 2);
  }
  // For how long the path is on a rank between two times.
  function onPath(name, from, to) {
    let sum = 0;
    for (let i = firstFrom(stepEnds, from); i < steps.length && steps[i].from < to; ++i)
      if (!steps[i].isBetween && String(steps[i].rank) === name) sum += Math.max(0, Math.min(to, steps[i].to) - Math.max(from, steps[i].from));
    return sum;
  }
  function say(r, i) {
    const row = rows[r], call = row.order[i], unit = unitFor(row.end[i] - row.begin[i]), along = onPath(row.name, row.begin[i], row.end[i]);
    const time = (seconds) => digits(seconds / unit.seconds, 4) + thin + unit.name;
    pointed = { row: r, call: i };
    readout.textContent = "rank " + row.name + ": " + sites[calls.site[call]] + (calls.iteration[call] === null ? "" : ", iteration " + [calls.iteration[call], ...inner[call]].join("/")) +
      ": computes " + time(row.enter[i] - row.begin[i]) + ", in the call " + time(row.end[i] - row.enter[i]) + ", of that waiting " + time(row.wait[i]) +
      (along > 0 ? "; on the critical path for " + time(along) : "") +
      "; called at " + digits(row.enter[i], 10) + thin + "s" + (calls.never_ends[call] ? "; it never ends: a deadlock" : "");
    later();
  }
  // To the next call of the rank, or to the one of another rank at that time.
  function stepCalls(rowsDown, calls) {
    const from = pointed || { row: 0, call: firstFrom(rows[0].end, view.from) }, last = rows[from.row];
    const r = Math.max(0, Math.min(rows.length - 1, from.row + rowsDown)), row = rows[r];
    const near = rowsDown ? firstFrom(row.end, last.end[Math.min(from.call, last.end.length - 1)]) : from.call + (pointed ? calls : 0);
    const i = Math.max(0, Math.min(row.end.length - 1, near));
    reveal(r, row.begin[i], row.end[i]);
    say(r, i);
  }
  // Along the critical path, from what is pointed at or in view.
  function stepPath(by) {
    if (steps.length === 0) return;
    const start = pointed ? rows[pointed.row].begin[pointed.call] : view.from;
    step = step < 0 ? firstFrom(stepEnds, start) : step + by;
    step = Math.max(0, Math.min(steps.length - 1, step));
    const at = steps[step], r = at.row === undefined ? 0 : at.row, i = Math.min(firstFrom(rows[r].end, (at.from + at.to) / 2), rows[r].end.length - 1);
    reveal(r, at.from, at.to);
    pointed = at.row === undefined ? null : { row: r, call: i };
    readout.textContent = "rank " + at.rank + ", " + pathStepText(at, sites) + " (step " + (step + 1) + " of " + steps.length + ")";
    later();
  }
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons === 1) return move((-event.movementX / size.width) * (view.to - view.from), -event.movementY);
    const r = Math.floor((event.offsetY - windowLimits.top + view.top) / rowHeight), time = timeAt(event.offsetX);
    if (!rows[r] || event.offsetY > windowLimits.top + size.height) return;
    const i = firstFrom(rows[r].end, time);
    if (i >= rows[r].end.length || rows[r].begin[i] > time || (pointed && pointed.row === r && pointed.call === i)) return;
    step = -1;
    say(r, i);
  });
  canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(Math.exp(event.deltaY / 400), timeAt(event.offsetX));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const tenth = (view.to - view.from) / 10, middle = (view.from + view.to) / 2;
    const arrows = event.shiftKey
      ? { ArrowLeft: () => move(-tenth, 0), ArrowRight: () => move(tenth, 0), ArrowUp: () => move(0, -rowHeight), ArrowDown: () => move(0, rowHeight) }
      : { ArrowLeft: () => stepCalls(0, -1), ArrowRight: () => stepCalls(0, 1), ArrowUp: () => stepCalls(-1, 0), ArrowDown: () => stepCalls(1, 0) };
    const act = {
      ...arrows, n: () => stepPath(1), p: () => stepPath(-1),
      "+": () => zoom(0.7, middle), "-": () => zoom(1 / 0.7, middle), 0: () => { Object.assign(view, whole); later(); },
    }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.key.startsWith("Arrow")) step = -1;
    act();
  });
  for (const one of Object.values(switches)) if (one) one.addEventListener("change", later);
  picture("chart-window", () => { drawing.measure(); draw(); });
}
drawWindow();
