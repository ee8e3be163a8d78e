// SPDX-License-Identifier: MIT
// Merges the traces of a job as ranks do in MPI_Finalize, each step with making and reading what is sent; for run.py, which counts
// the instructions of each part.
//
// usage: merge_cost NODES RANKS alike|unlike    NODES: call sites of a rank's program, in loops of eight calls. unlike: each rank
//                                               leaves out one call in sixteen, others on every rank, and has sizes of its own.
// Prints the bytes of one rank's trace and of the merged one, and the merged nodes.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/trace-io/merge/job.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/gather/gathered_trace.hpp"
#include "trace-io/merge/finalize.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using testing::Call;
using testing::Job;

namespace {

constexpr int kSteps = 10;
constexpr std::uint32_t kBody = 8;

Job job_of(std::uint32_t nodes, std::int32_t ranks, bool alike) {
  Job job;
  job.ranks = ranks;
  job.procedures.resize(nodes, "MPI_Send");
  job.calls.resize(static_cast<std::size_t>(ranks));
  for (std::int32_t me = 0; me < ranks; ++me) {
    auto& calls = job.calls[static_cast<std::size_t>(me)];
    std::mt19937 choice(static_cast<std::uint32_t>(me));
    for (std::uint32_t first = 0; first < nodes; first += kBody) {
      std::vector<Call> body;
      for (std::uint32_t place = first; place < first + kBody && place < nodes; ++place) {
        if (!alike && choice() % 16 == 0 && place > first) continue;
        const std::int64_t size = alike ? 8192 : 64 * (choice() % 50);
        body.push_back({place,
                        {0, kFirstPeer + (me + 1) % ranks, 7, size},
                        {},
                        Nanoseconds{1000 + place % 97},
                        Nanoseconds{300}});
      }
      for (int step = 0; step < kSteps; ++step) calls.insert(calls.end(), body.begin(), body.end());
    }
  }
  return job;
}

std::vector<Trace> traces_of_ranks(const Job& job) {
  std::vector<Trace> traces;
  for (std::int32_t rank = 0; rank < job.ranks; ++rank)
    traces.push_back(testing::trace_of_rank(job, rank));
  return traces;
}

}  // namespace

// What is measured. Neighbours first, as over MPI.
__attribute__((noinline)) Trace merge_all_ranks(std::vector<Trace> of_ranks) {
  std::vector<GatheredTrace> traces;
  for (Trace& trace : of_ranks) traces.emplace_back(std::move(trace));
  for (std::size_t step = 1; step < traces.size(); step *= 2)
    for (std::size_t i = 0; i + step < traces.size(); i += 2 * step)
      traces[i].add(traces[i + step].message(), "another rank");
  finalize(traces.front().trace());
  return std::move(traces.front().trace());
}

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: merge_cost NODES RANKS alike|unlike\n", stderr);
    return 2;
  }
  const Job job = job_of(static_cast<std::uint32_t>(std::atoi(argv[1])), std::atoi(argv[2]),
                         std::string(argv[3]) == "alike");
  std::vector<Trace> traces = traces_of_ranks(job);
  const std::size_t of_a_rank = serialise(traces.front()).size();
  const Trace merged = merge_all_ranks(std::move(traces));
  const auto file = serialise(merged);
  std::printf("%zu %zu %zu\n", of_a_rank, file.size(),
              testing::size_of(merged.threads.at(0)).nodes);
  return 0;
}
