// SPDX-License-Identifier: MIT
// Which links a run keeps busy, by class: "node up", "level 2 down", "intra-node" …
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/observe/traffic.hpp"
#include "sim/experiment/details/detail.hpp"

namespace reprise::sim {

struct LinkClassUse {
  std::string name;
  std::uint64_t links = 0, used_links = 0;  // used: by at least one byte
  bool is_shared = true;                    // messages on one of them slow one another
  double bytes = 0;  // over all its links; a message counts on every link that it crosses
  double busy_share = 0,
         mean_busy_share =
             0;  // of the run: of the busiest link; the mean over all links of the class
  double next_busy_share = 0;  // of the next after the busiest; 0 where there is none
  double busiest_bandwidth =
      1;  // of the busiest link: factor on what the platform says, the mean over the run
  // "node 5" (link_name.hpp), "rank 3" of a receiver: where the busiest link stands out. Its bandwidth is its own, or it is busy for
  // kBusy of the run and twice as long as the next. Else empty.
  std::string busiest_link{};
  static constexpr double kBusy = 0.1;
};

struct LinkUse : Figure {
  // The busiest class first; classes that carried nothing come last, all in the platform's order where they are equal.
  std::vector<LinkClassUse> classes;

  nlohmann::ordered_json json() const override;
  std::string text() const override;
};

// The links of receivers inside nodes are one for each rank.
LinkUse link_use(const TrafficMeter&, Seconds run_time);

}  // namespace reprise::sim
