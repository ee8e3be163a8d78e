// SPDX-License-Identifier: MIT
// SMPI's settings in a platform's <config>, as the "mpi" part of a platform document. See simgrid_platform.hpp.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "platforms/xml/xml_document.hpp"

namespace reprise::platforms {

class SmpiSettings {
 public:
  void take(const XmlElement& prop, const std::string& file);  // throws InputError
  void finish();                                               // fills `mpi`

  nlohmann::json mpi;
  std::string loopback_bandwidth = "10GBps", loopback_latency = "0";

 private:
  std::uint64_t async_limit_ = 0,
                detached_limit_ = 65536;  // SMPI's defaults; messages below are sent so
  double send_overhead_ = 0, receive_overhead_ = 0;
  nlohmann::json latency_factors_, bandwidth_factors_;
};

}  // namespace reprise::platforms
