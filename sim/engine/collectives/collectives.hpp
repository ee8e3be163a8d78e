// SPDX-License-Identifier: MIT
// Collective calls: what a member says must agree with what the first one said, whose algorithm all carry out.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/collectives/node_map.hpp"
#include "sim/collectives/selection.hpp"
#include "sim/engine/collectives/open_collectives.hpp"
#include "sim/engine/collectives/runs.hpp"

namespace reprise::sim {

class Collectives final : public Meetings {
 public:
  Collectives(Runtime&, Transport&, const platforms::Platform&);

  Progress collective(std::uint32_t actor, const EventFields&, bool is_blocking);
  Progress make_communicator(std::uint32_t actor, const EventFields&, bool is_blocking);

  Progress meet(std::uint32_t actor, CommunicatorView&) override;
  std::uint32_t enter(std::uint32_t actor, CommunicatorView&) override;
  void begin(std::uint32_t meeting, std::uint32_t request, double at) override;
  void on_step_complete(std::uint32_t request) override { runs_.on_step_complete(request); }

  CollectiveRuns& runs() { return runs_; }
  const CollectiveRuns& runs() const { return runs_; }
  // REQUIRES: all ranks have finished. Throws ReplayError where a collective still lacks members.
  void check_complete() const;

  std::string_view selection() const { return selection_.name(); }
  std::vector<std::string> operations_met() const;
  // On intracommunicators, sorted.
  std::vector<platforms::SettingsUse::Algorithm> algorithms_met() const;
  // By others, where a rule of the platform names them. Counts calls that are carried out one by one: not those that fast-forward skips.
  std::vector<platforms::SettingsUse::Replaced> algorithms_replaced() const;
  // Members whose collective had another size than the first one's.
  std::uint64_t different_sizes() const { return different_sizes_; }

 private:
  std::uint32_t enter(std::uint32_t actor, CommunicatorView&, const CollectiveCall&);
  bool agree(const Actor&, const OpenCollectives::Entry&, const OpenCollectives::Entry& first);
  void note_choice(const Choice&, const CollectiveCall&);
  const NodeMap* nodes_of(const Actor&, const CommunicatorView&);
  // Blocking, or with a request in the slot that the fields name.
  Progress carry_out(std::uint32_t actor, std::uint32_t run, const EventFields&, bool is_blocking);

  Runtime& runtime_;
  CollectiveRuns runs_;
  OpenCollectives open_;
  const Selection selection_;
  std::map<std::uint32_t, std::unique_ptr<NodeMap>> node_maps_;  // by communicator
  std::uint64_t different_sizes_ = 0;
  std::uint32_t operations_met_ = 0;  // a bit for each trace_io::Collective
  struct Met {
    Played played;
    std::uint64_t calls;
  };
  std::vector<Met> met_;  // few; the latest one is found first
};

}  // namespace reprise::sim
