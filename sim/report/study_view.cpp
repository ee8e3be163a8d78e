// SPDX-License-Identifier: MIT
#include "sim/report/study_view.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "sim/report/comparison.hpp"
#include "sim/report/number_text.hpp"
#include "sim/text/disturbed_recordings.hpp"
#include "sim/text/losses.hpp"

namespace reprise::sim::report {

using nlohmann::ordered_json;

const ordered_json* find(const ordered_json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const ordered_json& part_of(const ordered_json& object, const char* key) {
  static const ordered_json none = ordered_json::array();
  const auto* part = find(object, key);
  return part == nullptr ? none : *part;
}

const ordered_json& tolerances_of(const ordered_json& point) {
  const auto& tolerances = part_of(point, "tolerances");
  if (!tolerances.empty()) return tolerances;
  static const ordered_json none = ordered_json::array();
  const auto& earlier = part_of(point, "sensitivities");
  return !earlier.empty() && earlier.front().contains("costs_5_percent_at") ? earlier : none;
}

double number_at(const ordered_json& object, const char* key, double otherwise) {
  const auto* value = find(object, key);
  return value != nullptr && value->is_number() ? value->get<double>() : otherwise;
}

std::string text_of(const ordered_json& object, const char* key) {
  const auto* value = find(object, key);
  return value == nullptr ? "" : value->is_string() ? value->get<std::string>() : value->dump();
}

// One sign of a factor, in front or behind, and blanks beside it; what is left has to be a number as a whole: "4x4" is none.
double number_of_label(const std::string& label) {
  std::string_view digits = label;
  bool has_sign = false;
  for (const std::string_view sign : {"×", "x"}) {
    if (has_sign) break;
    has_sign = true;
    if (digits.starts_with(sign))
      digits.remove_prefix(sign.size());
    else if (digits.ends_with(sign))
      digits.remove_suffix(sign.size());
    else
      has_sign = false;
  }
  while (has_sign && digits.starts_with(' ')) digits.remove_prefix(1);
  while (has_sign && digits.ends_with(' ')) digits.remove_suffix(1);
  if (digits.empty() || digits.find_first_not_of("0123456789.") != std::string_view::npos ||
      digits.front() == '.')
    return 0;
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, value);
  return error == std::errc() && at == end ? value : 0;
}

namespace {

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// An axis of numbers: several values, with factors, or with labels that are numbers. Placements have no order, whatever their labels are.
bool is_numeric_axis(const ordered_json& axis) {
  const auto* labels = find(axis, "labels");
  const auto* factors = find(axis, "factors");
  if (labels == nullptr || labels->size() < 2 || find(axis, "placements") != nullptr) return false;
  if (factors != nullptr && factors->is_array() && factors->size() == labels->size()) return true;
  return std::all_of(labels->begin(), labels->end(), [](const ordered_json& label) {
    return label.is_string() && number_of_label(label.get<std::string>()) > 0;
  });
}

// Remarks that begin with it make the answer doubtful (docs/JSON.md).
Note note_of(const std::string& remark) {
  constexpr std::string_view kWarning = "warning: ";
  return remark.starts_with(kWarning) ? Note{"warning", remark.substr(kWarning.size())}
                                      : Note{"", remark};
}

std::vector<Note> notes_of(const ordered_json& json) {
  std::vector<Note> notes;
  std::vector<std::string> remarks;
  for (const auto& remark : part_of(json, "remarks"))
    if (remark.is_string()) remarks.push_back(remark.get<std::string>());
  for (const auto& remark : with_disturbances_as_one(remarks)) notes.push_back(note_of(remark));
  for (const auto& loss : part_of(json, "losses"))
    notes.push_back(
        {text_of(loss, "severity"),
         text_of(loss, "name") + ", " +
             loss_count_text(text_of(loss, "name"), loss.value("count", std::uint64_t{0}))});
  return notes;
}

bool holds(const std::vector<Note>& notes, const Note& note) {
  return std::find(notes.begin(), notes.end(), note) != notes.end();
}

// What all points say stands once, for the study.
void share_notes(StudyView& view) {
  view.notes = notes_of(*view.json);
  const auto is_shared = [&view](const Note& note) {
    return std::all_of(view.points.begin(), view.points.end(), [&](const PointView& point) {
      return !point.is_done || holds(point.notes, note);
    });
  };
  if (const auto* first = view.fastest())
    for (const Note& note : first->notes)
      if (!holds(view.notes, note) && is_shared(note)) view.notes.push_back(note);
  for (auto& point : view.points)
    std::erase_if(point.notes, [&view](const Note& note) { return holds(view.notes, note); });
}

PointView point_of(const ordered_json& json, std::size_t number, const ordered_json& study,
                   const std::vector<std::string>& axes, const std::vector<bool>& varies,
                   const std::vector<bool>& is_numeric) {
  PointView point;
  point.json = &json;
  point.number = number;
  const auto* labels = find(json, "labels");
  const auto* baseline = find(study, "baseline");
  point.is_baseline = baseline != nullptr && !axes.empty();
  const auto is_compared = [&study](const std::string& axis) {
    return find(study, "applications") == nullptr || axis != "application";
  };
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    point.labels.push_back(labels == nullptr ? "" : text_of(*labels, axes[axis].c_str()));
    if (varies[axis])
      point.name += (point.name.empty() ? "" : ", ") + (is_numeric[axis] ? axes[axis] + " " : "") +
                    point.labels.back();
    if (point.is_baseline && is_compared(axes[axis]) &&
        text_of(*baseline, axes[axis].c_str()) != point.labels.back())
      point.is_baseline = false;
  }
  if (point.name.empty()) point.name = "the run";
  point.is_done = text_of(json, "status") == "done";
  if (const auto* time = find(json, "predicted_time_s")) {
    const bool is_one = time->is_number();
    point.time = is_one ? time->get<double>() : number_at(*time, "median");
    point.low = is_one ? point.time : number_at(*time, "low");
    point.high = is_one ? point.time : number_at(*time, "high");
    point.seeds = std::max<std::uint64_t>(
        1, is_one ? 1 : static_cast<std::uint64_t>(number_at(*time, "seeds")));
    if (time->contains("recordings"))
      point.recordings = time->at("recordings").get<std::uint64_t>();
  }
  point.speedup = number_at(json, "speedup");
  point.compute = number_at(json, "compute_s");
  if (json.contains("memory")) point.at_memory = number_at(json["memory"], "time_s");
  point.communication = number_at(json, "communication_s");
  point.wait = number_at(json, "wait_s");
  point.load_balance = number_at(json, "load_balance", 1);
  point.efficiencies = find(json, "efficiencies");
  point.path = find(json, "critical_path");
  point.band = find(json, "calibration");
  point.notes = notes_of(json);
  return point;
}

std::optional<Interval> interval_of(const ordered_json* json, const char* low, const char* high) {
  if (json == nullptr) return std::nullopt;
  const Interval interval{number_at(*json, low), number_at(*json, high)};
  return interval.high > interval.low ? std::optional(interval) : std::nullopt;
}

// What the bands are made of.
void find_scatter(StudyView& view) {
  view.has_runs = view.done() > 0;
  bool has_seeds = false, has_calibration = false, has_models = false;
  for (const PointView& point : view.points) {
    if (!point.is_done) continue;
    view.has_runs &= point.recordings > 1;
    has_seeds |= point.seeds > 1;
    const ordered_json& shares = part_of(part_of(*point.json, "band"), "shares");
    has_calibration |= number_at(shares, "calibration") > 0;
    has_models |= number_at(shares, "network_model") > 0;
  }
  std::vector<std::string> parts;
  if (has_seeds) parts.emplace_back(view.has_runs ? "recordings" : "seeds");
  if (has_calibration) parts.emplace_back("fit errors");
  if (has_models) parts.emplace_back("network models");
  for (std::size_t i = 0; i < parts.size(); ++i)
    view.scatter += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  if (view.scatter.empty()) view.scatter = "seeds";
}

// One kind of band for all points, so that they can be compared.
void find_bands(StudyView& view) {
  const auto any = [&view](const auto& has) { return std::ranges::any_of(view.points, has); };
  const bool is_certain = any([](const auto& point) { return find(*point.json, "band"); });
  const bool is_seeded = any([](const auto& point) { return point.seeds > 1; });
  const bool is_calibrated = any([](const auto& point) { return point.band != nullptr; });
  find_scatter(view);
  view.band_name = is_certain  ? (view.has_runs ? "95\u202f% band" : "band over " + view.scatter)
                   : is_seeded ? "lowest to highest"
                   : is_calibrated ? "calibration band"
                                   : "";
  for (auto& point : view.points) {
    if (!point.is_done) continue;
    if (is_certain)
      point.time_band = interval_of(find(*point.json, "band"), "low_s", "high_s");
    else if (is_seeded && point.high > point.low)
      point.time_band = Interval{point.low, point.high};
    else if (!is_seeded)
      point.time_band = interval_of(point.band, "low_s", "high_s");
    point.speedup_band = interval_of(find(*point.json, "speedup_band"), "low", "high");
  }
}

}  // namespace

