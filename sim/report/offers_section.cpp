// SPDX-License-Identifier: MIT
// The offers of a study: work, costs and energy in one table, each application below it, and the offers that no other one beats. Without
// prices they are combinations of a basket: machines of different size are compared by times, and by the work of a node.
#include <algorithm>
#include <cmath>

#include "sim/report/comparison.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

double offer_number(const ordered_json& offer, const char* key) {
  const auto* value = find(offer, key);
  return value != nullptr && value->is_number() ? value->get<double>() : 0;
}

struct OfferColumn {
  const char* key;
  std::string title, hint;
  std::string (*text)(double);
};

std::string amount(double value) { return digits(value, 4); }

bool is_by_money(const ordered_json& offers) { return offers.value("by", "") != "work"; }

bool any_has(const ordered_json& offers, const char* key) {
  return std::ranges::any_of(part_of(offers, "list"), [key](const ordered_json& offer) {
    return find(offer, key) != nullptr;
  });
}

std::vector<OfferColumn> columns_of(const ordered_json& offers) {
  const std::string money = offers.value("currency", "");
  const bool has_prices = any_has(offers, "price");
  const OfferColumn known[] = {
      {"speedup", "speed-up of a job", "weighted geometric mean of the speed-ups over the baseline",
       times},
      {"nodes", "nodes of the machine", "all of them, not those of a job", whole},
      {"jobs_per_node_hour", "jobs per node and hour",
       "of a node that does nothing else, none shared by two jobs, in the proportions of the "
       "weights",
       amount},
      {"jobs_per_hour", "jobs per hour, whole machine",
       "all its nodes busy, none shared by two jobs, in the proportions of the weights", amount},
      {"price", "price (" + money + ")", "of the whole machine", whole},
      {"total_cost", "total cost (" + money + ")", "price and electricity over its lifetime",
       whole},
      {"jobs_per_money", "jobs per " + money, "over its lifetime", amount},
      {"energy_j", "energy of a job (J)", "the mean over the weights", amount},
      {"co2_g", "CO₂ of a job (g)", "with the study's emission factor", amount}};
  std::vector<OfferColumn> columns;
  for (const OfferColumn& one : known)
    if (any_has(offers, one.key) && (has_prices || one.key != std::string("jobs_per_hour")))
      columns.push_back(one);
  return columns;
}

// Offers in the first place that are not all equal.
bool is_first_doubtful(const ordered_json& offers) {
  return std::ranges::any_of(part_of(offers, "list"), [](const ordered_json& offer) {
    const auto* against = find(offer, "against_best");
    return against != nullptr && comparison_of(*against).is_doubtful();
  });
}

Markup offer_cells(const ordered_json& offers, const ordered_json& offer) {
  const auto badge = [](const std::string& text) { return " " + element("span.badge", text); };
  Markup badges;
  const std::string best = offer.value("best", ""), what = is_by_money(offers) ? "best" : "fastest";
  if (!best.empty())
    badges += badge(place_text(what, best == "tied", best == "tied" && is_first_doubtful(offers)));
  if (offer.value("is_baseline", false)) badges += badge("baseline");
  if (offer.value("pareto", false)) badges += badge("Pareto");
  return head_cell(offer_name(offer) + badges);
}

const char* noun_of(const ordered_json& offers) {
  return is_by_money(offers) ? "offer" : "combination";
}

Markup offers_table(const ordered_json& offers) {
  const auto columns = columns_of(offers);
  const auto& list = part_of(offers, "list");
  std::vector<Column> heads = {{noun_of(offers)}};
  for (const auto& one : columns) heads.push_back({one.title, true, one.hint});
  heads.push_back(
      {is_by_money(offers) ? "best with" : "fastest with", true,
       "the probability that no other one is better; of those that share the first place, that "
       "one of them is the best"});
  Markup rows;
  for (const auto& offer : list) {
    const auto& missing = part_of(offer, "missing");
    Markup cells = offer_cells(offers, offer);
    if (!missing.empty()) {
      std::string reasons;
      for (const auto& one : missing)
        reasons += (reasons.empty() ? "" : "; ") + one.get<std::string>();
      cells += element("td", attr("colspan", static_cast<double>(columns.size() + 1)),
                       "no answer: ", reasons);
      rows += row(cells, attr("class", "failed"));
      continue;
    }
    for (const auto& one : columns) {
      const auto* value = find(offer, one.key);
      cells += value == nullptr ? no_number()
                                : number_cell(one.text(value->get<double>()), value->get<double>());
    }
    const auto* chance = find(offer, "probability_best");
    cells += chance == nullptr ? no_number() : share_cell(chance->get<double>(), "probability");
    rows += row(cells);
  }
  return table("table#offers-table.sortable", heads, rows);
}

// Of one application on every offer.
Markup application_table(const ordered_json& offers, std::size_t number) {
  Markup rows;
  double longest = 0, best = 0;
  for (const auto& offer : part_of(offers, "list")) {
    const auto& one = part_of(offer, "applications")[number];
    longest = std::max(longest, offer_number(one, "time_s"));
    best = std::max(best, offer_number(one, "speedup"));
  }
  const TimeUnit unit = unit_for(longest);
  for (const auto& offer : part_of(offers, "list")) {
    const auto& one = part_of(offer, "applications")[number];
    const double time = offer_number(one, "time_s"), speedup = offer_number(one, "speedup");
    rows += row(
        head_cell(offer_name(offer)) +
        number_cell(whole(offer_number(one, "ranks")), offer_number(one, "ranks")) +
        number_cell(whole(offer_number(one, "nodes")), offer_number(one, "nodes")) +
        (time > 0 ? number_cell(digits(time / unit.seconds, 4), time) : no_number()) +
        (speedup > 0 ? bar_cell(times(speedup), speedup, speedup / best, "speedup") : no_number()));
  }
  return table("table",
               {{noun_of(offers)},
                {"ranks", true},
                {"nodes", true},
                {std::string("run time (") + unit.name + ")", true,
                 "the geometric mean over seeds and recordings, by which offers are compared; the "
                 "table of points has medians"},
                {"speed-up", true}},
               rows);
}

