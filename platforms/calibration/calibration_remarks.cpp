// SPDX-License-Identifier: MIT
#include "platforms/calibration/calibration_remarks.hpp"

#include <cmath>
#include <string_view>
#include <utility>

#include "platforms/calibration/disturbance.hpp"
#include "platforms/calibration/four_digits.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

// Of both paths.
constexpr std::string_view kDisturbed = " medians include time slices of other processes",
                           kNotMeasured = " times were not measured";

std::string three_digits(Seconds time) {
  if (time.value <= 0) return to_text(time);
  const double scale = std::pow(10, 2 - std::floor(std::log10(time.value)));
  return to_text(Seconds{std::round(time.value * scale) / scale});
}

std::string where(MeasuredPath path) {
  return path == MeasuredPath::kIntraNode ? "inside a node" : "between nodes";
}

void tell_assumed(const PathFit& fit, MeasuredPath path, bool shares_as_base,
                  std::vector<std::string>& remarks) {
  if (!fit.has_own_overheads)
    remarks.push_back("send and receive overhead " + where(path) +
                      " are assumed: a quarter of the smallest message's time each");
  if (!fit.has_eager_limit)
    remarks.push_back("the eager limit " + where(path) +
                      " is assumed: " + to_text(fit.mpi.eager_limit));
  if (fit.has_capacity) return;
  if (path == MeasuredPath::kInterNode)
    remarks.push_back("how messages " + where(path) +
                      " share bandwidth was not measured: they share one message's");
  else if (!shares_as_base)
    remarks.push_back(
        "how messages inside a node share bandwidth was not measured: all messages of a socket "
        "share the " +
        to_four_digits(fit.per_message) +
        " of one. Add --osu with osu_mbw_mr of all cores of a socket, or measure with "
        "reprise-probe "
        "on as many ranks");
}

void tell_left_out(const PathFit& fit, MeasuredPath path, std::vector<std::string>& remarks) {
  if (fit.cold_left_out == 0) return;
  remarks.push_back(
      std::to_string(fit.cold_left_out) + (fit.cold_left_out == 1 ? " time" : " times") +
      " of messages after computing " + where(path) + (fit.cold_left_out == 1 ? " is" : " are") +
      " left out: longer than cold caches explain, because other processes had the "
      "core; measure again on an idle machine");
}

void tell_disturbed(const Measurements& measured, std::vector<std::string>& remarks) {
  const Disturbance found = disturbance_of(measured);
  if (found.disturbed > 0)
    remarks.push_back(std::to_string(found.disturbed) + " of " + std::to_string(found.times) +
                      std::string(kDisturbed) +
                      ", so 10 % quantiles are used; measure again on an idle machine");
  if (measured.not_measured > 0)
    remarks.push_back(std::to_string(measured.not_measured) + std::string(kNotMeasured) +
                      ": the probe ended after six times --seconds");
}

void tell_changes(const Reference& reference, std::vector<std::string>& remarks) {
  constexpr double kSteady = 0.9;
  if (reference.share >= kSteady && reference.other_times == 0) return;
  std::string remark =
      where(reference.path) + " the machine changed while it was measured: a message of " +
      to_text(reference.bytes) + " took about " + three_digits(reference.usual) + " in " +
      std::to_string(std::lround(100 * reference.share)) + " % of the looks, and between " +
      three_digits(reference.least) + " and " + three_digits(reference.most) +
      " in all, as where the cores of a virtual machine change place. The platform "
      "describes the former; runs will differ as much";
  if (reference.other_times > 0)
    remark += ". " + std::to_string(reference.other_times) +
              " times were measured in another state; measure again, or longer (--seconds)";
  remarks.push_back(std::move(remark));
}

}  // namespace

std::vector<std::string> remarks_on(const Measurements& measured, const Calibration& made) {
  std::vector<std::string> remarks;
  for (const auto& [fit, path] : {std::pair(&made.intra_node, MeasuredPath::kIntraNode),
                                  std::pair(&made.inter_node, MeasuredPath::kInterNode)}) {
    if (!*fit) continue;
    tell_assumed(**fit, path, made.shares_as_base, remarks);
  }
  for (const Series& series : measured.series)
    if (series.what == Series::What::kOther || series.what == Series::What::kStream)
      remarks.push_back(series.name + " of " + series.source + " is not part of a platform");
  return remarks;
}

std::vector<std::string> doubts_of(const Measurements& measured, const Calibration& made) {
  std::vector<std::string> doubts;
  if (made.intra_node) tell_left_out(*made.intra_node, MeasuredPath::kIntraNode, doubts);
  if (made.inter_node) tell_left_out(*made.inter_node, MeasuredPath::kInterNode, doubts);
  tell_disturbed(measured, doubts);
  for (const Reference& reference : measured.references) tell_changes(reference, doubts);
  return doubts;
}

bool is_replaced(std::string_view remark, const Calibration& made, bool base_has_network) {
  const auto tells = [remark](std::string_view words) {
    return remark.find(words) != std::string_view::npos;
  };
  const bool is_inside = tells(where(MeasuredPath::kIntraNode)),
             is_between = tells(where(MeasuredPath::kInterNode));
  const bool inside = made.intra_node.has_value(),
             between = made.inter_node.has_value() || !base_has_network;
  if (is_inside || is_between) return (inside || !is_inside) && (between || !is_between);
  return inside && between && (tells(kDisturbed) || tells(kNotMeasured));
}

}  // namespace reprise::platforms
