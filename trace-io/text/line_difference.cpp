// SPDX-License-Identifier: MIT
#include "trace-io/text/line_difference.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

using Signed = std::ptrdiff_t;

// For each number of edits d, the furthest x on each diagonal x − y = −d … d; entry d + diagonal.
using Frontier = std::vector<Signed>;

bool goes_down(const Frontier& last, Signed diagonal, Signed edits) {
  const auto at = [&](Signed k) { return last[static_cast<std::size_t>(k + edits - 1)]; };
  return diagonal == -edits || (diagonal != edits && at(diagonal - 1) < at(diagonal + 1));
}

}  // namespace

std::optional<std::vector<LineEdit>> line_difference(const std::vector<std::string>& first,
                                                     const std::vector<std::string>& second,
                                                     std::size_t most) {
  const auto n = static_cast<Signed>(first.size()), m = static_cast<Signed>(second.size());
  const auto slide = [&](Signed x, Signed diagonal) {
    while (x < n && x - diagonal < m &&
           first[static_cast<std::size_t>(x)] == second[static_cast<std::size_t>(x - diagonal)])
      ++x;
    return x;
  };
  std::vector<Frontier> frontiers;
  bool found = false;
  for (Signed edits = 0; !found && edits <= static_cast<Signed>(most); ++edits) {
    Frontier here(static_cast<std::size_t>(2 * edits + 1), 0);
    for (Signed diagonal = -edits; diagonal <= edits && !found; diagonal += 2) {
      Signed x = 0;
      if (edits > 0) {
        const auto& last = frontiers.back();
        const auto at = [&](Signed k) { return last[static_cast<std::size_t>(k + edits - 1)]; };
        x = goes_down(last, diagonal, edits) ? at(diagonal + 1) : at(diagonal - 1) + 1;
      }
      // Beyond either list's end a diagonal cannot lead anywhere; it stays where it is.
      if (x <= n && x - diagonal <= m && x >= diagonal) x = slide(x, diagonal);
      here[static_cast<std::size_t>(diagonal + edits)] = x;
      found = x >= n && x - diagonal >= m && diagonal == n - m;
    }
    frontiers.push_back(std::move(here));
  }
  if (!found) return std::nullopt;

  std::vector<LineEdit> script;
  Signed x = n, diagonal = n - m;
  for (auto edits = static_cast<Signed>(frontiers.size()) - 1; edits >= 0; --edits) {
    Signed before = 0;
    bool down = false;
    if (edits > 0) {
      const auto& last = frontiers[static_cast<std::size_t>(edits - 1)];
      const auto at = [&](Signed k) { return last[static_cast<std::size_t>(k + edits - 1)]; };
      down = goes_down(last, diagonal, edits);
      before = down ? at(diagonal + 1) : at(diagonal - 1) + 1;
    }
    for (; x > before; --x)
      script.push_back({LineEdit::Kind::same, static_cast<std::size_t>(x - 1)});
    if (edits == 0) break;
    if (down) {
      script.push_back({LineEdit::Kind::only_second, static_cast<std::size_t>(x - diagonal - 1)});
      ++diagonal;
    } else {
      script.push_back({LineEdit::Kind::only_first, static_cast<std::size_t>(--x)});
      --diagonal;
    }
  }
  std::reverse(script.begin(), script.end());
  return script;
}

}  // namespace reprise::trace_io