// Work against cost; the front is drawn through the offers that nothing beats.
Markup pareto_svg(const ordered_json& offers) {
  struct Place {
    const ordered_json* offer;
    double cost, work;
  };
  std::vector<Place> places;
  for (const auto& offer : part_of(offers, "list")) {
    const double total = offer_number(offer, "total_cost"),
                 cost = total > 0 ? total : offer_number(offer, "price");
    if (cost > 0 && offer_number(offer, "jobs_per_hour") > 0)
      places.push_back({&offer, cost, offer_number(offer, "jobs_per_hour")});
  }
  if (places.size() < 2) return {};
  constexpr double kWidth = 960, kHeight = 360, kLeft = 90, kRight = 220, kTop = 40, kBottom = 50;
  double most_cost = 0, most_work = 0;
  for (const Place& one : places) {
    most_cost = std::max(most_cost, one.cost * 1.05);
    most_work = std::max(most_work, one.work * 1.1);
  }
  const auto x = [&](double cost) { return kLeft + cost / most_cost * (kWidth - kLeft - kRight); };
  const auto y = [&](double work) {
    return kHeight - kBottom - work / most_work * (kHeight - kTop - kBottom);
  };
  const auto line = [](double x1, double y1, double x2, double y2, const char* style) {
    return element("line", attr("x1", x1), attr("y1", y1), attr("x2", x2), attr("y2", y2),
                   attr("style", style));
  };
  const auto text = [](double at_x, double at_y, const std::string& words, const char* anchor) {
    return element("text", attr("x", at_x), attr("y", at_y), attr("text-anchor", anchor),
                   attr("style", "fill:currentColor;font-size:14px"), words);
  };
  Markup drawn =
      line(kLeft, kHeight - kBottom, kWidth - kRight, kHeight - kBottom, "stroke:currentColor") +
      line(kLeft, kTop, kLeft, kHeight - kBottom, "stroke:currentColor");
  for (const double share : {0.0, 0.5, 1.0}) {
    drawn +=
        text(x(share * most_cost), kHeight - kBottom + 20, digits(share * most_cost, 3), "middle");
    drawn += text(kLeft - 8, y(share * most_work) + 5, digits(share * most_work, 3), "end");
  }
  const bool has_total = std::ranges::any_of(
      places, [](const Place& one) { return find(*one.offer, "total_cost") != nullptr; });
  drawn +=
      text((kLeft + kWidth - kRight) / 2, kHeight - 8,
           std::string(has_total ? "total cost (" : "price (") + offers.value("currency", "") + ")",
           "middle");
  drawn += text(8, 16, "jobs per hour of the whole machine", "start");
  std::ranges::sort(places, {}, &Place::cost);
  const Place* before = nullptr;
  for (const Place& one : places) {
    const bool is_front = one.offer->value("pareto", false);
    if (is_front && before != nullptr)
      drawn += line(x(before->cost), y(before->work), x(one.cost), y(one.work),
                    "stroke:currentColor;stroke-dasharray:5 4");
    if (is_front) before = &one;
    drawn += element("circle", attr("cx", x(one.cost)), attr("cy", y(one.work)), attr("r", 7.0),
                     attr("style", is_front ? "fill:#2468b4" : "fill:none;stroke:currentColor"));
    drawn += text(x(one.cost) + 12, y(one.work) + 5, offer_name(*one.offer), "start");
  }
  return element(
      "svg", attr("viewBox", "0 0 960 360"), attr("role", "img"), attr("class", "plot"),
      attr("aria-label", "Work and cost of each offer; filled: no other offer is better in both."),
      drawn);
}

}  // namespace

std::string offer_name(const ordered_json& offer) {
  std::string name;
  for (const auto& [axis, label] : part_of(offer, "labels").items())
    name +=
        (name.empty() ? "" : ", ") + (label.is_string() ? label.get<std::string>() : label.dump());
  return name.empty() ? "the machine" : name;
}

Markup offers_section(const StudyView& view) {
  const auto* offers = find(*view.json, "offers");
  if (offers == nullptr) return {};
  Markup body = scrolling(offers_table(*offers), "offers");
  const auto plot = pareto_svg(*offers);
  if (!plot.empty())
    body += element("p.note", "Filled: no other offer does as much for less.") +
            scrolling(plot, "work and cost");
  std::size_t number = 0;
  for (const auto& [label, weight] : part_of(*offers, "weights").items()) {
    body += element("details",
                    element("summary",
                            label + ", " + weight_text(weight.get<double>()) + " of the jobs"),
                    scrolling(application_table(*offers, number++), "offers for one application")) +
            "\n";
  }
  if (is_by_money(*offers))
    return card({"offers", "Offers, the best first",
                 "By work for the money. Prices, power and tariffs come from the study's files; "
                 "missing ones have no column.",
                 body});
  return card({"offers",
               view.applications > 0 ? "All applications together, the fastest first"
                                     : "Energy and costs, the fastest first",
               std::string("By the weighted geometric mean of the speed-ups. ") +
                   (any_has(*offers, "price") ? "Not all machines state a price"
                                              : "No machine states a price") +
                   ", so nothing compares whole machines of different size.",
               body});
}

}  // namespace reprise::sim::report
