// SPDX-License-Identifier: MIT
// A question about a run as data: a name, the question, and what is to be different from the machine and the recording.
//
// File    JSON, format 1, described key by key in docs/SCENARIOS.md and scenario.schema.json, of which the parser's key lists
//         are made. Strict: unknown, duplicate and missing keys are refused.
// Use     load, apply to the platform's document and to the settings of the replay, parse the platform, replay. Changes are made in
//         the order in which they stand; of several scenarios the later ones change what the earlier ones have made.
// Errors  InputError at "FILE at /changes/2/link".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/json/document.hpp"
#include "platforms/load.hpp"
#include "platforms/settings_use.hpp"
#include "sim/engine/replay.hpp"
#include "sim/scenario/change.hpp"

namespace reprise::sim {

struct Scenario {
  std::string file;  // as messages name it
  std::string name, question;
  std::vector<Change> changes;
};

Scenario parse_scenario(const platforms::Document&);
Scenario load_scenario(const std::string& path);

// One change, an object as in the list "changes" of a scenario; and such a list. PLACE: where it stands, for messages.
Change parse_change(const nlohmann::json& value, const platforms::JsonPlace& place);
std::vector<Change> parse_changes(const nlohmann::json& list, const platforms::JsonPlace& place);

// What applying them has told, besides doing it.
struct AppliedChanges {
  std::vector<std::string> changes;  // in words, with what they change
  std::vector<std::string>
      no_effect;  // facts: "s.json at /changes/0: /mpi/eager_limit is \"16 KiB\" already"
};

// Makes the changes, in order. Does not parse the platform that results, unless a change needs it.
AppliedChanges apply(std::span<const Change>, platforms::Document& platform, ReplaySettings&);

// A placement that a replay has shown to be without effect: facts such as "s.json at /changes/0: it places every rank where block does".
// CHANGES: all that were made, in order. PLATFORM: with the changes. What of the platform's settings, links and collectives had none is
// for platforms/effects.hpp to say; of computing, links for a while, nodes and noise the outcome does (Outcome::no_effect).
std::vector<std::string> placements_without_effect(std::span<const Change>,
                                                   const platforms::Platform&,
                                                   const platforms::SettingsUse&);

}  // namespace reprise::sim
