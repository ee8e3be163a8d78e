// SPDX-License-Identifier: MIT
// What ranks say about each other: messages sent against messages received, and collectives entered by all members.
//
// Cost    O(log pairs) per message; memory: one counter per (communicator, pair), one folded sequence per (communicator, member).
// Limits  a wildcard receive whose sender the trace does not tell can stand for a message of any sender.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "trace-io/check/check.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::trace_io {

// A communicator for all its members alike: an index into Trace::communicators, or the world.
inline constexpr std::int64_t kWorldDefinition = -1;

class MessageTally {
 public:
  void add_send(std::int64_t definition, Rank source, Rank destination);
  void add_receive(std::int64_t definition, Rank source, Rank destination);
  void add_wildcard(std::int64_t definition, Rank destination);
  // `what` tells procedures, and roots, apart.
  void add_collective(std::int64_t definition, Rank member, std::int64_t what);

  // Only about ranks that were recorded. `name_of_collective` turns `what` back into words.
  template <class NameOfCollective>
  void report(const Trace& trace, std::vector<Finding>& findings,
              const NameOfCollective& name_of_collective) const {
    report_messages(trace, findings);
    for (const auto& difference : collective_differences(trace))
      findings.push_back(
          {Severity::error, difference.where,
           "rank " + std::to_string(difference.first.value) + " enters " +
               (difference.first_what < 0 ? "no more collectives"
                                          : name_of_collective(difference.first_what)) +
               " as number " + std::to_string(difference.place + 1) + ", rank " +
               std::to_string(difference.second.value) + " " +
               (difference.second_what < 0 ? "no more collectives"
                                           : name_of_collective(difference.second_what))});
  }

 private:
  struct Difference {
    std::string where;
    Rank first, second;
    std::uint64_t place;                   // of the first collective that differs
    std::int64_t first_what, second_what;  // −1: none
  };
  void report_messages(const Trace&, std::vector<Finding>&) const;
  std::vector<Difference> collective_differences(const Trace&) const;

  struct Counts {
    std::uint64_t sent = 0, received = 0;
  };
  std::map<std::tuple<std::int64_t, Rank, Rank>, Counts>
      pairs_;  // (definition, destination, source)
  std::map<std::pair<std::int64_t, Rank>, std::uint64_t> wildcards_;
  std::map<std::pair<std::int64_t, Rank>, ValueSequence> collectives_;
};

}  // namespace reprise::trace_io