const PointView* StudyView::baseline() const {
  const PointView* first = nullptr;
  for (const PointView& point : points)
    if (point.is_baseline && (first == nullptr || point.number < first->number)) first = &point;
  return first != nullptr && first->is_done ? first : nullptr;
}

std::size_t StudyView::done() const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [](const auto& point) { return point.is_done; }));
}

std::size_t StudyView::missing() const {
  return static_cast<std::size_t>(std::ranges::count_if(points, [](const PointView& point) {
    return !point.is_done && text_of(*point.json, "status") == "missing";
  }));
}

StudyView view_of(const ordered_json& results) {
  const ordered_json& study = part_of(results, "study");
  StudyView view;
  view.json = &results;
  view.name = text_of(study, "name");
  view.question = text_of(study, "question");
  view.program = last_part(text_of(part_of(study, "trace"), "program"));
  std::vector<bool> varies, is_numeric;
  for (const auto& axis : part_of(study, "axes")) {
    varies.push_back(part_of(axis, "labels").size() > 1);
    is_numeric.push_back(is_numeric_axis(axis));
    if (is_numeric.back()) view.numeric_axes.push_back(view.axes.size());
    view.axes.push_back(text_of(axis, "name"));
  }
  for (const auto& point : part_of(results, "points"))
    view.points.push_back(
        point_of(point, view.points.size(), study, view.axes, varies, is_numeric));
  std::stable_sort(view.points.begin(), view.points.end(),
                   [](const PointView& a, const PointView& b) {
                     return a.is_done != b.is_done ? a.is_done : a.is_done && a.time < b.time;
                   });
  // The path in the page's details is the baseline's, or that of the one point.
  const PointView* const baseline = view.baseline();
  for (auto& point : view.points)
    if (point.path == nullptr && (&point == baseline || view.points.size() == 1))
      point.path = find(part_of(results, "baseline_details"), "critical_path");
  find_bands(view);
  share_notes(view);
  view.applications = part_of(study, "applications").size();
  mark_first_places(view);
  return view;
}

