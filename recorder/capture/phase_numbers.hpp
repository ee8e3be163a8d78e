// SPDX-License-Identifier: MIT
// The numbers of the requests of a phase of completions: from slots to ages, in the order in which the trace has the calls.
//
// Completions  where a call completed some of several requests, those started first of its set are said to have completed (of persistent ones those
//              with the lowest slots), and what is said of the others later is said of those that take their names. So what is recorded is a run of the
//              same program in which requests complete in the order in which they were started, and a replay completes what is complete first anyway.
//              The messages are the same: a name goes from one request to another, the operations that it was started as do not.
// Exact        requests of receives from any source or with any tag keep their names, for their matches stand with their completions; and so do persistent
//              requests that are not all complete when the phase is over.
// At the end   requests that were in such a set and are still under way have the places in the order that are left, in the order in which they were started.
// Cost         O(requests named · log requests of a call).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "recorder/capture/handle_tables.hpp"
#include "recorder/capture/phase_calls.hpp"

namespace reprise::recorder {

class PhaseNumbers {
 public:
  explicit PhaseNumbers(RequestTable& table) : table_(table) {}

  // A request that some call of the phase might have completed.
  struct Member {
    std::uint32_t slot;
    bool has_age, is_wild;
    bool has_ended = false;
    std::int64_t start = -1;  // the call of the phase that started it; −1: it was started before,
    std::int64_t number = -1;  // and called so when the phase began
    std::size_t place = 0;     // of those: in the order
  };

  // Looks at all calls of a phase, changing nothing.
  void begin(std::span<const PhaseCall>);
  std::span<const Member> members() const { return members_; }
  std::uint64_t completed() const { return completed_; }
  bool has_wild() const { return has_wild_; }  // of the members, and what was started in the phase

  // The calls one after the other, as they were: slots become numbers.
  void start(PhaseCall&);
  void complete_some(PhaseCall&);
  // Of a call that is said as another phase had it: numbers end what they mean now.
  void complete_said(const std::vector<std::int64_t>& completed);
  // After the last one.
  void end();
  // Of a call behind the phase.
  void settle(PhaseCall&);

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  struct Candidate {
    std::int64_t number;
    std::uint32_t name;
    bool has_age, is_exact, is_taken;
  };

  bool is_exact(std::uint32_t slot) const;
  std::uint32_t name_of(std::uint32_t slot) const {
    return slot < names_.size() ? names_[slot] : slot;
  }
  void call_it(std::uint32_t slot, std::uint32_t name);
  std::int64_t number_of(std::uint32_t name);
  void name_one(std::int64_t& number, bool ends);

  RequestTable& table_;
  std::vector<Member> members_;
  std::vector<std::uint32_t> member_of_;        // by slot; kNobody
  std::vector<std::uint32_t> names_, holders_;  // by slot; by name the slot that has it
  std::vector<Candidate> candidates_;           // scratch
  std::vector<std::size_t> places_;             // scratch
  std::vector<const Member*> left_;             // scratch
  std::uint64_t completed_ = 0, persistent_ = 0, persistent_completed_ = 0;
  bool has_wild_ = false;
};

}  // namespace reprise::recorder
