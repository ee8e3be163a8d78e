// SPDX-License-Identifier: MIT
#include "sim/comparison/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sim/comparison/answer_fields.hpp"
#include "sim/comparison/doubt.hpp"
#include "sim/comparison/how_sure.hpp"
#include "sim/comparison/renamed_waiting.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

constexpr double kNothingOf = 1e-9;  // of the longer run: less is rounding

using Seconds = std::map<std::string, double>;

std::string site_of(const ordered_json& row) {
  const std::string procedure = text_at(row, "procedure"), place = text_at(row, "place");
  return procedure + (place.empty() ? "" : " (" + place + ")");
}

// The classes of links that the path goes over; overheads and copies are between nodes or inside one on every machine.
std::set<std::string> link_classes(const ordered_json& answer) {
  std::set<std::string> classes;
  for (const auto& part : part_of(part_of(answer, "critical_path"), "parts"))
    if (const auto where = text_at(part, "where");
        !where.empty() && where != "between nodes" && where != "inside a node")
      classes.insert(where);
  return classes;
}

// WITH_LINKS: what is spent on links by their class.
Seconds path_categories(const ordered_json& answer, bool with_links) {
  Seconds sums;
  const auto links = link_classes(answer);
  for (const auto& part : part_of(part_of(answer, "critical_path"), "parts")) {
    std::string where = text_at(part, "where");
    if (!with_links && links.contains(where)) where.clear();
    sums[text_at(part, "part") + (where.empty() ? "" : ", " + where)] += number_at(part, "seconds");
  }
  return sums;
}

Seconds path_sites(const ordered_json& answer) {
  Seconds sums;
  for (const auto& part : part_of(part_of(answer, "critical_path"), "parts")) {
    const std::string kind = text_at(part, "part");
    const std::string site = site_of(part);
    sums[(kind == "compute" ? "compute before " : "communication of ") +
         (site.empty() ? "no call" : site)] += number_at(part, "seconds");
  }
  return sums;
}

Seconds waits(const ordered_json& answer) {
  Seconds sums;
  for (const auto& row : part_of(part_of(answer, "wait_states"), "by_site"))
    sums[text_at(row, "state") + " in " + site_of(row)] += number_at(row, "seconds");
  return sums;
}

Seconds call_sites(const ordered_json& answer) {
  Seconds sums;
  for (const auto& row : part_of(answer, "call_sites")) {
    const std::string site = site_of(row);
    sums["compute before " + site] += number_at(row, "compute_s");
    sums["communication in " + site] += number_at(row, "communication_s");
    sums["wait in " + site] += number_at(row, "wait_s");
  }
  return sums;
}

Seconds means(const ordered_json& answer) {
  Seconds sums;
  const auto& ranks = part_of(answer, "ranks");
  for (const char* key : {"compute_s", "communication_s", "wait_s"}) {
    const std::string name(key, std::string(key).size() - 2);
    if (answer.contains(key)) sums[name] = number_at(answer, key);
    for (const auto& rank : ranks)
      sums[name] += number_at(rank, key) / static_cast<double>(ranks.size());
  }
  return sums;
}

void add_table(Comparison& comparison, const std::string& name, const std::string& key,
               const Seconds& before, const Seconds& after, bool is_sum = false) {
  if (before.empty() || after.empty()) return;
  std::map<std::string, PartChange> all;
  for (const auto& [what, seconds] : before) all[what].before = seconds;
  for (const auto& [what, seconds] : after) all[what].after = seconds;
  ChangeTable table{name, key, {}, is_sum};
  const double least = kNothingOf * std::max(comparison.times[0], comparison.times[1]);
  for (auto& [what, change] : all) {
    change.what = what;
    if (std::abs(change.change()) > least) {
      table.changes.push_back(change);
    } else if (change.before > least) {
      ++table.unchanged;
      table.unchanged_s += change.before;
    }
  }
  std::stable_sort(table.changes.begin(), table.changes.end(),
                   [](const PartChange& a, const PartChange& b) {
                     return std::abs(a.change()) > std::abs(b.change());
                   });
  comparison.tables.push_back(std::move(table));
}

// By the functions in which the path computes. Samples of one recording are the same on both sides; those of two have each their error.
Seconds path_functions(const ordered_json& answer) {
  Seconds sums;
  for (const auto& row : part_of(part_of(answer, "functions"), "functions"))
    sums[text_at(row, "function")] += number_at(row, "path_exclusive_s");
  return sums;
}

void add_functions(Comparison& comparison, const ordered_json& a, const ordered_json& b) {
  constexpr double kSure = 1.96;  // standard errors on either side: 95 %
  const std::size_t tables = comparison.tables.size();
  add_table(comparison, "computing by function, critical path", "functions", path_functions(a),
            path_functions(b));
  if (comparison.tables.size() == tables || comparison.recordings != Recordings::different) return;
  ChangeTable& table = comparison.tables.back();
  table.range_from = "by sampling";
  const auto error = [](const ordered_json& answer, double seconds) {
    const auto& functions = part_of(answer, "functions");
    return sampling_error(seconds, number_at(functions, "path_computing_s"),
                          number_at(functions, "samples"));
  };
  for (PartChange& one : table.changes) {
    const double off = kSure * std::hypot(error(a, one.before), error(b, one.after));
    one.range = Range{one.change() - off, one.change() + off};
  }
}

