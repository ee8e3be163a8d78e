// SPDX-License-Identifier: MIT
#include "sim/experiment/details/take_over.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "sim/experiment/details/one_parameter.hpp"
#include "sim/processes/at_once.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

constexpr double kFurthest = 1024, kMatters = 0.01;
constexpr double kOnLine = 1e-6;  // of the time: two times that differ by less are one path's
constexpr double kClose = 1e-3;   // of the factor, or of the elasticity: as near as is asked for
constexpr int kMostReplays = 8;   // of a search

// Of a parameter's durations: the factor, the run time, and what it grows by with the factor.
struct Probe {
  double factor = 1, time = 0, slope = 0;
  double elasticity() const { return time > 0 ? slope * factor / time : 0; }
  double line(double at) const { return time + slope * (at - factor); }
};

class Search {
 public:
  Search(const OneParameter& parameter, TakeOver& result) : parameter_(parameter), result_(result) {
    const auto [time, slope] = parameter_.base();
    base_ = {1, time, slope};
  }

  // FURTHEST: on the parameter's durations, beyond 1 on either side.
  std::optional<FactorBracket> other_path(double furthest) {
    replays_ = 0;
    Probe far = at(furthest);
    if (is_on_line(far)) return std::nullopt;
    double same = 1;
    while (replays_ < kMostReplays && std::abs(std::log(far.factor / same)) > kClose) {
      const double cross = crossing(far, same);
      const Probe probe = at(cross);
      const bool is_exact = std::abs(probe.time - far.line(cross)) <= kOnLine * base_.time;
      if (!is_on_line(probe)) {
        far = probe;
        continue;
      }
      same = cross;
      if (is_exact) return of_parameter(cross, cross);
    }
    return of_parameter(same, far.factor);
  }

  std::optional<FactorBracket> negligible() {
    if (base_.elasticity() < kMatters) return FactorBracket{1, 1};
    replays_ = 0;
    Probe small = at(1 / kFurthest), large = base_;
    if (small.elasticity() >= kMatters) return std::nullopt;
    while (replays_ < kMostReplays && std::log(large.factor / small.factor) > kClose) {
      const Probe probe = at(guess(small, large));
      (probe.elasticity() < kMatters ? small : large) = probe;
      if (std::abs(probe.elasticity() - kMatters) <= kClose * kMatters)
        return of_parameter(probe.factor, probe.factor);
    }
    return of_parameter(large.factor, small.factor);
  }

 private:
  Probe at(double factor) {
    const auto known = probes_.find(factor);
    if (known != probes_.end()) return known->second;
    ++replays_;
    ++result_.replays;
    const auto [time, slope] = parameter_.at(factor);
    return probes_[factor] = {factor, time, slope / factor};
  }
  bool is_on_line(const Probe& probe) const {
    return std::abs(probe.time - base_.line(probe.factor)) <= kOnLine * base_.time;
  }

  // Of the line at 1 with that of FAR; between SAME and FAR, else half-way.
  double crossing(const Probe& far, double same) const {
    const double slopes = base_.slope - far.slope;
    const double cross = slopes == 0 ? 0 : (far.line(0) - base_.line(0)) / slopes;
    const double low = std::min(same, far.factor), high = std::max(same, far.factor);
    const bool is_between = cross > low * (1 + kClose / 4) && cross < high * (1 - kClose / 4);
    return is_between ? cross : std::sqrt(same * far.factor);
  }

  // Where the line of one of them has the elasticity asked for; where both lines cross, since there it may jump; else half-way.
  static double guess(const Probe& small, const Probe& large) {
    const double low = small.factor * (1 + kClose / 4), high = large.factor * (1 - kClose / 4);
    for (const Probe& probe : {large, small}) {
      if (probe.slope <= 0) continue;
      const double at = kMatters / (1 - kMatters) * probe.line(0) / probe.slope;
      if (at > low && at < high) return at;
    }
    if (const double slopes = large.slope - small.slope; slopes > 0) {
      const double cross = (small.line(0) - large.line(0)) / slopes;
      if (cross > low && cross < large.factor * (1 + kClose / 4)) return std::min(cross, high);
    }
    return std::sqrt(small.factor * large.factor);
  }

  FactorBracket of_parameter(double same, double other) const {
    return is_rate(result_.parameter) ? FactorBracket{1 / same, 1 / other}
                                      : FactorBracket{same, other};
  }

  const OneParameter& parameter_;
  TakeOver& result_;
  Probe base_;
  std::map<double, Probe> probes_;
  int replays_ = 0;
};

nlohmann::ordered_json number(const std::optional<FactorBracket>& bracket,
                              double FactorBracket::*end) {
  if (!bracket) return nullptr;
  return *bracket.*end;
}

std::string text_of(const std::optional<FactorBracket>& bracket) {
  if (!bracket) return "none up to 1024";
  if (bracket->same_to == bracket->other_from) return formatted("× %.4g", bracket->same_to);
  return formatted("× %.4g to %.4g", bracket->same_to, bracket->other_from);
}

}  // namespace

TakeOvers take_overs(const Replayed& replayed) {
  constexpr std::array kAll{Parameter::latency, Parameter::bandwidth, Parameter::compute};
  const auto found = at_once(replayed.jobs, kAll.size(), kFurtherReplay, [&](std::size_t i) {
    TakeOver one;
    one.parameter = kAll[i];
    const OneParameter of(replayed, kAll[i]);
    Search search(of, one);
    one.faster = search.other_path(1 / kFurthest);
    one.slower = search.other_path(kFurthest);
    one.negligible = search.negligible();
    return one;
  });
  TakeOvers result;
  result.of.assign(found.begin(), found.end());
  return result;
}

nlohmann::ordered_json TakeOvers::json() const {
  auto rows = nlohmann::ordered_json::array();
  for (const TakeOver& one : of)
    rows.push_back({{"parameter", name_of(one.parameter)},
                    {"faster_same_path_to", number(one.faster, &FactorBracket::same_to)},
                    {"faster_other_path_from", number(one.faster, &FactorBracket::other_from)},
                    {"slower_same_path_to", number(one.slower, &FactorBracket::same_to)},
                    {"slower_other_path_from", number(one.slower, &FactorBracket::other_from)},
                    {"matters_to", number(one.negligible, &FactorBracket::same_to)},
                    {"negligible_from", number(one.negligible, &FactorBracket::other_from)},
                    {"replays", one.replays}});
  return rows;
}

std::string TakeOvers::text() const {
  std::string text = formatted("\n%-12s  %-22s  %-22s  %s\n", "take-over", "faster: other path at",
                               "slower: other path at", "negligible from");
  for (const TakeOver& one : of)
    text +=
        padded(std::string(name_of(one.parameter)), 12) + "  " + padded(text_of(one.faster), 22) +
        "  " + padded(text_of(one.slower), 22) + "  " +
        (one.negligible && one.negligible->same_to == 1 ? "already now" : text_of(one.negligible)) +
        "\n";
  return text +
         "  Factors of the parameter. As far as the first two columns, what decides the run time "
         "stays what it is\n"
         "  now, and sensitivities hold; beyond them, other calls and ranks decide it. From the "
         "last "
         "column on\n"
         "  there is nothing left to gain: the parameter makes up less than 1% of the run time.\n";
}

extern const Detail kTakeOver = {
    .name = "take-over",
    .key = "take_over",
    .cost = "up to about sixty",
    .further_replays = 40,
    .many_replays = true,
    .scope = DetailScope::points_on_request,
    .watched = {.slopes = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<TakeOvers>(take_overs(replayed));
    }};

}  // namespace reprise::sim
