// SPDX-License-Identifier: MIT
// What a rank sends of what it has recorded, without a trace of it in between.
//
// Why     half of the ranks only send. Making a trace takes as long as sending it, and three times the memory of the recording.
// Result  to the byte what GatheredTrace(trace).message() says of the same trace.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "trace-io/compress/thread_compressor.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// `tables`: the rank's trace but for its programs, which are those of the threads. REQUIRES: !is_to_be_sent_whole(tables) (message_parts.hpp),
// and the threads recorded no iterations.
std::vector<std::byte> message_of_recording(const Trace& tables,
                                            std::span<const ThreadCompressor* const> threads);

}  // namespace reprise::trace_io
