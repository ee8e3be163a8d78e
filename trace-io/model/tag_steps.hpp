// SPDX-License-Identifier: MIT
// Tags that count, stored as steps: the difference from the last such tag on their communicator.
//
// Counters  libraries such as BLACS number their operations by tags, on each communicator anew. Which tag a call has then depends on how often every other call was made,
//           so the tags of one call site follow no rule, and take more bytes and time the longer a program runs. From one such tag to the next it is one step, or none.
// Last      the last tag stored as a step by the same thread on the communicator (index of the rank), by a send or a receive; of a sendrecv the
//           tag that it sends with. 0 where there is none. Tags stored as they are do not change it: BLACS uses constant ones between those that count.
// Numbers   a tag is ≥ 0, MPI_ANY_TAG is kAnyTag; what is ≤ kNoTagStep is a step: −2 none, −3 one down, −4 one up, −5 two down …
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/model/procedure.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

inline constexpr std::int64_t kNoTagStep = -2;  // the same tag again
inline constexpr std::int64_t kMostTag = INT32_MAX;

constexpr bool is_tag_step(std::int64_t number) { return number <= kNoTagStep; }
constexpr std::int64_t tag_step(std::int64_t number) {
  return unzigzag(static_cast<std::uint64_t>(kNoTagStep) - static_cast<std::uint64_t>(number));
}
// REQUIRES: |step| ≤ 2³¹.
constexpr std::int64_t as_tag_step(std::int64_t step) {
  return kNoTagStep - static_cast<std::int64_t>(zigzag(step));
}

inline constexpr std::int64_t kLeastTagStep = as_tag_step(kMostTag);

// Where a call has its communicator and its tag, among the scalars; of the kinds of calls that have steps.
inline constexpr std::size_t kTagComm = 0, kTagPlace = 2;
constexpr bool has_tag_steps(Kind kind) {
  switch (kind) {
    case Kind::send:
    case Kind::receive:
    case Kind::sendrecv:
    case Kind::start_send:
    case Kind::start_receive:
    case Kind::init_send:
    case Kind::init_receive:
      return true;
    default:
      return false;
  }
}

// Whether some tag of the call is a step. Cost: O(terms).
bool tells_tag_steps(const Leaf&, Kind);
bool has_tag_steps(const Trace&);

// The last tag stored as a step on each communicator, while a trace is walked.
class LastTags {
 public:
  // The tag that the number stands for, in a call on that communicator. A step that leads out of the tags, of a damaged trace, is taken modulo 2³¹.
  std::int64_t tag(std::int64_t comm, std::int64_t number) {
    if (!is_tag_step(number)) return number;
    const auto index = static_cast<std::size_t>(comm < 0 ? 0 : comm);
    if (index >= last_.size()) last_.resize(index + 1);
    return last_[index] = advanced(last_[index], tag_step(number)) & kMostTag;
  }

 private:
  std::vector<std::int64_t> last_;  // by communicator
};

}  // namespace reprise::trace_io
