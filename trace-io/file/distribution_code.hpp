// SPDX-License-Identifier: MIT
// Distributions in the payload: as differences of their parts, since most of a small trace's bytes are times.
//
// Count and sum follow from the bins where there are any; bin means are stored as differences (they ascend) with the
// remainder of the division beside them; extremes as distances from the outer means; the sum of squares as what exceeds
// the least that the bins allow (0 where every bin holds equal values). Rounded ones (model/distribution_rounding.hpp) are
// stored in another form (FORMAT.md, section 8): the exact sum, and each bin but the fullest about as finely as it matters to it.
#pragma once

#include "trace-io/file/columns.hpp"
#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {

// What numbers of a distribution are relative to.
struct DistributionContext {
  std::uint32_t default_bins = 0;  // the trace's Header::bins
  std::int32_t ranks = 1;
  std::uint32_t version = kFormatVersion;
  std::uint64_t previous_count = 0;  // of the distribution before, in the file
};

// REQUIRES: consistent(is_scaled). Notes the count.
void put_distribution(ColumnWriter&, const Distribution&, bool is_scaled, DistributionContext&);
// Throws InputError where the parts contradict each other or name a rank outside 0 … ranks−1; whether it is consistent() the caller
// checks, who knows whether bins are scaled.
Distribution take_distribution(ColumnReader&, DistributionContext&);

}  // namespace reprise::trace_io
