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

void configure_simgrid() {
  static const Setting settings[] = {
      // CM02 is the flow model without the corrections for TCP that the default (LV08) and SMPI's model apply.
      {"network/model", std::string("CM02")},
      {"network/latency-factor", 1.0},
      {"network/bandwidth-factor", 1.0},
      {"network/weight-S", 0.0},        // no extra weight for slow links in the shares
      {"network/TCP-gamma", 0.0},       // no bound from a TCP window: 0 switches it off
      {"network/crosstraffic", false},  // no acknowledgements against the data
      {"network/optim", std::string("Lazy")},
      // Two events closer than this happen at once. The default of 1 ns would be an error of 1e-3 on a microsecond.
      {"surf/precision", 1e-12},
      // A link with less than this part of its bandwidth left counts as full; the default is 1e-5.
      {"maxmin/precision", 1e-9},
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