void add_means(Comparison& comparison, const ordered_json& a, const ordered_json& b) {
  const std::size_t tables = comparison.tables.size();
  add_table(comparison, "mean of the ranks", "ranks", means(a), means(b));
  if (comparison.tables.size() == tables) return;
  ChangeTable& table = comparison.tables.back();
  for (PartChange& one : table.changes) {
    one.range = range_of_change(a, b, (one.what + "_s").c_str());
    if (one.range) table.range_from = "over recordings";
  }
}

// Links that stand out of their class: what each has of the critical path.
Seconds path_links(const ordered_json& answer) {
  Seconds sums;
  for (const auto& part : part_of(part_of(answer, "critical_path"), "parts"))
    if (const std::string link = text_at(part, "link"); !link.empty())
      sums[link] += number_at(part, "seconds");
  return sums;
}

// A class of links says how much a change comes to, not where: one slow cable is found by its name.
void name_links(Comparison& comparison, const ordered_json& a, const ordered_json& b) {
  constexpr double kWorthNaming = 0.1;  // of the change of the run time
  Seconds before = path_links(a), after = path_links(b);
  for (const auto& [link, seconds] : after) before[link] += 0;
  for (const auto& [link, seconds] : before) {
    const double change = after[link] - seconds;
    if (std::abs(change) < kWorthNaming * std::abs(comparison.times[1] - comparison.times[0]) ||
        std::abs(change) <= kNothingOf * std::max(comparison.times[0], comparison.times[1]))
      continue;
    comparison.notes.push_back(formatted(
        "one link stands out of its class, %s: %.6f s of the critical path before, %.6f s after",
        link.c_str(), seconds, after[link]));
  }
}

void add_notes(Comparison& comparison, const ordered_json& a, const ordered_json& b) {
  if (const auto renamed = renamed_waiting(a, b))
    comparison.notes.push_back(formatted(
        "late receiver and late sender are the same waiting under two names here: %+.6f s and "
        "%+.6f s, mostly on the same ranks (an eager limit decides which); their sum changes by "
        "%+.6f s",
        renamed->late_receiver_s, renamed->late_sender_s,
        renamed->late_receiver_s + renamed->late_sender_s));
  name_links(comparison, a, b);
  for (std::string& doubt : notes_on_doubt(a, b)) comparison.notes.push_back(std::move(doubt));
  for (std::string& said : notes_of_sides(a, b)) comparison.notes.push_back(std::move(said));
}

// What the question was beside trace, platform and changes, of what the other answer has not: "cyclic placement, queue network".
std::string settings_text(const ordered_json& answer, const ordered_json& other) {
  std::string text;
  const auto add = [&](const char* key, const std::string& before, const std::string& after) {
    const auto value = answer.find(key), others = other.find(key);
    if (value == answer.end() || others == other.end() || *value == *others) return;
    text +=
        ", " + before + (value->is_string() ? value->get<std::string>() : value->dump()) + after;
  };
  add("placement", "", " placement");
  add("network", "", " network");
  add("collectives", "collectives of ", "");
  add("deltas", "deltas ", "");
  add("seed", "seed ", "");
  return text;
}

std::string title_of(const ordered_json& answer, const ordered_json& other) {
  if (answer.contains("labels")) {
    std::string name;
    for (const auto& [axis, label] : answer["labels"].items())
      name += (name.empty() ? "" : ", ") + axis + " " +
              (label.is_string() ? label.get<std::string>() : label.dump());
    return name;
  }
  std::string name = text_at(answer, "trace") + " on " + text_at(answer, "platform");
  for (const auto& change : part_of(answer, "changes"))
    if (change.is_string()) name += ", " + change.get<std::string>();
  return name + settings_text(answer, other);
}

}  // namespace

Comparison compare(const ordered_json& a, const ordered_json& b) {
  Comparison comparison;
  comparison.recordings = recordings_of(a, b);
  const ordered_json* const both[2] = {&a, &b};
  for (const int i : {0, 1}) {
    comparison.names[i] = title_of(*both[i], *both[1 - i]);
    comparison.times[i] = number_at(*both[i], "predicted_time_s");
  }
  // Machines whose links are of other classes have latency and bandwidth in common, not links.
  const bool with_links = link_classes(a) == link_classes(b);
  add_table(comparison, "critical path", "critical_path", path_categories(a, with_links),
            path_categories(b, with_links));
  add_table(comparison, "critical path by call", "critical_path_calls", path_sites(a),
            path_sites(b));
  add_functions(comparison, a, b);
  add_table(comparison, "waiting, over all ranks", "wait_states", waits(a), waits(b), true);
  add_table(comparison, "call sites, over all ranks", "call_sites", call_sites(a), call_sites(b),
            true);
  add_means(comparison, a, b);
  add_notes(comparison, a, b);
  const PartChange* const largest =
      comparison.tables.empty() || comparison.tables.front().changes.empty()
          ? nullptr
          : &comparison.tables.front().changes.front();
  comparison.how_sure = how_sure(a, b, largest);
  return comparison;
}

bool is_of_computing(const PartChange& one) {
  return one.what.starts_with("compute") || one.what.starts_with("wait");
}

}  // namespace reprise::sim
