// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/import/otf2_archive.hpp"

#include <catch2/catch.hpp>

namespace reprise::trace_io {
namespace {

OTF2_FlushType flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
const OTF2_FlushCallbacks kFlush = {&flush, nullptr};

}  // namespace

TestArchive::TestArchive(std::string folder, int ranks,
                         std::vector<std::vector<std::uint64_t>> groups)
    : folder_(std::move(folder)), ranks_(ranks), groups_(std::move(groups)) {
  archive_ = OTF2_Archive_Open(folder_.c_str(), "traces", OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20,
                               OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  REQUIRE(archive_ != nullptr);
  OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive_);
  OTF2_Archive_SetCreator(archive_, "test");
  OTF2_Archive_OpenEvtFiles(archive_);
}

OTF2_StringRef TestArchive::string(const std::string& text) {
  return strings_.try_emplace(text, strings_.size()).first->second;
}

OTF2_RegionRef TestArchive::region(const std::string& name) {
  string(name);
  return regions_.try_emplace(name, regions_.size()).first->second;
}

void TestArchive::Events::enter(const std::string& region) {
  OTF2_EvtWriter_Enter(writer, nullptr, now += 10, archive.region(region));
}

void TestArchive::Events::leave(const std::string& region) {
  OTF2_EvtWriter_Leave(writer, nullptr, now += 10, archive.region(region));
}

void TestArchive::Events::call(const std::string& procedure,
                               const std::function<void(Events&)>& records) {
  enter(procedure);
  if (records) records(*this);
  leave(procedure);
}

void TestArchive::Events::call_at(const std::string& procedure, OTF2_CallingContextRef path) {
  auto* attached = OTF2_AttributeList_New();
  OTF2_AttributeList_AddCallingContextRef(attached, 0, path);
  OTF2_EvtWriter_Enter(writer, attached, now += 10, archive.region(procedure));
  OTF2_AttributeList_Delete(attached);
  leave(procedure);
}

void TestArchive::call_path(const std::string& function, std::uint32_t line,
                            OTF2_CallingContextRef caller) {
  contexts_.push_back({region(function), line, caller});
}

void TestArchive::rank(int number, const std::function<void(Events&)>& write) {
  Events events{OTF2_Archive_GetEvtWriter(archive_, static_cast<OTF2_LocationRef>(number)), *this};
  REQUIRE(events.writer != nullptr);
  write(events);
  OTF2_Archive_CloseEvtWriter(archive_, events.writer);
}

std::string TestArchive::close(OTF2_Paradigm paradigm) {
  OTF2_Archive_CloseEvtFiles(archive_);
  OTF2_Archive_OpenDefFiles(archive_);
  for (int r = 0; r < ranks_; ++r)
    OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, OTF2_LocationRef(r)));
  OTF2_Archive_CloseDefFiles(archive_);
  auto* out = OTF2_Archive_GetGlobalDefWriter(archive_);
  OTF2_GlobalDefWriter_WriteClockProperties(out, 2'000'000'000, 1000, 1'000'000,
                                            OTF2_UNDEFINED_TIMESTAMP);
  const auto call_path = string("reprise:call_path"), node = string("node"), host = string("host1"),
             none = string("");
  for (const auto& [text, ref] : strings_) OTF2_GlobalDefWriter_WriteString(out, ref, text.c_str());
  for (const auto& [name, ref] : regions_)
    OTF2_GlobalDefWriter_WriteRegion(out, ref, string(name), string(name), none,
                                     OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                     OTF2_REGION_FLAG_NONE, none, 7, 9);
  if (!contexts_.empty())
    OTF2_GlobalDefWriter_WriteAttribute(out, 0, call_path, none, OTF2_TYPE_CALLING_CONTEXT);
  for (std::uint32_t i = 0; i < contexts_.size(); ++i) {
    OTF2_GlobalDefWriter_WriteSourceCodeLocation(out, i, none, contexts_[i].line);
    OTF2_GlobalDefWriter_WriteCallingContext(out, i, contexts_[i].region, i, contexts_[i].caller);
  }
  OTF2_GlobalDefWriter_WriteSystemTreeNode(out, 0, host, node, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  std::vector<std::uint64_t> all;
  for (int r = 0; r < ranks_; ++r) {
    const auto ref = static_cast<OTF2_LocationGroupRef>(r);
    OTF2_GlobalDefWriter_WriteLocationGroup(out, ref, none, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(out, ref, none, OTF2_LOCATION_TYPE_CPU_THREAD, 0, ref);
    all.push_back(ref);
  }
  const auto group = [&](OTF2_GroupRef ref, OTF2_GroupType type,
                         const std::vector<std::uint64_t>& members) {
    OTF2_GlobalDefWriter_WriteGroup(out, ref, none, type, paradigm, OTF2_GROUP_FLAG_NONE,
                                    static_cast<std::uint32_t>(members.size()), members.data());
  };
  group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
  group(1, OTF2_GROUP_TYPE_COMM_GROUP, all);
  group(2, OTF2_GROUP_TYPE_COMM_SELF, {});
  OTF2_GlobalDefWriter_WriteComm(out, 0, none, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteComm(out, 1, none, 2, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  for (OTF2_GroupRef i = 0; i < groups_.size(); ++i) {
    group(3 + i, OTF2_GROUP_TYPE_COMM_GROUP, groups_[i]);
    OTF2_GlobalDefWriter_WriteComm(out, 2 + i, none, 3 + i, 0, OTF2_COMM_FLAG_NONE);
  }
  REQUIRE(OTF2_Archive_Close(archive_) == OTF2_SUCCESS);
  return folder_ + "/traces.otf2";
}

}  // namespace reprise::trace_io
