// SPDX-License-Identifier: MIT
// The trace's communicators made for real: by the procedures that made them, with arguments that give the recorded members.
//
// Arguments that a trace does not hold (colours, dimensions, groups) follow from the members and the neighbours. Where ranks must
// agree on one that only some of them can tell, they ask each other through PMPI, unseen by anybody who watches MPI.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace-io/model/communicators.hpp"

namespace reprise::live {

class Communicators {
 public:
  Communicators(const trace_io::CommunicatorTable& table, Rank me) : table_(table), me_(me) {}

  MPI_Comm of(std::int64_t index) const;
  void set(std::int64_t index, MPI_Comm);
  void set_duplicate(std::int64_t index, MPI_Comm, std::int64_t of);
  Rank me() const { return me_; }
  // Parts of a collective's buffer: one for each peer, or for each neighbour where there are more of them.
  std::int64_t places(std::int64_t index) const;

  // One call of `procedure`; made < 0: this rank becomes no member. Neighbours as the trace has them, codes of the new
  // communicator's ranks. Returns false where the procedure is not one of these.
  bool make(const std::string& procedure, std::int64_t parent, std::int64_t made,
            std::span<const std::int64_t> sources, std::span<const std::int64_t> destinations);

 private:
  std::vector<int> members(std::int64_t index, bool remote) const;  // world ranks in order
  MPI_Comm split(MPI_Comm parent, std::int64_t made, bool visible) const;
  MPI_Comm split_by_node(MPI_Comm parent, std::int64_t made) const;
  MPI_Comm create(const std::string& procedure, std::int64_t parent, std::int64_t made) const;
  MPI_Comm create_cartesian(MPI_Comm parent, std::int64_t made,
                            std::span<const std::int64_t> neighbours) const;
  MPI_Comm cartesian_part(std::int64_t parent, std::int64_t made, std::size_t neighbours) const;
  MPI_Comm create_graph(MPI_Comm parent, std::int64_t made,
                        std::span<const std::int64_t> neighbours) const;
  MPI_Comm create_distributed_graph(const std::string& procedure, MPI_Comm parent,
                                    std::span<const std::int64_t> sources,
                                    std::span<const std::int64_t> destinations) const;
  MPI_Comm connect(std::int64_t local, std::int64_t made) const;
  MPI_Comm merge(std::int64_t inter, std::int64_t made) const;

  const trace_io::CommunicatorTable& table_;
  Rank me_;
  std::unordered_map<std::int64_t, MPI_Comm> own_;  // damaged traces have any number
  std::map<std::int64_t, std::size_t> degrees_;     // neighbours of those made as graphs and grids
};

}  // namespace reprise::live
