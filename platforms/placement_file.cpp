// SPDX-License-Identifier: MIT
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <unordered_map>

#include "platforms/placement.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::platforms {
namespace {

constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 24;

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class HostFile {
 public:
  HostFile(const std::string& path, const Platform& platform) : path_(path), platform_(platform) {
    for (NodeIndex node = 0; node < platform.nodes.names.size(); ++node)
      by_name_.emplace(platform.nodes.names[node], node);
  }

  Placement read() {
    Placement placement;
    placement.order = PlacementOrder::kListed;
    placement.file = path_;
    std::ifstream in(path_);
    for (std::string line; std::getline(in, line);) {
      ++line_;
      const auto begin = line.find_first_not_of(" \t\r");
      if (begin == std::string::npos || line[begin] == '#') continue;
      const std::string word = line.substr(begin, line.find_first_of(" \t\r", begin) - begin);
      const auto colon = word.rfind(':');
      const auto times = colon == std::string::npos ? std::optional<std::uint64_t>(1)
                                                    : number_in(word.substr(colon + 1));
      if (!times || *times > kMostRanks - placement.nodes.size())
        throw InputError(where(), "\"" + word.substr(colon + 1) + "\" is no number of ranks");
      placement.nodes.insert(placement.nodes.end(), *times, node(word.substr(0, colon)));
    }
    if (placement.nodes.empty()) throw InputError(path_, "names no node");
    return placement;
  }

 private:
  std::string where() const { return path_ + ":" + std::to_string(line_); }

  NodeIndex node(const std::string& name) const {
    if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
    const auto number = number_in(name);
    if (number && *number < platform_.nodes.count) return static_cast<NodeIndex>(*number);
    const auto nearest = nearest_word(name, platform_.nodes.names);
    throw InputError(
        where(), "no node \"" + name + "\"",
        nearest ? "did you mean \"" + *nearest + "\"?"
                : "nodes have the numbers 0 to " + std::to_string(platform_.nodes.count - 1));
  }

  const std::string path_;
  const Platform& platform_;
  std::unordered_map<std::string, NodeIndex> by_name_;
  std::uint64_t line_ = 0;
};

}  // namespace

Placement load_placement(const std::string& text, const Platform& platform,
                         const std::string& where) {
  std::error_code ignored;
  if (text != "block" && text != "cyclic" && std::filesystem::is_regular_file(text, ignored))
    return HostFile(text, platform).read();
  return parse_placement(text, where);
}

}  // namespace reprise::platforms
