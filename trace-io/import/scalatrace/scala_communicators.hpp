// SPDX-License-Identifier: MIT
// Who is in the communicators of a ScalaTrace file.
//
// The file numbers a rank's communicators as the rank makes them, and says of each how it was made: of which, with which color and key or
// which group. The k-th such call on a communicator is the same for all its members, so the ranks are taken through their calls
// together, each waiting where others have not arrived yet. Groups are made by the rank alone.
//
// Known     Comm_dup, Comm_split, Comm_create; Comm_group, Group_incl, excl, range_incl, range_excl, union, intersection, difference.
// Errors    InputError with file and line: communicators and groups that do not exist, calls that not all members make.
// Cost      O(calls that make communicators · members).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "trace-io/import/ranks/imported_job.hpp"
#include "trace-io/import/scalatrace/scala_program.hpp"

namespace reprise::trace_io {

// Whether the procedure makes a communicator or a group.
bool makes_communicators(std::string_view procedure);

class ScalaCommunicators {
 public:
  static constexpr std::int32_t kSelf = 1, kWorld = 2, kFirstOwn = 1000;  // the file's numbers

  // Adds all to the job, the world (0) and each rank's own (1) first. Programs: of all ranks, or none where nothing is made.
  ScalaCommunicators(const ScalaTrace&, const std::vector<ScalaProgram>&, ImportedJob&);

  // The communicator's number in the job; none where the rank has no such communicator.
  std::optional<std::uint32_t> named(Rank, std::int32_t number) const;
  // What a step of the rank made each time; none for MPI_COMM_NULL. Empty for steps that make none.
  const std::vector<std::optional<std::uint32_t>>& made_by(Rank, std::uint32_t step) const;

 private:
  using Members = std::vector<std::int32_t>;  // world ranks in their order
  struct OneRank {
    std::size_t next = 0;                               // making
    std::map<std::uint32_t, std::size_t> executed, at;  // by step: how often, where among its list
    std::map<std::uint32_t, std::size_t> makings_on;    // by communicator
    std::vector<std::optional<std::uint32_t>> made;     // communicators, in their order
    std::vector<Members> groups;
    std::map<std::uint32_t, std::vector<std::optional<std::uint32_t>>> by_step;
  };
  struct Arrival {
    std::int32_t color = 0, key = 0;
    Members group{};
    const ScalaRecord* record = nullptr;
    std::uint32_t step = 0;
  };
  using Meeting = std::map<std::int32_t, Arrival>;  // by rank

  bool proceed(std::int32_t rank);  // until it waits; whether somebody else may go on
  bool meet(std::uint32_t on, const Meeting&);
  void make_group(std::int32_t rank, std::uint32_t step, const ScalaRecord&);
  Members included(std::int32_t rank, std::uint32_t step, const ScalaRecord&, const Members& from);
  std::int32_t value(std::int32_t rank, std::uint32_t step, const ScalaRecord&, ScalaField) const;
  const std::vector<std::int32_t>& list(std::int32_t rank, const ScalaRecord&, ScalaField) const;
  const Members& group(std::int32_t rank, std::uint32_t step, const ScalaRecord&, ScalaField) const;
  std::uint32_t parent(std::int32_t rank, std::uint32_t step, const ScalaRecord&) const;
  Members members_of(std::uint32_t communicator, std::int32_t self) const;
  [[noreturn]] void refuse(std::int32_t rank, const ScalaRecord&, const std::string& problem) const;

  const ScalaTrace& trace_;
  const std::vector<ScalaProgram>& programs_;
  ImportedJob& job_;
  std::vector<OneRank> ranks_;
  std::map<std::pair<std::uint32_t, std::size_t>, Meeting>
      meetings_;  // (communicator, which making on it); of Comm_self by rank
};

}  // namespace reprise::trace_io
