// SPDX-License-Identifier: MIT
#include "sim/study/offers.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "platforms/costs.hpp"
#include "platforms/node_order.hpp"
#include "platforms/placement.hpp"
#include "sim/confidence/ranking.hpp"
#include "sim/report/comparison.hpp"
#include "sim/study/offer_lines.hpp"
#include "sim/study/one_currency.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

constexpr double kHoursPerYear = 8766, kJoulesPerKilowattHour = 3.6e6;

// An application on an offer.
struct Job {
  double weight = 0;
  std::uint32_t ranks = 0;
  double nodes = 0;
  double at_once = 0;  // such jobs that the machine's nodes hold
  double share = 0;    // the machine's nodes for each of them, with what is left over
  double power = 0;    // watts that it takes, of the network its nodes' share
  Prediction prediction;
  double time =
      0;  // the geometric mean over seeds and recordings, by which offers are ranked; 0: none
};

struct Offer {
  std::vector<std::size_t> values;
  std::vector<Job> jobs;  // by application; without a time where it is missing
  platforms::Costs costs;
  ordered_json json;
  Prediction throughput,
      cost_of_work;  // logarithms, the less the better; empty where something is missing
  bool is_whole = false;
  bool lacks_simulations = false;
  bool have_groups = false;  // switches between whose nodes jobs share links
  double total_cost = 0;
};

double nodes_of(const Prepared& prepared, std::uint32_t ranks) {
  const auto& placement = prepared.settings.placement;
  if (placement.order == platforms::PlacementOrder::kSearched)
    return std::ceil(static_cast<double>(ranks) / prepared.platform.nodes.cores);
  std::set<std::uint32_t> nodes;
  for (const auto& place : platforms::place_ranks(ranks, prepared.platform, placement))
    nodes.insert(place.node);
  return static_cast<double>(nodes.size());
}

double power_of(const platforms::Costs& costs, const Job& job) {
  if (!costs.power) return 0;
  const double busy = std::min(1.0, job.ranks / (job.nodes * costs.cores));
  return job.nodes * (costs.power->idle.value +
                      (costs.power->busy.value - costs.power->idle.value) * busy) +
         costs.power->network.value * job.nodes / costs.nodes;
}

// Σ over the jobs of what they are, seed by seed.
template <class Combine>
std::vector<double> by_seed(const std::vector<Job>& jobs, Combine combine) {
  std::vector<double> values;
  std::size_t seeds = 0;
  for (const Job& job : jobs) seeds = std::max(seeds, job.prediction.log_times.size());
  for (std::size_t seed = 0; seed < seeds; ++seed) values.push_back(combine(seed));
  return values;
}

// SHARE(job): what part of the whole's logarithm is the job's.
template <class Share>
void add_systematic(const std::vector<Job>& jobs, Share share, Prediction& whole) {
  bool have_models = true;
  for (const Job& job : jobs) {
    whole.machine = job.prediction.machine;
    whole.calibration += share(job) * job.prediction.calibration;
    have_models &= !job.prediction.models.empty() &&
                   job.prediction.models.size() == jobs.front().prediction.models.size();
  }
  if (!have_models) return;
  whole.models.assign(jobs.front().prediction.models.size(), 0);
  for (const Job& job : jobs)
    for (std::size_t model = 0; model < whole.models.size(); ++model)
      whole.models[model] += share(job) * job.prediction.models[model];
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double one : values) sum += one;
  return sum / static_cast<double>(values.size());
}

class Offers {
 public:
  Offers(const Study& study, const StudyInputs& inputs, const std::vector<Point>& points,
         const std::vector<SeedRows>& rows, ordered_json& results)
      : study_(study),
        inputs_(inputs),
        results_(results),
        currency_(one_currency(study, inputs, points)) {
    for (std::size_t i = 0; i < points.size(); ++i) add(i, points[i], rows[i]);
  }

