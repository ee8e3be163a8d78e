// SPDX-License-Identifier: MIT
#include "sim/text/disturbed_recordings.hpp"

#include <algorithm>

namespace reprise {

std::optional<DisturbedRecording> disturbed_recording(const std::string& note) {
  const std::string begin = "the recording ", middle = " was disturbed: ";
  const std::size_t at = note.find(middle), behind = note.find("); ");
  if (!note.starts_with(begin) || at == note.npos || at < begin.size() || behind < at ||
      behind == note.npos)
    return std::nullopt;
  const std::size_t what = at + middle.size();
  return DisturbedRecording{note.substr(begin.size(), at - begin.size()),
                            note.substr(what, behind + 1 - what), note.substr(behind + 1)};
}

std::string describe(const std::vector<DisturbedRecording>& recordings) {
  constexpr std::size_t kMost = 3;
  const DisturbedRecording& first = recordings.front();
  if (recordings.size() == 1)
    return "the recording " + first.recording + " was disturbed: " + first.what + first.rest;
  const std::string text = std::to_string(recordings.size()) + " recordings were disturbed:";
  std::string list;
  if (recordings.size() <= kMost) {
    for (const auto& one : recordings)
      list += (list.empty() ? " of " : ", of ") + one.recording + ' ' + one.what;
    return text + list + first.rest;
  }
  for (std::size_t i = 1; i < recordings.size(); ++i)
    list += (i == 1 ? "" : i + 1 == recordings.size() ? " and " : ", ") + recordings[i].recording;
  return text + " of " + first.recording + ' ' + first.what + ", and likewise " + list + first.rest;
}

std::vector<std::string> with_disturbances_as_one(const std::vector<std::string>& notes) {
  struct Group {
    std::size_t place;
    std::vector<DisturbedRecording> recordings;
  };
  std::vector<Group> groups;
  std::vector<std::string> kept;
  for (const auto& note : notes) {
    const auto found = disturbed_recording(note);
    if (!found) {
      kept.push_back(note);
      continue;
    }
    const auto known = std::ranges::find_if(
        groups, [&](const Group& one) { return one.recordings.front().rest == found->rest; });
    if (known != groups.end()) {
      known->recordings.push_back(*found);
      continue;
    }
    groups.push_back({kept.size(), {*found}});
    kept.emplace_back();
  }
  for (const auto& group : groups) kept[group.place] = describe(group.recordings);
  return kept;
}

}  // namespace reprise
