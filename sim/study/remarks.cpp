// SPDX-License-Identifier: MIT
#include "sim/study/remarks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/text/disturbed_recordings.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {

std::string without_figures(const std::string& text) {
  const auto is_figure = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
  std::string words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '(')
      while (end < text.size() && is_figure(text[end])) ++end;
    const bool stands_alone =
        end > at && (end == text.size() ||
                     std::string_view(" %),;:").find(text[end]) != std::string_view::npos);
    if (!stands_alone)
      words += text[at++];
    else
      at = end;
  }
  return words;
}

namespace {

using nlohmann::ordered_json;

// Rounding alone: times on two machines that play the same run differ by less, relative to them.
constexpr double kSame = 1e-9;

// The points that differ along one axis only.
struct Line {
  ordered_json labels;  // on the other axes
  std::size_t points = 0;
  double time = 0;
  bool changes = false;
};

std::vector<Line> lines_along(const std::string& axis, const ordered_json& points) {
  std::map<std::string, std::size_t> known;
  std::vector<Line> lines;
  for (const auto& point : points) {
    if (!point.contains("predicted_time_s")) continue;
    ordered_json labels = point["labels"];
    labels.erase(axis);
    const auto [at, is_new] = known.try_emplace(labels.dump(), lines.size());
    if (is_new) lines.push_back({labels, 0, 0, false});
    Line& line = lines[at->second];
    const double time = point["predicted_time_s"]["median"];
    if (line.points++ == 0) line.time = time;
    line.changes |= std::abs(time - line.time) > kSame * line.time;
  }
  std::erase_if(lines, [](const Line& line) { return line.points < 2; });
  return lines;
}

enum class Effect { none, some, unknown };

template <class Predicate>
Effect effect_on(const std::vector<Line>& lines, Predicate counts) {
  Effect effect = Effect::unknown;
  for (const Line& line : lines)
    if (counts(line)) {
      if (line.changes) return Effect::some;
      effect = Effect::none;
    }
  return effect;
}

// Changes without effect at every point that has a time.
ordered_json facts_everywhere(const ordered_json& points) {
  ordered_json facts;
  for (const auto& point : points) {
    if (!point.contains("predicted_time_s")) continue;
    const ordered_json here = point.value("no_effect", ordered_json::array());
    if (facts.is_null()) facts = here;
    ordered_json common = ordered_json::array();
    for (const auto& fact : facts)
      for (const auto& other : here)
        if (fact == other) common.push_back(fact);
    facts = std::move(common);
  }
  return facts.is_null() ? ordered_json::array() : facts;
}

// Why the axis changes nothing, where a replay of every point off the baseline says the same; empty where it does not.
std::string reason_along(const std::string& axis, const ordered_json& results) {
  const ordered_json baseline = results["study"].value("baseline", ordered_json::object());
  std::string reason;
  for (const auto& point : results["points"]) {
    if (!point.contains("predicted_time_s") ||
        point["labels"][axis] == baseline.value(axis, ordered_json()))
      continue;
    std::string own;
    for (const auto& fact : point.value("no_effect", ordered_json::array()))
      if (const auto text = fact.get<std::string>(); text.find(": ") != std::string::npos)
        own = text.substr(text.rfind(": ") + 2);
    if (own.empty() || (!reason.empty() && own != reason)) return "";
    reason = own;
  }
  return reason.empty() ? "" : ": " + reason;
}

// Several disturbed recordings are one note, in the place of the first.
class DisturbedRecordings {
 public:
  // Whether it is of one; POINT counts from 0.
  bool add(const std::string& remark, std::size_t point, std::size_t place) {
    const auto found = disturbed_recording(remark);
    if (!found) return false;
    auto known = std::ranges::find(notes_, found->rest, &Note::rest);
    if (known == notes_.end()) known = notes_.insert(known, {place, found->rest, {}, {}});
    known->points.insert(point);
    if (std::ranges::find(known->recordings, found->recording, &DisturbedRecording::recording) ==
        known->recordings.end())
      known->recordings.push_back(*found);
    return true;
  }
  struct Note {
    std::size_t place;
    std::string rest;
    std::set<std::size_t> points;
    std::vector<DisturbedRecording> recordings;
  };
  const std::vector<Note>& notes() const { return notes_; }