  void write() {
    const bool has_costs = std::ranges::any_of(
        offers_, [](const Offer& one) { return one.costs.price || one.costs.power; });
    if (!study_.is_basket && !has_costs) return;
    for (Offer& offer : offers_) describe_offer(offer);
    results_["offers"] = ordered_json::object();
    const bool by_money = rank();
    if (!results_["offers"].contains("lacking_simulations")) mark_pareto();
    auto list = ordered_json::array();
    for (Offer& offer : offers_) list.push_back(std::move(offer.json));
    ordered_json weights = ordered_json::object();
    for (const Application& one : study_.applications)
      if (study_.is_basket) weights[one.label] = one.weight;
    results_["offers"]["by"] = by_money ? "work for the money" : "work";
    results_["offers"]["weights"] = weights;
    if (!currency_.empty()) results_["offers"]["currency"] = currency_;
    results_["offers"]["list"] = std::move(list);
  }

 private:
  Offer& offer_at(const std::vector<std::size_t>& values) {
    for (Offer& offer : offers_)
      if (offer.values == values) return offer;
    offers_.push_back({});
    offers_.back().values = values;
    offers_.back().jobs.resize(study_.applications.size());
    auto labels = labels_of(study_, {values, 0, false});
    if (study_.is_basket) labels.erase(kApplicationAxis);
    offers_.back().json = {{"labels", std::move(labels)}};
    offers_.back().json["missing"] = ordered_json::array();
    return offers_.back();
  }

  void add(std::size_t i, const Point& point, const SeedRows& rows) {
    Offer& offer = offer_at(point.values);
    const Application& application = study_.applications[point.application];
    Job& job = offer.jobs[point.application];
    job.weight = application.weight;
    const auto* recording = inputs_.recording(study_, point);
    if (recording != nullptr) {
      const Prepared prepared = prepare(experiment_of(study_, point, inputs_, *recording));
      job.ranks = static_cast<std::uint32_t>(recording->trace.header.ranks);
      job.nodes = nodes_of(prepared, job.ranks);
      offer.costs = platforms::read_costs(prepared.document);
      job.at_once = std::max(1.0, std::floor(offer.costs.nodes / job.nodes));
      job.share = offer.costs.nodes / job.at_once;
      offer.have_groups |= !platforms::group_sizes(prepared.platform).empty();
      job.power = power_of(offer.costs, job);
      job.prediction = prediction_of(study_, point, rows);
    }
    const ordered_json& answer = results_["points"][i];
    if (answer["status"] == "done") {
      job.time = std::exp(mean(job.prediction.log_times));
    } else {
      const std::string reason = answer["reason"], status = answer["status"];
      const bool is_missing = status == "missing";
      offer.lacks_simulations |= is_missing;
      offer.json["missing"].push_back(
          (study_.is_basket ? application.label + ": " : "") +
          (reason.empty() ? status
                          : reason.substr(0, reason.find('\n')) + (is_missing ? " missing" : "")));
    }
  }

  void describe_offer(Offer& offer) {
    ordered_json& json = offer.json;
    offer.is_whole = json["missing"].empty() &&
                     std::ranges::all_of(offer.jobs, [](const Job& job) { return job.time > 0; });
    if (study_.is_basket) {
      json["applications"] = ordered_json::array();
      for (std::size_t i = 0; i < offer.jobs.size(); ++i) {
        const Job& job = offer.jobs[i];
        ordered_json one = {
            {"label", study_.applications[i].label}, {"ranks", job.ranks}, {"nodes", job.nodes}};
        if (job.time > 0) one["jobs_at_once"] = job.at_once;
        one["time_s"] = nullptr;
        if (job.time > 0) one["time_s"] = job.time;
        json["applications"].push_back(std::move(one));
      }
    }
    if (!offer.is_whole) return;
    double node_time = 0, energy = 0, left_over = 0;
    for (const Job& job : offer.jobs) {
      node_time += job.weight * job.share * job.time;
      energy += job.weight * job.power * job.time;
      left_over += job.weight * (job.share - job.nodes) * job.time;
    }
    if (!study_.is_basket) json["jobs_at_once"] = offer.jobs.front().at_once;
    json["jobs_share_links"] =
        offer.have_groups &&
        std::ranges::any_of(offer.jobs, [](const Job& job) { return job.at_once > 1; });
    predict(offer, node_time);
    // Jobs by the mean that ranks the offers, so that no figure prefers another one: of all applications together in each seed.
    const double an_hour = 3600 / std::exp(mean(offer.cost_of_work.log_times));
    json["nodes"] = offer.costs.nodes;
    json["jobs_per_hour"] = an_hour;
    json["jobs_per_node_hour"] = an_hour / offer.costs.nodes;
    add_costs(offer, an_hour, {node_time, left_over, energy});
  }

