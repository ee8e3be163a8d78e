// SPDX-License-Identifier: MIT
// Sections on one point, the baseline: its traffic, its time line, its call sites; and what the simulations could not represent.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/report/call_text.hpp"
#include "sim/report/iteration_picture.hpp"
#include "sim/report/losses_of_points.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

const ordered_json& detail(const StudyView& view, const char* key) {
  return part_of(part_of(*view.json, "baseline_details"), key);
}

std::string baseline_name(const StudyView& view) {
  return view.baseline() == nullptr ? "" : " (" + view.baseline()->name + ")";
}

// By the critical path, whose parts add up to it; 0 where it is not known.
double run_time_of(const StudyView& view) {
  const auto* time = find(detail(view, "critical_path"), "time_s");
  return time != nullptr && time->is_number() ? time->get<double>() : 0;
}

std::string ranks_text(const ordered_json& first, std::size_t at) {
  const auto begin = first[at].get<std::int64_t>(), last = first[at + 1].get<std::int64_t>() - 1;
  return begin == last ? std::to_string(begin) : std::to_string(begin) + "–" + std::to_string(last);
}

Markup legend(const Markup& content, const char* name = "p") {
  return element(name, attr("class", "legend needs-script"), content) + "\n";
}

Markup pairs_table(const ordered_json& matrix) {
  const auto &first = matrix["first_ranks"], &bytes = matrix["bytes"];
  struct Pair {
    double bytes;
    std::size_t from, to;
  };
  std::vector<Pair> pairs;
  double all = 0;
  for (std::size_t from = 0; from < bytes.size(); ++from)
    for (std::size_t to = 0; to < bytes[from].size(); ++to) {
      const auto of_pair = bytes[from][to].get<double>();
      all += of_pair;
      if (of_pair > 0) pairs.push_back({of_pair, from, to});
    }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.bytes > b.bytes; });
  const std::string caption = (pairs.size() > 12 ? "The largest of " : "All ") +
                              counted(pairs.size(), "pair") + " that exchange data; " +
                              bytes_text(all) + " in all";
  if (pairs.size() > 12) pairs.resize(12);
  Markup rows;
  for (const Pair& pair : pairs)
    rows += row(text_cell(ranks_text(first, pair.from)) + text_cell(ranks_text(first, pair.to)) +
                number_cell(bytes_text(pair.bytes), pair.bytes) +
                share_cell(pair.bytes / all, "share"));
  return table("table#pairs", {{"from rank"}, {"to rank"}, {"bytes", true}, {"of all bytes", true}},
               rows, caption);
}

Markup traffic(const StudyView& view) {
  const auto& matrix = detail(view, "matrix");
  if (find(matrix, "first_ranks") == nullptr || find(matrix, "bytes") == nullptr) return {};
  const auto range = element("span", "less ", element("span.ramp#matrix-ramp"),
                             " more: ", element("span#matrix-range"), ", logarithmic");
  return card({"matrix", "Who sends to whom",
               "Bytes between ranks, or blocks of them" + baseline_name(view) +
                   ": rows send, columns receive.",
               legend(range) + canvas("chart-matrix", "Matrix of the bytes between ranks.") +
                   as_table(pairs_table(matrix))});
}

