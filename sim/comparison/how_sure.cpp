// SPDX-License-Identifier: MIT
#include "sim/comparison/how_sure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "sim/comparison/answer_fields.hpp"
#include "sim/comparison/comparison.hpp"
#include "sim/comparison/recordings.hpp"
#include "sim/text/disturbed_recordings.hpp"
#include "sim/text/losses.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

constexpr const char* kRemedy =
    " (several recordings of each tell: a study of two \"applications\", each with its "
    "\"traces\"; compare takes its points)";

std::string range_text(const Range& range) {
  return formatted("%.6f to %.6f s", range.low, range.high);
}

std::optional<Range> range_at(const ordered_json& answer, const char* key) {
  const auto found = answer.find(key);
  if (found == answer.end() || !found->contains("low_s")) return std::nullopt;
  return Range{number_at(*found, "low_s"), number_at(*found, "high_s")};
}

std::string both_ranges(const Range& before, const Range& after) {
  const bool overlap = before.low <= after.high && after.low <= before.high;
  return range_text(before) + " before and " + range_text(after) + " after, which " +
         (overlap ? "overlap" : "do not overlap");
}

// Several on each side.
std::string over_recordings(const ordered_json& before, const ordered_json& after,
                            const Range& range, bool are_same) {
  std::string text = are_same
                         ? counted(recordings_in(before), "recording") + ", the same on both sides"
                         : counted(recordings_in(before), "recording") + " before, " +
                               counted(recordings_in(after), "recording") + " after";
  if (range.low == 0 && range.high == 0)
    text += ": the run time does not change";
  else
    text +=
        formatted(": with a probability of 95%% the mean run time changes by %+.6f to %+.6f s%s",
                  range.low, range.high, range.contains(0) ? ", so perhaps not at all" : "");
  const auto a = range_at(before, "band"), b = range_at(after, "band");
  if (a && b) text += "; one run takes (95%) " + both_ranges(*a, *b);
  return text;
}

std::string one_of_each(const ordered_json& before, const ordered_json& after,
                        const PartChange* largest) {
  const bool has_several[] = {recordings_in(before) > 1, recordings_in(after) > 1};
  std::string text =
      "unknown: before and after are of different recordings, made separately, and one " +
      std::string(has_several[0]   ? "after"
                  : has_several[1] ? "before"
                                   : "of each") +
      " does not show how runs differ; changes of computing, and of waiting for it, may be no more "
      "than that";
  if (largest != nullptr && is_of_computing(*largest))
    text += formatted(", the largest change too (%s, %+.6f s)", largest->what.c_str(),
                      largest->change());
  return text + kRemedy;
}

std::string recordings_text(const ordered_json& before, const ordered_json& after,
                            const PartChange* largest) {
  const Recordings recordings = recordings_of(before, after);
  if (const auto range = range_of_change(before, after, "predicted_time_s"))
    return over_recordings(before, after, *range, recordings == Recordings::same);
  if (recordings == Recordings::different) return one_of_each(before, after, largest);
  return recordings == Recordings::same
             ? "before and after replay the same recording, and one does not show how runs differ"
             : "unknown: the answers do not say which recordings they are of";
}

std::string fit_error_text(const ordered_json& before, const ordered_json& after) {
  const auto a = range_at(before, "calibration"), b = range_at(after, "calibration");
  if (!a && !b) return "; no fit error is known on either side";
  if (!a || !b)
    return "; the fit error alone gives " + range_text(a ? *a : *b) +
           (a ? " before, and is not known after" : " after, and is not known before");
  const auto machine = text_at(before, "platform");
  return "; the fit error alone gives " + both_ranges(*a, *b) +
         (!machine.empty() && machine == text_at(after, "platform")
              ? " (of one machine: both are off in the same direction)"
              : "");
}

