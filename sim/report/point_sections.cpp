// SPDX-License-Identifier: MIT
// Sections over all points of the study, as tables: their times, efficiencies, sensitivities and links.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "sim/report/comparison.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim::report {
namespace {

// A row's first cells: the values of the axes.
Markup point_cells(const PointView& point) {
  const auto badge = [](const std::string& text) { return " " + element("span.badge", text); };
  Markup badges;
  if (point.is_fastest) badges += badge(place_text("fastest", point.is_tied, point.is_doubtful));
  if (point.is_baseline) badges += badge("baseline");
  if (point.labels.empty()) return head_cell(point.name + badges);
  Markup cells;
  for (std::size_t axis = 0; axis < point.labels.size(); ++axis) {
    const auto label = point.labels[axis] + (axis + 1 == point.labels.size() ? badges : Markup());
    cells += axis == 0 ? head_cell(label) : text_cell(label);
  }
  return cells;
}

// The columns of the axes, and behind them MORE.
std::vector<Column> columns_of(const StudyView& view, const std::vector<Column>& more) {
  std::vector<Column> columns;
  for (const auto& axis : view.axes) columns.push_back({axis});
  if (columns.empty()) columns.push_back({"run"});
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

// Remarks and losses that not all points share: each once below the table, by number. Those that differ in their figures alone are one.
class NoteList {
 public:
  explicit NoteList(const StudyView& view) {
    for (const auto& point : view.points)
      for (const Note& note : point.notes) {
        const auto found = find(note);
        if (found == notes_.size()) notes_.push_back({note, {}, true});
        notes_[found].points.insert(point.number);
        notes_[found].is_same &= notes_[found].first == note;
      }
  }
  Markup cell(const PointView& point) const {
    Markup numbers;
    std::set<std::size_t> known;
    for (const Note& note : point.notes) {
      if (!known.insert(find(note)).second) continue;
      const auto number = std::to_string(1 + find(note));
      numbers += (numbers.empty() ? Markup() : Markup(", ")) +
                 element(note.is_grave() ? "a.grave" : "a", attr("href", "#note-" + number),
                         attr("title", text_of(note)), number);
    }
    return element("td", numbers);
  }
  Markup list() const {
    if (notes_.empty()) return {};
    Markup items;
    for (std::size_t i = 0; i < notes_.size(); ++i) {
      const Known& one = notes_[i];
      items += element(
          one.first.is_grave() ? "li.grave" : "li", attr("id", "note-" + std::to_string(i + 1)),
          text_of(one.first),
          one.is_same ? ""
                      : "; likewise, with other numbers, at " +
                            (one.points.size() > 1 ? counted(one.points.size() - 1, "other point")
                                                   : std::string("this point")));
    }
    return element("ol.notes", attr("aria-label", "remarks and losses by number"), items) + "\n";
  }

 private:
  static std::string text_of(const Note& note) {
    return (note.severity.empty() ? "" : note.severity + ": ") + note.text;
  }
  static std::string without_figures(const Note& note) {
    std::string text = text_of(note);
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
  }
  // Its place, or the end.
  std::size_t find(const Note& note) const {
    const auto words = without_figures(note);
    std::size_t i = 0;
    while (i < notes_.size() && without_figures(notes_[i].first) != words) ++i;
    return i;
  }
  struct Known {
    Note first;
    std::set<std::size_t> points;  // by number: one may have several that differ in figures
    bool is_same;                  // at all of them
  };
  std::vector<Known> notes_;
};

// A column is added here: its head, and its cell of a point that has a result.
struct PointColumn {
  Column head;
  std::function<Markup(const PointView&)> cell;
};

std::vector<PointColumn> point_columns(const StudyView& view, const NoteList& notes) {
  const TimeUnit unit = unit_for(view.fastest() == nullptr ? 0 : view.fastest()->time);
  double best = 0;
  bool has_seeds = false, has_bands = false, has_notes = false, has_certainty = false,
       has_ranking = false;
  for (const auto& point : view.points) {
    if (point.is_done) best = std::max(best, point.speedup);
    has_seeds |= point.seeds > 1;
    has_bands |= point.band != nullptr;
    has_notes |= !point.notes.empty();
    has_certainty |= find(*point.json, "band") != nullptr;
    has_ranking |= find(*point.json, "probability_fastest") != nullptr;
  }
  const auto share_of = [](double PointView::*part, const char* kind) {
    return [part, kind](const PointView& point) {
      const double whole = point.compute + point.communication + point.wait;
      return whole > 0 ? share_cell(point.*part / whole, kind) : no_number();
    };
  };
  std::vector<PointColumn> columns;
  const auto add = [&columns](const Column& head, const auto& cell, bool is_shown = true) {
    if (is_shown) columns.push_back({head, cell});
  };
  add({std::string("run time (") + unit.name + ")", true,
       "predicted; the median over seeds and recordings"},
      [unit](const PointView& point) {
        return number_cell(digits(point.time / unit.seconds, 4), point.time,
                           attr("data-key", "time") + attr("data-low", exact(point.low)) +
                               attr("data-high", exact(point.high)));
      });
  add(
      {"lowest – highest", true, "over the seeds and recordings"},
      [unit](const PointView& point) {
        return element("td.n", point.seeds > 1 ? range_text(point.low, point.high, unit) : "–");
      },
      has_seeds && !has_certainty);
  add(
      {view.has_runs ? "95 % band" : "band over " + view.scatter, true,
       view.has_runs ? "95\u202f% band of one run: runs, calibration, network models"
                     : "of one recording: how runs differ is not in it"},
      [unit](const PointView& point) {
        const auto* known = find(*point.json, "band");
        if (known == nullptr) return no_number();
        return element("td.n",
                       range_text(known->value("low_s", 0.0), known->value("high_s", 0.0), unit));
      },
      has_certainty);
  add(
      {"fastest with", true,
       std::string("the probability that no other point takes less time; of points that count as "
                   "equal, that one of them is the fastest") +
           (view.has_runs ? "" : "; over " + view.scatter + " alone")},
      [](const PointView& point) {
        return point.probability_fastest ? share_cell(*point.probability_fastest, "probability")
                                         : no_number();
      },
      has_ranking);
  add(
      {"calibration band", true, "the run time within the platform's fit error"},
      [unit](const PointView& point) {
        if (point.band == nullptr) return no_number();
        const auto& band = *point.band;
        return element("td.n",
                       range_text(band.value("low_s", 0.0), band.value("high_s", 0.0), unit));
      },
      has_bands && !has_certainty);
  add(
      {"speed-up", true, "against the baseline"},
      [best](const PointView& point) {
        return point.speedup > 0
                   ? bar_cell(times(point.speedup), point.speedup, point.speedup / best, "speedup",
                              attr("data-key", "speedup"))
                   : no_number();
      },
      best > 0);
  add({"computing", true, "share of the ranks' time, on average"},
      share_of(&PointView::compute, "compute"));
  add({"moving data", true, "overheads, latency, transfer"},
      share_of(&PointView::communication, "communication"));
  add({"waiting", true, "blocked until the partner is ready"}, share_of(&PointView::wait, "wait"));
  add({"limited by"}, [](const PointView& point) { return element("td.words", limit_of(point)); });
  add(
      {"notes", false, "remarks and losses, below the table"},
      [&notes](const PointView& point) { return notes.cell(point); }, has_notes);
  return columns;
}

// A problem and its remedy, which an error has on lines of their own.
std::string on_one_line(std::string text) {
  for (auto at = text.find("\n  "); at != std::string::npos; at = text.find("\n  "))
    text.replace(at, 3, "; ");
  return text;
}

Markup points_table(const StudyView& view, const NoteList& notes) {
  const auto columns = point_columns(view, notes);
  std::vector<Column> heads;
  for (const auto& column : columns) heads.push_back(column.head);
  Markup rows;
  for (const auto& point : view.points) {
    Attributes attributes = attr("data-point", std::to_string(point.number));
    Markup cells = point_cells(point);
    if (point.is_done) {
      for (const auto& column : columns) cells += column.cell(point);
    } else {
      attributes += attr("class", "failed");
      const auto status = point.json->value("status", "");
      const auto reason = on_one_line(point.json->value("reason", ""));
      cells += element("td", attr("colspan", static_cast<double>(columns.size())),
                       "no result: ", status.empty() ? "unknown" : status,
                       reason.empty() ? "" : " – ", reason);
    }
    rows += row(cells, attributes);
  }
  return table("table#points.sortable", columns_of(view, heads), rows);
}

bool has_sensitivities(const StudyView& view) {
  return std::any_of(view.points.begin(), view.points.end(), [](const PointView& point) {
    return point.is_done && !tolerances_of(*point.json).empty();
  });
}

// A change that is below rounding has no digits and no sign; where the method leaves the sign open, both ends.
std::string change_text(double elasticity, double spread) {
  constexpr double kNoise = 0.0005;  // in per cent of the run time, for 1 % more
  const auto signed_text = [](double value) {
    return (value > 0 ? "+" : "") + digits(value, 3) + "\u202f%";
  };
  if (std::abs(elasticity) + spread < kNoise) return "\u2248\u202f0\u202f%";
  if (spread < std::abs(elasticity)) return signed_text(elasticity);
  return signed_text(elasticity - spread) + " to " + signed_text(elasticity + spread);
}

Markup sensitivities(const StudyView& view) {
  if (!has_sensitivities(view)) return {};
  Markup rows;
  for (const auto& point : view.points)
    for (const auto& one : tolerances_of(*point.json)) {
      const auto* at = find(one, "costs_5_percent_at");
      const double elasticity = one.value("elasticity", 0.0);
      rows += row(point_cells(point) + text_cell(one.value("parameter", "")) +
                  number_cell(change_text(elasticity, one.value("uncertainty", 0.0)), elasticity) +
                  text_cell(one.value("method", "")) +
                  (at != nullptr && at->is_number()
                       ? number_cell("× " + digits(at->get<double>(), 3), at->get<double>())
                       : element("td.n", "never (up to × 1024)")));
    }
  const auto columns = columns_of(
      view,
      {{"parameter"},
       {"change of the run time for 1 % more", true,
        "\u2248 0: below rounding or the method's error"},
       {"method", false,
        "critical path: exact for small changes; two replays: between one with less and one with "
        "more of "
        "the parameter"},
       {"costs 5 % from", true, "the factor on the parameter that makes the run 5 % longer"}});
  const auto choice = element("label", "Point ", element("select#tornado-point"));
  return card({"tornado", "What the run time depends on",
               "Change of the run time if one parameter is 10\u202f% better or worse, and the "
               "factor at which it costs 5\u202f%.",
               element("p", attr("class", "controls needs-script"), choice) + "\n" +
                   chart("chart-tornado",
                         "Change of the run time for latency, bandwidth and computing; the table "
                         "below has the numbers.") +
                   as_table(table("table#sensitivities", columns, rows))});
}

// "node down: most node 5, at 10 % of the platform's bandwidth", where one link stands out.
std::string link_class_text(const nlohmann::ordered_json& use) {
  const std::string name = use.value("name", ""), link = use.value("busiest_link", "");
  const double bandwidth = use.value("busiest_bandwidth", 1.0);
  if (link.empty()) return name;
  return name + ": most " + link +
         (bandwidth == 1 ? "" : ", at " + percent(bandwidth) + " of the platform's bandwidth");
}

constexpr std::size_t kMostWithLinks = 12;

// Of all points, or of the baseline and the fastest where that were many.
Markup links(const StudyView& view) {
  Markup rows;
  const auto add = [&rows](const PointView* point) {
    if (point == nullptr) return;
    for (const auto& use : part_of(*point->json, "link_classes"))
      if (const double bytes = use.value("bytes", 0.0); bytes > 0)
        rows += row(head_cell(point->name) + text_cell(link_class_text(use)) +
                    share_cell(use.value("busy_share", 0.0), "busy") +
                    number_cell(bytes_text(bytes), bytes));
  };
  const bool has_all = view.points.size() <= kMostWithLinks;
  if (has_all)
    for (const auto& point : view.points) add(&point);
  else
    for (const auto* point : {view.baseline(), view.fastest()})
      if (point == view.baseline() || view.fastest() != view.baseline()) add(point);
  if (rows.empty()) return {};
  const std::vector<Column> columns = {
      {"point"},
      {"links"},
      {"busiest link is busy", true,
       "transfer time of its bytes at full bandwidth, as a share of the run time"},
      {"bytes carried", true}};
  return card({"links-used", "How busy the links are",
               std::string("Of each class the busiest link: the transfer time of its bytes at full "
                           "bandwidth, as a share of the run time.") +
                   (has_all ? "" : " For the baseline and the fastest point."),
               scrolling(table("table#links", columns, rows)),
               // beside the one that is alone
               !view.numeric_axes.empty() == has_sensitivities(view)});
}

Markup efficiencies(const StudyView& view) {
  struct Metric {
    const char *key, *title;
    bool is_cause;
  };
  static constexpr Metric kMetrics[] = {{"parallel", "parallel efficiency", false},
                                        {"load_balance", "load balance", true},
                                        {"communication", "communication efficiency", false},
                                        {"serialisation", "serialisation", true},
                                        {"transfer", "transfer", true}};
  const Markup mark =
      " " + element("span.mark", attr("title", "the lowest of the three causes"), "◀");
  std::vector<Column> columns;
  for (const Metric& metric : kMetrics) columns.push_back({metric.title, true});
  Markup rows;
  for (const auto& point : view.points) {
    if (!point.is_done || point.efficiencies == nullptr) continue;
    double lowest = 0.95;
    for (const Metric& metric : kMetrics)
      if (metric.is_cause) lowest = std::min(lowest, point.efficiencies->value(metric.key, 1.0));
    Markup cells = point_cells(point);
    for (const Metric& metric : kMetrics) {
      const double value = point.efficiencies->value(metric.key, 0.0);
      const bool limits = metric.is_cause && value == lowest && lowest < 0.95;
      cells += bar_cell(percent(value) + (limits ? mark : ""), value, value, "efficiency");
    }
    rows += row(cells);
  }
  if (rows.empty()) return {};
  return card({"pop", "Where the efficiency goes",
               "POP metrics. Parallel efficiency = load balance × communication efficiency; that = "
               "serialisation × transfer. 100\u202f% loses nothing; ◀ marks the cause that costs "
               "most.",
               scrolling(table("table#efficiencies.sortable", columns_of(view, columns), rows)),
               true});
}

}  // namespace

Markup all_points(const StudyView& view) {
  const bool is_one = view.points.size() == 1;
  const NoteList notes(view);
  return card({"all-points", is_one ? "The run" : "All points, the fastest first",
               is_one ? "The predicted time, and its parts below."
                      : "Run times are predicted; speed-up is against the baseline. Click a column "
                        "head to sort.",
               scrolling(points_table(view, notes)) + notes.list()});
}

Markup point_sections(const StudyView& view) {
  return chart_sections(view) + sensitivities(view) + links(view) + efficiencies(view);
}

}  // namespace reprise::sim::report