// The time line in at most ten slices, over all ranks, up to the run's end (which is in the last bin).
Markup slices_table(const ordered_json& line, double run_time) {
  const auto& first = line["first_ranks"];
  const double bin = line.value("bin_s", 0.0);
  const double whole = bin * static_cast<double>(line["compute"][0].size()),
               run_end = run_time > 0 ? std::min(run_time, whole) : whole;
  const auto bins = static_cast<std::size_t>(bin > 0 ? std::ceil(run_end / bin * (1 - 1e-9)) : 0);
  const std::size_t slices = std::min<std::size_t>(10, bins);
  const TimeUnit unit = unit_for(run_end);
  const auto mean = [&](const char* kind, std::size_t begin, std::size_t end) {
    double sum = 0, weight = 0;
    for (std::size_t block = 0; block < line[kind].size(); ++block) {
      const double ranks = first[block + 1].get<double>() - first[block].get<double>();
      for (std::size_t i = begin; i < end; ++i) sum += ranks * line[kind][block][i].get<double>();
      weight += ranks * (std::min(run_end, bin * static_cast<double>(end)) / bin -
                         static_cast<double>(begin));
    }
    return weight > 0 ? sum / weight : 0;
  };
  const auto time_at = [&](std::size_t at) {
    return digits(std::min(run_end, bin * static_cast<double>(at)) / unit.seconds, 3);
  };
  Markup rows;
  for (std::size_t slice = 0; slice < slices; ++slice) {
    const std::size_t begin = slice * bins / slices, end = (slice + 1) * bins / slices;
    Markup cells = head_cell(time_at(begin) + " – " + time_at(end));
    for (const char* kind : {"compute", "communication", "wait"})
      cells += share_cell(mean(kind, begin, end), kind);
    rows += row(cells);
  }
  return table("table#slices",
               {{std::string("time (") + unit.name + ")"},
                {"computing", true},
                {"moving data", true},
                {"waiting", true}},
               rows);
}

Markup time_line(const StudyView& view) {
  const auto& line = detail(view, "timeline");
  if (part_of(line, "compute").empty()) return {};
  Markup colours;
  for (const auto& [kind, text] : {std::pair("compute", "computing (bottom)"),
                                   {"communication", "moving data (middle)"},
                                   {"wait", "waiting (top)"}}) {
    const std::string colour = std::string("background:var(--") + kind + ")";
    colours += element("li", element("i", attr("style", colour)), text);
  }
  return card({"timeline", "What ranks do when",
               "One row per rank or block of ranks" + baseline_name(view) +
                   ", time from left to right; the height of a colour is its share.",
               legend(colours, "ul") +
                   canvas("chart-timeline", "Time line of computing, moving data and waiting.") +
                   as_table(slices_table(line, run_time_of(view)))});
}

trace_io::IterationTable iteration_table(const ordered_json& json, const char* metric) {
  trace_io::IterationTable table;
  table.iterations = json.value("iterations", std::uint64_t{0});
  table.iterations_per_column = json.value("iterations_per_column", std::uint64_t{1});
  const auto& first = json["first_ranks"];
  for (std::size_t row = 0; row + 1 < first.size(); ++row)
    table.ranks.push_back(Rank{first[row].get<std::int32_t>()});
  const auto& graph = json["graph"][metric];
  for (std::size_t column = 0; column < graph["largest"].size(); ++column)
    table.graph.push_back({graph["largest"][column].get<double>(),
                           graph["median"][column].get<double>(),
                           graph["smallest"][column].get<double>()});
  for (const auto& row : json["map"][metric]) {
    auto& values = table.map.emplace_back();
    for (const auto& value : row)
      values.push_back(value.is_null() ? std::nan("") : value.get<double>());
  }
  return table;
}

Markup iterations(const StudyView& view) {
  const auto& json = detail(view, "iterations");
  if (part_of(json, "first_ranks").empty()) return {};
  const std::uint64_t each = json.value("iterations_per_column", std::uint64_t{1});
  return card(
      {"iterations", "How iterations differ",
       "Of " + json.value("loop", "") + baseline_name(view) + ": " +
           counted(json.value("iterations", std::uint64_t{0}), "iteration") +
           (each > 1 ? ", " + std::to_string(each) + " a column" : "") +
           (json.contains("slowest_rank_s")
                ? ", " + seconds(json["slowest_rank_s"].get<double>()) + " on the slowest rank"
                : "") +
           ". Top: iteration time over all ranks; bottom: by rank.",
       scrolling(iterations_svg(iteration_table(json, "time"), "computing and MPI", "s"),
                 "computing and MPI") +
           scrolling(iterations_svg(iteration_table(json, "wait"), "waiting", "s"), "waiting"),
       true});
}

