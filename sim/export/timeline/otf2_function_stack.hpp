// SPDX-License-Identifier: MIT
// The functions that a rank is in, as OTF2 regions that are entered and left between its MPI calls.
//
// Run       one region from the beginning of the rank's first computing to the end of its last call: the function that all call paths
//           begin with, or one that stands for the program (Otf2DefinitionTables::run()).
// Between   two calls a function stays entered if both paths have it, called from the same places; functions that only the next path
//           has are entered where its call begins.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <vector>

#include "sim/export/timeline/otf2_definitions.hpp"
#include "sim/export/timeline/timed_call.hpp"

namespace reprise::sim {

class Otf2FunctionStack {
 public:
  // Before the call's own events. Throws RunError where the archive cannot be written.
  void go_to(OTF2_EvtWriter*, Otf2DefinitionTables&, const TimedCall&);
  // After the rank's last call.
  void leave_all(OTF2_EvtWriter*);
  std::uint64_t events() const { return events_; }  // written
  std::int64_t end() const { return end_; }         // of the last call, ns

 private:
  struct Open {
    trace_io::Frame frame;
    OTF2_RegionRef region;
  };
  void enter(OTF2_EvtWriter*, Open, std::int64_t now);
  void leave(OTF2_EvtWriter*, std::size_t depth, std::int64_t now);

  std::vector<Open> stack_;  // outermost first
  std::size_t base_ = 0;     // of them stand for the program
  bool has_begun_ = false;
  std::uint64_t events_ = 0;
  std::int64_t end_ = 0;
};

}  // namespace reprise::sim
