// SPDX-License-Identifier: MIT
// Walks a trace as one rank saw it, event by event, without unrolling anything.
//
// Programs  compiles a trace once: ranks that execute the same nodes with the same field entries share one compiled program, so
//           memory is (distinct programs) × (nodes) + (ranks) × (a small cursor).
// Cursor    one per rank and thread: position, loop counters, and the positions of those sequences that are not constant.
// Cost      advance(): O(1) + O(vector elements); no allocation once its buffers have grown.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class Programs {
 public:
  explicit Programs(const Trace&);  // the trace must outlive this
  ~Programs();
  const Trace& trace() const;
  std::size_t thread_count() const;
  bool has(Rank, std::size_t thread) const;  // whether the rank executes anything on that thread

 private:
  friend class Cursor;
  struct State;
  std::unique_ptr<State> state_;
};

class Cursor {
 public:
  Cursor(const Programs&, Rank, std::size_t thread);
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;
  ~Cursor();

  bool advance();  // to the first, then to the next event; false at the end

  // Of the current event. REQUIRES: the last advance() returned true. Spans hold until the next advance().
  SiteId site() const;
  const Procedure& procedure() const;
  std::span<const std::int64_t> scalars() const;  // peers as codes in this rank's view
  std::span<const std::int64_t> vector(std::size_t index) const;
  const Leaf& leaf() const;
  // The recorded durations that apply: this rank's class, on the way that led here. Null where the trace has none.
  const DeltaClass* compute() const;
  const DeltaClass* communicate() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace reprise::trace_io
