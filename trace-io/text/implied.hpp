// SPDX-License-Identifier: MIT
// What the short text form leaves out, and dump() therefore leaves out as well: values that do not change from call to call,
// and fields that have their default value.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trace-io/check/executions.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

using Terms = std::vector<ValueSequence::Term>;

// The value, or the list of values, of one call, repeated for `calls` calls; none where that is more than 62 bits count.
std::optional<ValueSequence> repeated(const Terms& one_call, std::uint64_t calls);

// How many values (or lengths) the ranks of each entry need at most. REQUIRES: the entries divide the node's ranks.
std::vector<std::uint64_t> values_needed(const FieldValues&, const NodeExecutions&);

// The field's default value, where it has one. REQUIRES: the fields before it are complete.
std::optional<FieldValues> default_value(const Leaf&, std::span<const FieldSpec>, Kind,
                                         std::size_t field, const NodeExecutions&);

// `count` durations that are all the same. REQUIRES: the sum fits 63 bits, count > 0.
Distribution equal_durations(Nanoseconds, std::uint64_t count, Rank lowest, std::uint32_t bins);
std::uint64_t total_executions(const NodeExecutions&, const RankList&);

bool same_terms(const FieldValues&, const FieldValues&);  // equal entry by entry, and term by term

}  // namespace reprise::trace_io
