// SPDX-License-Identifier: MIT
#include "sim/cli/file_endings.hpp"

#include <algorithm>
#include <iterator>

namespace reprise::cli {
namespace {

struct Ending {
  std::string_view verb, name, endings;  // without a verb: of every verb
};
// The first one that fits counts. FILE is a trace where nothing else is said.
constexpr Ending kEndings[] = {{"trace calls", "FILE", "calls"},
                               {"trace assemble", "FILE", ""},
                               {"validate", "FILE", "reprise mpiP"},
                               {"validate", "--mpip", "mpiP"},
                               {"compare", "A", "json"},
                               {"compare", "B", "json"},
                               {"", "FILE", "reprise"},
                               {"", "TRACE", "reprise"},
                               {"", "FEW", "reprise"},
                               {"", "MANY", "reprise"},
                               {"", "FIRST", "reprise"},
                               {"", "SECOND", "reprise"},
                               {"", "PLATFORM", "json xml"},
                               {"", "STUDY.json", "json"},
                               {"", "MEASUREMENT", "json"},
                               {"", "FOLDER", "/"},
                               {"", "DIR", "/"},
                               {"", "--scenario", "json"},
                               {"", "--html", "html"},
                               {"", "--svg", "svg"}};

}  // namespace

std::string_view file_endings(std::string_view verb, std::string_view name,
                              std::string_view value) {
  // FILE of an option is some file; what option it is says which
  const auto fits = [&](const Ending& one) {
    return (one.verb.empty() || one.verb == verb) &&
           (one.name == name || (one.name == value && value != "FILE"));
  };
  const auto found = std::find_if(std::begin(kEndings), std::end(kEndings), fits);
  return found == std::end(kEndings) ? "" : found->endings;
}

}  // namespace reprise::cli
