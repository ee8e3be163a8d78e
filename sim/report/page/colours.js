// SPDX-License-Identifier: MIT
// Colours by theme, and numbers as the page's tables have them.
"use strict";
const root = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let forPrint = false;

const palettes = {
  light: { text: "#1b1f24", faint: "#59616e", line: "#dde1e7", card: "#ffffff", compute: "#2468b4", communication: "#e08a1e", wait: "#8b929c",
    path: "#b3134f", onBars: "#14171b", better: "#1b7f5c", worse: "#c2552d", ramp: ["#e8f1fa", "#9cc3ea", "#4a8fd4", "#084594"], veil: "rgba(255,255,255,.5)",
    series: ["#2468b4", "#c2552d", "#1b7f5c", "#8a4fb0", "#a07400", "#4b5563", "#b8327a", "#0f8a8a"] },
  dark: { text: "#e8eaed", faint: "#a6adb8", line: "#303740", card: "#181c22", compute: "#5e9ee6", communication: "#f0a54a", wait: "#9aa2ad",
    path: "#ff5c93", onBars: "#14171b", better: "#4cc79a", worse: "#f08a5d", ramp: ["#1c2733", "#27507c", "#4a8fd4", "#b9dcff"], veil: "rgba(0,0,0,.45)",
    series: ["#6aa9f0", "#f08a5d", "#4cc79a", "#c59ae8", "#e3b341", "#b6bec9", "#f081b5", "#4fd0d0"] },
};

function isDark() {
  if (forPrint) return false;
  const chosen = root.dataset.theme;
  return chosen ? chosen === "dark" : prefersDark.matches;
}
const palette = () => palettes[isDark() ? "dark" : "light"];

// Parts of a run's time differ in pattern as well as in colour.
const decals = (veil) => ({
  compute: "none",
  communication: { symbol: "rect", dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4, color: veil },
  wait: { symbol: "circle", symbolSize: 0.7, dashArrayX: [[8, 0], [0, 8]], dashArrayY: [4, 0], color: veil },
});
const parts = [["compute", "computing"], ["communication", "moving data"], ["wait", "waiting"]];

const thin = "\u202f";
function digits(value, significant) {
  if (!isFinite(value)) return "–";
  if (value === 0) return "0";
  const magnitude = Number(value.toExponential(significant - 1).split("e")[1]);
  return spaced(value.toFixed(Math.min(15, Math.max(0, significant - 1 - magnitude))));
}
function spaced(text) {
  const [whole, rest] = text.split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, thin) + (rest ? "." + rest : "");
}
const short = (value) => spaced(String(Number(value.toPrecision(3))));
// A round number at or above the value.
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10].find((step) => step * power >= value * (1 - 1e-9));
}
const wholeText = (value) => spaced(value.toFixed(0));
function unitFor(longest) {
  if (longest >= 0.9995 || longest <= 0) return { name: "s", seconds: 1 };
  return longest >= 0.9995e-3 ? { name: "ms", seconds: 1e-3 } : { name: "µs", seconds: 1e-6 };
}
function secondsText(value) {
  const unit = unitFor(value);
  return digits(value / unit.seconds, 4) + thin + unit.name;
}
const timesText = (factor) => digits(factor, 3) + thin + "×";
function percentText(share) {
  const size = Math.abs(100 * share);
  return (100 * share).toFixed(size >= 9.95 || size === 0 ? 0 : size >= 0.095 ? 1 : 2) + thin + "%";
}
function bytesText(bytes) {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.length; ++unit) bytes /= 1000;
  return digits(bytes, 3) + thin + units[unit];
}
const escaped = (text) => String(text).replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";");
