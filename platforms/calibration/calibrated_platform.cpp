// SPDX-License-Identifier: MIT
#include "platforms/calibration/calibrated_platform.hpp"

#include <algorithm>
#include <cmath>

#include "platforms/calibration/calibration_remarks.hpp"
#include "platforms/calibration/disturbance.hpp"
#include "platforms/calibration/four_digits.hpp"
#include "platforms/calibration/known_costs.hpp"
#include "platforms/calibration/network_fit.hpp"
#include "platforms/load.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::ordered_json;
constexpr std::uint64_t kAssumedEagerLimit = 64 << 10;

ordered_json factors_json(const std::vector<SizeFactor>& factors) {
  ordered_json list = ordered_json::array();
  for (const SizeFactor& factor : factors)
    list.push_back({{"from", to_text(factor.from)}, {"factor", to_four_digits(factor.factor)}});
  return list;
}

ordered_json cold_json(const std::vector<ColdCosts>& levels) {
  const auto points_json = [](const std::vector<SizePoint>& points) {
    ordered_json list = ordered_json::array();
    for (const SizePoint& point : points)
      list.push_back({{"bytes", to_text(point.bytes)}, {"time", to_four_digits(point.time)}});
    return list;
  };
  ordered_json list = ordered_json::array();
  for (const ColdCosts& level : levels) {
    ordered_json one = {{"after", to_four_digits(level.after)}};
    if (!level.send_overhead.empty()) one["send_overhead"] = points_json(level.send_overhead);
    if (!level.recv_overhead.empty()) one["recv_overhead"] = points_json(level.recv_overhead);
    if (!level.copy.empty()) one["copy"] = points_json(level.copy);
    list.push_back(std::move(one));
  }
  return list;
}

ordered_json uncertainty_json(const Uncertainty& uncertainty, const std::string& source) {
  ordered_json residuals = ordered_json::array();
  for (const Residual& residual : uncertainty.residuals)
    residuals.push_back({{"bytes", to_text(residual.bytes)},
                         {"relative", std::round(residual.relative * 1e4) / 1e4}});
  return {{"typical", to_four_digits(uncertainty.typical)},
          {"largest", to_four_digits(uncertainty.largest)},
          {"residuals", std::move(residuals)},
          {"source", "this fit compared with " + source}};
}

void add_rate(ordered_json& mpi, ordered_json& source, const std::optional<RateFit>& fit,
              const char* rate, const char* factors) {
  if (!fit) return;
  mpi[rate] = to_four_digits(fit->rate);
  source[rate] = "fitted to " + fit->source;
  if (fit->factors.empty()) return;
  mpi[factors] = factors_json(fit->factors);
  source[factors] = source[rate];
}

// The keys that hold for a path; those of the whole machine are added by the caller.
ordered_json mpi_json(const PathFit& fit, const Measurements& measured) {
  const std::string fitted = "fitted to " + fit.source;
  const std::string assumed =
      "an assumption: a quarter of the smallest message's time, which is " + fit.source;
  ordered_json mpi, source;
  mpi["eager_limit"] = to_text(fit.mpi.eager_limit);
  source["eager_limit"] = fit.has_eager_limit ? "measured, " + fit.source : "an assumption";
  mpi["send_overhead"] = to_four_digits(fit.mpi.send_overhead);
  mpi["recv_overhead"] = to_four_digits(fit.mpi.recv_overhead);
  source["send_overhead"] = source["recv_overhead"] =
      fit.has_own_overheads ? "measured, " + fit.source : assumed;
  mpi["rendezvous_handshake"] = fit.mpi.rendezvous_handshake;
  source["rendezvous_handshake"] = fitted;
  if (fit.has_eager_limit) {
    mpi["progress"] = fit.mpi.progress == Progress::kAsynchronous ? "asynchronous" : "in_calls";
    source["progress"] = fit.tells_progress ? "measured, " + fit.source : "the base's";
  }
  mpi["latency_factors"] = factors_json(fit.mpi.latency_factors);
  mpi["bandwidth_factors"] = factors_json(fit.mpi.bandwidth_factors);
  source["latency_factors"] = source["bandwidth_factors"] = fitted;
  if (fit.mpi.factors_apply_to == FactorsApplyTo::kMessages) {
    mpi["factors_apply_to"] = "messages";
    source["factors_apply_to"] = fitted;
  }
  if (!fit.mpi.acknowledgements.empty()) {
    ordered_json list = ordered_json::array();
    for (const SizeTime& step : fit.mpi.acknowledgements)
      list.push_back({{"from", to_text(step.from)}, {"time", to_four_digits(step.time)}});
    mpi["acknowledgements"] = std::move(list);
    source["acknowledgements"] = fitted;
  }
  if (!fit.mpi.cold_caches.empty()) {
    mpi["cold_caches"] = cold_json(fit.mpi.cold_caches);
    source["cold_caches"] = "measured, " + fit.source;
  }
  add_rate(mpi, source, fit_rate(measured, Series::What::kCopy), "copy_bandwidth", "copy_factors");
  mpi["uncertainty"] = uncertainty_json(*fit.mpi.uncertainty, fit.source);
  mpi["source"] = std::move(source);
  return mpi;
}

