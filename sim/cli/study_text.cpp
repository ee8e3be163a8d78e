// SPDX-License-Identifier: MIT
#include "sim/cli/study_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/report/comparison.hpp"
#include "sim/report/losses_of_points.hpp"
#include "sim/report/study_page.hpp"
#include "sim/study/remarks.hpp"
#include "sim/study/slurm_script.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 40;  // in a terminal; the files have all

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string times_text(const ordered_json& point, bool has_bands) {
  if (!point.contains("predicted_time_s")) {
    const std::string status = point["status"], reason = first_line(point["reason"]);
    return status + (reason.empty() ? "" : ": " + reason);
  }
  const auto& time = point["predicted_time_s"];
  std::string text = formatted("%12.6f", time["median"].get<double>());
  if (has_bands)
    text += formatted("  %12.6f  %12.6f", time["low"].get<double>(), time["high"].get<double>());
  text += point["speedup"].is_null() ? "         -"
                                     : formatted("  %8.3f", point["speedup"].get<double>());
  if (const std::string status = point["status"]; status == "missing")
    text += "  (" + point["reason"].get<std::string>() + " missing)";
  else if (status != "done")
    text += "  (other seeds or recordings " + status + ")";
  return text;
}

// Of "DIR/shard-3-of-8.jsonl" the 8; 0 of other names.
std::uint32_t shares_in(const std::string& file) {
  const std::size_t at = file.rfind("-of-");
  std::uint32_t count = 0;
  if (at != file.npos) std::from_chars(file.data() + at + 4, file.data() + file.size(), count);
  return count;
}

// Into how many shares those who work on the study have divided it; 0 where their files do not agree, or nobody has.
std::uint32_t shares_of(const sim::StoredRows& stored) {
  std::uint32_t shares = 0;
  for (const auto& file : stored.files) {
    const auto own = shares_in(file);
    if (shares != 0 && own != shares) return 0;
    shares = own;
  }
  return shares;
}

// "share 4/4 lacks 20 of 20; to do it: --shard 4/4, or sbatch --array=3 with the script of study slurm"; of shares that a process works on now, that it does.
std::string missing_shares_text(const sim::Plan& plan, const sim::CollectedRows& rows,
                                const sim::StoredRows& stored) {
  const std::uint32_t shares = shares_of(stored);
  if (shares < 2 || rows.missing == 0) return "";
  std::vector<std::string_view> keys;
  for (const std::size_t run : plan.distinct) keys.push_back(plan.runs[run].key);
  std::string text, numbers, members;
  for (std::uint32_t index = 0; index < shares; ++index) {
    const sim::Shard shard{index, shares, ""};
    const auto share = sim::share_of(shard, keys);
    const auto missing = static_cast<std::size_t>(std::ranges::count_if(
        share, [&](std::size_t i) { return !rows.by_key.contains(std::string(keys[i])); }));
    if (missing == 0) continue;
    const std::string name = std::to_string(index + 1) + "/" + std::to_string(shares);
    const std::string file = sim::shard_path("", "shard", shard);
    bool is_in_progress = false;
    for (std::size_t i = 0; i < stored.files.size(); ++i)
      is_in_progress |= stored.is_being_written[i] && stored.files[i].ends_with(file);
    text += "share " + name + " lacks " + grouped(missing) + " of " +
            counted(share.size(), "simulation") + (is_in_progress ? ", in progress" : "") + '\n';
    if (is_in_progress) continue;
    numbers += (numbers.empty() ? "" : ", ") + name;
    members += (members.empty() ? "" : ",") + std::to_string(index);
  }
  if (numbers.empty()) return text;
  return text + "to do what is missing: --shard " + numbers +
         ", or with the script of study slurm " + "sbatch --array=" + members + '\n';
}

}  // namespace

