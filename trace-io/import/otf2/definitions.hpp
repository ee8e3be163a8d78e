// SPDX-License-Identifier: MIT
// What an OTF2 archive says about a run before any event: clock, regions, ranks, hosts, communicators, windows.
//
// Ranks   the locations of the MPI paradigm's COMM_LOCATIONS group, in its order. Other locations are threads of their processes.
// Hosts   nodes of the system tree of class "node", or the parents of the ranks' processes where there are none.
// Errors  InputError naming the archive and the definition: no MPI, references to what is not defined, ranks out of range.
// Cost    O(definitions).
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace-io/import/otf2/library.hpp"
#include "trace-io/import/ranks/imported_job.hpp"
#include "trace-io/import/ranks/treatment.hpp"
#include "trace-io/model/procedure.hpp"

namespace reprise::trace_io {

struct Otf2Region {
  std::string procedure;  // of MPI; empty for others
  Treatment treatment = Treatment::no_mpi;
  Procedure row;
  ImportedJob::FrameId frame = 0;
};

struct Otf2CallPath {
  ImportedJob::FrameId frame = 0;
  OTF2_CallingContextRef caller = OTF2_UNDEFINED_CALLING_CONTEXT;
};

struct Otf2Definitions {
  ImportedJob job;
  std::uint64_t ticks_per_second = 1'000'000'000, begin = 0;  // of the clock
  std::vector<Otf2Region> regions;                            // by reference, see region()
  std::unordered_map<OTF2_RegionRef, std::uint32_t> sparse_regions;
  std::unordered_map<OTF2_CommRef, std::uint32_t> communicators;  // numbers of the job
  std::unordered_map<OTF2_RmaWinRef, OTF2_CommRef> windows;
  std::unordered_map<OTF2_GroupRef, std::vector<std::int32_t>> groups;  // world ranks
  std::unordered_map<OTF2_StringRef, std::string> strings;
  std::vector<OTF2_LocationRef> ranks;    // by rank
  std::vector<OTF2_LocationRef> threads;  // others of type CPU_THREAD
  std::uint64_t events = 0;               // of the ranks, as the definitions count them
  std::optional<OTF2_AttributeRef> fields_attribute, call_path_attribute;
  std::unordered_map<OTF2_CallingContextRef, Otf2CallPath> call_paths;  // of that attribute

  const Otf2Region* region(OTF2_RegionRef ref) const {
    const auto found = sparse_regions.find(ref);
    return found == sparse_regions.end() ? nullptr : &regions[found->second];
  }
  // Nanoseconds since the clock began; times before that are negative.
  std::int64_t nanoseconds(OTF2_TimeStamp) const;
};

// REQUIRES: no definitions were read before.
Otf2Definitions read_definitions(OTF2_Reader*, Otf2Errors&, const ImportSettings&);

}  // namespace reprise::trace_io
