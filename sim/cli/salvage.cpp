// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "sim/cli/trace_actions.hpp"
#include "sim/engine/deltas/delta_player.hpp"
#include "sim/engine/rehearsal.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/printable.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/iterations/main_loop.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/merge/pool_choice.hpp"
#include "trace-io/timing_tree/run_begin.hpp"
#include "trace-io/walk/cut.hpp"

namespace reprise::cli {
namespace {
namespace fs = std::filesystem;

constexpr const char* kPartsHint =
    "name the FILE.reprise.parts folder that the program left; a program that came to MPI_Finalize "
    "leaves none, and one that died in MPI_Init has saved nothing";

std::vector<fs::path> parts_in(const std::string& folder) {
  std::error_code failed;
  std::vector<fs::path> parts;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".part") parts.push_back(entry.path());
  if (failed) throw InputError(folder, "cannot be read: " + failed.message(), kPartsHint);
  if (parts.empty()) throw InputError(folder, "holds no parts of a trace", kPartsHint);
  std::sort(parts.begin(), parts.end(), [](const fs::path& a, const fs::path& b) {
    const auto x = a.string(), y = b.string();
    return x.size() != y.size() ? x.size() < y.size() : x < y;  // rank-2 before rank-10
  });
  return parts;
}

std::vector<trace_io::Trace> readable(const std::vector<fs::path>& parts) {
  std::vector<trace_io::Trace> traces;
  for (const auto& part : parts) {
    try {
      traces.push_back(trace_io::load(part));
    } catch (const InputError& error) {
      std::fprintf(stderr, "reprise: warning: left out: %s\n", printable(error.what()).c_str());
    }
  }
  return traces;
}

constexpr int kMostRounds = 100;
constexpr const char* kBeyond = "MPI calls beyond the point that all ranks reached";

trace_io::Trace merged(std::vector<trace_io::Trace> level) {
  while (level.size() > 1) {  // neighbours first: they are the most alike
    std::vector<trace_io::Trace> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2)
      next.push_back(trace_io::merge(std::move(level[i]), std::move(level[i + 1])));
    if (level.size() % 2) next.push_back(std::move(level.back()));
    level = std::move(next);
  }
  return std::move(level.front());
}

// Back to where the ranks come together: whether anything was left out.
bool cut_back(std::vector<trace_io::Trace>& parts, const std::vector<sim::CarriedOut>& reached) {
  bool is_cut = false;
  for (const sim::CarriedOut& one : reached) {
    if (one.is_all) continue;
    for (trace_io::Trace& part : parts)
      if (part.header.recorded.front() == Rank{one.rank} && one.thread < part.threads.size())
        trace_io::cut_program(part.threads[one.thread], one.events);
    is_cut = true;
  }
  return is_cut;
}

// The ranks of a program that died ended at different places: a replay would wait for ever for what comes after the first of them.
trace_io::Trace common_part(std::vector<trace_io::Trace> parts) {
  trace_io::Trace trace = merged(parts);
  if (trace.header.recorded.size() < trace.header.ranks) return trace;  // nobody can replay it
  const std::uint64_t recorded = trace_io::summarise(trace).operations;
  for (int round = 0; round < kMostRounds && cut_back(parts, sim::rehearse(trace)); ++round)
    trace = merged(parts);
  const std::uint64_t kept = trace_io::summarise(trace).operations;
  if (kept == recorded) return trace;
  trace.header.elapsed = {};  // of more than is left
  trace.losses.push_back({kBeyond, trace_io::Severity::partial, recorded - kept, {}});
  std::sort(trace.losses.begin(), trace.losses.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  std::fprintf(stderr, "reprise: %s %s, %s left out (%.2g%%)\n", counted(kept, "MPI call").c_str(),
               "up to the point that all ranks reached", grouped(recorded - kept).c_str(),
               100 * static_cast<double>(recorded - kept) / static_cast<double>(recorded));
  return trace;
}

}  // namespace

void require_parts(const std::string& folder) { parts_in(folder); }

std::string reached_text(const trace_io::Trace& trace) {
  sim::DeltaPlayer mean(sim::Deltas::mean, 0);
  sim::DeltaState state;
  state.rank = trace.header.recorded.front();
  const trace_io::TimingTree tree(trace, 0, state.rank, [&](const trace_io::DeltaClass& delta) {
    return mean.play(delta, state);
  });
  const auto run = tree.total() - trace_io::run_begin(trace, tree);
  if (run <= 0) return "";
  std::string text = "rank " + std::to_string(state.rank.value) + " came " +
                     seconds_text(trace_io::TimingTree::seconds(run)) + " into the run" +
                     (trace.header.clock == trace_io::Clock::cpu ? " (CPU time)" : "");
  const auto last = tree.at(tree.total() - 1);
  if (!last) return text;
  std::string around;
  for (const auto& one : last->loops) {
    const std::string name = trace_io::loop_text(trace, *one.loop);
    text += (around.empty() ? ", to iteration " : ", there to iteration ") + grouped(one.number) +
            " of " + (name == around ? "a loop within it" : name);
    around = name;
  }
  return text;
}

trace_io::Trace salvage_parts(const std::string& folder, bool whole) {
  auto parts = readable(parts_in(folder));
  if (parts.empty()) throw InputError(folder, "none of its parts can be read", "");
  trace_io::Trace trace = whole ? merged(std::move(parts)) : common_part(std::move(parts));
  trace_io::finalize(trace);  // not done yet where ranks are missing
  trace_io::pool_times(trace);
  trace_io::round_durations(trace);
  trace.header.complete = false;
  return trace;
}

}  // namespace reprise::cli
