// SPDX-License-Identifier: MIT
// How the speed-up changes along axes of numbers: curves, and a map over two of them.
const numeric = varying.filter(isNumeric);
const like = baseline || done[0];
const agrees = (point, except) => axes.every((axis, i) => except.includes(i) || point.labels[axis.name] === like.labels[axis.name]);

function drawHeatMap() {
  if (numeric.length < 2 || !like) return;
  const [across, down] = numeric;
  const cells = done.filter((p) => agrees(p, [across, down]) && p.speedup > 0).sort((a, b) => isBaseline(a) - isBaseline(b));  // its frame above the others
  const value = (p) => [axes[across].labels.findIndex((l) => l === p.labels[axes[across].name]), axes[down].labels.findIndex((l) => l === p.labels[axes[down].name]), p.speedup];
  const speeds = cells.map((p) => p.speedup);
  const least = Math.min(...speeds), most = Math.max(...speeds);
  chart("chart-heat", 110 + 56 * axes[down].labels.length, (colours) => ({
    grid: { left: 16, right: 16, top: 46, bottom: 56 },
    tooltip: { formatter: (row) => "<b>" + escaped(nameOf(cells[row.dataIndex])) + "</b><br>" + timesText(cells[row.dataIndex].speedup) + " the baseline's speed<br>run time " + secondsText(timeOf(cells[row.dataIndex])) },
    xAxis: Object.assign(axisStyle(colours), { type: "category", data: axes[across].labels.map(String), name: axes[across].name, nameLocation: "middle", nameGap: 30, position: "top", splitArea: { show: false } }),
    yAxis: Object.assign(axisStyle(colours), { type: "category", inverse: true, data: axes[down].labels.map(String), name: axes[down].name, nameLocation: "middle", nameRotate: 90, nameGap: 52 }),
    visualMap: { min: least, max: most > least ? most : least + 1, calculable: false, orient: "horizontal", left: "center", bottom: 4, inRange: { color: colours.ramp },
      text: [timesText(most), timesText(least)], textStyle: { color: colours.text, fontSize: 13 }, itemHeight: 160, itemWidth: 12 },
    series: [{ type: "heatmap", data: cells.map((p) => {
      const share = most > least ? (p.speedup - least) / (most - least) : 0;
      const onDark = isDark() ? share < 0.75 : share > 0.5;
      return { value: value(p), itemStyle: { borderColor: isBaseline(p) ? colours.text : colours.card, borderWidth: isBaseline(p) ? 3 : 2 },
        label: { color: onDark ? "#fff" : "#10151b", fontWeight: isBaseline(p) ? "bold" : "normal" } };
    }), label: { show: true, fontSize: 14, lineHeight: 19, formatter: (row) => timesText(row.value[2]) + (isBaseline(cells[row.dataIndex]) ? "\nbaseline" : "") } }],
  }));
}

function withBaseline(bands, isFirst, colours) {
  if (isFirst)
    bands.data.push({ yAxis: 1, symbol: "none", lineStyle: { color: colours.faint, type: "dashed", width: 1 }, label: { show: true, formatter: "baseline", position: "insideEndTop", color: colours.faint } });
  return bands;
}

function drawCurves() {
  if (numeric.length === 0 || !like) return;
  const across = numeric[0], others = varying.filter((i) => i !== across);
  const factors = factorsOf(axes[across]), times = axes[across].path || /[x×]/.test(axes[across].labels[0]) ? "× " : "";
  const groups = new Map();
  for (const point of done) {
    if (!(point.speedup > 0)) continue;
    const name = others.map((i) => (numeric.includes(i) ? axes[i].name + " " : "") + labelOf(point, i)).join(", ") || "speed-up";
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push([factors[axes[across].labels.findIndex((l) => l === point.labels[axes[across].name])], point.speedup, point]);
  }
  const lines = [...groups.entries()].sort((a, b) => Math.max(...b[1].map((v) => v[1])) - Math.max(...a[1].map((v) => v[1]))).slice(0, 8);
  for (const [, values] of lines) values.sort((a, b) => a[0] - b[0]);
  const symbols = ["circle", "rect", "triangle", "diamond", "emptyCircle", "emptyRect", "emptyTriangle", "emptyDiamond"], strokes = ["solid", "dashed", "dotted"];
  // As many digits as tell the axis' numbers apart.
  const speeds = lines.flatMap(([, values]) => values.map((value) => value[1])), most = Math.max(...speeds), spread = most - Math.min(...speeds);
  const figures = spread > 0 ? Math.max(3, Math.min(7, 2 - Math.floor(Math.log10(spread / most)))) : 3;
  const isLog = Math.min(...factors) > 0 && Math.max(...factors) / Math.min(...factors) >= 4;
  chart("chart-curves", 380, (colours) => ({
    legend: Object.assign(legendStyle(colours), { type: "plain", itemWidth: 34 }),
    grid: { left: 16, right: 24, top: 52 + 22 * Math.ceil(lines.length / Math.max(1, Math.min(4, Math.floor(widthOf("chart-curves") / 150)))), bottom: 40 },
    tooltip: { trigger: "item", formatter: (row) => "<b>" + escaped(nameOf(row.value[2])) + "</b><br>" + timesText(row.value[1]) + " the baseline's speed<br>run time " + secondsText(timeOf(row.value[2])) },
    xAxis: Object.assign(axisStyle(colours), { type: isLog ? "log" : "value", logBase: 2, name: axes[across].name + (times ? " (factor)" : ""), nameLocation: "middle", nameGap: 30,
      min: Math.min(...factors), max: Math.max(...factors), axisLabel: { color: colours.text, fontSize: 13, formatter: (value) => times + short(value) } }),
    yAxis: Object.assign(axisStyle(colours), { type: "value", name: "speed-up", scale: true, axisLabel: { color: colours.text, fontSize: 13, formatter: (value) => spaced(String(Number(value.toPrecision(figures)))) + thin + "×" } }),
    series: lines.map(([name, values], i) => ({
      type: "line", name, data: values, symbol: symbols[i % symbols.length], symbolSize: 10,
      lineStyle: { color: colours.series[i], width: 2.5, type: strokes[i % strokes.length] }, itemStyle: { color: colours.series[i] },
      markLine: withBaseline(bandLines(values, (value) => speedUpBandOf(value[2]), ([low, high], at) => [[values[at][0], low], [values[at][0], high]], colours.series[i]), i === 0, colours),
    })),
  }));
}
drawHeatMap();
drawCurves();
