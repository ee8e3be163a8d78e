// SPDX-License-Identifier: MIT
// What reprise-simgrid-routes (routes_program.cpp) writes, read without trust: lines of fields that tabs separate.
//
//   link  BANDWIDTH LATENCY POLICY ZONE NAME                             bytes/s, seconds, the number of SimGrid's sharing policy
//   host  SPEED CORES LINKS BANDWIDTH LATENCY POLICY NAME                flop/s; of its route to itself: how many links ("none": it has
//                                                                      none), the narrowest, the sum
//   coordinates                                                          where there are: routes then take longer than their links do
//   end                                                                  of the machine; or, instead of all of it or of a route:
//   error LINE TEXT                                                      in SimGrid's words; line 0 where it names none
//   route LATENCY LINK…                                                  by their places in the list of links
//
// Errors  RunError: a line that is none of these, or numbers that cannot be: the two programs are not of one build, or SimGrid is broken.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::platforms {

enum class SimgridPolicy { fatpipe = 0, shared = 1, split_duplex = 2, wifi = 3, nonlinear = 4 };

struct SimgridLink {
  std::string name, zone;
  BytesPerSecond bandwidth;
  Seconds latency;
  SimgridPolicy policy = SimgridPolicy::shared;
};

// A host's way to itself.
struct SimgridLoopback {
  bool is_there = false;
  std::uint32_t links = 0;
  BytesPerSecond bandwidth;
  Seconds latency;
  SimgridPolicy policy = SimgridPolicy::fatpipe;
  bool operator==(const SimgridLoopback&) const = default;
};

struct SimgridHost {
  std::string name;
  FlopPerSecond speed;
  std::uint32_t cores = 1;
  SimgridLoopback loopback;
};

struct SimgridMachine {
  std::vector<SimgridHost> hosts;
  std::vector<SimgridLink> links;
  bool has_coordinates = false;
};

struct SimgridError {
  std::uint64_t line = 0;  // 0: not said
  std::string text;        // empty: none
};

struct SimgridRoute {
  Seconds latency;
  std::vector<std::uint32_t> links;
};

// One line of a machine's description. Returns whether it was the last, "end" or an error, which is then filled in.
bool take_machine_line(std::string_view line, SimgridMachine&, SimgridError&);
// The answer to a question about a machine of so many links.
SimgridRoute parse_route(std::string_view line, std::size_t links, SimgridError&);

}  // namespace reprise::platforms
