// SPDX-License-Identifier: MIT
// Which members of a communicator a rank's collective call cannot end before, and when they entered.
//
// By kind  all to all (barriers, all-reduce, making a communicator …) every member; bcast and scatter the root; reduce and gather at the root
//          every member; scan the members before it, exscan likewise. Members from which nothing comes, by the bytes that the call names, are not
//          waited for, and nobody where no bytes move. Calls on intercommunicators, neighbourhood collectives, windows and files wait for nobody here.
// Meeting  the n-th collective of each member on a communicator is one operation, blocking or not. Where their kinds differ, nobody waits.
// Cost     enter() O(log communicators) and O(members) where a list names them; memory: members of the operations that are under way.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/export/timeline/call_words.hpp"
#include "sim/export/timeline/timed_call.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::sim {

// A moment of a call, ns: where it was before anything was moved, and where it is now.
struct MovedTime {
  static constexpr std::int64_t kNever = INT64_MIN;
  std::int64_t recorded = kNever, now = kNever;
  void take_later(const MovedTime& other) {
    recorded = recorded < other.recorded ? other.recorded : recorded;
    now = now < other.now ? other.now : now;
  }
};

class CollectiveEntries {
 public:
  explicit CollectiveEntries(const trace_io::Trace&);

 private:
  struct Operation;

 public:
  // What one rank waits for in one operation.
  class Wait {
   public:
    // A member that it waits for and that has not entered; none: `latest()` is known.
    std::optional<Rank> missing();
    const MovedTime& latest() const { return latest_; }  // entry of those it waits for

   private:
    friend class CollectiveEntries;
    enum class For : std::uint8_t { everyone, members };
    std::shared_ptr<Operation> operation_;
    For who_ = For::everyone;
    std::vector<std::int32_t> members_;  // local ranks
    std::size_t looked_at_ = 0;          // of them
    MovedTime latest_;
  };

  // The rank's next call, entered then. None: it is no collective, or waits for nobody.
  std::optional<Wait> enter(Rank, const TimedCall&, const MovedTime&);

 private:
  struct Operation {
    std::vector<Rank> ranks;
    std::vector<MovedTime> entered;  // by local rank
    std::size_t count = 0, first_missing = 0;
    MovedTime latest;
    trace_io::Kind kind = trace_io::Kind::collective;
    trace_io::Collective collective = trace_io::Collective::none;
    bool is_one = true;  // all calls are of one kind
    std::optional<Rank> missing_of_all();
  };
  using Key = std::pair<std::int64_t, std::uint64_t>;  // communicator in the file's numbers, which

  std::shared_ptr<Operation> operation_of(Rank, std::int64_t comm, std::int32_t size,
                                          const TimedCall&);

  FileCommunicators numbers_;
  trace_io::CommunicatorTable communicators_;
  std::vector<std::map<std::int64_t, std::uint64_t>> counts_;  // by rank, then communicator
  std::map<Key, std::shared_ptr<Operation>> under_way_;        // until all have entered
};

}  // namespace reprise::sim