Markup call_sites(const StudyView& view) {
  constexpr std::size_t kShown = 15;
  const auto& sites = detail(view, "call_sites");
  if (sites.empty()) return {};
  constexpr const char* kTimes[] = {"compute_s", "communication_s", "wait_s"};
  const auto time_of = [&](const ordered_json& site) {
    double sum = 0;
    for (const char* key : kTimes) sum += site.value(key, 0.0);
    return sum;
  };
  double all = 0;
  for (const auto& site : sites) all += time_of(site);
  Markup rows;
  for (std::size_t i = 0; i < std::min(kShown, sites.size()); ++i) {
    const auto& site = sites[i];
    const std::string place = place_of(site);
    const double calls = site.value("calls", 0.0);
    Markup cells = head_cell(site.value("procedure", "")) + text_cell(place.empty() ? "–" : place) +
                   number_cell(whole(calls), calls);
    for (const char* key : kTimes)
      cells += number_cell(seconds(site.value(key, 0.0)), site.value(key, 0.0));
    rows += row(cells + share_cell(all > 0 ? time_of(site) / all : 0, "share"));
  }
  const std::vector<Column> columns = {
      {"call"},
      {"place"},
      {"calls", true},
      {"computing before", true, "between the call before and this one, over all ranks"},
      {"moving data", true},
      {"waiting", true},
      {"share of all time", true}};
  const auto note = "The 15 largest of " + counted(sites.size(), "call site") + ".";
  return card({"calls", "Where the program spends it",
               "MPI call sites, summed over ranks" + baseline_name(view) +
                   "; computing is the time before their calls.",
               scrolling(table("table#call-sites", columns, rows) +
                         (sites.size() > kShown ? element("p.note", note) : Markup())),
               true});
}

Markup losses_list(const StudyView& view) {
  const auto losses = losses_of_points(*view.json);
  if (losses.empty() && view.missing() == 0)
    return element("p", "Nothing was left out: everything recorded was simulated.");
  if (losses.empty())
    return element("p", view.done() == 0 ? "No point has a result."
                                         : "Nothing was left out at the points with a result.");
  Markup list;
  for (const LossOfPoints& loss : losses) list += element("li", describe(loss));
  return element("ul", list);
}

std::string recordings_text(const StudyView& view) {
  if (view.applications > 0) return "the applications were recorded, and their recordings were";
  const std::size_t several = part_of(part_of(*view.json, "study"), "traces").size();
  return several > 1 ? "the program was recorded " + whole(static_cast<double>(several)) +
                           " times, and the recordings were"
                     : "the program was recorded once, and the recording was";
}

std::string bands_text(const StudyView& view) {
  return view.has_runs ? "Bands are 95\u202f% intervals over the known sources of variation: runs, "
                         "the machine's calibration, network models."
                       : "Bands show the variation over " + view.scatter +
                             " alone: with one recording nothing is known of how runs differ.";
}

}  // namespace

Markup detail_sections(const StudyView& view) {
  return critical_path(view) + functions(view) + wait_states(view) + delay_costs(view) +
         traffic(view) + time_line(view) + window(view) + iterations(view) + call_sites(view);
}

Markup about(const StudyView& view) {
  Markup facts;
  const auto& study = part_of(*view.json, "study");
  for (const auto& [key, name] :
       {std::pair("deltas", "compute times (--deltas)"), std::pair("seed", "seed (--seed)")})
    if (study.contains(key))
      facts +=
          element("dt", name) +
          element("dd", study[key].is_string() ? study[key].get<std::string>() : study[key].dump());
  for (const char* group : {"trace", "versions"})
    for (const auto& [key, value] : part_of(part_of(*view.json, "study"), group).items()) {
      if (value.is_null()) continue;
      facts += element("dt", (group == std::string_view("trace") ? "trace: " : "") + key) +
               element("dd", value.is_string()         ? value.get<std::string>()
                             : value.is_number_float() ? digits(value.get<double>(), 6)
                                                       : value.dump());
    }
  return element("section.card#about", element("h2", "How to read this page"), "\n",
                 element("p.lead", "Every number is a prediction: ", recordings_text(view),
                         " replayed on models of machines. ", bands_text(view),
                         " Points are compared seed by seed, so one point can be faster although "
                         "the bands overlap."),
                 "\n", element("h3", "Not represented"), losses_list(view), element("dl", facts),
                 "\n") +
         "\n";
}

}  // namespace reprise::sim::report
