// SPDX-License-Identifier: MIT
// The levels of all orders of a trace as one stretch of bytes (level_coder.hpp), and what an order takes in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"
#include "trace-io/order/level_price.hpp"

namespace reprise::trace_io {

// Of a trace; readers refuse more.
inline constexpr std::size_t kMostLevels = std::size_t{1} << 20U;
inline constexpr std::size_t kMostOrderedRanks = std::size_t{1} << 22U;  // over all orders

std::vector<std::uint8_t> encoded_levels(const Orders&);
// About how many bytes these are, for a quarter of the work (level_price.hpp). The price begins anew.
std::size_t levels_price(const Orders&, LevelPrice&);
// All of a trace, in the order of its file.
Orders orders_of(const Trace&);
// Fills the rows, whose lengths are set. False where bytes are left over.
bool decode_levels(std::span<const std::uint8_t>, std::span<DurationOrder* const>);
// Whether its logs or its order have peaks.
bool order_has_peaks(const DeltaClass&);
bool has_peaks(const Trace&);
// Of all lists, each counted once.
std::size_t peaks_in(const DurationOrder&);
// About what the file holds beside the levels.
std::size_t shape_bytes(const DurationOrder&);

// Sets the lengths of all rows: from stride, ranks and executions, those of MEMBERS, the class's ranks, and whether there is a common row.
// Returns how many levels that makes in all; more than kMostLevels: no row was made. REQUIRES: as many executions as members, each ≥ 0.
std::size_t shape_rows(DurationOrder&, const RankList& members, bool has_common);

// How many paths into calls a trace has, how many of them with an order, and what these take in a file. Cost: that of coding the levels.
struct OrderSize {
  std::uint64_t paths = 0, ordered = 0;
  std::uint64_t bytes = 0;  // in a file, with the distributions that would else be pooled
};
OrderSize order_size(const Trace&);

// What is wrong with the peaks of an order whose rows are known, empty where nothing is.
std::string peaks_problem(const DurationOrder&);
// What is wrong with the logs or the order of a class, empty where nothing is. Cost: O(ranks).
std::string order_problem(const DeltaClass&);

}  // namespace reprise::trace_io
