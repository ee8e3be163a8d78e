// SPDX-License-Identifier: MIT
#include "sim/export/timeline/otf2_definitions.hpp"

#include <filesystem>

#include "trace-io/base/error.hpp"
#include "trace-io/import/ranks/field_text.hpp"

namespace reprise::sim {
namespace {
namespace fs = std::filesystem;

constexpr std::uint64_t kTicksPerSecond = 1'000'000'000;

void put(OTF2_ErrorCode code, const char* what) {
  if (code != OTF2_SUCCESS)
    throw RunError("the OTF2 archive",
                   std::string(what) + " could not be written: " + OTF2_Error_GetDescription(code));
}

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
const OTF2_FlushCallbacks kFlush = {&flush, nullptr};

}  // namespace

Otf2DefinitionTables::Otf2DefinitionTables(const trace_io::Trace& trace,
                                           const trace_io::CommunicatorTable& communicators)
    : trace_(trace), communicators_(communicators) {
  string("");
  call_paths_.resize(trace.call_paths.size());
  define_run();
}

OTF2_StringRef Otf2DefinitionTables::string(const std::string& text) {
  return strings_.try_emplace(text, static_cast<OTF2_StringRef>(strings_.size())).first->second;
}

OTF2_RegionRef Otf2DefinitionTables::procedure(const std::string& name) {
  const auto [known, is_new] =
      procedures_.try_emplace(name, static_cast<OTF2_RegionRef>(regions_.size()));
  if (is_new) regions_.push_back({string(name), string(name), string("MPI"), true});
  return known->second;
}

void Otf2DefinitionTables::write(OTF2_GlobalDefWriter* out, std::span<const std::uint64_t> events,
                                 std::int64_t end) {
  put(OTF2_GlobalDefWriter_WriteClockProperties(
          out, kTicksPerSecond, 0, static_cast<std::uint64_t>(end) + 1, OTF2_UNDEFINED_TIMESTAMP),
      "the clock");
  const auto attribute = string(std::string(trace_io::kFieldAttribute));
  const auto deadlock = has_deadlock_ ? string("reprise:deadlock") : attribute;
  const auto call_path = string(std::string(trace_io::kCallPathAttribute));
  const auto mpi = string("MPI"), thread = string("Master thread"), node = string("node");
  (void)mpi, (void)thread, (void)node;
  for (std::int32_t r = 0; r < trace_.header.ranks; ++r) string("MPI Rank " + std::to_string(r));
  for (const auto& host : trace_.header.hosts) string(host.name);
  string("machine");
  string("MPI_COMM_WORLD");
  string("MPI_COMM_SELF");
  for (const auto& [text, ref] : strings_)
    put(OTF2_GlobalDefWriter_WriteString(out, ref, text.c_str()), "a string");
  put(OTF2_GlobalDefWriter_WriteAttribute(out, 0, attribute, string(""), OTF2_TYPE_STRING),
      "an attribute");
  put(OTF2_GlobalDefWriter_WriteAttribute(out, kCallPathAttribute, call_path, string(""),
                                          OTF2_TYPE_CALLING_CONTEXT),
      "an attribute");
  if (has_deadlock_)
    put(OTF2_GlobalDefWriter_WriteAttribute(out, 2, deadlock, string(""), OTF2_TYPE_UINT8),
        "an attribute");
  put(OTF2_GlobalDefWriter_WriteParadigm(out, OTF2_PARADIGM_MPI, mpi, OTF2_PARADIGM_CLASS_PROCESS),
      "the paradigm");
  for (std::size_t i = 0; i < regions_.size(); ++i)
    put(OTF2_GlobalDefWriter_WriteRegion(
            out, static_cast<OTF2_RegionRef>(i), regions_[i].name, regions_[i].canonical,
            string(""), OTF2_REGION_ROLE_FUNCTION,
            regions_[i].is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
            regions_[i].file, 0, 0),
        "a region");
  write_call_paths(out);
  write_places(out, events);
  write_communicators(out);
}

void Otf2DefinitionTables::write_call_paths(OTF2_GlobalDefWriter* out) {
  for (std::size_t i = 0; i < places_.size(); ++i)
    put(OTF2_GlobalDefWriter_WriteSourceCodeLocation(
            out, static_cast<OTF2_SourceCodeLocationRef>(i), places_[i].first, places_[i].second),
        "a source code location");
  for (std::size_t i = 0; i < contexts_.size(); ++i)
    put(OTF2_GlobalDefWriter_WriteCallingContext(out, static_cast<OTF2_CallingContextRef>(i),
                                                 contexts_[i].region, contexts_[i].place,
                                                 contexts_[i].caller),
        "a call path");
}

void Otf2DefinitionTables::write_places(OTF2_GlobalDefWriter* out,
                                        std::span<const std::uint64_t> events) {
  put(OTF2_GlobalDefWriter_WriteSystemTreeNode(out, 0, string("machine"), string("machine"),
                                               OTF2_UNDEFINED_SYSTEM_TREE_NODE),
      "the system tree");
  std::vector<OTF2_SystemTreeNodeRef> host_of(static_cast<std::size_t>(trace_.header.ranks), 0);
  OTF2_SystemTreeNodeRef next = 1;
  for (const auto& host : trace_.header.hosts) {
    put(OTF2_GlobalDefWriter_WriteSystemTreeNode(out, next, string(host.name), string("node"), 0),
        "the system tree");
    for (const Rank rank : host.ranks.ranks()) host_of[static_cast<std::size_t>(rank.value)] = next;
    ++next;
  }
  for (std::size_t r = 0; r < events.size(); ++r) {
    put(OTF2_GlobalDefWriter_WriteLocationGroup(
            out, static_cast<OTF2_LocationGroupRef>(r), string("MPI Rank " + std::to_string(r)),
            OTF2_LOCATION_GROUP_TYPE_PROCESS, host_of[r], OTF2_UNDEFINED_LOCATION_GROUP),
        "a process");
    put(OTF2_GlobalDefWriter_WriteLocation(out, r, string("Master thread"),
                                           OTF2_LOCATION_TYPE_CPU_THREAD, events[r],
                                           static_cast<OTF2_LocationGroupRef>(r)),
        "a location");
  }
}

void Otf2DefinitionTables::write_communicators(OTF2_GlobalDefWriter* out) {
  OTF2_GroupRef next = 0;
  const auto write_group = [&](OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
    put(OTF2_GlobalDefWriter_WriteGroup(out, next, string(""), type, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE,
                                        static_cast<std::uint32_t>(members.size()), members.data()),
        "a group");
    return next++;
  };
  std::vector<std::uint64_t> all(static_cast<std::size_t>(trace_.header.ranks));
  for (std::size_t r = 0; r < all.size(); ++r) all[r] = r;
  write_group(OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
  const auto world = write_group(OTF2_GROUP_TYPE_COMM_GROUP, all),
             self = write_group(OTF2_GROUP_TYPE_COMM_SELF, {});
  put(OTF2_GlobalDefWriter_WriteComm(out, 0, string("MPI_COMM_WORLD"), world, OTF2_UNDEFINED_COMM,
                                     OTF2_COMM_FLAG_NONE),
      "a communicator");
  put(OTF2_GlobalDefWriter_WriteComm(out, 1, string("MPI_COMM_SELF"), self, OTF2_UNDEFINED_COMM,
                                     OTF2_COMM_FLAG_NONE),
      "a communicator");
  for (std::uint32_t d = 0; d < trace_.communicators.size(); ++d) {
    std::vector<OTF2_GroupRef> groups;
    for (std::uint32_t g = 0; g < trace_.communicators[d].groups.size(); ++g) {
      std::vector<std::uint64_t> members;
      for (std::int32_t m = 0; m < communicators_.group_size(d, g); ++m)
        members.push_back(static_cast<std::uint64_t>(communicators_.member(d, g, m)->value));
      groups.push_back(write_group(OTF2_GROUP_TYPE_COMM_GROUP, members));
    }
    if (groups.size() == 1)
      put(OTF2_GlobalDefWriter_WriteComm(out, d + 2, string(""), groups[0], 0, OTF2_COMM_FLAG_NONE),
          "a communicator");
    else
      put(OTF2_GlobalDefWriter_WriteInterComm(out, d + 2, string(""), groups[0], groups[1], 0,
                                              OTF2_COMM_FLAG_NONE),
          "a communicator");
  }
}

Otf2Archive::Otf2Archive(const std::string& folder) : folder_(folder) {
  constexpr std::uint64_t kEventChunk = OTF2_CHUNK_SIZE_MIN, kDefinitionChunk = 4 << 20;
  archive_ = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, kEventChunk,
                               kDefinitionChunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (archive_ == nullptr)
    throw InputError(folder, "no OTF2 archive can be made there",
                     "name a folder that does not exist yet with -o");
  put(OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, nullptr), "the archive");
  put(OTF2_Archive_SetSerialCollectiveCallbacks(archive_), "the archive");
  put(OTF2_Archive_SetCreator(archive_, "reprise"), "the archive");
  put(OTF2_Archive_OpenEvtFiles(archive_), "the archive");
}

Otf2Archive::~Otf2Archive() {
  if (archive_ != nullptr) OTF2_Archive_Close(archive_);
}

OTF2_EvtWriter* Otf2Archive::events(Rank rank) {
  auto* writer = OTF2_Archive_GetEvtWriter(archive_, static_cast<OTF2_LocationRef>(rank.value));
  if (writer == nullptr) throw RunError(folder_, "events of a rank could not be written");
  return writer;
}

void Otf2Archive::write_definitions(Otf2DefinitionTables& tables,
                                    std::span<const std::uint64_t> events, std::int64_t end) {
  for (std::size_t r = 0; r < events.size(); ++r)
    put(OTF2_Archive_CloseEvtWriter(archive_, this->events(Rank{static_cast<std::int32_t>(r)})),
        "events");
  put(OTF2_Archive_CloseEvtFiles(archive_), "events");
  put(OTF2_Archive_OpenDefFiles(archive_), "definitions");
  for (std::size_t r = 0; r < events.size(); ++r) {
    auto* local = OTF2_Archive_GetDefWriter(archive_, r);
    put(OTF2_Archive_CloseDefWriter(archive_, local), "definitions");
  }
  put(OTF2_Archive_CloseDefFiles(archive_), "definitions");
  auto* writer = OTF2_Archive_GetGlobalDefWriter(archive_);
  if (writer == nullptr) throw RunError(folder_, "definitions could not be written");
  tables.write(writer, events, end);
}

std::string Otf2Archive::close() {
  const auto code = OTF2_Archive_Close(archive_);
  archive_ = nullptr;
  put(code, "the archive");
  return (fs::path(folder_) / "traces.otf2").string();
}

}  // namespace reprise::sim