std::string forward_text(const ordered_json& before, const ordered_json& after) {
  constexpr double kWorthSaying = 0.05;  // of the change
  const double open = number_at(part_of(before, "fast_forward"), "error_bound_s") +
                      number_at(part_of(after, "fast_forward"), "error_bound_s");
  const double change =
      number_at(after, "predicted_time_s") - number_at(before, "predicted_time_s");
  if (open <= kWorthSaying * std::abs(change)) return "";
  return formatted("; fast-forward leaves up to %.6f s of the change open (--no-fast-forward)",
                   open);
}

// Of two machines of which one has nothing that says how fast its processors are.
std::string processors_text(const ordered_json& before, const ordered_json& after) {
  const bool a = before.value("computes_as_recorded", false),
             b = after.value("computes_as_recorded", false);
  if (text_at(before, "platform") == text_at(after, "platform") || (!a && !b)) return "";
  return std::string("; ") +
         (a && b ? "both machines' processors"
          : a    ? "the processors of before"
                 : "the processors of after") +
         " are taken to be as fast as the recording's";
}

bool is_of_disturbance(const std::string& remark) {
  return remark.starts_with("the recording ") && remark.find("was disturbed: ") != remark.npos;
}

bool is_disturbed(const ordered_json& answer) {
  return std::ranges::any_of(part_of(answer, "remarks"), [](const auto& remark) {
    return remark.is_string() && is_of_disturbance(remark.template get<std::string>());
  });
}

std::string disturbance_text(const ordered_json& before, const ordered_json& after) {
  const bool a = is_disturbed(before), b = is_disturbed(after);
  if (!a && !b) return "";
  if (recordings_of(before, after) == Recordings::same)
    return "; the recording was disturbed (see the notes)";
  return std::string("; ") +
         (a && b ? "recordings of both"
          : a    ? "a recording of before"
                 : "a recording of after") +
         (a && b ? " were" : " was") + " disturbed (see the notes)";
}

// Of which the comparison has notes of its own.
bool is_told_elsewhere(const ordered_json& answer, const std::string& remark) {
  return (answer.contains("other_sharing") && remark.starts_with("by network ")) ||
         (answer.contains("progress_in_calls") &&
          remark.starts_with("if MPI makes progress only inside its calls"));
}

std::string loss_text(const ordered_json& loss) {
  std::string text =
      "not represented: " + text_at(loss, "name") + ", " +
      loss_count_text(text_at(loss, "name"), static_cast<std::uint64_t>(number_at(loss, "count")));
  if (const double seconds = number_at(loss, "time_s"); seconds > 0)
    text += formatted(", %.6f s over all ranks", seconds);
  return text;
}

std::vector<std::string> said_by(const ordered_json& answer) {
  std::vector<std::string> said;
  for (const auto& remark : part_of(answer, "remarks"))
    if (remark.is_string() && !is_told_elsewhere(answer, remark.get<std::string>()))
      said.push_back(remark.get<std::string>());
  said = with_disturbances_as_one(said);
  for (const auto& fact : part_of(answer, "no_effect"))
    if (fact.is_string()) said.push_back("no effect: " + fact.get<std::string>());
  for (const auto& loss : part_of(answer, "losses")) said.push_back(loss_text(loss));
  return said;
}

}  // namespace

std::string how_sure(const ordered_json& before, const ordered_json& after,
                     const PartChange* largest) {
  return recordings_text(before, after, largest) + fit_error_text(before, after) +
         processors_text(before, after) + forward_text(before, after) +
         disturbance_text(before, after);
}

std::vector<std::string> notes_of_sides(const ordered_json& before, const ordered_json& after) {
  const auto a = said_by(before), b = said_by(after);
  const auto holds = [](const auto& list, const std::string& text) {
    return std::ranges::find(list, text) != list.end();
  };
  std::vector<std::string> notes;
  for (const auto& text : a)
    notes.push_back((holds(b, text) ? "before and after: " : "before: ") + text);
  for (const auto& text : b)
    if (!holds(a, text)) notes.push_back("after: " + text);
  return notes;
}

}  // namespace reprise::sim
