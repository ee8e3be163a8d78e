// SPDX-License-Identifier: MIT
// Rounded distributions in the payload (FORMAT.md, section 8): the exact sum, and each bin but the fullest about as finely as it matters to it.
#pragma once

#include "trace-io/file/distribution_code.hpp"
#include "trace-io/model/distribution_rounding.hpp"

namespace reprise::trace_io {

// REQUIRES: rounding does not change it. Both without the bin limit; `form` is half of the number that tells the form.
void put_rounded(ColumnWriter&, const Distribution&, std::uint64_t previous_count);
Distribution take_rounded(ColumnReader&, std::uint32_t bin_limit, std::uint64_t form,
                          const DistributionSetting&);

}  // namespace reprise::trace_io
