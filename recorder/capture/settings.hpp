// SPDX-License-Identifier: MIT
// What the user asked for through the environment (REPRISE_*), the same on every rank: rank 0 reads, the others are told.
//
//   REPRISE_OUTPUT    file to write; default PROGRAM.RANKS.JOB.reprise in the working directory, never overwriting
//   REPRISE_TIMING    path (default), histogram or stat        REPRISE_BINS      bins per histogram, 2 … 1000, default 5
//   REPRISE_ORDER     bytes with a unit that the order of compute times may take in the trace, or none; default 8 KiB
//   REPRISE_ITERATIONS clusters of iterations that each rank keeps of its main loop, 1 … 1024, or none (default)
//   REPRISE_COMPLETIONS  represented (default) or exact: whether the order in which requests completed is kept call by call (completion_phases.hpp)
//   REPRISE_TIMES     pooled (default), pooled:SHARE or each: whether stored calls that matter little share their times where there are many, and how much
//                     of the time may stand at another call (trace-io/merge/pool_choice.hpp)
//   REPRISE_HISTOGRAM how values become bins: ward (default), balanced or balanced_exact
//   REPRISE_CLOCK     wall (default) or cpu                    REPRISE_CALLPATH  auto (default), full or flat
//   REPRISE_DEPTH     frames kept of a call path, 1 … 64, default 16
//   REPRISE_SNAPSHOT  seconds until the first snapshot, default 0.1; 0 for none
//   REPRISE_MEMORY    bytes with a unit that a thread's recording may take, at least 64 KiB, default 256 MiB (memory_budget.hpp)
//   REPRISE_PARTS     keep: leave each rank's own trace in OUTPUT.parts as well, also where all went well
//   REPRISE_PREEMPTION  rseq (default) or none: how compute times in which a thread lost its core are recognised (clock.hpp)
//   REPRISE_COMPENSATION  on (default) or off: whether the recorder's own part of compute times is estimated and taken off (overhead_table.hpp)
//   REPRISE_ADDED_OVERHEAD  for tests of that: CPU time with a unit, at most 1 ms, that each wrapper takes longer; default 0 s
//   REPRISE_FUNCTIONS  modes, separated by commas: sample or sample:RATE, samples of the functions that ranks compute in, RATE a second of CPU time (default 200);
//                     trace, each enter and leave of functions built with -finstrument-functions, and timed, with their times (recorder/calls)
//   REPRISE_COUNTERS  events that are counted while ranks compute, separated by commas: instructions, cycles, task-clock, page-faults, context-switches,
//                     cpu-migrations; default none (recorder/counters)
//   REPRISE_CALL_FORM  context (default) or symbol: how the coder of these looks for what was before (trace-io/calls/lz_history.hpp)
//   REPRISE_MESSAGES  sample:SHARE, counter:N[~V] or timer:TIME[~TIME], then ,size=FROM..TO: which messages' times are kept; default none (message_choice.hpp)
//   REPRISE_MESSAGE_EVENTS  a folder: sampled messages one by one as well, messages-RANK.csv of each sender (message_exchange.cpp)
//   REPRISE_COMPRESSION  full (default) or quick: how much time MPI_Finalize spends on compressing the trace. `reprise record` asks for quick, and compresses
//                     it fully when the job is over
//   REPRISE_WAIT      seconds that MPI_Init waits for the recorders of the other ranks; default 0: for ever, without asking (ranks.hpp)
//   REPRISE_VERBOSE   trace: say at the end where the trace is; 1: and what the merge cost
// A value that makes no sense or a variable of another name is reported in one line on stderr (with the nearest name that exists) and otherwise ignored.
#pragma once

#include <cstdint>
#include <string>

#include "recorder/capture/memory_budget.hpp"
#include "recorder/capture/message_choice.hpp"
#include "trace-io/model/time_pools.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

struct Settings {
  static constexpr std::size_t kPathRoom = 4096;

  trace_io::Timing timing = trace_io::Timing::path;
  trace_io::Clock clock = trace_io::Clock::wall;
  std::uint32_t bins = 5;
  trace_io::BinRule bin_rule = trace_io::BinRule::ward;
  std::uint32_t depth = 16;
  std::uint64_t order_budget = trace_io::kOrderBudget.value;  // bytes; 0: no order is kept
  std::uint32_t iterations = 0;                               // clusters of them; 0: none are kept
  bool full_call_path = true;                                 // else the caller alone
  bool shorten_call_paths = true;                             // where they explode (sites.hpp)
  bool verbose = false, names_trace = false;
  bool keep_parts = false;
  bool compresses_quickly = false;  // the trace, at the end
  bool see_preemption = true;
  bool compensate = true;
  bool exact_completions = false;
  std::uint32_t sampling_rate = 0;  // of functions, per second of CPU time; 0: they are not sampled
  bool trace_calls = false;         // each enter and leave of functions
  std::uint32_t counters = 0;       // events that are counted: bit n is trace_io::CounterEvent n
  MessageChoice messages;
  double pooled_share =
      trace_io::kPooledShare;       // of the time that may be misplaced; 0: each call keeps its own
  std::int64_t added_overhead = 0;  // ns
  double first_snapshot_s = 0.1;
  std::uint64_t memory = MemoryBudget::kDefault;
  bool output_given = false;
  char output[kPathRoom] =
      "";  // absolute; a plain array, because the struct travels between ranks as bytes
};

// REPRISE_WAIT, quietly: ranks wait before rank 0 can tell anything.
double patience_from_environment();

// Reads the environment. REQUIRES: called on rank 0 only, for it complains.
Settings settings_from_environment(int ranks);

// The executable of this process, "unknown" where the system does not tell.
std::string program_path();

}  // namespace reprise::recorder