std::optional<Grid> grid_of(const StudyView& view) {
  if (view.numeric_axes.size() < 2) return std::nullopt;
  const PointView* like = view.baseline() != nullptr ? view.baseline() : view.fastest();
  if (like == nullptr) return std::nullopt;
  const std::size_t across = view.numeric_axes[0], down = view.numeric_axes[1];
  const auto labels = [&view](std::size_t axis) {
    std::vector<std::string> list;
    for (const auto& label : (*view.json)["study"]["axes"][axis]["labels"])
      list.push_back(label.is_string() ? label.get<std::string>() : label.dump());
    return list;
  };
  const auto index = [](const std::vector<std::string>& list, const std::string& label) {
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), label) - list.begin());
  };
  Grid grid{view.axes[across], view.axes[down], labels(across), labels(down), {}};
  grid.cells.assign(grid.columns.size() * grid.rows.size(), nullptr);
  for (const auto& point : view.points) {
    bool is_alike = point.is_done;
    for (std::size_t axis = 0; axis < view.axes.size(); ++axis)
      if (axis != across && axis != down && point.labels[axis] != like->labels[axis])
        is_alike = false;
    const std::size_t column = index(grid.columns, point.labels[across]),
                      row = index(grid.rows, point.labels[down]);
    if (is_alike && column < grid.columns.size() && row < grid.rows.size())
      grid.cells[row * grid.columns.size() + column] = &point;
  }
  return grid;
}

}  // namespace reprise::sim::report
