// SPDX-License-Identifier: MIT
#include "platforms/calibration/calibrated_platform.hpp"

#include <algorithm>
#include <cmath>

#include "platforms/load.hpp"
#include "platforms/routes.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

// With one digit behind the point.
std::string microseconds(Seconds time) {
  return to_text(Seconds{std::round(time.value * 1e7) / 1e7});
}

using nlohmann::ordered_json;
constexpr std::uint64_t kAssumedEagerLimit = 64 << 10;

// More digits than a measurement has would only be noise in the file.
double rounded(double value, int digits = 4) {
  if (value == 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - (digits - 1));
  return std::round(value / unit) * unit;
}
// As a number that prints with that many digits.
double plain(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return std::stod(text);
}
std::string text(Seconds time) { return to_text(Seconds{plain(rounded(time.value))}); }
std::string text(BytesPerSecond rate) {
  return to_text(BytesPerSecond{plain(rounded(rate.value))});
}

ordered_json factors_json(const std::vector<SizeFactor>& factors) {
  ordered_json list = ordered_json::array();
  for (const SizeFactor& factor : factors)
    list.push_back({{"from", to_text(factor.from)}, {"factor", plain(factor.factor)}});
  return list;
}

ordered_json cold_json(const std::vector<ColdCosts>& levels) {
  const auto points_json = [](const std::vector<SizePoint>& points) {
    ordered_json list = ordered_json::array();
    for (const SizePoint& point : points)
      list.push_back({{"bytes", to_text(point.bytes)}, {"time", text(point.time)}});
    return list;
  };
  ordered_json list = ordered_json::array();
  for (const ColdCosts& level : levels) {
    ordered_json one = {{"after", text(level.after)}};
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
  return {{"typical", plain(uncertainty.typical)},
          {"largest", plain(uncertainty.largest)},
          {"residuals", std::move(residuals)},
          {"source", "this fit compared with " + source}};
}

void add_rate(ordered_json& mpi, ordered_json& source, const std::optional<RateFit>& fit,
              const char* rate, const char* factors) {
  if (!fit) return;
  mpi[rate] = text(fit->rate);
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
  mpi["send_overhead"] = text(fit.mpi.send_overhead);
  mpi["recv_overhead"] = text(fit.mpi.recv_overhead);
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
  if (!fit.mpi.acknowledgements.empty()) {
    ordered_json list = ordered_json::array();
    for (const SizeTime& step : fit.mpi.acknowledgements)
      list.push_back({{"from", to_text(step.from)}, {"time", text(step.time)}});
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
  ordered_json path = {{"bandwidth", text(has_bound ? fit.in_all : fit.per_message)},
                       {"latency", text(fit.latency)}};
  ordered_json source = {{"bandwidth", fitted}, {"latency", fitted}};
  if (has_bound) {
    path["per_receiver_bandwidth"] = text(fit.per_message);
    source["per_receiver_bandwidth"] = fitted;
    source["bandwidth"] =
        fitted + ": " + std::to_string(2 * fit.pairs) + " messages at once; more may go faster";
  }
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
    if (!platform.contains("source"))
      platform["source"] = "reprise platform calibrate: " +
                           (made_.intra_node ? made_.intra_node : made_.inter_node)->source;
    set_nodes(platform);
    if (made_.intra_node) set_intra_node(platform);
    set_sockets(platform);
    if (made_.inter_node) set_inter_node(platform);
    set_rates(platform);
    tell();
    return std::move(made_);
  }

 private:
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
    choose("cores", settings_.cores, measured_.cores, 2);
    if (!settings_.cores && !measured_.cores && !base_)
      made_.remarks.push_back("2 cores per node are assumed; give the number with --cores");
    platform["nodes"] = std::move(nodes);
  }

  void set_intra_node(ordered_json& platform) {
    ordered_json path = intra_node_json(*made_.intra_node),
                 mpi = mpi_json(*made_.intra_node, measured_);
    if (platform.contains("intra_node") && platform["intra_node"].contains("between_sockets"))
      path["between_sockets"] = platform["intra_node"]["between_sockets"];
    // Where there is nothing but this path, its costs are the machine's.
    if (!platform.contains("mpi") && !made_.inter_node)
      platform["mpi"] = std::move(mpi);
    else
      path["mpi"] = std::move(mpi);
    platform["intra_node"] = std::move(path);
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
        {"bandwidth", text(fit.bandwidth)},
        {"latency", text(fit.latency)},
        {"source",
         {{"bandwidth",
           fit.is_as_fast_inside ? "that inside a socket: not slower in " + fit.source : fitted},
          {"latency", fitted}}}};
  }

  void set_inter_node(ordered_json& platform) {
    const PathFit& fit = *made_.inter_node;
    const std::string fitted = "fitted to " + fit.source;
    double share = 0.5;  // of the latency: a star's route has two links
    if (base_ && base_->network && base_->nodes.count > 1) {
      Route route;
      make_route_table(*base_)->find_route(0, base_->nodes.sockets, route);
      share = 1.0 / static_cast<double>(route.links.size());
    } else {
      platform["network"]["topology"] = {{"kind", "star"}};
      made_.remarks.push_back(
          "the network is taken for a star; --base PLATFORM gives another topology");
    }
    platform["network"]["link"] = {
        {"bandwidth", text(fit.per_message)},
        {"latency", text(fit.latency * share)},
        {"source",
         {{"bandwidth", fitted}, {"latency", fitted + ", dealt out to the links of the route"}}}};
    ordered_json mpi = mpi_json(fit, measured_);
    if (platform.contains("mpi"))
      for (const char* key : {"collectives", "reduction_bandwidth", "reduction_factors"})
        if (platform["mpi"].contains(key)) mpi[key] = platform["mpi"][key];
    platform["mpi"] = std::move(mpi);
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

  void tell() {
    for (const auto& [fit, where] : {std::pair(&made_.intra_node, "inside a node"),
                                     std::pair(&made_.inter_node, "between nodes")}) {
      if (!*fit) continue;
      const std::string place = std::string(" ") + where;
      if (!(*fit)->has_own_overheads)
        made_.remarks.push_back("send and receive overhead" + place +
                                " are assumed: a quarter of the smallest message's time each");
      if (!(*fit)->has_eager_limit)
        made_.remarks.push_back("the eager limit" + place +
                                " is assumed: " + to_text((*fit)->mpi.eager_limit));
      if (!(*fit)->has_capacity)
        made_.remarks.push_back("how messages" + place +
                                " share bandwidth was not measured: they share one message's");
      if ((*fit)->cold_left_out > 0)
        made_.remarks.push_back(
            std::to_string((*fit)->cold_left_out) +
            ((*fit)->cold_left_out == 1 ? " time of messages after computing" + place + " is"
                                        : " times of messages after computing" + place + " are") +
            " left out: longer than cold caches explain, because other processes had the core; "
            "measure again on an idle machine");
    }
    tell_disturbed();
    tell_changes();
    for (const Series& series : measured_.series)
      if (series.what == Series::What::kOther || series.what == Series::What::kStream)
        made_.remarks.push_back(series.name + " of " + series.source +
                                " is not part of a platform");
  }

  void tell_disturbed() {
    std::size_t times = 0, disturbed = 0;
    for (const Series& series : measured_.series) {
      times += series.samples.size();
      disturbed += static_cast<std::size_t>(
          std::count_if(series.samples.begin(), series.samples.end(),
                        [](const Sample& sample) { return sample.is_disturbed; }));
    }
    if (disturbed == 0) return;
    made_.remarks.push_back(std::to_string(disturbed) + " of " + std::to_string(times) +
                            " medians include time slices of other processes, so 10 % quantiles "
                            "are used; measure again on an idle machine");
  }

  void tell_changes() {
    constexpr double kSteady = 0.9;
    for (const Reference& reference : measured_.references) {
      if (reference.share >= kSteady && reference.other_times == 0) continue;
      std::string remark =
          std::string(reference.path == MeasuredPath::kIntraNode ? "inside a node"
                                                                 : "between nodes") +
          " the machine changed while it was measured: " + to_text(reference.bytes) +
          " took about " + microseconds(reference.usual) + " at " +
          std::to_string(std::lround(100 * reference.share)) + " %" +
          " of the times it was looked at, and " + microseconds(reference.least) + " to " +
          microseconds(reference.most) +
          " at all of them, as where the cores of a virtual machine change place. The platform "
          "describes the former; runs will differ as much";
      if (reference.other_times > 0)
        remark += ". " + std::to_string(reference.other_times) +
                  " times were measured in another state; measure again, or longer (--seconds)";
      made_.remarks.push_back(std::move(remark));
    }
  }

  const Measurements& measured_;
  const CalibrationSettings& settings_;
  std::optional<Platform> base_;
  Calibration made_;
};

}  // namespace

Calibration calibrate(const Measurements& measured, const CalibrationSettings& settings) {
  return Calibrator(measured, settings).calibrate();
}

}  // namespace reprise::platforms