std::string results_text(const ordered_json& results) {
  const auto& study = results["study"];
  const auto& points = results["points"];
  std::string text =
      study["name"].get<std::string>() + ": " + study["question"].get<std::string>() + "\n";
  for (const auto& line : sim::setting_lines(results)) text += line + '\n';
  text += '\n';
  std::vector<std::size_t> widths;
  for (const auto& axis : study["axes"]) {
    std::size_t width = columns(axis["name"]);
    for (const auto& label : axis["labels"]) width = std::max(width, columns(label));
    widths.push_back(width + 2);
    text += padded(axis["name"], width + 2);
  }
  const bool has_bands = std::any_of(points.begin(), points.end(), [](const ordered_json& point) {
    return point.contains("predicted_time_s") && point["predicted_time_s"]["seeds"] > 1;
  });
  text += has_bands ? "    median s       least s        most s   speed-up\n"
                    : " predicted s   speed-up\n";
  const auto first = sim::fastest_points(results);
  const auto& baseline = study["baseline"];
  std::size_t shown = 0;
  for (std::size_t number = 0; number < points.size(); ++number) {
    const auto& point = points[number];
    const auto place = std::ranges::find(first, number, &sim::FastestPoint::number);
    const bool is_special = place != first.end() || point["labels"] == baseline;
    if (shown >= kMostPoints && !is_special) continue;
    ++shown;
    std::size_t axis = 0;
    for (const auto& label : point["labels"]) text += padded(label, widths[axis++]);
    text += times_text(point, has_bands);
    if (point["labels"] == baseline) text += "  baseline";
    if (place != first.end())
      text += "  " + sim::report::place_text("fastest", place->is_tied, place->is_doubtful);
    text += '\n';
  }
  if (shown < points.size()) text += "… and " + counted(points.size() - shown, "point") + " more\n";
  if (results.contains("answer"))
    for (const auto& sentence : results["answer"])
      text += "\n" + sentence.get<std::string>() + '\n';
  for (const char* key : {"remarks", "remarks_of_points"})
    for (const auto& remark : results[key]) text += "note: " + remark.get<std::string>() + '\n';
  if (const auto losses = sim::report::losses_of_points(results); !losses.empty()) {
    text += "\nnot represented:\n";
    for (const auto& loss : losses) text += "  " + sim::report::describe(loss) + '\n';
  }
  return text;
}

std::string comparing_text(const ordered_json& results, const std::string& file) {
  const auto& points = results["points"];
  const auto done = [](const ordered_json& point) { return point["status"] == "done"; };
  const auto first = std::ranges::find_if(points, done);
  if (first == points.end() || !(*first)["labels"].contains("application") ||
      !results["study"].contains("applications"))
    return "";
  const auto other = std::ranges::find_if(points, [&](const ordered_json& point) {
    ordered_json labels = point["labels"];
    labels["application"] = (*first)["labels"]["application"];
    return done(point) && point["labels"] != (*first)["labels"] && labels == (*first)["labels"];
  });
  if (other == points.end()) return "";
  const auto place = [&](auto point) {
    return sim::shell_word(file + ":" + std::to_string(point - points.begin()));
  };
  return "two applications against each other, " +
         (*first)["labels"]["application"].get<std::string>() + " and " +
         (*other)["labels"]["application"].get<std::string>() + ": reprise compare " +
         place(first) + " " + place(other) + " (points count from 0, in the table's order)\n";
}

std::string rows_text(const sim::Plan& plan, const sim::CollectedRows& rows,
                      const sim::StoredRows& stored) {
  std::string text = grouped(plan.distinct.size() - rows.missing) + " of " +
                     counted(plan.distinct.size(), "simulation") + ": " + grouped(rows.done) +
                     " done";
  for (const auto& [count, word] : {std::pair{rows.failed, "failed"},
                                    {rows.deadlocked, "deadlocked"},
                                    {rows.crashed, "crashed"},
                                    {rows.missing, "missing"}})
    if (count > 0) text += ", " + grouped(count) + ' ' + word;
  if (rows.missing == 0) text += "; complete";
  text += rows.duplicates == 0 ? "; no duplicates" : "; " + counted(rows.duplicates, "duplicate");
  if (plan.runs.size() > plan.distinct.size())
    text += "\n" + grouped(plan.runs.size() - plan.distinct.size()) +
            " more have the same machine and settings as others and are not simulated again";
  if (rows.others > 0)
    text += "\n" + counted(rows.others, "row") +
            " ignored: from another study, or from another version of the trace, machine or engine";
  if (stored.torn_lines > 0)
    text += "\n" + counted(stored.torn_lines, "line") +
            " ignored: incomplete, written by a process that was killed";
  return text + '\n' + missing_shares_text(plan, rows, stored);
}

std::string work_text(const sim::WorkDone& work) {
  const double pace = work.wall.value > 0 ? static_cast<double>(work.now()) / work.wall.value : 0;
  const double outside =
      work.cpu.value > 0 ? std::max(0.0, 1 - work.simulation.value / work.cpu.value) : 0;
  return counted(work.now(), "simulation") + " in " +
         formatted("%.1f s, %.*f a second; %.1f%% of the CPU time outside the simulations",
                   work.wall.value, pace < 10 ? 1 : 0, pace, 100 * outside);
}

}  // namespace reprise::cli
