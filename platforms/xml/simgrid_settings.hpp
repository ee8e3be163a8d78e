// SPDX-License-Identifier: MIT
// SMPI's settings in a platform's <config>, as the "mpi" part of a platform document, and what of its "network" part says how links are
// shared. See simgrid_platform.hpp.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "platforms/xml/xml_document.hpp"
#include "trace-io/base/quantity.hpp"

namespace reprise::platforms {

class SmpiSettings {
 public:
  void take(const XmlElement& prop, const std::string& file);  // throws InputError
  void finish();                                               // fills `mpi`

  nlohmann::json mpi;
  nlohmann::json sharing;  // the "network" part's keys that say how links are shared
  std::string loopback_bandwidth = "10GBps", loopback_latency = "0";

 private:
  std::uint64_t async_limit_ = 0,
                detached_limit_ = 65536;  // SMPI's defaults; messages below are sent so
  double send_overhead_ = 0, receive_overhead_ = 0;
  double weight_s_ = 8775, tcp_gamma_ = 4194304;  // bytes, SMPI's defaults
  nlohmann::json latency_factors_, bandwidth_factors_;
};

// Numbers with units as SimGrid's platform files write them: "1Gf", "12.5GBps", "100Mbps", "1us"; without a unit flop/s, bytes/s, s.
// All throw InputError{where, …}.
FlopPerSecond simgrid_speed(const std::string& text,
                            const std::string& where);  // of several (one per pstate) the first
BytesPerSecond simgrid_bandwidth(const std::string& text, const std::string& where);
Seconds simgrid_time(const std::string& text, const std::string& where);

}  // namespace reprise::platforms
