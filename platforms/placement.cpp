// SPDX-License-Identifier: MIT
#include "platforms/placement.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <unordered_map>

#include "platforms/shuffle.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

std::string counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

class Filling {
 public:
  Filling(std::uint32_t ranks, const Nodes& nodes)
      : nodes_(nodes), used_(nodes.count), room_(nodes.count) {
    const std::uint64_t cores = nodes.core_count();
    for (NodeIndex node = 0; node < nodes.count; ++node) {
      const std::uint64_t own = nodes.cores_of(node);
      room_[node] =
          static_cast<std::uint32_t>(ranks > cores ? (own * ranks + cores - 1) / cores : own);
    }
  }
  bool has_room(NodeIndex node) const { return used_[node] < room_[node]; }
  RankLocation take(NodeIndex node) { return {node, used_[node]++ % nodes_.cores_of(node)}; }

 private:
  const Nodes& nodes_;
  std::vector<std::uint32_t> used_, room_;
};

// What to write where no placement is called TEXT, behind which an order of nodes may stand: "" or "@spread".
std::string remedy_for(const std::string& text, const std::string& order) {
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos)
    return "write plane:" + text + order + " to put so many consecutive ranks on each node";
  if (text == "first" || text == "spread")
    return "write block@" + text + " or cyclic@" + text +
           ": an order of nodes follows the name of a placement";
  if (const auto nearest = nearest_word(text.substr(0, text.find(':')),
                                        {"block", "cyclic", "plane", "random", "search"}))
    return "did you mean \"" + *nearest + order + "\"?";
  return order.empty()
             ? "one of: block, cyclic, plane:N, random:SEED, search:SEED, or a file's path"
             : "an order of nodes follows block, cyclic, plane:N, random:SEED or search:SEED; a "
               "file names the nodes itself";
}

// TEXT without the order of nodes.
Placement parse_named(std::string_view text, std::string_view order, const std::string& where) {
  Placement placement;
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const std::string argument(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  const auto wrong = [&](const std::string& problem, const std::string& hint) {
    return InputError(where, problem, hint);
  };
  if (kind == "block" || kind == "cyclic") {
    if (colon != std::string_view::npos)
      throw wrong("\"" + std::string(kind) + "\" takes no argument", "");
    return kind == "block" ? PlacementOrder::kBlock : PlacementOrder::kCyclic;
  }
  if (kind == "ppr") {  // as mpirun has it: N consecutive ranks on each node
    const std::size_t second = argument.find(':');
    if (second != std::string::npos && argument.substr(second) != ":node")
      throw wrong("\"" + std::string(text) + "\" counts ranks by something other than nodes",
                  "plane:N or ppr:N:node puts N consecutive ranks on each node");
    return parse_named("plane:" + argument.substr(0, second), order, where);
  }
  if (kind == "plane") {
    placement.order = PlacementOrder::kPlane;
    if (argument.empty())
      throw wrong("\"plane\" needs the number of ranks per group", "write it as plane:4");
    const std::uint64_t plane = parse_count(argument, where);
    if (plane == 0 || plane > std::numeric_limits<std::uint32_t>::max())
      throw wrong("a plane of " + argument + " ranks is not possible",
                  "write a number above zero, such as plane:4");
    placement.plane = static_cast<std::uint32_t>(plane);
    return placement;
  }
  if (kind == "random" || kind == "search") {
    placement.order = kind == "random" ? PlacementOrder::kRandom : PlacementOrder::kSearched;
    if (!argument.empty()) placement.seed = parse_count(argument, where);
    return placement;
  }
  throw wrong("unknown placement \"" + std::string(text) + std::string(order) + '"',
              remedy_for(std::string(text), std::string(order)));
}

}  // namespace

Placement parse_placement(std::string_view text, const std::string& where) {
  const std::size_t at = std::min(text.rfind('@'), text.size());
  Placement placement = parse_named(text.substr(0, at), text.substr(at), where);
  if (at < text.size()) placement.node_order = parse_node_order(text.substr(at + 1), where);
  return placement;
}

std::vector<RankLocation> place_ranks(std::uint32_t ranks, const Platform& platform,
                                      const Placement& placement) {
  if (placement.order == PlacementOrder::kSearched)
    throw InputError("--placement", "a placement can only be searched for when a trace is replayed",
                     "reprise platform place writes one to a file");
  const Nodes& nodes = platform.nodes;
  Filling filling(ranks, nodes);
  std::vector<RankLocation> locations;
  locations.reserve(ranks);
  if (placement.order == PlacementOrder::kListed) {
    if (placement.nodes.size() < ranks)
      throw InputError(placement.file,
                       "names places for " + counted(placement.nodes.size(), "rank") +
                           ", but there are " + std::to_string(ranks),
                       "a trace has the ranks of its recording; for another number of them, record "
                       "again");
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      locations.push_back(filling.take(placement.nodes[rank]));
    return locations;
  }
  const std::uint32_t portion = placement.order == PlacementOrder::kCyclic ? 1
                                : placement.order == PlacementOrder::kPlane
                                    ? placement.plane
                                    : std::numeric_limits<std::uint32_t>::max();
  const std::vector<NodeIndex> order = ordered_nodes(platform, placement.node_order);
  while (locations.size() < ranks)  // each round fills some node: there is room for all ranks
    for (const NodeIndex node : order)
      for (std::uint32_t i = 0; i < portion && locations.size() < ranks && filling.has_room(node);
           ++i)
        locations.push_back(filling.take(node));
  if (placement.order == PlacementOrder::kRandom) shuffle(locations, placement.seed);
  return locations;
}

namespace {

constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 24;

std::optional<std::uint64_t> line_number_in(std::string_view text) {
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
      std::istringstream words(spaced(line.substr(0, line.find('#'))));
      std::string host, count = "1";
      words >> host;
      const auto colon = host.rfind(':');
      if (colon != std::string::npos) count = host.substr(colon + 1);
      take_slots(words, count);
      const auto times = line_number_in(count);
      if (!times || *times > kMostRanks - placement.nodes.size())
        throw InputError(where(), "\"" + count + "\" is not a number of ranks");
      placement.nodes.insert(placement.nodes.end(), *times, node(host.substr(0, colon)));
    }
    if (placement.nodes.empty()) throw InputError(path_, "names no node");
    return placement;
  }

 private:
  std::string where() const { return path_ + ":" + std::to_string(line_); }

  // How many ranks the host gets that Open MPI's mpirun would give it: by "slots=2" or "slots = 2" behind its name. What else stands there is
  // for mpirun's own use.
  static void take_slots(std::istringstream& words, std::string& count) {
    for (std::string key, word; words >> word; key = word) {
      if (word != "=") continue;
      word.clear();
      words >> word;
      if (key == "slots" || key == "cpus" || key == "count") count = word;
    }
  }
  static std::string spaced(const std::string& line) {
    std::string text;
    for (const char letter : line) {
      if (letter == '=')
        text += " = ";
      else
        text += letter;
    }
    return text;
  }

  NodeIndex node(const std::string& name) const {
    if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
    const auto number = line_number_in(name);
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