ordered_json intra_node_json(const PathFit& fit) {
  const std::string fitted = "fitted to " + fit.source;
  const bool has_bound = fit.has_capacity && fit.in_all.value > 1.02 * fit.per_message.value;
  ordered_json path = {{"bandwidth", to_four_digits(has_bound ? fit.in_all : fit.per_message)},
                       {"latency", to_four_digits(fit.latency)}};
  ordered_json source = {{"bandwidth", fitted}, {"latency", fitted}};
  if (has_bound) {
    path["per_receiver_bandwidth"] = to_four_digits(fit.per_message);
    source["per_receiver_bandwidth"] = fitted;
  }
  if (has_bound || fit.mpi.factors_apply_to == FactorsApplyTo::kMessages)
    source["bandwidth"] =
        fitted + ": " + std::to_string(fit.at_once) + " messages at once; more may go faster";
  path["sharing"] = "shared";
  source["sharing"] = fit.has_capacity ? fitted : "an assumption";
  path["source"] = std::move(source);
  return path;
}

class Calibrator {
 public:
  Calibrator(const Measurements& measured, const CalibrationSettings& settings)
      : measured_(measured), settings_(settings) {}

  Calibration calibrate() {
    if (settings_.base) base_ = parse_platform(*settings_.base);
    made_.intra_node =
        fit_path(measured_, MeasuredPath::kIntraNode,
                 base_ ? base_->intra_node_mpi.eager_limit : Bytes{kAssumedEagerLimit});
    made_.inter_node = fit_path(measured_, MeasuredPath::kInterNode,
                                base_ ? base_->mpi.eager_limit : Bytes{kAssumedEagerLimit});
    if (!made_.intra_node && !made_.inter_node)
      throw InputError("reprise platform calibrate",
                       "no times of messages from one rank to another among what was measured",
                       "osu_latency, NetPIPE or reprise-probe measure them");
    if (!made_.intra_node && !base_)
      throw InputError("reprise platform calibrate", "nothing was measured inside a node",
                       "give a node with --base PLATFORM, or measure with two ranks on one node");
    if (!made_.inter_node && settings_.nodes.value_or(1) > 1 && !(base_ && base_->network))
      throw InputError(
          "reprise platform calibrate",
          std::to_string(*settings_.nodes) + " nodes, but only times inside a node were measured",
          "also measure between two nodes: mpirun -n 2 --map-by node reprise-probe; or give a "
          "network with --base PLATFORM");
    ordered_json& platform = made_.platform;
    platform = settings_.base ? ordered_json(settings_.base->value) : ordered_json{{"format", 1U}};
    platform.erase("$schema");
    platform["name"] = settings_.name;
    if (base_) inside_ = costs_inside(platform);
    drop_replaced_remarks(platform);
    if (!platform.contains("source"))
      platform["source"] = "reprise platform calibrate: " +
                           (made_.intra_node ? made_.intra_node : made_.inter_node)->source;
    set_nodes(platform);
    if (made_.intra_node) set_intra_node(platform);
    set_sockets(platform);
    if (made_.inter_node) set_inter_node(platform);
    part_costs(platform);
    set_rates(platform);
    made_.disturbance = disturbance_of(measured_).refusal;
    for (std::string& remark : remarks_on(measured_, made_))
      made_.remarks.push_back(std::move(remark));
    for (std::string& doubt : doubts_of(measured_, made_)) {
      platform["remarks"].push_back(doubt);
      made_.remarks.push_back(std::move(doubt));
    }
    return std::move(made_);
  }

 private:
  // The base's, of what has been measured anew.
  void drop_replaced_remarks(ordered_json& platform) const {
    if (!platform.contains("remarks")) return;
    auto kept = ordered_json::array();
    for (const auto& remark : platform["remarks"])
      if (!is_replaced(remark.get<std::string>(), made_, base_->network.has_value()))
        kept.push_back(remark);
    platform["remarks"] = std::move(kept);
    if (platform["remarks"].empty()) platform.erase("remarks");
  }

