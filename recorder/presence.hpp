// SPDX-License-Identifier: MIT
// Whether every rank of the job has loaded the recorder. One that has not never takes part in what ranks agree on, and all would wait
// for it for ever.
#pragma once

namespace reprise::recorder {

// Collective over the ranks that have the recorder. False where some rank does not answer within `patience_s`: then nothing collective
// may follow, on any rank. Two barriers, one after the other: a rank that comes when others have given up finds nobody in the second.
bool all_ranks_answer(double patience_s) noexcept;

}  // namespace reprise::recorder
