// SPDX-License-Identifier: MIT
#include "trace-io/base/suggestion.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace reprise {
namespace {

// Edits that turn A into B: insert, delete, replace, swap of two neighbours (each letter takes part in one swap at most).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest_word(std::string_view word,
                                        const std::vector<std::string>& candidates) {
  const std::size_t limit = std::max<std::size_t>(2, word.size() / 3);
  const std::string* nearest = nullptr;
  std::size_t best = limit + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t difference = candidate.size() > word.size() ? candidate.size() - word.size()
                                                                  : word.size() - candidate.size();
    if (difference >= best) continue;
    // A word that shares less than half with the candidate is not a slip of it: "svg" is two edits from "set".
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best && 2 * distance <= std::max(word.size(), candidate.size())) {
      best = distance;
      nearest = &candidate;
    }
  }
  if (nearest == nullptr) return std::nullopt;
  return *nearest;
}

std::optional<std::string> nearest_name(std::string_view pattern,
                                        const std::vector<std::string>& candidates) {
  constexpr std::size_t kFewestLetters = 3;
  std::string word(pattern);
  std::erase_if(word, [](char c) { return c == '*' || c == '?'; });
  if (auto nearest = nearest_word(word, candidates)) return nearest;
  if (word.size() < kFewestLetters) return std::nullopt;
  const auto is_same_letter = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  const std::string* shortest = nullptr;
  for (const std::string& candidate : candidates)
    if ((shortest == nullptr || candidate.size() < shortest->size()) &&
        std::search(candidate.begin(), candidate.end(), word.begin(), word.end(), is_same_letter) !=
            candidate.end())
      shortest = &candidate;
  if (shortest == nullptr) return std::nullopt;
  return *shortest;
}

}  // namespace reprise
