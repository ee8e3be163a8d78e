// SPDX-License-Identifier: MIT
// How fast traces are imported, and in how much memory: a ring of ranks that exchange messages and reduce, as OTF2 or Paraver.
//   import_rate otf2|prv FOLDER RANKS ITERATIONS
// The trace is written by a child, so that what is measured is the import alone.
#include <otf2/otf2.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "trace-io/import/import.hpp"

namespace {

using namespace reprise::trace_io;

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
const OTF2_FlushCallbacks kFlush = {&flush, nullptr};

enum Region : OTF2_RegionRef { kIrecv, kIsend, kWaitall, kAllreduce, kRegions };
const char* const kNames[] = {"MPI_Irecv", "MPI_Isend", "MPI_Waitall", "MPI_Allreduce"};

// 14 events an iteration: Irecv, Isend, Waitall, Allreduce with what happens in them.
void write_otf2(const std::string& folder, unsigned ranks, std::uint64_t iterations) {
  auto* archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                                    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  OTF2_Archive_SetFlushCallbacks(archive, &kFlush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  for (unsigned r = 0; r < ranks; ++r) {
    auto* out = OTF2_Archive_GetEvtWriter(archive, r);
    std::uint64_t now = 0, request = 0;
    for (std::uint64_t i = 0; i < iterations; ++i) {
      const std::uint64_t in = request++, to = request++;
      OTF2_EvtWriter_Enter(out, nullptr, now += 500 + i % 7, kIrecv);
      OTF2_EvtWriter_MpiIrecvRequest(out, nullptr, now, in);
      OTF2_EvtWriter_Leave(out, nullptr, now += 40, kIrecv);
      OTF2_EvtWriter_Enter(out, nullptr, now += 20, kIsend);
      OTF2_EvtWriter_MpiIsend(out, nullptr, now, (r + 1) % ranks, 0, 1, 4096, to);
      OTF2_EvtWriter_Leave(out, nullptr, now += 60, kIsend);
      OTF2_EvtWriter_Enter(out, nullptr, now += 20, kWaitall);
      OTF2_EvtWriter_MpiIrecv(out, nullptr, now += 900, (r + ranks - 1) % ranks, 0, 1, 4096, in);
      OTF2_EvtWriter_MpiIsendComplete(out, nullptr, now, to);
      OTF2_EvtWriter_Leave(out, nullptr, now += 10, kWaitall);
      OTF2_EvtWriter_Enter(out, nullptr, now += 20, kAllreduce);
      OTF2_EvtWriter_MpiCollectiveBegin(out, nullptr, now);
      OTF2_EvtWriter_MpiCollectiveEnd(out, nullptr, now += 700, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                                      OTF2_COLLECTIVE_ROOT_NONE, 8 * ranks, 8 * ranks);
      OTF2_EvtWriter_Leave(out, nullptr, now += 10, kAllreduce);
    }
    OTF2_Archive_CloseEvtWriter(archive, out);
  }
  OTF2_Archive_CloseEvtFiles(archive);
  OTF2_Archive_OpenDefFiles(archive);
  for (unsigned r = 0; r < ranks; ++r)
    OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, r));
  OTF2_Archive_CloseDefFiles(archive);
  auto* out = OTF2_Archive_GetGlobalDefWriter(archive);
  OTF2_GlobalDefWriter_WriteClockProperties(out, 1'000'000'000, 0, 1, OTF2_UNDEFINED_TIMESTAMP);
  OTF2_GlobalDefWriter_WriteString(out, kRegions, "");
  for (OTF2_RegionRef i = 0; i < kRegions; ++i) {
    OTF2_GlobalDefWriter_WriteString(out, i, kNames[i]);
    OTF2_GlobalDefWriter_WriteRegion(out, i, i, i, kRegions, OTF2_REGION_ROLE_FUNCTION,
                                     OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, kRegions, 0, 0);
  }
  std::vector<std::uint64_t> all;
  for (unsigned r = 0; r < ranks; ++r) {
    OTF2_GlobalDefWriter_WriteLocationGroup(out, r, kRegions, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                            OTF2_UNDEFINED_SYSTEM_TREE_NODE,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(out, r, kRegions, OTF2_LOCATION_TYPE_CPU_THREAD, 0, r);
    all.push_back(r);
  }
  for (const auto type : {OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_GROUP_TYPE_COMM_GROUP})
    OTF2_GlobalDefWriter_WriteGroup(out, type == OTF2_GROUP_TYPE_COMM_GROUP ? 1 : 0, kRegions, type,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, ranks, all.data());
  OTF2_GlobalDefWriter_WriteComm(out, 0, kRegions, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_Archive_Close(archive);
}

// 10 lines an iteration and rank: entry and exit of the same four calls, a state, a message.
void write_prv(const std::string& folder, unsigned ranks, std::uint64_t iterations) {
  std::filesystem::create_directories(folder);
  std::ofstream pcf(folder + "/traces.pcf");
  pcf << "EVENT_TYPE\n9 50000001 MPI\nVALUES\n3 MPI_Isend\n4 MPI_Irecv\n6 MPI_Waitall\n10 "
         "MPI_Allreduce\n0 Outside\n\nEVENT_TYPE\n1 50100001 Sent\n1 50100002 Received\n1 50100004 "
         "Communicator\n";
  std::FILE* out = std::fopen((folder + "/traces.prv").c_str(), "w");
  std::fprintf(out, "#Paraver (01/01/01 at 00:00):1_ns:1(%u):1:%u(", ranks, ranks);
  for (unsigned r = 0; r < ranks; ++r) std::fprintf(out, r == 0 ? "1:1" : ",1:1");
  std::fprintf(out, "),1\nc:1:1:%u", ranks);
  for (unsigned r = 0; r < ranks; ++r) std::fprintf(out, ":%u", r + 1);
  std::fputc('\n', out);
  unsigned long long now = 0;
  const auto all = [&](unsigned long long time, int value, const char* more) {
    for (unsigned r = 1; r <= ranks; ++r)
      std::fprintf(out, "2:%u:1:%u:1:%llu:50000001:%d%s\n", r, r, time, value, more);
  };
  for (std::uint64_t i = 0; i < iterations; ++i) {
    const auto begin = now += 500 + i % 7;
    all(begin, 4, ""), all(begin + 40, 0, ""), all(begin + 60, 3, "");
    for (unsigned r = 1; r <= ranks; ++r)
      std::fprintf(out, "3:%u:1:%u:1:%llu:%llu:%u:1:%u:1:%llu:%llu:4096:1\n", r, r, begin + 60,
                   begin + 60, r % ranks + 1, r % ranks + 1, begin, begin + 900);
    all(begin + 120, 0, ""), all(begin + 140, 6, ""), all(begin + 950, 0, "");
    all(begin + 970, 10, ":50100001:8:50100002:8:50100004:1"), all(begin + 1700, 0, "");
    for (unsigned r = 1; r <= ranks; ++r)
      std::fprintf(out, "1:%u:1:%u:1:%llu:%llu:1\n", r, r, begin + 1700, begin + 2200);
    now = begin + 1700;
  }
  std::fclose(out);
}

}  // namespace

int main(int count, char** words) {
  if (count != 5)
    return std::fprintf(stderr, "usage: import_rate otf2|prv FOLDER RANKS ITERATIONS\n"), 2;
  const bool is_otf2 = std::string(words[1]) == "otf2";
  const auto ranks = static_cast<unsigned>(std::atoi(words[3]));
  const auto iterations = static_cast<std::uint64_t>(std::atoll(words[4]));
  if (fork() == 0) {
    (is_otf2 ? write_otf2 : write_prv)(words[2], ranks, iterations);
    std::_Exit(0);
  }
  wait(nullptr);
  const std::vector<std::string> files = {std::string(words[2]) +
                                          (is_otf2 ? "/traces.otf2" : "/traces.prv")};
  const auto begin = std::chrono::steady_clock::now();
  const Trace trace = format_of("auto", files).import(files, {});
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto events = static_cast<double>(iterations) * ranks * (is_otf2 ? 14 : 10);
  std::printf("%s: %.3g events in %.2f s, %.2f M events/s, peak %ld MB, %zu losses\n", words[1],
              events, seconds, events / seconds / 1e6, usage.ru_maxrss / 1024, trace.losses.size());
}
