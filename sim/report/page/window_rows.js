// SPDX-License-Identifier: MIT
// The calls of a window by rank, and how long a rank computed, was in calls and waited in them up to a time: sums that are made once, so that
// any stretch of time costs two look-ups, however many calls it holds.
function windowRows(calls) {
  const rows = new Map();
  calls.rank.forEach((rank, i) => {
    const key = rank + (calls.thread[i] ? "." + calls.thread[i] : "");
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(i);
  });
  return [...rows].sort((a, b) => Number(a[0]) - Number(b[0])).map(([name, order]) => {
    const column = (key) => Float64Array.from(order, (i) => calls[key][i]);
    const row = { name, order, begin: column("begin_s"), enter: column("enter_s"), end: column("end_s"), wait: column("wait_s") };
    row.computed = summed(order.length, (i) => row.enter[i] - row.begin[i]);
    row.called = summed(order.length, (i) => row.end[i] - row.enter[i] - row.wait[i]);
    row.waited = summed(order.length, (i) => row.wait[i]);
    return row;
  });
}
// Sums of the first 0, 1, … numbers.
function summed(count, number) {
  const sums = new Float64Array(count + 1);
  for (let i = 0; i < count; ++i) sums[i + 1] = sums[i] + number(i);
  return sums;
}

// The first of ascending numbers, from a place on, that is not below the value: looked for near the place first.
function firstFrom(numbers, value, low = 0) {
  let high = low, step = 1;
  while (high < numbers.length && numbers[high] < value) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, numbers.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// SHARES: for each of COUNT equal stretches from FROM to TO the shares of computing, calls and waiting, three numbers side by side.
function rowShares(row, from, to, count, shares) {
  const wide = (to - from) / count;
  let i = firstFrom(row.end, from), computed = 0, called = 0, waited = 0;
  for (let x = 0; x <= count; ++x) {
    const time = from + x * wide;
    i = firstFrom(row.end, time, i);
    let c = row.computed[i], m = row.called[i], w = row.waited[i];
    if (i < row.end.length && time > row.begin[i]) {
      const waits = row.end[i] - row.wait[i];
      c += Math.min(time, row.enter[i]) - row.begin[i];
      m += Math.max(0, Math.min(time, waits) - row.enter[i]);
      w += Math.max(0, time - waits);
    }
    if (x > 0) {
      const at = 3 * (x - 1);
      shares[at] = Math.max(0, Math.min(1, (c - computed) / wide));
      shares[at + 1] = Math.max(0, Math.min(1, (m - called) / wide));
      shares[at + 2] = Math.max(0, Math.min(1, (w - waited) / wide));
    }
    computed = c;
    called = m;
    waited = w;
  }
}
