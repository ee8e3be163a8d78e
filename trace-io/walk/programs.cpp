// SPDX-License-Identifier: MIT
#include "trace-io/walk/programs.hpp"

namespace reprise::trace_io {

Programs::State::State(const Trace& its_trace) : trace(its_trace), communicators(its_trace) {
  procedures.reserve(trace.procedures.size());
  for (const auto& name : trace.procedures) procedures.push_back(procedure_named(name));
  threads.reserve(trace.threads.size());
  for (const auto& program : trace.threads)
    threads.push_back(compile_thread(program, trace, procedures));
}

Programs::Programs(const Trace& trace) : state_(std::make_unique<State>(trace)) {}
Programs::~Programs() = default;

const Trace& Programs::trace() const { return state_->trace; }
std::size_t Programs::thread_count() const { return state_->threads.size(); }

bool Programs::has(Rank rank, std::size_t thread) const {
  return thread < state_->threads.size() &&
         !state_->threads[thread].program_of(rank).operations.empty();
}

}  // namespace reprise::trace_io
