// SPDX-License-Identifier: MIT
// An OTF2 archive that is being written: its files, and the definitions that its events refer to, which are written last.
#pragma once

#include <otf2/otf2.h>

#include <map>
#include <span>
#include <string>
#include <vector>

#include "trace-io/model/communicators.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Strings and regions, numbered as they are met. Attribute 0 is "reprise:fields".
class Otf2DefinitionTables {
 public:
  Otf2DefinitionTables(const trace_io::Trace&, const trace_io::CommunicatorTable&);
  OTF2_StringRef string(const std::string&);
  OTF2_RegionRef procedure(const std::string& name);
  OTF2_RegionRef frame(trace_io::Frame);
  // Attribute 1, "reprise:deadlock", of calls that never end; defined where it was asked for.
  OTF2_AttributeRef deadlock() {
    has_deadlock_ = true;
    return 1;
  }
  // REQUIRES: nothing is added any more.
  void write(OTF2_GlobalDefWriter*, std::span<const std::uint64_t> events, std::int64_t end);

 private:
  struct Region {
    OTF2_StringRef name, file;
    std::uint32_t line;
    bool is_mpi;
  };
  void write_places(OTF2_GlobalDefWriter*, std::span<const std::uint64_t> events);
  void write_communicators(OTF2_GlobalDefWriter*);

  const trace_io::Trace& trace_;
  const trace_io::CommunicatorTable& communicators_;
  std::map<std::string, OTF2_StringRef> strings_;
  std::vector<Region> regions_;
  std::map<std::string, OTF2_RegionRef> procedures_;
  std::map<trace_io::Frame, OTF2_RegionRef> frames_;
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
