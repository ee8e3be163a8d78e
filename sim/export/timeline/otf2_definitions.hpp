// SPDX-License-Identifier: MIT
// An OTF2 archive that is being written: its files, and the definitions that its events refer to, which are written last.
#pragma once

#include <otf2/otf2.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trace-io/model/communicators.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Strings, regions and call paths, numbered as they are met. Attribute 0 is "reprise:fields".
//
// Functions  are regions, one for each name and file. The lines of a call path are in its calling contexts. Frames without a name are regions by
//            themselves.
class Otf2DefinitionTables {
 public:
  Otf2DefinitionTables(const trace_io::Trace&, const trace_io::CommunicatorTable&);
  OTF2_StringRef string(const std::string&);
  OTF2_RegionRef procedure(const std::string& name);
  OTF2_RegionRef frame(trace_io::Frame);  // of its function
  const std::vector<trace_io::Frame>& frames_of(trace_io::SiteId site) const {
    return trace_.call_paths[trace_.sites[site].call_path].frames;
  }
  // The region that stands for the program; none where the call paths of all ranks begin in one function.
  std::optional<OTF2_RegionRef> run() const { return run_; }
  // What the attribute kCallPathAttribute of a call says; none for an empty path.
  static constexpr OTF2_AttributeRef kCallPathAttribute = 1;
  std::optional<OTF2_CallingContextRef> call_path(trace_io::SiteId);
  // Attribute 2, "reprise:deadlock", of calls that never end; defined where it was asked for.
  OTF2_AttributeRef deadlock() {
    has_deadlock_ = true;
    return 2;
  }
  // REQUIRES: nothing is added any more.
  void write(OTF2_GlobalDefWriter*, std::span<const std::uint64_t> events, std::int64_t end);

 private:
  struct Region {
    OTF2_StringRef name, canonical, file;
    bool is_mpi;
  };
  struct Context {
    OTF2_RegionRef region;
    OTF2_SourceCodeLocationRef place;
    OTF2_CallingContextRef caller;
  };
  const trace_io::FrameName* name_of(trace_io::Frame) const;
  void define_run();
  void write_call_paths(OTF2_GlobalDefWriter*);
  void write_places(OTF2_GlobalDefWriter*, std::span<const std::uint64_t> events);
  void write_communicators(OTF2_GlobalDefWriter*);

  const trace_io::Trace& trace_;
  const trace_io::CommunicatorTable& communicators_;
  std::map<std::string, OTF2_StringRef> strings_;
  std::vector<Region> regions_;
  std::map<std::string, OTF2_RegionRef> procedures_;
  std::map<trace_io::Frame, OTF2_RegionRef> frames_;
  std::map<std::pair<std::string, std::string>, OTF2_RegionRef> functions_;  // by name and file
  std::optional<OTF2_RegionRef> run_;
  std::vector<Context> contexts_;
  std::map<std::pair<OTF2_CallingContextRef, trace_io::Frame>, OTF2_CallingContextRef> context_of_;
  std::vector<std::pair<OTF2_StringRef, std::uint32_t>> places_;  // files and lines
  std::map<std::pair<OTF2_StringRef, std::uint32_t>, OTF2_SourceCodeLocationRef> place_of_;
  std::vector<std::optional<OTF2_CallingContextRef>> call_paths_;  // by the trace's number
  bool has_deadlock_ = false;
};

// Throws RunError where libotf2 cannot write.
class Otf2Archive {
 public:
  explicit Otf2Archive(const std::string& folder);
  ~Otf2Archive();
  Otf2Archive(const Otf2Archive&) = delete;
  Otf2Archive& operator=(const Otf2Archive&) = delete;
  OTF2_Archive* get() { return archive_; }
  OTF2_EvtWriter* events(Rank);
  void write_definitions(Otf2DefinitionTables&, std::span<const std::uint64_t> events,
                         std::int64_t end);
  std::string close();  // the path of the anchor file

 private:
  std::string folder_;
  OTF2_Archive* archive_ = nullptr;
};

}  // namespace reprise::sim
