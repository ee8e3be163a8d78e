// SPDX-License-Identifier: MIT
// Who waits for whom when a replay has come to a halt, in words: the cycle first, then the rest, at most kRanks of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/collectives/runs.hpp"
#include "sim/engine/loop/collective_handles.hpp"
#include "sim/engine/loop/runtime.hpp"
#include "sim/engine/point_to_point/probes.hpp"

namespace reprise::sim {

class DeadlockReport {
 public:
  static constexpr std::size_t kRanks = 8;
  // REQUIRES: the network has nothing left to do and some actor is not finished.
  // HANDLES: the windows and the files, whose members meet in contexts of their own.
  DeadlockReport(const Runtime&, const CollectiveRuns&, const Probes&,
                 std::vector<const CollectiveHandles*> handles);
  ReplayError error() const;

 private:
  struct Wait {
    std::uint32_t actor = 0;
    std::int32_t peer = -1;  // world rank it waits for; −1: any
    std::string text;
  };
  Wait wait_of(std::uint32_t actor) const;
  std::uint32_t first_request(std::uint32_t actor) const;
  std::uint32_t entered(const Request&) const;
  // The first unfinished actor of a rank.
  std::optional<std::uint32_t> unfinished(std::int32_t rank) const;
  std::vector<std::uint32_t> order() const;
  std::string time_text(const std::vector<std::uint32_t>& waiting) const;

  const Runtime& runtime_;
  const CollectiveRuns& runs_;
  const Probes& probes_;
  const std::vector<const CollectiveHandles*> handles_;
  const Pool<Request>& requests_;
};

}  // namespace reprise::sim
