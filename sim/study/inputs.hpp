// SPDX-License-Identifier: MIT
// What the parent of all simulations holds: the trace, the platform files. And the experiment that one point makes of it.
#pragma once

#include <map>
#include <string>

#include "sim/experiment/experiment.hpp"
#include "sim/study/study.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Everything that a study reads, read once.
class StudyInputs {
 public:
  explicit StudyInputs(
      const Study&);  // throws InputError: a trace or a platform that is not there or makes no sense
  struct Recording {
    std::string path, key;  // the key is of the file's bytes
    trace_io::Trace trace;
  };
  // Of each application, in the order of its file.
  const std::vector<std::vector<Recording>>& recordings() const noexcept { return recordings_; }
  // The first of those that the point's machine is to run; null where there is none with so many ranks.
  const Recording* recording(const Study&, const Point&) const;
  // All of them: recordings of as many ranks are runs of the same program, in the order of the file.
  std::vector<const Recording*> repeated(const Study&, const Point&) const;
  const platforms::Document& platform(const std::string& name) const { return platforms_.at(name); }

 private:
  std::vector<std::vector<Recording>> recordings_;
  std::map<std::string, platforms::Document> platforms_;  // "": the machine of the recording
};

// The platform, placement and network that the point names, and its changes: the last axis that says something does. The seed is 1.
// REQUIRES: the inputs outlive it; the recording is one of the point's.
Experiment experiment_of(const Study&, const Point&, const StudyInputs&,
                         const StudyInputs::Recording&);
// How many ranks the point's machine is to run: as a case, an axis or the application says; none where nothing does.
std::optional<std::uint32_t> ranks_of(const Study&, const Point&);
std::string platform_of(const Study&, const Point&);
// All that decides the point's answer, the seed left out: the platform's document as changed, placement, network, deltas, changes.
// Throws InputError naming the file and place of a change that cannot be made, or of a platform that it ruins.
nlohmann::json content_of(const Experiment&);

}  // namespace reprise::sim
