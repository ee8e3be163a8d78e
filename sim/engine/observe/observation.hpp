// SPDX-License-Identifier: MIT
// What a replay is asked to watch besides its outcome: call sites, the ranks' time line, traffic. Filled by replay().
//
// Costs    nothing where nobody asks (a null pointer in ReplaySettings); else see below, time_bins.hpp, traffic.hpp.
// Forward  iterations that fast-forward leaves out are accounted for: what a period of a loop added is added again for each period left
//          out, as with the ranks' times. On the time line they are an even stretch.
// Threads  of a rank are watched one by one and added up.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/engine/critical_path/critical_path.hpp"
#include "sim/engine/loop/runtime.hpp"
#include "sim/engine/observe/iteration_meter.hpp"
#include "sim/engine/observe/time_bins.hpp"
#include "sim/engine/observe/timeline_window.hpp"
#include "sim/engine/observe/traffic.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// What a rank's calls at one site cost.
//
// Account  of a site: how often it was called, what was computed before its calls, and the time inside them, of which part is waiting
//          (sim/outcome.hpp says what is what). The accounts of a rank add up to the rank's times.
// Bytes    what the calls' send arguments hold, on every rank that gives one: payload of a send, the send buffer of a collective, data
//          put or accumulated, written to a file. Where a call only receives: its receive argument. Starting a persistent send: 0.
// Jumps    iterations that fast-forward leaves out are counted by those that it watched: exactly where the ranks' times are (a period's
//          accounts times the periods); else calls and bytes exactly, and times so that they add up to the rank's: computing as each call
//          has it in the trace's order, or at its mean; waiting, and the rest of the time in MPI, as it was shared out before the jump.
// Cost     one addition a call; 96 bytes for each rank and site.
struct CallAccount {
  std::uint64_t calls = 0, bytes = 0;
  std::uint64_t least_bytes = std::numeric_limits<std::uint64_t>::max(),
                most_bytes = 0;  // of one call
  double compute = 0, expected = 0, in_mpi = 0,
         wait = 0;  // seconds; expected: had every delta been its mean; in_mpi holds wait
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;  // of one call inside MPI
  CallAccount& operator+=(const CallAccount&);
};

// By site; shorter than the trace's sites where the last ones were not called.
using SiteAccounts = std::vector<CallAccount>;

// What a rank gains by a jump.
struct JumpedTimes {
  bool is_exact = false;
  double periods = 0, compute = 0, in_mpi = 0, wait = 0;
  // Seconds computed before the calls of a site, where that is known: they add up to COMPUTE.
  std::span<const std::pair<trace_io::SiteId, double>> computed_at{};
};

// ACCOUNTS goes on as if the jumped iterations had been carried out. WATCHED: at an iteration since which they were like those; PERIOD:
// what one period added. The times are added up to those of JUMPED.
void jump(SiteAccounts& accounts, const SiteAccounts& watched, const SiteAccounts& period,
          const JumpedTimes& jumped);
// What has been added since BEFORE; extremes are those of NOW.
SiteAccounts difference(const SiteAccounts& now, const SiteAccounts& before);

struct Watched {
  bool calls = false, timeline = false;
  bool traffic = false;     // on the links, and between at most 64 × 64 blocks of ranks
  bool pairs = false;       // between each two ranks
  bool iterations = false;  // of the main loop
  bool path = false;        // what the predicted time consists of
  bool slopes = false;      // what it grows by with each parameter; with the path, too
  bool waits = false;       // what ranks wait for
  bool delays = false;      // whose computing they wait for; with their waits
  bool anything() const {
    return calls || timeline || traffic || pairs || iterations || path || slopes || waits || delays;
  }
};

class Observation final : public MessageObserver {
 public:
  explicit Observation(Watched what) : what_(what) {
    if (what.path || what.slopes || what.delays)
      path_.emplace(CriticalPath::Kept{what.path, what.delays});
    if (what.waits || what.delays) waits_.emplace();
    if (what.delays) delays_.emplace();
  }

