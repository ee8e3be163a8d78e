// SPDX-License-Identifier: MIT
#include "sim/study/point_facts.hpp"

#include <filesystem>

#include "platforms/effects.hpp"

namespace reprise::sim {

std::vector<std::string> changes_without_effect(const Study& study, const Point& point,
                                                const StudyInputs& inputs, const Outcome& outcome) {
  const PointChoice choice = choice_of(study, point);
  platforms::Document document = inputs.platform(choice.platform);
  platforms::ChangeTracker tracker(document);
  ReplaySettings ignored;
  std::vector<std::string> facts = outcome.no_effect;
  for (const Change& change : choice.changes) {
    const auto before = document.value;
    const AppliedChanges applied = apply({&change, 1}, document, ignored);
    if (!std::holds_alternative<NetworkChange>(
            change.what))  // the study's network is not known here
      facts.insert(facts.end(), applied.no_effect.begin(), applied.no_effect.end());
    if (document.value != before)
      tracker.changed(change.place.text() + ": " + describe(change), document);
  }
  for (std::string& fact : tracker.without_effect(outcome.used)) facts.push_back(std::move(fact));
  for (std::string& fact : facts) fact = from_study_folder(study, std::move(fact));
  return facts;
}

std::string from_study_folder(const Study& study, std::string text) {
  const std::string folder = std::filesystem::path(study.file).parent_path().string() + '/';
  if (folder.size() == 1) return text;
  for (std::size_t at; (at = text.find(folder)) != std::string::npos;)
    text.erase(at, folder.size());
  return text;
}

}  // namespace reprise::sim
