// SPDX-License-Identifier: MIT
// What each point's run time is made of; what the run time depends on.
const shown = done.filter((point, i) => i < 40 || point === baseline);

// A bar is as long as the run time; its parts are shares of a rank's time on average.
const wholeOf = (point) => parts.reduce((sum, [key]) => sum + (point[key + "_s"] || 0), 0);
const shareOf = (point, key) => (wholeOf(point) > 0 ? (point[key + "_s"] || 0) / wholeOf(point) : 0);

function drawRunTimes() {
  const unit = unitFor(shown.length ? timeOf(shown[0]) : 1);
  const inUnit = (value) => digits(value / unit.seconds, 4) + thin + unit.name;
  // Labels are broken into lines, and rows are as high as the longest label needs: some 7 pixels a character.
  const labels = shown.map((p) => nameOf(p) + (isBaseline(p) ? " (baseline)" : ""));
  const labelWidth = Math.min(300, 0.35 * root.clientWidth), lines = Math.max(1, ...labels.map((label) => Math.ceil(7 * label.length / labelWidth)));
  chart("chart-run-time", 70 + Math.max(30, 10 + 14 * lines) * shown.length, (colours) => {
    const patterns = decals(colours.veil);
    const bands = bandLines(shown, bandOf, ([low, high], i) => [[low / unit.seconds, i], [high / unit.seconds, i]], colours.text);
    const isNarrow = widthOf("chart-run-time") < 560;
    const names = { type: "category", inverse: true };
    return {
      legend: Object.assign(legendStyle(colours), { data: parts.map((p) => p[1]) }),
      grid: { left: 8, right: 8, top: 34, bottom: 30 },
      tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, formatter: (rows) => {
        const point = shown[rows[0].dataIndex], band = bandOf(point);
        return "<b>" + escaped(nameOf(point)) + "</b><br>run time " + secondsText(timeOf(point)) +
          (band ? "<br>" + bandName + " " + inUnit(band[0]) + " – " + inUnit(band[1]) : "") +
          parts.map(([key, title]) => "<br>" + title + " " + percentText(shareOf(point, key))).join("");
      } },
      xAxis: Object.assign(axisStyle(colours), { type: "value", name: "run time (" + unit.name + ")", nameLocation: "middle", nameGap: 28,
        axisLabel: { color: colours.text, fontSize: 13, formatter: short, hideOverlap: true } }),
      yAxis: [Object.assign(axisStyle(colours), names, { data: labels,
        axisLabel: isNarrow ? { color: colours.text, fontSize: 11, lineHeight: 13, width: 0.4 * root.clientWidth, overflow: "break" }
          : { color: colours.text, fontSize: 13, lineHeight: 14, width: labelWidth, overflow: "break" } }),
      Object.assign(axisStyle(colours), names, { position: "right", data: shown.map((p) => inUnit(timeOf(p))), axisLine: { show: false }, splitLine: { show: false } })],
      // The last one is not seen; the axis reaches as far as the bands.
      series: [...parts.map(([key, title], i) => ({
        type: "bar", stack: "time", name: title, barMaxWidth: 18, data: shown.map((p) => (shareOf(p, key) * timeOf(p)) / unit.seconds),
        itemStyle: { color: colours[key], decal: patterns[key] }, z: 2 + i, markLine: i < 2 ? undefined : bands,
      })), { type: "line", silent: true, symbol: "none", lineStyle: { opacity: 0 }, data: shown.map((p) => (bandOf(p) || [0, timeOf(p)])[1] / unit.seconds) }],
    };
  });
}

const parameterNames = { latency: "latency of the network", bandwidth: "bandwidth of the network", compute: "time for computing" };
function drawTornado() {
  const choice = document.getElementById("tornado-point");
  // Results of earlier versions have them under `sensitivities`.
  const tolerancesOf = (p) => p.tolerances || (p.sensitivities || []).filter((s) => "costs_5_percent_at" in s);
  const known = done.filter((p) => tolerancesOf(p).length);
  if (!choice || known.length === 0) return;
  known.forEach((p, i) => choice.add(new Option(nameOf(p) + (isBaseline(p) ? " (baseline)" : ""), i, isBaseline(p), isBaseline(p))));
  chart("chart-tornado", 270, (colours) => {
    const rows = tolerancesOf(known[choice.value || 0]).map((s) => {
      const growing = Math.pow(1.1, s.elasticity) - 1, shrinking = Math.pow(0.9, s.elasticity) - 1;
      return { name: parameterNames[s.parameter] || s.parameter, worse: s.parameter === "bandwidth" ? shrinking : growing,
        better: s.parameter === "bandwidth" ? growing : shrinking, limit: s.costs_5_percent_at };
    }).sort((a, b) => Math.abs(b.worse) - Math.abs(a.worse));
    const furthest = roundUp((widthOf("chart-tornado") < 600 ? 230 : 150) * Math.max(0.01, ...rows.map((r) => Math.max(Math.abs(r.better), Math.abs(r.worse)))));
    const series = (key, title, colour, decal, side) => ({
      type: "bar", name: title, stack: "change", barMaxWidth: 26, data: rows.map((r) => 100 * r[key]), itemStyle: { color: colour, decal },
      label: { show: true, position: side, color: colours.text, fontSize: 13, formatter: (row) => (Math.abs(row.value) < 0.05 ? "≈ 0" : (row.value > 0 ? "+" : "") + digits(row.value, 2)) + thin + "%" },
    });
    return {
      legend: legendStyle(colours),
      grid: { left: 8, right: 24, top: 34, bottom: 30 },
      tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, formatter: (list) => {
        const row = rows[list[0].dataIndex];
        return "<b>" + row.name + "</b><br>" + (row.limit ? "5 % slower from × " + digits(row.limit, 3) : "even × 1024 costs less than 5 %");
      } },
      xAxis: Object.assign(axisStyle(colours), { type: "value", min: -furthest, max: furthest, interval: furthest / 2, name: "change of the run time (%)", nameLocation: "middle", nameGap: 28,
        axisLabel: { color: colours.text, fontSize: 13, formatter: short } }),
      yAxis: Object.assign(axisStyle(colours), { type: "category", inverse: true, data: rows.map((r) => r.name + (r.limit ? "\n5 % slower from × " + digits(r.limit, 3) : "\nnever costs 5 %")),
        axisLabel: { color: colours.text, fontSize: 13, lineHeight: 18 } }),
      series: [series("better", "10 % better", colours.better, "none", "left"),
        series("worse", "10 % worse", colours.worse, decals(colours.veil).communication, "right")],
    };
  });
  choice.addEventListener("change", redraw);
}
drawRunTimes();
drawTornado();
