// SPDX-License-Identifier: MIT
// Distributions in the payload: as differences of their parts, since most of a small trace's bytes are times.
//
// Count and sum follow from the bins where there are any; bin means are stored as differences (they ascend) with the
// remainder of the division beside them; extremes as distances from the outer means; the sum of squares as what exceeds
// the least that the bins allow (0 where every bin holds equal values).
#pragma once

#include "trace-io/file/columns.hpp"
#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {

// REQUIRES: consistent(). `usual_bins`: the trace's Header::bins.
void put_distribution(ColumnWriter&, const Distribution&, std::uint32_t usual_bins);
// Throws InputError where the parts contradict each other or name a rank outside 0 … ranks−1.
Distribution take_distribution(ColumnReader&, std::uint32_t usual_bins, std::int32_t ranks);

}  // namespace reprise::trace_io
