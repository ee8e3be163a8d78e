// SPDX-License-Identifier: MIT
// The recorders of the other ranks: whether all are there, and traces sent from one to another.
#pragma once

#include <mpi.h>

#include "recorder/finish/merge_tree.hpp"

namespace reprise::recorder {

// Whether every rank of the job has loaded the recorder. One that has not never takes part in what ranks agree on, and all would
// wait for it for ever. Only where REPRISE_WAIT asks for it: after these barriers Open MPI 4.1.4 has been seen to hang in
// MPI_Dist_graph_create (ompi_comm_nextcid).
//
// Collective over the ranks that have the recorder. False where some rank does not answer within `patience_s`: then nothing
// collective may follow, on any rank. Two barriers, one after the other: a rank that comes when others have given up finds nobody
// in the second.
bool all_ranks_answer(double patience_s) noexcept;

// Until the request is done, leaving the CPU to others: ranks that merge may share it with those that wait for them.
void await(MPI_Request&) noexcept;

// Messages on a communicator of the recorder's own that returns errors.
class RanksOverMpi final : public Ranks {
 public:
  explicit RanksOverMpi(MPI_Comm comm) : Ranks(rank_in(comm), size_of(comm)), comm_(comm) {}
  void send(int to, const TraceMessage&) noexcept override;
  TraceMessage receive(int from) noexcept override;

 private:
  static int rank_in(MPI_Comm);
  static int size_of(MPI_Comm);
  MPI_Comm comm_;
};

}  // namespace reprise::recorder