  void predict(Offer& offer, double node_time) const {
    offer.throughput.log_times = by_seed(offer.jobs, [&](std::size_t seed) {
      double sum = 0;
      for (const Job& job : offer.jobs) sum += job.weight * job.prediction.log_times[seed];
      return sum;
    });
    add_systematic(
        offer.jobs, [](const Job& job) { return job.weight; }, offer.throughput);
    offer.cost_of_work.log_times = by_seed(offer.jobs, [&](std::size_t seed) {
      double sum = 0;
      for (const Job& job : offer.jobs)
        sum += job.weight * job.share * std::exp(job.prediction.log_times[seed]);
      return std::log(sum / offer.costs.nodes);
    });
    add_systematic(
        offer.jobs, [&](const Job& job) { return job.weight * job.share * job.time / node_time; },
        offer.cost_of_work);
  }

  // Of the average job: node seconds, those of nodes that no job uses, and joules.
  struct Taken {
    double node_time, left_over, energy;
  };
  void add_costs(Offer& offer, double an_hour, const Taken& taken) const {
    ordered_json& json = offer.json;
    const auto& costs = offer.costs;
    if (costs.power) {
      json["energy_j"] = taken.energy;
      if (study_.carbon)
        json["co2_g"] = taken.energy / kJoulesPerKilowattHour * study_.carbon->amount;
    }
    if (costs.price) {
      json["price"] = costs.price->amount;
      offer.total_cost = costs.price->amount;
    }
    if (!costs.price || !study_.years) return;
    const double hours = kHoursPerYear * *study_.years;
    if (costs.power && study_.electricity) {
      const double machine_power = costs.nodes *
                                   (taken.energy + taken.left_over * costs.power->idle.value) /
                                   taken.node_time;
      json["power_w"] = machine_power;
      offer.total_cost += hours * machine_power / 1000 * study_.electricity->amount;
      json["total_cost"] = offer.total_cost;
    }
    json["cost_per_job"] = offer.total_cost / (an_hour * hours);
    json["jobs_per_money"] = an_hour * hours / offer.total_cost;
  }

