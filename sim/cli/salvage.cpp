// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <vector>

#include "sim/cli/messages.hpp"
#include "sim/cli/part_ends.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/engine/rehearsal.hpp"
#include "sim/symbols/symbolise.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/printable.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/merge/pool_choice.hpp"
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

// Back to where the ranks come together.
void cut_back(std::vector<trace_io::Trace>& parts, const std::vector<sim::CarriedOut>& reached) {
  for (const sim::CarriedOut& one : reached) {
    if (one.is_all) continue;
    for (trace_io::Trace& part : parts)
      if (part.header.recorded.front() == Rank{one.rank} && one.thread < part.threads.size())
        trace_io::cut_program(part.threads[one.thread], one.events);
  }
}

// Ranks that came to the end of what they had saved while others had more: those wait for them.
std::vector<std::size_t> ended(const std::vector<PartEnd>& ends,
                               const std::vector<sim::CarriedOut>& reached) {
  std::set<std::int32_t> waiting;
  for (const sim::CarriedOut& one : reached)
    if (!one.is_all) waiting.insert(one.rank);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (!waiting.contains(ends[i].rank.value)) places.push_back(i);
  return places;
}

// Which rank's part ends first, and how far the others came.
std::string first_text(const std::vector<trace_io::Trace>& parts, const std::vector<PartEnd>& ends,
                       const std::vector<std::size_t>& places) {
  const std::size_t first = first_end(ends, places);
  trace_io::Trace named = parts[first];
  symbolise(named);
  const auto loops = end_of(named).loops;
  return ends_text(ends, first, loops.empty() ? "" : loops.front());
}

std::vector<PartEnd> ends_of(const std::vector<trace_io::Trace>& parts) {
  std::vector<PartEnd> ends;
  for (const trace_io::Trace& part : parts) ends.push_back(end_of(part));
  return ends;
}

// Of parts that are not cut back.
void note_ends(const std::vector<trace_io::Trace>& parts) {
  const auto ends = ends_of(parts);
  if (are_apart(ends)) note(first_text(parts, ends, {}));
}

// The ranks of a program that died ended at different places: a replay would wait for ever for what comes after the first of them.
trace_io::Trace common_part(std::vector<trace_io::Trace> parts) {
  trace_io::Trace trace = merged(parts);
  if (trace.header.recorded.size() < trace.header.ranks) {  // nobody can replay it
    note_ends(parts);
    return trace;
  }
  const std::uint64_t recorded = trace_io::summarise(trace).operations;
  std::string why;
  for (int round = 0; round < kMostRounds; ++round) {
    const auto reached = sim::rehearse(trace);
    if (std::ranges::all_of(reached, &sim::CarriedOut::is_all)) break;
    if (round == 0) {
      const auto ends = ends_of(parts);
      const auto places = ended(ends, reached);
      if (ends.size() > 1 && !places.empty()) why = first_text(parts, ends, places);
    }
    cut_back(parts, reached);
    trace = merged(parts);
  }
  const std::uint64_t kept = trace_io::summarise(trace).operations;
  if (kept == recorded) return trace;
  trace.header.elapsed = {};  // of more than is left
  trace.losses.push_back({kBeyond, trace_io::Severity::partial, recorded - kept, {}});
  std::sort(trace.losses.begin(), trace.losses.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  note(counted(kept, "MPI call") + " up to the point that all ranks reached, " +
       grouped(recorded - kept) + " left out" +
       formatted(" (%.2g%%)",
                 100 * static_cast<double>(recorded - kept) / static_cast<double>(recorded)));
  if (!why.empty()) note("they are left out because " + why);
  return trace;
}

}  // namespace

void require_parts(const std::string& folder) { parts_in(folder); }

std::string reached_text(const trace_io::Trace& trace) {
  const PartEnd end = end_of(trace);
  if (end.run.value <= 0) return "";
  const bool is_cut =
      std::ranges::any_of(trace.losses, [](const auto& loss) { return loss.name == kBeyond; });
  const std::string rank = "rank " + std::to_string(end.rank.value),
                    time = seconds_text(end.run) + " into the run" +
                           (trace.header.clock == trace_io::Clock::cpu ? " (CPU time)" : "");
  std::string text = is_cut ? "the trace ends, on " + rank + ", " + time : rank + " came " + time;
  const std::string verb = is_cut ? "in" : "to";
  std::string around;
  for (std::size_t i = 0; i < end.loops.size(); ++i) {
    text += (around.empty() ? ", " : ", there ") + verb + " iteration " +
            grouped(end.iterations[i]) + " of " +
            (end.loops[i] == around ? "a loop within it" : end.loops[i]);
    around = end.loops[i];
  }
  return text;
}

trace_io::Trace salvage_parts(const std::string& folder, bool whole) {
  auto parts = readable(parts_in(folder));
  if (parts.empty()) throw InputError(folder, "none of its parts can be read", "");
  if (whole) note_ends(parts);
  trace_io::Trace trace = whole ? merged(std::move(parts)) : common_part(std::move(parts));
  trace_io::finalize(trace);  // not done yet where ranks are missing
  trace_io::pool_times(trace);
  trace_io::round_durations(trace);
  trace.header.complete = false;
  return trace;
}

}  // namespace reprise::cli
