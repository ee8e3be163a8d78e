// SPDX-License-Identifier: MIT
// The keys of a study file's objects: the required ones, then the optional ones.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "sim/study/study_file.hpp"

namespace reprise::sim {

template <std::size_t N>
struct StudyKeyList {
  std::array<std::string_view, N> keys;
  std::size_t required;
};

inline constexpr StudyKeyList<19> kStudyKeys{
    {"format", "name", "question", "trace", "record", "platform", "placement", "network", "deltas",
     "changes", "axes", "scenarios", "seeds", "baseline", "exclude", "efficiencies",
     "sensitivities", "limits", "$schema"},
    4};
inline constexpr StudyKeyList<2> kValuesAxisKeys{{"name", "values"}, 2};
inline constexpr StudyKeyList<6> kValueKeys{
    {"label", "platform", "placement", "network", "scenario", "changes"}, 1};
inline constexpr StudyKeyList<2> kLimitKeys{{"cpu_time", "memory"}, 0};

template <std::size_t N>
StudyKeys study_keys(std::string_view object, const StudyKeyList<N>& list) {
  const auto split = list.keys.begin() + static_cast<std::ptrdiff_t>(list.required);
  return {object, {list.keys.begin(), split}, {split, list.keys.end()}};
}

}  // namespace reprise::sim