  void set_nodes(ordered_json& platform) {
    ordered_json nodes = platform.value("nodes", ordered_json::object());
    const auto choose = [&](const char* key, const std::optional<unsigned>& wanted,
                            const std::optional<unsigned>& measured, unsigned least) {
      if (wanted)
        nodes[key] = *wanted;
      else if (!nodes.contains(key) && !nodes.contains("groups"))
        nodes[key] = measured.value_or(least);
    };
    if ((settings_.nodes || settings_.cores) && nodes.contains("groups"))
      nodes = ordered_json::object();
    choose("count", settings_.nodes,
           made_.inter_node ? measured_.nodes : std::optional<unsigned>(1),
           made_.inter_node ? 2 : 1);
    // Of a node as the base, there are as many as were measured between.
    if (made_.inter_node && base_ && !base_->network && !settings_.nodes &&
        base_->nodes.count == 1) {
      nodes["count"] = std::max(2U, measured_.nodes.value_or(2));
      made_.remarks.push_back(nodes["count"].dump() +
                              " nodes are assumed; give the number with --nodes");
    }
    choose("cores", settings_.cores, measured_.cores, 2);
    if (!settings_.cores && !measured_.cores && !base_)
      made_.remarks.push_back("2 cores per node are assumed; give the number with --cores");
    platform["nodes"] = std::move(nodes);
  }

  void set_intra_node(ordered_json& platform) {
    ordered_json path = intra_node_json(*made_.intra_node),
                 mpi = with_base(inside_, mpi_json(*made_.intra_node, measured_),
                                 MeasuredPath::kIntraNode);
    if (!made_.intra_node->has_capacity && base_) keep_sharing(platform["intra_node"], path);
    if (platform.contains("intra_node") && platform["intra_node"].contains("between_sockets"))
      path["between_sockets"] = platform["intra_node"]["between_sockets"];
    // Where there is nothing but this path, its costs are the machine's.
    if (!platform.contains("mpi") && !made_.inter_node)
      platform["mpi"] = std::move(mpi);
    else
      path["mpi"] = std::move(mpi);
    platform["intra_node"] = std::move(path);
  }

  // How messages of a node share bandwidth: as in the base, in proportion to one message's.
  void keep_sharing(const ordered_json& base, ordered_json& path) {
    ordered_json kept = ordered_json::object();
    if (base.contains("sharing")) kept["sharing"] = base["sharing"];
    made_.shares_as_base =
        base_->intra_node_per_receiver || base_->intra_node.sharing == Sharing::kUncontended;
    if (base_->intra_node_per_receiver) {
      const double proportion =
          base_->intra_node.bandwidth.value / base_->intra_node_per_receiver->value;
      kept["per_receiver_bandwidth"] = path["bandwidth"];
      kept["bandwidth"] =
          to_four_digits(BytesPerSecond{made_.intra_node->per_message.value * proportion});
    }
    ordered_json texts = ordered_json::object();
    for (const auto& [key, value] : kept.items()) texts[key] = "in proportion to the base's";
    if (kept.empty()) return;
    texts.erase("per_receiver_bandwidth");
    if (kept.contains("per_receiver_bandwidth"))
      texts["per_receiver_bandwidth"] = path["source"]["bandwidth"];
    if (kept.contains("sharing")) texts["sharing"] = "the base's";
    kept["source"] = std::move(texts);
    path = overlaid(std::move(path), kept);
  }

  // What was not measured is the BASE's; what was measured to be nothing is nothing.
  ordered_json with_base(ordered_json base, const ordered_json& measured, MeasuredPath path) const {
    if (base.empty()) return measured;
    if (measured.contains("bandwidth_factors")) base.erase("factors_apply_to");
    if (find_series(measured_, Series::What::kExchange, path) != nullptr)
      base.erase("acknowledgements");
    const bool tells_cold = std::ranges::any_of(measured_.series, [&](const Series& series) {
      return series.path == path && series.after;
    });
    if (tells_cold || measured_.include_cold_caches) base.erase("cold_caches");
    return overlaid(std::move(base), measured);
  }

  // Messages inside a node cost what was measured there, or what the base says of them: never what those between nodes do.
  void part_costs(ordered_json& platform) {
    ordered_json& inside = platform["intra_node"];
    if (made_.inter_node && !made_.intra_node) {
      inside["mpi"] = inside_;
      made_.remarks.push_back("messages inside a node cost what they do in the base: " +
                              std::string("/intra_node/mpi"));
    }
    if (inside.contains("mpi"))
      inside["mpi"] = apart_from(std::move(inside["mpi"]), platform["mpi"]);
  }