  // Whether by what work costs. The best first.
  bool rank() {
    bool by_money = true;  // of offers without an answer the machines' prices tell
    for (const Offer& offer : offers_)
      by_money &= offer.is_whole ? offer.total_cost > 0 : offer.costs.price.has_value();
    const Offer* baseline = nullptr;
    for (Offer& offer : offers_) {
      offer.json["is_baseline"] = offer.values == study_.baseline;
      if (offer.values == study_.baseline && offer.is_whole) baseline = &offer;
      if (by_money && offer.is_whole)
        for (double& time : offer.cost_of_work.log_times) time += std::log(offer.total_cost);
    }
    for (Offer& offer : offers_) add_throughput(offer, baseline);
    const auto merit = [by_money](const Offer& offer) -> const Prediction& {
      return by_money ? offer.cost_of_work : offer.throughput;
    };
    std::stable_sort(offers_.begin(), offers_.end(), [&](const Offer& a, const Offer& b) {
      if (a.is_whole != b.is_whole) return a.is_whole;
      return a.is_whole && mean(merit(a).log_times) < mean(merit(b).log_times);
    });
    std::vector<Prediction> ranked;
    for (const Offer& offer : offers_)
      if (offer.is_whole) ranked.push_back(merit(offer));
    // What is not simulated yet may be better than all that is.
    const auto lacking = std::ranges::count_if(offers_, &Offer::lacks_simulations);
    const auto chances =
        ranked.size() > 1 && lacking == 0 ? probability_of_least(ranked) : std::vector<double>();
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      if (i > 0) offers_[i].json["against_best"] = difference_json(ranked[i], ranked[0]);
      if (!chances.empty()) offers_[i].json["probability_best"] = chances[i];
    }
    if (lacking == 0)
      share_first_place(ranked.size());
    else
      results_["offers"]["lacking_simulations"] = lacking;
    std::vector<RankedOffer> lines;
    for (std::size_t i = 0; i < ranked.size(); ++i)
      lines.push_back({&offers_[i].values, &ranked[i], &offers_[i].json});
    add_against_best_along(study_, lines);
    return by_money;
  }

  // By the rule for points: offers that are alike share the first place, and its probability is that of any of them.
  void share_first_place(std::size_t ranked) {
    std::vector<ordered_json*> first;
    for (std::size_t i = 0; i < ranked; ++i) {
      ordered_json& json = offers_[i].json;
      if (i == 0 || !json["against_best"].is_object() ||
          report::comparison_of(json["against_best"]).is_alike())
        first.push_back(&json);
    }
    if (ranked < 2) return;
    double together = 0;
    for (const ordered_json* one : first) together += one->value("probability_best", 0.0);
    for (ordered_json* one : first) {
      (*one)["best"] = first.size() > 1 ? "tied" : "alone";
      if (first.size() < 2 || !one->contains("probability_best")) continue;
      (*one)["probability_least"] = (*one)["probability_best"];
      (*one)["probability_best"] = std::min(1.0, together);
    }
  }

  void add_throughput(Offer& offer, const Offer* baseline) const {
    if (baseline == nullptr) return;
    for (std::size_t i = 0; i < offer.jobs.size() && study_.is_basket; ++i)
      if (offer.jobs[i].time > 0)
        offer.json["applications"][i]["speedup"] = baseline->jobs[i].time / offer.jobs[i].time;
    if (!offer.is_whole) return;
    double sum = 0;
    for (std::size_t i = 0; i < offer.jobs.size(); ++i)
      sum += offer.jobs[i].weight * std::log(baseline->jobs[i].time / offer.jobs[i].time);
    offer.json["speedup"] = std::exp(sum);
    if (&offer == baseline) return;
    const auto band = difference_json(baseline->throughput, offer.throughput);
    if (band.is_object() && !band["probability"].is_null())
      offer.json["speedup_band"] = {{"low", band["low"]}, {"high", band["high"]}};
  }

  // No other offer costs less and does as much, or does more for as little.
  void mark_pareto() {
    for (Offer& offer : offers_) {
      if (!offer.is_whole || offer.total_cost <= 0) continue;
      const auto work = [](const Offer& one) { return one.json["jobs_per_hour"].get<double>(); };
      offer.json["pareto"] = std::ranges::none_of(offers_, [&](const Offer& other) {
        if (!other.is_whole || other.total_cost <= 0) return false;
        return other.total_cost <= offer.total_cost && work(other) >= work(offer) &&
               (other.total_cost < offer.total_cost || work(other) > work(offer));
      });
    }
  }

  const Study& study_;
  const StudyInputs& inputs_;
  ordered_json& results_;
  std::vector<Offer> offers_;
  std::string currency_;
};

}  // namespace

std::string missing_recording(const Study& study, const StudyInputs& inputs, const Point& point) {
  if (inputs.recording(study, point) != nullptr) return "";
  std::set<std::int32_t> sizes;
  std::string known;
  for (const auto& one : inputs.recordings()[point.application])
    if (const auto ranks = one.trace.header.ranks; sizes.insert(ranks).second)
      known += (known.empty() ? "" : ", ") + std::to_string(ranks);
  return "there is no recording with " + std::to_string(ranks_of(study, point).value_or(0)) +
         " ranks (there is one with " + known + ")";
}

void add_offers(const Study& study, const StudyInputs& inputs, const std::vector<Point>& points,
                const std::vector<SeedRows>& rows, ordered_json& results) {
  Offers(study, inputs, points, rows, results).write();
}

}  // namespace reprise::sim
