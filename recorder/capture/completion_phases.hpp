// SPDX-License-Identifier: MIT
// Phases of one thread in which requests complete in an order that is this run's alone: held back until they are over, then told in an order and by names
// that do not depend on it (REPRISE_COMPLETIONS; what is kept of them: trace-io/model/completions.hpp).
//
// Phase    begins at a call that completes some of several requests (Waitany, Waitsome, a Testany or Testsome that succeeded), with non-blocking sends and
//          receives and further such calls until any other call ends it. Where the sends before the first completion depend on chance as well, they belong to
//          it: a call after which a phase came once begins the next one.
// Idle     a program may make no other calls for very long (an exchange completed by MPI_Waitsome is all that it does). Once a phase has got too long for that
//          reason, they end as soon as no request is under way: what comes then has nothing to do with what was.
// Left out phases of more than kMostCalls calls or kMostElements list elements are ended early; calls of more than kMostActive requests, and threads that share
//          requests with others, have none: there completions are recorded as they happen.
// Times    of a call stay with its site: the n-th call of a site has the n-th times. Where the representative has fewer calls of a site the last one has the times of
//          the rest, where it has more they take no time; the difference is in further calls.
// Cost     in a program without such calls a comparison an event; in a phase O(log) a call beside what the compressor does.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "recorder/capture/phase_calls.hpp"
#include "recorder/capture/phase_numbers.hpp"
#include "recorder/capture/representative_phases.hpp"
#include "trace-io/compress/thread_compressor.hpp"
#include "trace-io/model/completions.hpp"

namespace reprise::recorder {

class CompletionPhases {
 public:
  static constexpr std::size_t kMostCalls = 4096, kMostElements = std::size_t{1} << 18;
  static constexpr std::size_t kMostActive = 4096;

  // `watches_always`: is_watching() without a phase as well, for who has more to do with each event.
  CompletionPhases(bool is_enabled, bool watches_always)
      : is_enabled_(is_enabled), is_watching_(watches_always) {}

  // Before a call that completes some of `active` requests is described.
  void expect(std::size_t active);
  // Whether append() has to see each event: false until the first phase.
  bool is_watching() const { return is_watching_; }
  // Instead of the compressor's own; `procedure` must follow from `key`. May throw std::bad_alloc.
  void append(const trace_io::EventView&, std::uint32_t key, std::string_view procedure,
              trace_io::ThreadCompressor&);
  // Nothing is held back any more.
  void end(trace_io::ThreadCompressor&);
  // Gives back what further phases would use, unless one is under way; those are learnt anew then.
  void settle();
  const trace_io::CompletionRecord& record() const { return record_; }

 private:
  enum class Beginning : std::uint8_t { none, completion, call };
  // What is known of a call that can be part of no phase.
  struct Before {
    bool begins_phases = false;
    std::uint32_t in_vain = 0;  // phases without a completion, one after the other
  };
  static constexpr std::uint32_t kMostInVain = 4;
  static constexpr std::size_t kKeys = 1024;

  const CallShape& shape_of_call(std::uint32_t key, std::string_view procedure);
  void begin(Beginning);
  void pass(const trace_io::EventView&, const CallShape&, trace_io::ThreadCompressor&);
  void tell(trace_io::ThreadCompressor&);
  void emit(const PhaseCall&, trace_io::ThreadCompressor&);
  void tell_as_it_was(trace_io::ThreadCompressor&);
  void tell_as(const RepresentativePhases::Steps&, trace_io::ThreadCompressor&);
  struct Completing {  // calls of one site
    trace_io::SiteId site = trace_io::kNoSite;
    std::uint32_t first = 0, calls = 0;  // in completions_
    std::uint32_t steps = 0, told = 0;
  };
  void find_completions(const RepresentativePhases::Steps&);
  Completing& completing(trace_io::SiteId);
  void learn(bool is_full);
  void count_open(const PhaseCall&);

  bool is_enabled_, is_watching_ = false;
  Beginning beginning_ = Beginning::none;  // of the phase under way
  bool ends_when_idle_ = false;
  std::ptrdiff_t open_ = 0;  // requests under way that have ages, while there is a phase
  PhaseCalls calls_;
  std::optional<PhaseNumbers> numbers_;  // once it is needed: handles exist by then
  RepresentativePhases representatives_;
  trace_io::CompletionRecord record_;
  std::unordered_map<std::uint32_t, CallShape> shapes_;
  std::vector<const CallShape*> shape_by_key_;  // of the keys that most calls have, once needed
  std::unordered_map<trace_io::SiteId, Before> before_;
  trace_io::SiteId latest_before_ = trace_io::kNoSite;
  PhaseCall behind_;  // the call that ends the phase
  // Scratch.
  std::vector<std::span<const std::int64_t>> spans_;
  std::vector<std::pair<trace_io::SiteId, std::uint32_t>> completions_;  // calls of the phase
  std::vector<Completing> sites_;                                        // by site
};

}  // namespace reprise::recorder
