// SPDX-License-Identifier: MIT
// What the network models say beside the one that was asked for: how much of an answer is the model's.
#include "sim/experiment/details/detail.hpp"
#include "sim/processes/at_once.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

struct ModelTime {
  std::string network;
  Seconds predicted;
  double ratio = 1;  // to the time of the one that was asked for
};

struct Models : Figure {
  std::vector<ModelTime> times;  // the asked-for one first

  nlohmann::ordered_json json() const override {
    auto rows = nlohmann::ordered_json::array();
    for (const auto& one : times)
      rows.push_back({{"network", one.network},
                      {"predicted_time_s", one.predicted.value},
                      {"ratio", one.ratio}});
    return rows;
  }
  std::string text() const override {
    std::string text = formatted("\n%24s  %14s  %8s\n", "network model", "predicted s", "ratio");
    for (const auto& one : times)
      text +=
          formatted("%24s  %14.6f  %8.4f\n", one.network.c_str(), one.predicted.value, one.ratio);
    return text;
  }
};

// Max-min fair shares are one opinion, however they are solved; a process has one of `simgrid`. `uncontended` is no opinion on how messages
// share links: it sees nothing of what placements and topologies change, and would call any two of them alike.
std::unique_ptr<Figure> measure(const Replayed& replayed) {
  auto models = std::make_unique<Models>();
  const Seconds asked = replayed.outcome.predicted_time;
  models->times.push_back({replayed.outcome.network, asked, 1});
  std::vector<NetworkKind> others;
  for (std::size_t i = 0; i < network_names().size(); ++i) {
    const auto network = static_cast<NetworkKind>(i);
    if (network == replayed.settings.network || network == NetworkKind::uncontended ||
        model_of(network).simulates_once)
      continue;
    const bool is_opinion = replayed.platform.latency_weights() != nullptr &&
                            model_of(network).leaves_latency_weights_out !=
                                model_of(replayed.settings.network).leaves_latency_weights_out;
    if (model_of(network).is_max_min && !is_opinion &&
        (model_of(replayed.settings.network).is_max_min || network != NetworkKind::flow))
      continue;
    others.push_back(network);
  }
  const auto times = at_once(
      replayed.jobs, others.size(), kFurtherReplay,
      [&](std::size_t i) {
        ReplaySettings settings = replayed.settings;
        settings.network = others[i];
        return replay(replayed.trace, replayed.platform, settings).predicted_time;
      },
      replayed.settings.watch);
  for (std::size_t i = 0; i < others.size(); ++i)
    models->times.push_back(
        {std::string(name_of(others[i])), times[i], asked.value > 0 ? times[i] / asked : 1});
  return models;
}

}  // namespace

extern const Detail kModels = {.name = "models",
                               .key = "models",
                               .cost = "one (the other of flow and queue)",
                               .further_replays = 1,
                               .many_replays = true,
                               .scope = DetailScope::points_on_request,
                               .watched = {},
                               .measure = measure};

}  // namespace reprise::sim
