// SPDX-License-Identifier: MIT
// The results, and the frames that hold pictures: drawn anew when the theme, the width or the medium changes.
const results = JSON.parse(document.getElementById("results").textContent);
const study = results.study || {};
const axes = study.axes || [];
const varying = axes.map((axis, i) => i).filter((i) => axes[i].labels.length > 1);
const labelOf = (point, axis) => (typeof point.labels[axes[axis].name] === "string" ? point.labels[axes[axis].name] : JSON.stringify(point.labels[axes[axis].name]));
const timeOf = (point) => (typeof point.predicted_time_s === "object" ? point.predicted_time_s.median : point.predicted_time_s);
// Of one kind for all points, as the tables have it: the 95 % band, or what seeds and the like make of one recording, else the lowest and the highest of the seeds, else the calibration's.
const allPoints = results.points || [];
const bandKind = allPoints.some((p) => p.band) ? "band" : allPoints.some((p) => p.predicted_time_s && p.predicted_time_s.seeds > 1) ? "seeds" : "calibration";
const isDone = (p) => p.status === "done";
const hasRuns = allPoints.some(isDone) && allPoints.filter(isDone).every((p) => p.predicted_time_s && p.predicted_time_s.recordings > 1);
const bandName = { band: hasRuns ? "95\u202f% band" : "band without run-to-run variation", seeds: "lowest to highest", calibration: "calibration band" }[bandKind];
const wide = (low, high) => (high > low ? [low, high] : null);
const bandOf = (point) => (bandKind === "seeds" ? wide(point.predicted_time_s.low, point.predicted_time_s.high) : point[bandKind] ? wide(point[bandKind].low_s, point[bandKind].high_s) : null);
const speedUpBandOf = (point) => (point.speedup_band ? wide(point.speedup_band.low, point.speedup_band.high) : null);
// A line from the one end to the other with a cap at each; ENDS(band): the two coordinates of a point's band.
const bandLines = (points, of, ends, colour) => ({ silent: true, symbol: "rect", symbolSize: [10, 1.6], animation: false, label: { show: false },
  lineStyle: { color: colour, width: 1.6, type: "solid" },
  data: points.map((p, i) => [of(p), i]).filter(([band]) => band).map(([band, i]) => ends(band, i).map((coord) => ({ coord }))) });
const isBaseline = (point) => !!study.baseline && axes.length > 0 && axes.every((axis) => study.baseline[axis.name] === point.labels[axis.name]);
// Labels such as "0.5x", "× 2" or "64" are numbers as good as factors; "4x4" is none, and placements have no order (study_view.cpp).
const numberOf = (label) => Number((/^(?:[×x] *(\d+\.?\d*)|(\d+\.?\d*) *[×x]|(\d+\.?\d*))$/.exec(label) || []).slice(1).find((digits) => digits) ?? NaN);
const factorsOf = (axis) => (Array.isArray(axis.factors) && axis.factors.length === axis.labels.length ? axis.factors : axis.labels.map((l) => (typeof l === "string" ? numberOf(l) : NaN)));
const isNumeric = (i) => axes[i].labels.length > 1 && !axes[i].placements && factorsOf(axes[i]).every((value) => value > 0);
const nameOf = (point) => varying.map((i) => (isNumeric(i) ? axes[i].name + " " : "") + labelOf(point, i)).join(", ") || "the run";
const done = allPoints.filter((p) => p.status === "done").sort((a, b) => timeOf(a) - timeOf(b));
const baseline = done.find(isBaseline);

const pictures = [];
// DRAW(element, palette): draws into the element; called again whenever it must look different.
function picture(id, draw) {
  const element = document.getElementById(id);
  if (element) pictures.push({ id, element, draw, width: 0 });
}
function redraw() {
  for (const one of pictures) {
    one.width = one.element.clientWidth;
    one.draw(one.element, palette());
  }
}

const widthOf = (id) => (document.getElementById(id) || root).clientWidth;
// A chart of the library: OPTION(palette) says what, HEIGHT in pixels.
function chart(id, height, option) {
  let instance = null;
  picture(id, (element, colours) => {
    element.style.height = height + "px";
    if (instance === null) instance = charts.init(element, null, { renderer: "svg" });
    else instance.resize();
    const base = {
      animation: false, backgroundColor: "transparent",
      textStyle: { fontFamily: "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif", color: colours.text },
      tooltip: { backgroundColor: colours.card, borderColor: colours.line, textStyle: { color: colours.text }, confine: true },
    };
    const own = option(colours);
    own.tooltip = Object.assign(base.tooltip, own.tooltip);
    instance.setOption(Object.assign(base, own), { notMerge: true });
  });
}
const axisStyle = (colours) => ({
  axisLine: { lineStyle: { color: colours.line } }, axisTick: { show: false }, axisLabel: { color: colours.text, fontSize: 13 },
  splitLine: { lineStyle: { color: colours.line } }, nameTextStyle: { color: colours.faint, fontSize: 13 },
});
const legendStyle = (colours) => ({ textStyle: { color: colours.text, fontSize: 13 }, top: 0, left: 0, itemGap: 18, inactiveColor: colours.line });
