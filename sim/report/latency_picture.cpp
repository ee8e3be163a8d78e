// SPDX-License-Identifier: MIT
#include "sim/report/latency_picture.hpp"

#include <algorithm>
#include <cmath>

#include "sim/report/number_text.hpp"

namespace reprise::sim::report {
namespace {

using markup::attr;
using markup::element;
using markup::Markup;
using markup::number;
using markup::rect;
using markup::words;
using trace_io::LatencyBucket;

constexpr double kLatencyWidth = 960, kLatencyLeft = 70, kLatencyRight = 20, kLatencyTop = 60,
                 kPanel = 180, kLatencyGap = 70;
constexpr double kLatencyPlot = kLatencyWidth - kLatencyLeft - kLatencyRight;

// Decades of nanoseconds that hold all panels.
struct Scale {
  double from = 0, to = 1;  // log10 of nanoseconds
  double x(double ns) const {
    const double place = (std::log10(std::max(ns, 1.0)) - from) / (to - from);
    return kLatencyLeft + kLatencyPlot * std::clamp(place, 0.0, 1.0);
  }
};

Scale scale_of(const std::vector<LatencyPanel>& panels) {
  double least = HUGE_VAL, most = 1;
  for (const LatencyPanel& panel : panels) {
    least = std::min(least, static_cast<double>(panel.latency.min.value));
    most = std::max(most, static_cast<double>(panel.latency.max.value));
  }
  Scale scale;
  scale.from = std::floor(std::log10(std::max(least, 1.0)));
  scale.to = std::max(scale.from + 1, std::ceil(std::log10(most)));
  return scale;
}

Markup panel_of(const LatencyPanel& panel, const Scale& scale, double top) {
  std::uint64_t most = 1;
  for (const LatencyBucket& bucket : panel.latency.buckets) most = std::max(most, bucket.count);
  Markup all = words(kLatencyLeft, top - 10, "start", panel.title) +
               words(kLatencyLeft - 8, top + 10, "end", std::to_string(most)) +
               words(kLatencyLeft - 8, top + kPanel, "end", "0");
  for (const LatencyBucket& bucket : panel.latency.buckets) {
    const double from = scale.x(static_cast<double>(trace_io::bucket_start(bucket.code))),
                 to = scale.x(static_cast<double>(trace_io::bucket_start(bucket.code + 1))),
                 height = kPanel * static_cast<double>(bucket.count) / static_cast<double>(most);
    all += rect(from, top + kPanel - height, std::max(to - from, 0.5), height,
                attr("fill", "#2468b4")) +
           "\n";
  }
  all += element("path", attr("class", "axis"), attr("fill", "none"),
                 attr("d", "M" + number(kLatencyLeft) + "," + number(top) + "v" + number(kPanel) +
                               "h" + number(kLatencyPlot)));
  for (double decade = scale.from; decade <= scale.to; ++decade)
    all += words(scale.x(std::pow(10.0, decade)), top + kPanel + 16, "middle",
                 seconds(std::pow(10.0, decade) * 1e-9));
  return all;
}

}  // namespace

Markup latencies_svg(const std::vector<LatencyPanel>& panels, const std::string& title) {
  const Scale scale = scale_of(panels);
  const double height = kLatencyTop + (kPanel + kLatencyGap) * static_cast<double>(panels.size());
  Markup all;
  for (std::size_t i = 0; i < panels.size(); ++i)
    all += panel_of(panels[i], scale,
                    kLatencyTop + 20 + (kPanel + kLatencyGap) * static_cast<double>(i)) +
           "\n";
  const Markup style = Markup::verbatim(
      ".latency-ground{fill:#fff}.latency-all{fill:#1b1f24}.axis{stroke:#8b929c}@media "
      "(prefers-color-scheme:dark){.latency-ground{fill:#14171c}.latency-all{fill:#e8eaed}}");
  return element("svg", attr("xmlns", "http://www.w3.org/2000/svg"),
                 attr("viewBox", "0 0 " + number(kLatencyWidth) + " " + number(height)),
                 attr("role", "img"), attr("font-family", "system-ui, sans-serif"),
                 attr("font-size", 12), "\n", element("title", title), "\n",
                 element("style", style), "\n",
                 element("rect", attr("class", "latency-ground"), attr("width", "100%"),
                         attr("height", "100%")),
                 "\n",
                 element("g", attr("class", "latency-all"), "\n",
                         element("text", attr("x", 16), attr("y", 24), attr("font-size", 16),
                                 attr("font-weight", 600), title),
                         "\n", all)) +
         "\n";
}

}  // namespace reprise::sim::report
