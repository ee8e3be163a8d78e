// SPDX-License-Identifier: MIT
#include "trace-io/import/otf2/otf2_import.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "trace-io/base/error.hpp"
#include "trace-io/import/otf2/definitions.hpp"
#include "trace-io/import/otf2/event_callbacks.hpp"
#include "trace-io/import/otf2/library.hpp"
#include "trace-io/import/otf2/rank_events.hpp"
#include "trace-io/import/ranks/import_format.hpp"
#include "trace-io/import/ranks/pairwise_merge.hpp"

namespace reprise::trace_io {
namespace {

struct CloseReader {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using OpenArchive = std::unique_ptr<OTF2_Reader, CloseReader>;

OpenArchive open(Otf2Errors& errors) {
  OpenArchive reader(OTF2_Reader_Open(errors.archive().c_str()));
  if (!reader) errors.check(OTF2_ERROR_INVALID, "open the archive");
  errors.check(OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()), "open the archive");
  return reader;
}

// Local definitions have the corrections of the clock and the numbers that events use.
void read_local_definitions(OTF2_Reader* reader, const Otf2Definitions& definitions,
                            Otf2Errors& errors) {
  for (const auto* locations : {&definitions.ranks, &definitions.threads})
    for (const auto location : *locations)
      errors.check(OTF2_Reader_SelectLocation(reader, location), "select a location");
  // Archives need not have them: then there is nothing to be corrected.
  const bool has_definitions = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
  errors.check(OTF2_Reader_OpenEvtFiles(reader), "open the events");
  for (const auto* locations : {&definitions.ranks, &definitions.threads})
    for (const auto location : *locations) {
      if (has_definitions)
        if (auto* local = OTF2_Reader_GetDefReader(reader, location)) {
          uint64_t count = 0;
          errors.check(OTF2_Reader_ReadAllLocalDefinitions(reader, local, &count),
                       "read local definitions");
          OTF2_Reader_CloseDefReader(reader, local);
        }
      OTF2_Reader_GetEvtReader(reader, location);
    }
  if (has_definitions) OTF2_Reader_CloseDefFiles(reader);
}

// Every record takes a byte or more. libotf2 goes on for ever where a file is cut off within a block: it takes what is behind for records.
std::uint64_t most_events(const std::string& anchor, OTF2_LocationRef location) {
  namespace fs = std::filesystem;
  std::error_code missing;
  const auto bytes = fs::file_size(
      fs::path(anchor).replace_extension() / (std::to_string(location) + ".evt"), missing);
  return missing ? ~std::uint64_t{0} : bytes;
}

// Events are read in portions, so that progress can be told.
template <class Events>
void read_events(OTF2_Reader* reader, OTF2_LocationRef location, Otf2Errors& errors, Events& target,
                 OTF2_EvtReaderCallbacks* callbacks, std::uint64_t& done,
                 const Otf2Definitions& definitions) {
  constexpr std::uint64_t kPortion = 1 << 16;
  auto* events = OTF2_Reader_GetEvtReader(reader, location);
  if (events == nullptr)
    throw InputError(errors.archive(), "has no events of location " + std::to_string(location));
  errors.check(OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, &target), "read events");
  std::uint64_t left = most_events(errors.archive(), location);
  for (uint64_t count = kPortion; count == kPortion;) {
    errors.check(OTF2_Reader_ReadLocalEvents(reader, events, kPortion, &count),
                 ("read the events of location " + std::to_string(location)).c_str());
    if (count > left)
      throw InputError(errors.archive(),
                       "the events of location " + std::to_string(location) + " are cut off",
                       "otf2-print shows how far the archive can be read");
    left -= count;
    done += count;
    if (definitions.job.settings.progress && definitions.events > 0)
      definitions.job.settings.progress(static_cast<double>(done) /
                                        static_cast<double>(definitions.events));
  }
  OTF2_Reader_CloseEvtReader(reader, events);
}

std::string creator(OTF2_Reader* reader) {
  char* name = nullptr;
  if (OTF2_Reader_GetCreator(reader, &name) != OTF2_SUCCESS || name == nullptr) return "OTF2";
  const std::string text = std::string("OTF2 archive of ") + name;
  std::free(name);
  return text;
}

}  // namespace

bool is_otf2(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  // An anchor file begins with the size of a buffer chunk's frame and the words "OTF2".
  char begin[64] = {};
  const std::size_t count = std::fread(begin, 1, sizeof begin, file);
  std::fclose(file);
  return memmem(begin, count, "OTF2", 4) != nullptr;
}

Trace import_otf2(const std::string& anchor, const ImportSettings& settings) {
  Otf2Errors errors(anchor);
  const OpenArchive reader = open(errors);
  Otf2Definitions definitions = read_definitions(reader.get(), errors, settings);
  definitions.job.mpi_library = creator(reader.get());
  read_local_definitions(reader.get(), definitions, errors);
  const Otf2EventCallbacks callbacks;
  std::uint64_t done = 0;
  ThreadCalls threads{definitions, errors};
  for (const auto location : definitions.threads)
    read_events(reader.get(), location, errors, threads, callbacks.of_threads(), done, definitions);
  PairwiseMerge merged;
  for (std::size_t r = 0; r < definitions.ranks.size(); ++r) {
    RankTarget target{{definitions, Rank{static_cast<std::int32_t>(r)}}, definitions, errors};
    read_events(reader.get(), definitions.ranks[r], errors, target, callbacks.of_ranks(), done,
                definitions);
    Trace trace = target.events.finish();
    if (r == 0 && threads.calls > 0)
      trace.losses.push_back(
          {"MPI calls of further threads, not imported", Severity::partial, threads.calls, {}});
    merged.add(std::move(trace));
  }
  OTF2_Reader_CloseEvtFiles(reader.get());
  return merged.finish();
}

extern const ImportFormat kOtf2Format;
const ImportFormat kOtf2Format = {
    "otf2", "OTF2 archives: the anchor file, NAME.otf2, or its folder", false, &is_otf2,
    [](const std::vector<std::string>& files, const ImportSettings& settings) {
      return import_otf2(files.front(), settings);
    }};

}  // namespace reprise::trace_io
