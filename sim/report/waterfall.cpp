// SPDX-License-Identifier: MIT
#include "sim/report/waterfall.hpp"

#include <algorithm>
#include <cmath>

#include "sim/report/number_text.hpp"

namespace reprise::sim::report {
namespace {

using markup::number;
using markup::rect;
using markup::words;

constexpr std::size_t kWaterfallShown = 14;
constexpr double kWaterfallWidth = 960, kWaterfallLeft = 330, kWaterfallRight = 100,
                 kWaterfallRow = 27, kWaterfallTop = 8, kWaterfallBottom = 46;

struct Bar {
  std::string what, text;
  double from = 0, to = 0;
  const char* kind = "total";
};

std::string signed_seconds(double value) {
  return (value < 0 ? "−" : "+") + seconds(std::abs(value));
}

std::string bar_label(const std::string& text) {
  constexpr std::size_t kMost = 46;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost - 2;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::vector<Bar> bars_of(double before, double after, const std::vector<WaterfallPart>& parts) {
  std::vector<Bar> bars = {{"A", seconds(before), 0, before}};
  double at = before;
  const auto add = [&](const std::string& what, double change) {
    bars.push_back(
        {what, signed_seconds(change), at, at + change, change < 0 ? "better" : "worse"});
    at += change;
  };
  const std::size_t shown = parts.size() > kWaterfallShown + 1 ? kWaterfallShown : parts.size();
  for (std::size_t i = 0; i < shown; ++i) add(parts[i].what, parts[i].change);
  double rest = 0;
  for (std::size_t i = shown; i < parts.size(); ++i) rest += parts[i].change;
  if (shown < parts.size()) add(counted(parts.size() - shown, "smaller part"), rest);
  bars.push_back({"B", seconds(after), 0, after});
  return bars;
}

// Where the scale begins: at 0, or, where all that changes is within its last quarter, a little before that.
double scale_begin(const std::vector<Bar>& bars) {
  double least = bars.front().to, most = least;
  for (const Bar& bar : bars) {
    least = std::min(least, bar.to);
    most = std::max(most, bar.to);
  }
  const double span = most - least;
  return span > 0 && span < most / 4 ? least - span / 2 : 0;
}

}  // namespace

Markup waterfall_svg(double before, double after, const std::vector<WaterfallPart>& parts) {
  const auto bars = bars_of(before, after, parts);
  const double begin = scale_begin(bars);
  double end = 0;
  for (const Bar& bar : bars) end = std::max(end, bar.to);
  const auto x_of = [&](double time) {
    return kWaterfallLeft + (kWaterfallWidth - kWaterfallLeft - kWaterfallRight) *
                                (end > begin ? (time - begin) / (end - begin) : 0);
  };
  Markup rows;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const Bar& bar = bars[i];
    const double y = kWaterfallTop + kWaterfallRow * static_cast<double>(i),
                 left = x_of(std::max(begin, std::min(bar.from, bar.to))),
                 right = x_of(std::max(bar.from, bar.to));
    rows += words(kWaterfallLeft - 10, y + 18, "end", bar_label(bar.what), attr("class", "ink"));
    rows += element("rect", attr("x", left), attr("y", y + 3),
                    attr("width", std::max(1.0, right - left)), attr("height", kWaterfallRow - 7),
                    attr("class", std::string("fall-") + bar.kind),
                    element("title", bar.what + ": " + bar.text));
    rows += words(right + 7, y + 18, "start", bar.text, attr("class", "ink"));
    if (i + 1 < bars.size())
      rows += element("line", attr("x1", x_of(bar.to)), attr("x2", x_of(bar.to)),
                      attr("y1", y + kWaterfallRow - 4), attr("y2", y + kWaterfallRow + 3),
                      attr("class", "joint"));
    rows += "\n";
  }
  const double bottom = kWaterfallTop + kWaterfallRow * static_cast<double>(bars.size());
  const TimeUnit unit = unit_for(end);
  for (const double share : {0.0, 0.5, 1.0})
    rows += words(
        kWaterfallLeft + (kWaterfallWidth - kWaterfallLeft - kWaterfallRight) * share, bottom + 16,
        share == 0   ? "start"
        : share == 1 ? "end"
                     : "middle",
        digits((begin + (end - begin) * share) / unit.seconds, 4), attr("class", "faint-ink"));
  rows += words((kWaterfallLeft + kWaterfallWidth - kWaterfallRight) / 2, bottom + 34, "middle",
                std::string("time (") + unit.name + ")" +
                    (begin > 0 ? ", which does not start at 0 here" : ""),
                attr("class", "faint-ink"));
  return element("svg", attr("class", "plot waterfall"),
                 attr("xmlns", "http://www.w3.org/2000/svg"),
                 attr("viewBox",
                      "0 0 " + number(kWaterfallWidth) + " " + number(bottom + kWaterfallBottom)),
                 attr("role", "img"),
                 attr("aria-label",
                      "Waterfall of the parts that lead from one run time to the other; the table "
                      "below has the same numbers."),
                 attr("font-size", 13), "\n", rows) +
         "\n";
}

}  // namespace reprise::sim::report
