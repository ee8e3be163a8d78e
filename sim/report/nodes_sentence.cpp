// SPDX-License-Identifier: MIT
// Points and offers that take unlike numbers of nodes: faster may be dearer, and without prices nothing else says so.
#include <algorithm>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

constexpr double kWorthSaying = 0.95;  // of the nodes' time

double nodes_of(const PointView& point) { return number_at(*point.json, "nodes_used"); }

// Of the average job.
double mean_nodes(const StudyView& view, const ordered_json& offer) {
  const auto& weights = part_of(part_of(*view.json, "offers"), "weights");
  double sum = 0;
  for (const auto& one : part_of(offer, "applications"))
    sum += number_at(weights, text_of(one, "label").c_str()) * number_at(one, "nodes");
  return sum;
}

bool are_nodes_alike(const ordered_json& offer) {
  const auto& applications = part_of(offer, "applications");
  return std::ranges::all_of(applications, [&](const ordered_json& one) {
    return number_at(one, "nodes") == number_at(applications.front(), "nodes");
  });
}

std::string count_text(double nodes) {
  return nodes == static_cast<double>(static_cast<std::uint64_t>(nodes))
             ? counted(static_cast<std::uint64_t>(nodes), "node")
             : digits(nodes, 3) + " nodes";
}

}  // namespace

std::string nodes_sentence(const StudyView& view) {
  const PointView* fastest = view.fastest();
  if (view.applications > 0 || view.done() < 2 || nodes_of(*fastest) <= 0) return "";
  const PointView* least = fastest;
  const auto node_time = [](const PointView& point) { return nodes_of(point) * point.time; };
  for (const PointView& point : view.points)
    if (point.is_done && nodes_of(point) > 0 && node_time(point) < node_time(*least))
      least = &point;
  if (nodes_of(*least) == nodes_of(*fastest) ||
      node_time(*least) > kWorthSaying * node_time(*fastest))
    return "";
  return bold(fastest->name) + " takes " + count_text(nodes_of(*fastest)) + ", " +
         bold(least->name) + " takes " + count_text(nodes_of(*least)) + " and " +
         percent(node_time(*least) / node_time(*fastest)) +
         " of the nodes' time (nodes × run time: " + seconds(node_time(*least)) + " instead of " +
         seconds(node_time(*fastest)) + "), the least of all.";
}

std::string nodes_of_best(const StudyView& view, const std::vector<const ordered_json*>& whole) {
  const ordered_json& best = *whole.front();
  const auto work = [](const ordered_json& offer) {
    return number_at(offer, "jobs_per_node_hour");
  };
  const ordered_json& most =
      **std::ranges::max_element(whole, {}, [&](const auto* offer) { return work(*offer); });
  const double own = mean_nodes(view, best), its = mean_nodes(view, most);
  if (own <= 0 || its <= 0 || own == its || work(best) > kWorthSaying * work(most)) return "";
  const auto of = [&](const ordered_json& offer) {
    return "a job takes " + count_text(mean_nodes(view, offer)) +
           (are_nodes_alike(offer) ? "" : " in the mean") + ", and a node does " +
           digits(work(offer), 4) + " jobs per hour";
  };
  return " There " + of(best) + "; on " + bold(offer_name(most)) + " " + of(most) +
         ", the most of all.";
}

}  // namespace reprise::sim::report
