// SPDX-License-Identifier: MIT
// libFuzzer: any bytes as records of an OTF2 archive, in any order, as libotf2 would hand them on. They become a trace that holds together.
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/imported_trace.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/import/otf2/rank_events.hpp"

using namespace reprise::trace_io;

namespace {

const char* const kRegions[] = {
    "main",          "solve",          "MPI_Send",       "MPI_Recv",      "MPI_Sendrecv",
    "MPI_Isend",     "MPI_Irecv",      "MPI_Wait",       "MPI_Waitall",   "MPI_Waitany",
    "MPI_Test",      "MPI_Start",      "MPI_Startall",   "MPI_Barrier",   "MPI_Bcast",
    "MPI_Alltoallv", "MPI_Reduce",     "MPI_Iallreduce", "MPI_Gatherv",   "MPI_Scan",
    "MPI_Comm_rank", "MPI_Comm_split", "MPI_Win_create", "MPI_Put",       "MPI_Rput",
    "MPI_Win_post",  "MPI_Win_lock",   "MPI_Win_free",   "MPI_Win_fence", "MPI_Comm_spawn",
    "MPI_Init",      "MPI_Finalize",   "MPI_Probe",      "MPI_Cancel",    "MPI_Request_free",
    "MPI_File_open"};
constexpr std::uint32_t kRegionCount = sizeof kRegions / sizeof *kRegions;

// Ranks 0 to 3; communicators 0 world, 1 self, 2 {1, 3}, 3 {0, 1} and {2, 3}; window 0 on 0, window 1 on 2.
const Otf2Definitions& definitions() {
  static const Otf2Definitions* all = [] {
    auto* made = new Otf2Definitions;
    made->job.ranks = 4;
    made->communicators = {{0, made->job.add_communicator({0, 1, 2, 3})},
                           {1, made->job.add_self()}};
    made->communicators[2] = made->job.add_communicator({1, 3});
    made->communicators[3] = made->job.add_communicator({0, 1}, {2, 3});
    made->windows = {{0, 0}, {1, 2}};
    made->groups = {{0, {0, 1}}, {1, {3}}};
    for (std::uint32_t i = 0; i < kRegionCount; ++i) {
      Otf2Region region;
      region.treatment = treatment_of(kRegions[i]);
      if (region.treatment == Treatment::event || region.treatment == Treatment::unmodelled)
        region.procedure = kRegions[i];
      region.frame = made->job.frame(kRegions[i], "", 0);
      made->sparse_regions[i] = i;
      made->regions.push_back(region);
    }
    for (auto& region : made->regions) region.row = procedure_named(region.procedure);
    return made;
  }();
  return *all;
}

}  // namespace

static void read(const std::uint8_t* data, std::size_t size) {
  std::size_t at = 0;
  const auto next = [&]() -> std::uint32_t { return at < size ? data[at++] : 0; };
  Otf2RankEvents events(definitions(), reprise::Rank{static_cast<std::int32_t>(next() % 4)});
  std::uint64_t now = 100;
  std::string text;
  while (at < size) {
    const std::uint32_t what = next() % 14;
    now += next();
    if (what == 13) now -= 200;
    auto* in = what >= 4 && what < 12 ? events.records("records") : nullptr;
    if (what < 2) {
      text.assign(reinterpret_cast<const char*>(data + at), std::min<std::size_t>(size - at, 12));
      events.enter(now, next() % (kRegionCount + 1),
                   what == 1 && next() % 4 == 0 ? &text : nullptr);
    } else if (what < 4) {
      events.leave(now, next() % (kRegionCount + 1));
    } else if (what == 12) {
      events.measurement(now, next() % 2 == 0);
    } else if (what == 13) {
      events.collective_completed(next() % 8, next() % 5, next() % 6, next(), next());
    } else if (in == nullptr) {
      continue;
    } else if (what == 4) {
      in->sent.push_back(
          {next() % 6, next(), next() % 5, next() * 1000UL, next() % 8, next() % 2 == 0});
    } else if (what == 5) {
      in->received.push_back({next() % 6, next(), next() % 5, next(), 0, false});
    } else if (what == 6) {
      in->requested.push_back(next() % 8);
    } else if (what == 7) {
      in->started.push_back(next() % 8);
    } else if (what == 8) {
      (next() % 4 == 0 ? in->cancelled : in->completed).push_back(next() % 8);
    } else if (what == 9) {
      events.receive_completed({next() % 6, next(), next() % 5, next(), next() % 8, true});
    } else if (what == 10) {
      CallRecords::Rma record{static_cast<CallRecords::Rma::What>(next() % 9), next() % 3,
                              next() % 6};
      record.matching = next() % 8;
      record.group = next() % 3;
      in->rma.push_back(record);
      events.transfer_completed(next() % 8);
    } else {
      in->is_collective = true;
      in->comm = next() % 5;
      in->root = next() % 6 == 5 ? OTF2_COLLECTIVE_ROOT_SELF : next() % 6;
      in->bytes_sent = next() * next();
      in->bytes_received = next();
    }
  }
  must_hold_together(events.finish());
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    read(data, size);
  } catch (const reprise::InputError&) {  // a time beyond what a clock can say
  }
  return 0;
}
