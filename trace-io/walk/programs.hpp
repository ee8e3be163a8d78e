// SPDX-License-Identifier: MIT
// The compiled form behind Programs and Cursor: flat operations for every group of ranks that execute the same nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/communicators.hpp"
#include "trace-io/model/request_fields.hpp"
#include "trace-io/walk/cursor.hpp"
#include "trace-io/walk/field_plan.hpp"

namespace reprise::trace_io {

struct Operation {  // 16 bytes: a rank's events read one after the other
  enum class Kind : std::uint8_t { leaf, loop_begin, loop_end };
  Kind kind = Kind::leaf;
  std::uint32_t plan = 0;  // of a leaf, among the thread's; of a loop, among CompiledProgram::loops
  std::uint32_t first_number = 0, first_reader = 0;  // of the rank's
};

// A loop in one program.
struct LoopPart {
  std::uint32_t plan = 0;               // among the thread's
  std::uint32_t first = 0, behind = 0;  // operations: the body's first, the one behind the loop
  std::uint32_t first_child = 0, children = 0;  // in CompiledProgram::children
  std::uint32_t body_reader = 0,
                end_reader = 0;  // the first of the body's readers, and the one behind its last
  bool has_tag_steps = false;    // in the body: its iterations are not alike
};

struct CompiledProgram {
  std::vector<Operation> operations;
  std::vector<LoopPart> loops;
  std::vector<std::uint32_t> children;  // the operations where the nodes of loops' bodies start
  std::uint32_t numbers = 0, readers = 0, depth = 0;
  std::uint32_t scalars = 0, vectors = 0;  // the most that one event has
};

struct CompiledThread {
  LeafPlans plans;
  std::vector<LoopPlan> loops;
  bool has_ages = false;                  // of requests, instead of numbers
  bool has_tag_steps = false;             // model/tag_steps.hpp
  bool is_timed_by_path = false;          // computing: by the call before
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
  std::vector<Procedure> procedures;    // as Trace::procedures
  std::vector<RequestFields> requests;  // of each
  std::vector<CompiledThread> threads;
};

}  // namespace reprise::trace_io
