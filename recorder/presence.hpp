// SPDX-License-Identifier: MIT
// Whether every rank of the job has loaded the recorder. One that has not never takes part in what ranks agree on, and all would wait
// for it for ever.
#pragma once

namespace reprise::recorder {

// Only where REPRISE_WAIT asks for it: after these barriers Open MPI 4.1.4 has been seen to hang in MPI_Dist_graph_create (ompi_comm_nextcid).
//
// Collective over the ranks that have the recorder. False where some rank does not answer within `patience_s`: then nothing collective
// may follow, on any rank. Two barriers, one after the other: a rank that comes when others have given up finds nobody in the second.
bool all_ranks_answer(double patience_s) noexcept;

}  // namespace reprise::recorder