 private:
  std::vector<Note> notes_;
};

// What a replay of a point would note, once where only figures differ; with how many points have it where not all do.
void add_points_remarks(const ordered_json& points, ordered_json& remarks) {
  struct Noted {
    std::string text, words;
    std::size_t count = 0;
    bool differs = false;
  };
  std::vector<Noted> noted;  // in the order of the points
  DisturbedRecordings disturbed;
  std::size_t with_time = 0, number = 0;
  for (const auto& point : points) {
    ++number;
    with_time += point.contains("predicted_time_s");
    for (const auto& remark : point.value("remarks", ordered_json::array())) {
      const auto text = remark.get<std::string>();
      if (disturbed.add(text, number, noted.size())) continue;
      const auto words = without_figures(text);
      auto known = std::ranges::find(noted, words, &Noted::words);
      if (known == noted.end()) known = noted.insert(known, {text, words, 0, false});
      ++known->count;
      known->differs |= known->text != text;
    }
  }
  for (std::size_t i = disturbed.notes().size(); i-- > 0;) {
    const auto& note = disturbed.notes()[i];
    noted.insert(noted.begin() + static_cast<std::ptrdiff_t>(note.place),
                 {describe(note.recordings), "", note.points.size(), false});
  }
  for (const auto& [text, words, count, differs] : noted) {
    std::string where =
        count == with_time ? "" : std::to_string(count) + " of " + counted(with_time, "point");
    if (differs)
      where +=
          std::string(where.empty() ? "all points" : "") + "; these are the figures of the first";
    remarks.push_back(where.empty() ? text : text + " (" + where + ")");
  }
}

// The widest of the points' calibration bands.
void add_band_remark(const ordered_json& points, ordered_json& remarks) {
  double uncertainty = 0, low = 1, high = 1;
  for (const auto& point : points) {
    if (!point.contains("calibration")) continue;
    const auto& band = point["calibration"];
    const double time = point["predicted_time_s"]["median"];
    uncertainty = std::max(uncertainty, band["uncertainty"].get<double>());
    if (time <= 0) continue;
    low = std::min(low, band["low_s"].get<double>() / time);
    high = std::max(high, band["high_s"].get<double>() / time);
  }
  if (uncertainty > 0)
    remarks.push_back(
        formatted("if every message takes up to %.1f%% less or more time (the platforms' fit "
                  "error), the runs take up to %.1f%% less or %.1f%% more time",
                  100 * uncertainty, 100 * (1 - low), 100 * (high - 1)));
}

}  // namespace

ordered_json remarks_of_points(const ordered_json& results) {
  auto remarks = ordered_json::array();
  add_points_remarks(results["points"], remarks);
  add_band_remark(results["points"], remarks);
  return remarks;
}

ordered_json remarks_on(const ordered_json& results) {
  auto remarks = ordered_json::array();
  for (const auto& fact : facts_everywhere(results["points"]))
    remarks.push_back("no effect: " + fact.get<std::string>());
  const auto& axes = results["study"]["axes"];
  for (const auto& axis : axes) {
    const std::string name = axis["name"], text = "no time changes along the axis \"" + name + '"';
    const auto lines = lines_along(name, results["points"]);
    const Effect everywhere = effect_on(lines, [](const Line&) { return true; });
    if (everywhere == Effect::none) remarks.push_back(text + reason_along(name, results));
    if (everywhere != Effect::some) continue;
    for (const auto& other : axes)
      for (const auto& label : other["labels"])
        if (other["name"] != name && effect_on(lines, [&](const Line& line) {
                                       return line.labels[other["name"].get<std::string>()] ==
                                              label;
                                     }) == Effect::none)
          remarks.push_back(text + " where " + other["name"].get<std::string>() + " is " +
                            label.get<std::string>());
  }
  return remarks;
}

}  // namespace reprise::sim
