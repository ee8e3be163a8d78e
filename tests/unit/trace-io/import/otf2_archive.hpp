// SPDX-License-Identifier: MIT
// A small OTF2 archive written by a test through libotf2, record by record.
#pragma once

#include <otf2/otf2.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace reprise::trace_io {

class TestArchive {
 public:
  // Two ticks a nanosecond, so that rounding shows. `groups`: members of the communicators beyond world (0) and self (1).
  TestArchive(std::string folder, int ranks, std::vector<std::vector<std::uint64_t>> groups = {});

  struct Events {
    OTF2_EvtWriter* writer;
    TestArchive& archive;
    std::uint64_t now = 1000;
    void enter(const std::string& region);
    void leave(const std::string& region);
    // An MPI call: what `records` writes stands between its entry and its exit, 10 ticks each.
    void call(const std::string& procedure, const std::function<void(Events&)>& records = {});
    // Likewise, with a call path attached as our exports do.
    void call_at(const std::string& procedure, OTF2_CallingContextRef path);
  };
  void rank(int, const std::function<void(Events&)>&);
  // A calling context, numbered in the order of these calls.
  void call_path(const std::string& function, std::uint32_t line, OTF2_CallingContextRef caller);
  std::string close(OTF2_Paradigm = OTF2_PARADIGM_MPI);  // the anchor file

 private:
  OTF2_StringRef string(const std::string&);
  OTF2_RegionRef region(const std::string&);
  std::string folder_;
  int ranks_;
  std::vector<std::vector<std::uint64_t>> groups_;
  OTF2_Archive* archive_;
  struct Context {
    OTF2_RegionRef region;
    std::uint32_t line;
    OTF2_CallingContextRef caller;
  };
  std::vector<Context> contexts_;
  std::map<std::string, OTF2_StringRef> strings_;
  std::map<std::string, OTF2_RegionRef> regions_;
};

}  // namespace reprise::trace_io
