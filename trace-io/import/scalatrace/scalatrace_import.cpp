// SPDX-License-Identifier: MIT
#include "trace-io/import/scalatrace/scalatrace_import.hpp"

#include <algorithm>

#include "trace-io/base/error.hpp"
#include "trace-io/import/ranks/import_format.hpp"
#include "trace-io/import/ranks/pairwise_merge.hpp"
#include "trace-io/import/scalatrace/scala_calls.hpp"
#include "trace-io/import/scalatrace/scala_communicators.hpp"
#include "trace-io/import/scalatrace/scala_durations.hpp"
#include "trace-io/import/scalatrace/scala_messages.hpp"
#include "trace-io/import/scalatrace/scala_parameters.hpp"
#include "trace-io/import/scalatrace/scala_program.hpp"
#include "trace-io/import/scalatrace/scala_reader.hpp"
#include "trace-io/import/scalatrace/scala_senders.hpp"

namespace reprise::trace_io {
namespace {

std::int32_t ranks_of(const ScalaTrace& trace) {
  RankList all;
  for (const auto& record : trace.records) all = all.united(record.ranks);
  const std::int32_t ranks = all.ranks().back().value + 1;
  if (all.size() == ranks) return ranks;
  const RankList missing = RankList::all(ranks).minus(all);
  throw InputError(trace.files.front(), "holds no record of rank " + missing.text(),
                   "of traces that are not merged give the files of all ranks");
}

// One rank's trace, whose sites are records and whose compute deltas only count.
class OneRank {
 public:
  OneRank(const ScalaTrace& trace, const ScalaProgram& program,
          const ScalaCommunicators& communicators, const ImportedJob& job, ScalaMessages& messages)
      : trace_(trace),
        program_(program),
        communicators_(communicators),
        job_(job),
        messages_(messages),
        rank_(job, program.rank()),
        ranks_(RankList::single(program.rank())) {}

  Trace made() {
    const auto& steps = program_.steps();
    auto nodes = nodes_of(0, static_cast<std::uint32_t>(steps.size()));
    const auto& last = trace_.records[steps.back().record];
    if (last.procedure != "MPI_Finalize")
      rank_.lose("ranks whose records end before MPI_Finalize", Severity::partial);
    Trace made = rank_.finish();
    made.threads = {std::move(nodes)};
    return made;
  }

 private:
  SiteId site(std::uint32_t record) {
    auto& paths = rank_.paths();
    return paths.site(paths.entered(CallPaths::kEmpty, record),
                      paths.procedure(trace_.records[record].imported));
  }

  FieldValues counter(ValueSequence values) const {
    FieldEntry entry;
    entry.ranks = ranks_;
    entry.values = std::move(values);
    return {std::move(entry)};
  }

  // What is never executed has no place in a trace.
  std::vector<Node> nodes_of(std::uint32_t begin, std::uint32_t end) {
    std::vector<Node> nodes;
    for (std::uint32_t s = begin; s < end; ++s) {
      const auto& step = program_.steps()[s];
      if (!step.is_loop()) {
        if (step.executed > 0) nodes.push_back({ranks_, leaf_of(s)});
        continue;
      }
      if (step.turns > 0) nodes.push_back({ranks_, loop_of(s)});
      s = step.end - 1;
    }
    return nodes;
  }

  Leaf leaf_of(std::uint32_t number) {
    const auto& step = program_.steps()[number];
    Leaf leaf;
    leaf.site = site(step.record);
    leaf.fields = described_calls(trace_, program_, number, communicators_, job_, rank_, messages_);
    for (const auto& [before, times] : step.predecessors) {
      Distribution::Bin all{times, 0};
      const Extreme nothing{Nanoseconds{0}, rank_.rank()};
      leaf.compute.push_back(
          {before == ScalaProgram::kFirst ? kNoSite : site(before),
           {DeltaClass{ranks_, Distribution::from_parts(job_.settings.bins, times, 0, {}, nothing,
                                                        nothing, {all})}}});
    }
    std::sort(leaf.compute.begin(), leaf.compute.end(),
              [](const auto& a, const auto& b) { return a.predecessor < b.predecessor; });
    return leaf;
  }

