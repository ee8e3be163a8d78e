// SPDX-License-Identifier: MIT
// "did you mean": the candidate nearest to a misspelt word, by edit distance (insert, delete, replace, swap).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reprise {

// None where every candidate is further away than a third of the word (at least 2 edits are forgiven), or than half of the longer of the two. Ties: the first.
std::optional<std::string> nearest_word(std::string_view word,
                                        const std::vector<std::string>& candidates);

// The same for names that people shorten: where none is near, the shortest candidate that has the word in it, letters' case aside ("sparsemv":
// "HPC_sparsemv"; words of at least 3 letters). The pattern's * and ? are left out of it.
std::optional<std::string> nearest_name(std::string_view pattern,
                                        const std::vector<std::string>& candidates);

}  // namespace reprise