  // Of one message: several may go faster together.
  LinkSpec path_inside() const {
    if (made_.intra_node) return {made_.intra_node->per_message, made_.intra_node->latency};
    const LinkSpec& link = base_->intra_node;
    return {base_->intra_node_per_receiver.value_or(link.bandwidth), link.latency};
  }
  const Mpi& mpi_inside() const {
    return made_.intra_node ? made_.intra_node->mpi : base_->intra_node_mpi;
  }

  // After the path inside a socket, which the link between two is fitted beside.
  void set_sockets(ordered_json& platform) {
    constexpr const char* kWhere = "reprise platform calibrate";
    ordered_json& nodes = platform["nodes"];
    made_.between_sockets = fit_sockets(measured_, path_inside(), mpi_inside());
    if (settings_.sockets) nodes["sockets"] = *settings_.sockets;
    const unsigned sockets = nodes.value("sockets", 1U);
    if (made_.between_sockets && sockets < 2)
      throw InputError(kWhere, "times between sockets, but the nodes have one",
                       "give the number of sockets of a node: --sockets 2");
    if (sockets > 1 && !made_.between_sockets &&
        !platform["intra_node"].contains("between_sockets"))
      throw InputError(
          kWhere,
          std::to_string(sockets) + " sockets in a node, but nothing was measured between them",
          "add osu_latency of two ranks on two sockets (mpirun -n 2 --bind-to core "
          "--map-by socket): --osu-between-sockets FILE");
    if (sockets < 2 && platform.contains("intra_node"))
      platform["intra_node"].erase("between_sockets");
    if (!made_.between_sockets) return;
    const SocketFit& fit = *made_.between_sockets;
    const std::string fitted = "fitted to " + fit.source;
    platform["intra_node"]["between_sockets"] = {
        {"bandwidth", to_four_digits(fit.bandwidth)},
        {"latency", to_four_digits(fit.latency)},
        {"source",
         {{"bandwidth",
           fit.is_as_fast_inside ? "that inside a socket: not slower in " + fit.source : fitted},
          {"latency", fitted}}}};
  }

  void set_inter_node(ordered_json& platform) {
    const PathFit& fit = *made_.inter_node;
    const std::string fitted = "fitted to " + fit.source;
    if (base_ && base_->network && base_->nodes.count > 1) {
      fit_network(platform["network"], *base_, {fit.per_message, fit.latency}, fitted);
    } else {
      constexpr double kShare = 0.5;  // of the latency: a star's route has two links
      platform["network"] = {{"topology", {{"kind", "star"}}},
                             {"link",
                              {{"bandwidth", to_four_digits(fit.per_message)},
                               {"latency", to_four_digits(fit.latency * kShare)},
                               {"source",
                                {{"bandwidth", fitted},
                                 {"latency", fitted + ", dealt out to the links of the route"}}}}}};
      made_.remarks.push_back(
          "the network is taken for a star; --base PLATFORM gives another topology");
    }
    ordered_json known = platform.value("mpi", ordered_json::object());
    // Without a network, the base's are costs inside a node: between nodes holds what is the library's and the core's.
    if (base_ && !base_->network)
      for (const char* key : {"acknowledgements", "cold_caches", "rendezvous_head", "progress"})
        known.erase(key);
    platform["mpi"] =
        with_base(std::move(known), mpi_json(fit, measured_), MeasuredPath::kInterNode);
  }

  void set_rates(ordered_json& platform) {
    ordered_json& mpi = platform["mpi"];
    ordered_json rate, source;
    add_rate(rate, source, fit_rate(measured_, Series::What::kReduce), "reduction_bandwidth",
             "reduction_factors");
    if (rate.empty()) return;
    mpi.erase("reduction_factors");
    mpi.update(rate);
    if (!mpi.contains("source")) mpi["source"] = ordered_json::object();
    if (mpi["source"].is_object()) mpi["source"].update(source);
  }

  const Measurements& measured_;
  const CalibrationSettings& settings_;
  std::optional<Platform> base_;
  ordered_json inside_ = ordered_json::object();  // the base's costs inside a node
  Calibration made_;
};

}  // namespace

Calibration calibrate(const Measurements& measured, const CalibrationSettings& settings) {
  return Calibrator(measured, settings).calibrate();
}

}  // namespace reprise::platforms