  Loop loop_of(std::uint32_t number) {
    const auto& step = program_.steps()[number];
    Loop loop;
    loop.body = nodes_of(number + 1, step.end);
    std::uint64_t calls = 0;
    for (std::uint32_t s = number + 1; s < step.end; ++s)
      if (!program_.steps()[s].is_loop()) calls += program_.steps()[s].executed;
    if (calls < step.turns)
      throw InputError(trace_.place(trace_.records[step.record]),
                       "rank " + std::to_string(rank_.rank().value) + ": a loop of " +
                           std::to_string(step.turns) + " iterations with only " +
                           std::to_string(calls) + " calls in them");
    ValueSequence round;
    const auto& iterations = *step.iterations;
    const std::uint64_t needed = std::min<std::uint64_t>(iterations.size(), step.executed);
    for (std::uint64_t i = 0; i < needed; ++i) round.append(iterations[i]);
    loop.iterations = counter(repeated(round, (step.executed + needed - 1) / needed));
    ValueSequence none;
    none.append_run(0, 0, step.executed);
    loop.exits = counter(std::move(none));
    return loop;
  }

  const ScalaTrace& trace_;
  const ScalaProgram& program_;
  const ScalaCommunicators& communicators_;
  const ImportedJob& job_;
  ScalaMessages& messages_;
  ImportedRank rank_;
  RankList ranks_;
};

}  // namespace

Trace import_scalatrace(const std::vector<std::string>& files, const ImportSettings& settings) {
  ScalaTrace trace = read_scalatrace(files);
  bool makes = false;
  for (auto& record : trace.records) {
    record.imported = imported_procedure(record);
    makes = makes || makes_communicators(record.procedure);
  }
  ImportedJob job;
  job.program = files.front();
  job.mpi_library = "ScalaTrace trace";
  job.settings = settings;
  job.settings.order_budget = Bytes{0};  // a histogram has no order
  job.ranks = ranks_of(trace);
  for (std::uint32_t record = 0; record < trace.records.size(); ++record) job.frame("", "", record);

  std::uint64_t played = 0;
  // Who is in a communicator is known when all ranks have been played; without communicators of its own each can go at once.
  std::vector<ScalaProgram> programs;
  if (makes)
    for (std::int32_t r = 0; r < job.ranks; ++r) programs.emplace_back(trace, Rank{r}, played);
  const ScalaCommunicators communicators(trace, programs, job);
  ScalaMessages messages(job.ranks);
  std::vector<Trace> ranks;
  for (std::int32_t r = 0; r < job.ranks; ++r) {
    if (makes)
      ranks.push_back(
          OneRank(trace, programs[static_cast<std::size_t>(r)], communicators, job, messages)
              .made());
    else
      ranks.push_back(
          OneRank(trace, ScalaProgram(trace, Rank{r}, played), communicators, job, messages)
              .made());
    if (settings.progress) settings.progress(0.5 * (r + 1) / job.ranks);
  }
  const std::uint64_t anybody = messages.from_anybody();
  const bool are_placed = anybody > 0 && place_senders(ranks, messages.sizes_are_tags());
  PairwiseMerge merged;
  for (auto& rank : ranks) merged.add(std::move(rank));
  Trace all = merged.finish();
  if (anybody > 0)
    add_loss(all, {are_placed ? "receives from anybody: senders with which the program can run"
                              : "receives from anybody: who sent is not recorded",
                   are_placed ? Severity::notice : Severity::partial,
                   anybody,
                   {}});
  messages.place_tags(all);
  place_durations(trace, all, settings.flops_per_second);
  return all;
}

extern const ImportFormat kScalatraceFormat;
const ImportFormat kScalatraceFormat = {
    "scalatrace", "ScalaTrace's text traces: the file of all ranks, or one for each", true,
    &is_scalatrace, &import_scalatrace};

}  // namespace reprise::trace_io
