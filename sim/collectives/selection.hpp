// SPDX-License-Identifier: MIT
// Which algorithm carries out a collective: what the platform file says for the operation and size, else what the MPI library takes.
//
// Sizes  the vector of bcast, reductions and scans, of reduce_scatter as a whole; one block of gather, scatter, allgather, alltoall,
//        reduce_scatter_block; the mean block of allgatherv; 0 for barriers and where members do not know each other's sizes.
// Not applicable  an algorithm that does not keep operands in order for an operator that needs it, and two levels where no node
//        holds several of the members (or all hold one): then the library's choice, as if the file said nothing.
// Played some algorithms are another one for few elements or some numbers of members (Fallback): played() says which one a call gets.
// Errors the constructor throws InputError for names that there are not, with the nearest one and the list.
// Cost   choosing is linear in the operation's rows (40 at most); done once per collective, not once per member.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/platform.hpp"
#include "sim/collectives/schedule.hpp"
#include "sim/collectives/tables/table.hpp"

namespace reprise::sim {

// In a platform file: the algorithm that the library takes, for the sizes of a rule.
inline constexpr std::string_view kLibraryChoice = "library";

// What carries a call out.
struct Played {
  Choice choice;
  const Algorithm* in_place_of = nullptr;  // that was chosen; null: the same
  std::string_view reason;                 // "fewer elements than ranks"
  std::string_view library;                // that does so as well: "Open MPI"; empty: none
};
Played played(const Choice&, const CollectiveCall&);

class Selection final : public Chooser {
 public:
  // MPI_LIBRARY: as recorded ("Open MPI 4.1.4"); decides where the platform asks for the recorded one.
  Selection(const platforms::Platform&, std::string_view mpi_library);

  Choice choose(const CollectiveCall&) const override;
  // "open-mpi-4.1"
  std::string_view name() const { return name_; }
  // Whether choices depend on who shares a node.
  bool asks_for_nodes() const { return asks_for_nodes_; }
  // Sizes at which choices for the operation may change, ascending, without 0.
  std::vector<std::uint64_t> thresholds(trace_io::Collective, std::int32_t members) const;

 private:
  struct Rule {
    trace_io::Collective operation;
    std::uint64_t up_to;
    Choice choice;
  };
  std::string_view name_;
  const Table* table_ = nullptr;  // null: the simple algorithms
  std::vector<Rule> rules_;
  bool asks_for_nodes_ = false;
};

// "allreduce" for Collective::allreduce.
std::string_view operation_name(trace_io::Collective);

}  // namespace reprise::sim
