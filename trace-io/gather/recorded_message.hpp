// SPDX-License-Identifier: MIT
// What a rank sends of what it has recorded, without a trace of it in between.
//
// Why     half of the ranks only send, and a quarter unite what one other sends with their own and send that. Making a trace takes as long as sending it,
//         and memory that nobody has touched: 1.8 kB a call.
// Result  to the byte what GatheredTrace(trace).message() says of the same trace.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace-io/compress/thread_compressor.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// `tables`: the rank's trace but for its programs, which are those of the threads. REQUIRES: !is_to_be_sent_whole(tables) (message_parts.hpp),
// and the threads recorded no iterations.
std::vector<std::byte> message_of_recording(const Trace& tables,
                                            std::span<const ThreadCompressor* const> threads);
// The same of both, once `message` was added, call by call as it is read. None where that takes a trace: where the programs differ, the message is
// of several ranks or sent whole, or more than kMostKept durations are logged (order/order_fit.hpp). Errors as those of GatheredTrace::add().
std::optional<std::vector<std::byte>> message_of_both(
    Trace tables, std::span<const ThreadCompressor* const> threads,
    std::span<const std::byte> message, const std::string& from);

}  // namespace reprise::trace_io
