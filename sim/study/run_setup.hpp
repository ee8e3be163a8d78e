// SPDX-License-Identifier: MIT
// What the parent of all simulations holds: the trace, the platform files. And what one point makes of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platforms/json/document.hpp"
#include "platforms/platform.hpp"
#include "sim/study/points.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Everything that a study reads, read once.
class StudyInputs {
 public:
  explicit StudyInputs(
      const Study&);  // throws InputError: a trace or a platform that is not there or makes no sense
  const trace_io::Trace& trace() const noexcept { return trace_; }
  const std::string& trace_key() const noexcept { return trace_key_; }
  const platforms::Document& platform(const std::string& name) const { return platforms_.at(name); }

 private:
  trace_io::Trace trace_;
  std::string trace_key_;                                 // of the file's bytes
  std::map<std::string, platforms::Document> platforms_;  // "": the machine of the recording
};

// Which platform, placement and network a point names, and its changes: the last axis that says something does.
struct PointChoice {
  std::string platform, placement;
  NetworkKind network = NetworkKind::flow;
  std::vector<Change> changes;
};
PointChoice choice_of(const Study&, const Point&);

struct RunSetup {
  platforms::Platform platform;
  ReplaySettings settings;  // but for the seed
  nlohmann::json document;  // the platform's, as changed
};

// Throws InputError naming the file and place of a change that cannot be made, or of a platform that it ruins.
RunSetup setup_of(const Study&, const Point&, const StudyInputs&);
// All that decides the point's answer, the seed left out: the platform's document as changed, placement, network, deltas, changes.
nlohmann::json content_of(const Study&, const Point&, const RunSetup&);

}  // namespace reprise::sim