  // Calls and messages of a part of the run are kept as well.
  void open_window(WindowQuestion question) { window_.emplace(std::move(question)); }
  TimelineWindow* window() { return window_ ? &*window_ : nullptr; }
  const TimelineWindow* window() const { return window_ ? &*window_ : nullptr; }  // null: not asked

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
  const IterationMeter& iterations() const { return *iterations_; }  // REQUIRES: watched
  CriticalPath* path() { return path_ ? &*path_ : nullptr; }
  const CriticalPath* path() const { return path_ ? &*path_ : nullptr; }  // null: not watched
  WaitStates* waits() { return waits_ ? &*waits_ : nullptr; }
  const WaitStates* waits() const { return waits_ ? &*waits_ : nullptr; }  // likewise

  DelayCosts* delays() { return delays_ ? &*delays_ : nullptr; }
  const DelayCosts* delays() const { return delays_ ? &*delays_ : nullptr; }

  // The engine's: a replay begins (again); what its actors do. on_begin stands at the current event, on_end at the one that is over.
  void begin(const trace_io::Trace&, const platforms::Platform&,
             std::vector<platforms::NodeIndex> end_of_rank, const std::vector<Actor>&,
             std::span<const LinkChange>);
  void on_begin(std::uint32_t actor, const Actor&);
  void on_end(std::uint32_t actor, const Actor&);
  void on_finished(std::uint32_t actor, const Actor&);
  void finish(const std::vector<Actor>&, double now);  // the replay is over
  // Whether bytes are counted, on links or between ranks.
  bool meters() const { return what_.traffic || what_.pairs; }
  // No loop around the main loop may be left out; null where any may.
  const char* why_not_forwarded() const;
  void on_sent(std::uint32_t actor, std::int32_t from, std::int32_t to, Bytes) override;
  void on_received(const Delivery& delivery) override {
    if (window_) window_->on_received(delivery);
  }

  // Fast-forward's: what a rank does in a loop that is watched. A loop is known by its address.
  struct LoopView {
    SiteAccounts watched, later, period;  // where watching began; what it may go on from
    std::uint64_t bytes = 0;              // sent in the period
    TrafficMeter::Log sent;               // in the period
  };
  // Time in MPI is shared out among call sites as since this call, or since the last but one of watch_on().
  void watch(std::uint32_t actor, LoopView&);
  void watch_on(std::uint32_t actor, LoopView&);
  // What passes between these two is not watched.
  void pause_watching(std::uint32_t actor, LoopView&);
  void go_on_watching(std::uint32_t actor, LoopView&);
  void begin_period(std::uint32_t actor, LoopView&, const void* loop);
  void end_period(std::uint32_t actor, LoopView&, const void* loop);
  // The actor has jumped SPAN seconds from FROM on.
  void on_jump(std::uint32_t actor, const LoopView&, const JumpedTimes&, double from, double span);

 private:
  void keep_path();
  void count(const TrafficMeter::Kind&, std::uint64_t times);
  struct Side {
    std::int32_t rank = 0;
    bool has_begun = false;
    double from = 0, compute = 0, expected = 0, in_mpi = 0,
           wait = 0;  // at the begin of the current event
    std::uint64_t bytes = 0;
    SiteAccounts sites;
    std::map<const void*, TrafficMeter::Log>
        logs;  // by loop; looked up and added to alike: its order reaches no result
  };

  const Watched what_;
  std::vector<Side> sides_;  // by actor
  TimeBins timeline_;
  std::optional<TrafficMeter> traffic_;
  TrafficPairs pairs_;
  std::optional<IterationMeter> iterations_;
  std::optional<CriticalPath> path_;
  std::optional<WaitStates> waits_;
  std::optional<DelayCosts> delays_;
  std::optional<TimelineWindow> window_;
};

}  // namespace reprise::sim
