// SPDX-License-Identifier: MIT
// The longest common subsequence of two token lists that differ little.
//
// Cost    O((n + m) · D) time, O(D²) memory, D = number of tokens without a partner; gives up beyond kMaxDifferences.
// Source  E. W. Myers, An O(ND) difference algorithm and its variations, Algorithmica 1 (1986), figure 2.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace reprise::trace_io {

using IndexPairs =
    std::vector<std::pair<std::size_t, std::size_t>>;  // (in a, in b), both strictly ascending

inline constexpr std::int64_t kMaxDifferences = 512;

// None where more than kMaxDifferences tokens are without a partner.
std::optional<IndexPairs> longest_common_subsequence(std::span<const std::uint64_t> a,
                                                     std::span<const std::uint64_t> b);

}  // namespace reprise::trace_io
