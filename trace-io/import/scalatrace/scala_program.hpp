// SPDX-License-Identifier: MIT
// What one rank does according to the records of a ScalaTrace file: its calls in their loops, and how often it makes each of them.
//
// How       the rank's records become steps, loops around their bodies. These are played, for what depends on the order of calls: which call
//           came before, which request is meant, which communicators are made. A request is the file's by its place in a ring of the
//           latest 10 000 that were started, and ours by its age among those under way.
// Skipping  nothing is played longer than it has to: where an iteration of a loop leaves requests, places in lists and the call before as they were
//           some iterations ago, all after it repeats, and is multiplied (cycles are found as in Brent, BIT 20, 1980). Loops in
//           which communicators are made are played to the end.
// Cost      O(records + iterations until a loop repeats itself · its body). Bounded by kMostPlayed for all ranks.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "trace-io/import/scalatrace/scala_records.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

class ScalaProgram {
 public:
  // Calls, and requests that are looked at, over all ranks.
  static constexpr std::uint64_t kMostPlayed = std::uint64_t{1} << 27;
  static constexpr std::uint64_t kMostCalls = std::uint64_t{1} << 60;  // of a rank
  static constexpr std::int64_t kRing = 10'000;

  struct Step {
    std::uint32_t record = 0;  // of a loop: its first
    std::uint32_t end = 0;     // of a loop: the step behind its body; else 0
    const std::vector<std::int32_t>* iterations = nullptr;

    std::uint64_t executed = 0;
    std::uint64_t turns = 0;  // of a loop, all together
    std::vector<std::pair<std::uint32_t, std::uint64_t>>
        predecessors{};  // the record before, how often
    // Of calls that complete requests: ages, −1 for none; how many there are in each call of a list.
    ValueSequence ages{}, lengths{};
    std::uint64_t unknown = 0;  // requests that were not under way
    // Of those calls: what the file calls the requests, and how many of them are waited for.
    const std::vector<std::int32_t>*offsets = nullptr, *counts = nullptr;
    std::size_t at = 0;  // among the offsets

    bool is_loop() const { return end != 0; }
  };

  // Makes and plays it. `played` counts on. Throws InputError.
  ScalaProgram(const ScalaTrace&, Rank, std::uint64_t& played);

  const std::vector<Step>& steps() const { return steps_; }  // a loop before its body
  // The steps that make a communicator or a group or free one, one after the other.
  const std::vector<std::uint32_t>& makings() const { return makings_; }
  Rank rank() const { return rank_; }

 private:
  struct Snapshot;
  using Loops = std::vector<
      std::pair<const std::vector<std::int32_t>*, std::int64_t>>;  // iterations, records

  void build(const std::vector<std::uint32_t>& records, const std::vector<Loops>&,
             std::size_t begin, std::size_t end, std::size_t depth);
  void prepare(Step&) const;
  void play(std::uint32_t begin, std::uint32_t end);
  void play_loop(std::uint32_t loop);
  void play_call(std::uint32_t step);
  void complete(Step&);
  std::int64_t take_request(Step&, std::int64_t offset, std::vector<std::uint64_t>& taken);
  std::vector<std::uint64_t> state_of(std::uint32_t loop);
  Snapshot snapshot_of(std::uint32_t loop, std::uint64_t turn,
                       std::vector<std::uint64_t> state) const;
  void multiply(std::uint32_t loop, const Snapshot& since, std::uint64_t times);
  void count(std::uint64_t played);
  [[noreturn]] void refuse(const Step&, const std::string& problem,
                           const std::string& hint = "") const;

  const ScalaTrace& trace_;
  Rank rank_;
  std::uint64_t& played_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> makings_;
  std::vector<bool> makes_;  // by step: makes a communicator, or is a loop in which one is made
  std::uint32_t before_ = kNothing;  // the record of the last call
  std::uint64_t started_ = 0;        // requests
  std::vector<std::uint64_t> open_;  // requests, by how many were started before
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};

 public:
  static constexpr std::uint32_t kFirst = kNothing;  // the predecessor of a rank's first call
};

// So many times the sequence, folded.
ValueSequence repeated(const ValueSequence&, std::uint64_t times);

}  // namespace reprise::trace_io
