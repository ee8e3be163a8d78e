// SPDX-License-Identifier: MIT
// What a replay is asked to watch besides its outcome: call sites, the ranks' time line, traffic. Filled by replay().
//
// Costs    nothing where nobody asks (a null pointer in ReplaySettings); else see call_accounts.hpp, time_bins.hpp, traffic_meter.hpp.
// Forward  iterations that fast-forward leaves out are accounted for: what a period of a loop added is added again for each period left
//          out, as with the ranks' times. On the time line they are an even stretch.
// Threads  of a rank are watched one by one and added up.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/engine/loop/actor.hpp"
#include "sim/engine/observe/call_accounts.hpp"
#include "sim/engine/observe/time_bins.hpp"
#include "sim/engine/observe/traffic_meter.hpp"
#include "sim/engine/observe/traffic_pairs.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct Watched {
  bool calls = false, timeline = false;
  bool traffic = false;  // on the links, and between at most 64 × 64 blocks of ranks
  bool pairs = false;    // between each two ranks
};

class Observation {
 public:
  explicit Observation(Watched what) : what_(what) {}

  // A rank's calls at one site.
  struct RankSite {
    Rank rank;
    trace_io::SiteId site = trace_io::kNoSite;
    CallAccount account;
  };
  std::vector<RankSite> calls()
      const;  // by rank, then site; sites that the rank has not called are left out
  const TimeBins& timeline() const { return timeline_; }
  const TrafficMeter& traffic() const { return *traffic_; }  // REQUIRES: watched
  const TrafficPairs& pairs() const { return pairs_; }

  // The engine's: a replay begins (again); what its actors do. on_begin stands at the current event, on_end at the one that is over.
  void begin(const trace_io::Trace&, const platforms::Platform&,
             std::vector<platforms::NodeIndex> socket_of_rank, const std::vector<Actor>&);
  void on_begin(std::uint32_t actor, const Actor&);
  void on_end(std::uint32_t actor, const Actor&);
  void on_sent(std::uint32_t actor, const TrafficMeter::Kind&);

  // Fast-forward's: what a rank does in a loop that is watched. A loop is known by its address.
  struct LoopView {
    SiteAccounts entered, period;
    TrafficMeter::Log sent;  // in the period
  };
  void enter_loop(std::uint32_t actor, LoopView&);
  void begin_period(std::uint32_t actor, LoopView&, const void* loop);
  void end_period(std::uint32_t actor, LoopView&, const void* loop);
  // The actor has jumped SPAN seconds from FROM on.
  void on_jump(std::uint32_t actor, const LoopView&, const JumpedTimes&, double from, double span);

 private:
  bool meters() const { return what_.traffic || what_.pairs; }
  void count(const TrafficMeter::Kind&, std::uint64_t times);
  struct Side {
    std::int32_t rank = 0;
    bool has_begun = false;
    double from = 0, compute = 0, expected = 0, in_mpi = 0,
           wait = 0;  // at the begin of the current event
    SiteAccounts sites;
    std::map<const void*, TrafficMeter::Log>
        logs;  // by loop; looked up and added to alike: its order reaches no result
  };

  const Watched what_;
  std::vector<Side> sides_;  // by actor
  TimeBins timeline_;
  std::optional<TrafficMeter> traffic_;
  TrafficPairs pairs_;
};

}  // namespace reprise::sim
