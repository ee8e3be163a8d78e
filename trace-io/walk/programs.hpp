// SPDX-License-Identifier: MIT
// The compiled form behind Programs and Cursor: flat operations for every group of ranks that execute the same nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/communicators.hpp"
#include "trace-io/walk/cursor.hpp"
#include "trace-io/walk/field_plan.hpp"

namespace reprise::trace_io {

struct Operation {
  enum class Kind : std::uint8_t { leaf, loop_begin, loop_end };
  Kind kind = Kind::leaf;
  std::uint32_t plan = 0;  // of a leaf or loop
  std::uint32_t other =
      0;  // loop_begin: the operation behind the loop; loop_end: the first one of the body
  std::uint32_t first_number = 0;  // of the rank's numbers and readers
  std::uint32_t first_reader = 0;
  std::uint32_t first_child =
      0;  // loops: into children, where the operations of the body's nodes start
  std::uint32_t children = 0;
  std::uint32_t body_reader =
      0;  // loops: the first of the body's readers, and the one behind its last
  std::uint32_t end_reader = 0;
};

struct CompiledProgram {
  std::vector<Operation> operations;
  std::vector<std::uint32_t> children;
  std::uint32_t numbers = 0, readers = 0, depth = 0;
  std::uint32_t scalars = 0, vectors = 0;  // the most that one event has
};

struct CompiledThread {
  std::vector<LeafPlan> leaves;
  std::vector<LoopPlan> loops;
  bool has_ages = false;                  // of requests, instead of numbers
  std::vector<std::uint32_t> group_of;    // by rank
  std::vector<CompiledProgram> programs;  // by group

  const CompiledProgram& program_of(Rank rank) const {
    return programs[group_of[static_cast<std::size_t>(rank.value)]];
  }
};

CompiledThread compile_thread(const std::vector<Node>& program, const Trace&,
                              const std::vector<Procedure>& procedures);

struct Programs::State {
  explicit State(const Trace&);

  const Trace& trace;
  CommunicatorTable communicators;
  std::vector<Procedure> procedures;  // as Trace::procedures
  std::vector<CompiledThread> threads;
};

}  // namespace reprise::trace_io
