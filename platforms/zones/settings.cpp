// SPDX-License-Identifier: MIT
#include <xbt/log.h>

#include <simgrid/s4u/Engine.hpp>
#include <stdexcept>
#include <string>
#include <variant>

#include "platforms/zones/zone.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

struct Setting {
  const char* name;
  std::variant<bool, double, std::string> value;
};

}  // namespace

void configure_simgrid(const LatencyWeights* weights) {
  // With a factor of 0 SimGrid would take the latency itself for 0, and weigh all flows the same.
  constexpr double kNoTime = 1e-15, kNoWindow = 1e200;
  const bool has_window = weights != nullptr && weights->tcp_gamma;
  const Setting settings[] = {
      // CM02 is the flow model without the corrections for TCP that the default (LV08) and SMPI's model apply.
      {"network/model", std::string("CM02")},
      {"network/latency-factor", weights == nullptr ? 1.0 : kNoTime},
      {"network/bandwidth-factor", 1.0},
      // extra weight for slow links in the shares
      {"network/weight-S", weights == nullptr ? 0.0 : static_cast<double>(weights->weight_s.value)},
      // The bound from a TCP window. 0 switches it off, and where flows have latency all other bounds with it.
      {"network/TCP-gamma", has_window           ? static_cast<double>(weights->tcp_gamma->value)
                            : weights == nullptr ? 0.0
                                                 : kNoWindow},
      {"network/crosstraffic", false},  // no acknowledgements against the data
      // With Lazy a flow that begins to take its share is not told to flows on its other links where its first link has just changed
      // (System::update_modified_cnst_set_from_variable); links then carry more than they can. Without latency no flow begins so.
      {"network/optim", std::string(weights == nullptr ? "Lazy" : "Full")},
      {"network/maxmin-selective-update", weights == nullptr},
      // Two events closer than this happen at once. The default of 1 ns would be an error of 1e-3 on a microsecond.
      {"surf/precision", 1e-12},
      // A link with less than this part of its bandwidth left counts as full; the default is 1e-5. Weights are of 1e6 per second and add up
      // with so large roundings that SimGrid gives up with 1e-9.
      {"maxmin/precision", weights == nullptr ? 1e-9 : 1e-7},
  };
  // SimGrid announces every change of a setting on stderr.
  xbt_log_control_set("xbt_cfg.thresh:warning");
  for (const Setting& setting : settings) {
    try {
      std::visit(
          [&setting](const auto& value) { simgrid::s4u::Engine::set_config(setting.name, value); },
          setting.value);
    } catch (const std::exception& error) {
      const std::string words = error.what();  // the first line; a list of all settings follows
      throw RunError("simgrid",
                     "the setting \"" + std::string(setting.name) +
                         "\" was refused: " + words.substr(0, words.find('\n')),
                     "this program is built for SimGrid 3.32");
    }
  }
}

}  // namespace reprise::platforms
