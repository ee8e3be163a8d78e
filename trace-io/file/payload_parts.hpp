// SPDX-License-Identifier: MIT
// Parts that may follow the order of compute times (FORMAT.md, section 9), each with its number, for both directions.
#pragma once

#include "trace-io/file/completions_codec.hpp"
#include "trace-io/file/compute_counters_codec.hpp"
#include "trace-io/file/function_samples_codec.hpp"
#include "trace-io/file/iterations_codec.hpp"
#include "trace-io/file/messages_codec.hpp"
#include "trace-io/file/payload_io.hpp"
#include "trace-io/file/recording_ends_codec.hpp"

namespace reprise::trace_io {

// What may follow the order, in the order of the parts' numbers.
inline void describe_parts(PayloadWriter& out, const Trace& trace) {
  if (has_iterations(trace)) {
    out.number(Column::order, IterationsCodec<PayloadWriter>::kPart);
    IterationsCodec<PayloadWriter>(out, trace).all();
  }
  if (trace.completions) {
    out.number(Column::order, CompletionsCodec<PayloadWriter>::kPart);
    CompletionsCodec<PayloadWriter>(out, trace).all();
  }
  if (trace.functions != nullptr) {
    out.number(Column::order, FunctionSamplesCodec<PayloadWriter>::kPart);
    FunctionSamplesCodec<PayloadWriter>(out, trace).all();
  }
  if (trace.messages) {
    out.number(Column::order, MessagesCodec<PayloadWriter>::kPart);
    MessagesCodec<PayloadWriter>(out, trace).all();
  }
  if (trace.counters != nullptr) {
    out.number(Column::order, ComputeCountersCodec<PayloadWriter>::kPart);
    ComputeCountersCodec<PayloadWriter>(out, trace).all();
  }
  if (!trace.ends.empty()) {
    out.number(Column::order, RecordingEndsCodec<PayloadWriter>::kPart);
    RecordingEndsCodec<PayloadWriter>(out, trace).all();
  }
}
inline void describe_parts(PayloadReader& in, Trace& trace) {
  std::uint64_t latest = 0;
  while (!in.in().is_at_end(Column::order)) {
    const std::uint64_t part = in.number(Column::order);
    if (part > latest && part == IterationsCodec<PayloadReader>::kPart)
      IterationsCodec<PayloadReader>(in, trace).all();
    else if (part > latest && part == CompletionsCodec<PayloadReader>::kPart)
      CompletionsCodec<PayloadReader>(in, trace).all();
    else if (part > latest && part == FunctionSamplesCodec<PayloadReader>::kPart)
      FunctionSamplesCodec<PayloadReader>(in, trace).all();
    else if (part > latest && part == MessagesCodec<PayloadReader>::kPart)
      MessagesCodec<PayloadReader>(in, trace).all();
    else if (part > latest && part == ComputeCountersCodec<PayloadReader>::kPart)
      ComputeCountersCodec<PayloadReader>(in, trace).all();
    else if (part > latest && part == RecordingEndsCodec<PayloadReader>::kPart)
      RecordingEndsCodec<PayloadReader>(in, trace).all();
    else
      in.refuse(Column::order, "part " + std::to_string(part) + " behind the order does not exist");
    latest = part;
  }
}

}  // namespace reprise::trace_io
