// SPDX-License-Identifier: MIT
// Whether a change of a platform can have changed the outcome of a replay: a change without effect is always reported.
//
// How      what differs between the platform before and after the change is compared with what the replay used
//          (settings_use.hpp). Certain where it says "no effect"; where it says nothing, there may have been one, or the change met
//          what was no bottleneck.
// Use      a ChangeTracker beside the document: tell it after each change, ask it after the replay. Changes after which the
//          document is no sound platform are taken together with the next ones.
// Entry    points of the replay: `reprise replay` with --set, --latency, --bandwidth and --scenario; other code that changes documents.
#pragma once

#include <string>
#include <vector>

#include "platforms/json/document.hpp"
#include "platforms/platform.hpp"
#include "platforms/settings_use.hpp"

namespace reprise::platforms {

// Why nothing can have come of the difference: "no message is between nodes"; empty where something may have.
std::string why_without_effect(const Platform& before, const Platform& after, const SettingsUse&);

class ChangeTracker {
 public:
  explicit ChangeTracker(
      const Document&);  // the platform before all changes; throws InputError where it is none
  void changed(const std::string& what, const Document& now);
  // "WHAT: why", in the order of the changes.
  std::vector<std::string> without_effect(const SettingsUse&) const;

 private:
  struct Step {
    std::string what;
    Platform after;
  };
  const Platform first_;
  std::vector<Step> steps_;
  std::string pending_;  // changes since the last sound platform
};

}  // namespace reprise::platforms
