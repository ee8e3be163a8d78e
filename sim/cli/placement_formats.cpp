// SPDX-License-Identifier: MIT
#include "sim/cli/placement_formats.hpp"

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "trace-io/base/error.hpp"
#include "trace-io/base/text_file.hpp"

namespace reprise::cli {
namespace {

using Places = std::vector<platforms::RankLocation>;

void require_names(const Places& places, const std::vector<std::string>& hosts,
                   const std::string& where) {
  platforms::NodeIndex last = 0;
  for (const auto& place : places) last = std::max(last, place.node);
  if (last < hosts.size()) return;
  throw InputError(where,
                   "names " + std::to_string(hosts.size()) +
                       (hosts.size() == 1 ? " host" : " hosts") +
                       ", but the placement uses the platform's node " + std::to_string(last),
                   "write " + std::to_string(last + 1) +
                       " names, one a line: node 0's first, also of nodes that stay empty");
}

std::string hostfile_text(const Places& places, const std::vector<std::string>& hosts) {
  std::string text;
  std::unordered_map<platforms::NodeIndex, std::size_t> last_on;  // its last rank so far
  for (std::size_t rank = 0, next; rank < places.size(); rank = next) {
    const auto node = places[rank].node;
    for (next = rank; next < places.size() && places[next].node == node;) ++next;
    if (const auto [found, is_new] = last_on.emplace(node, next - 1); !is_new)
      throw InputError("--format hostfile",
                       "ranks " + std::to_string(found->second) + " and " + std::to_string(rank) +
                           " are on " + hosts[node] +
                           ", those between are not: a hostfile gives a host consecutive ranks",
                       "--format rankfile and --format slurm write a host for each rank");
    text += hosts[node] + " slots=" + std::to_string(next - rank) + "\n";
  }
  return text;
}

}  // namespace

std::vector<std::string> host_names(const platforms::Platform& platform) {
  if (!platform.nodes.names.empty()) return platform.nodes.names;
  std::vector<std::string> names;
  for (platforms::NodeIndex node = 0; node < platform.nodes.count; ++node)
    names.push_back(std::to_string(node));
  return names;
}

std::vector<std::string> read_host_names(const std::string& path) {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> line_of;
  std::istringstream lines(read_text_file(path));
  std::size_t number = 0;
  for (std::string line, name; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    if (!(words >> name)) continue;
    if (const auto [found, is_new] = line_of.emplace(name, number); !is_new)
      throw InputError(
          path + ":" + std::to_string(number),
          "\"" + name + "\" stands on line " + std::to_string(found->second) + " already",
          "write each host once: the first is the platform's node 0");
    names.push_back(name);
  }
  return names;
}

bool is_launcher_format(const std::string& format) {
  return format == "hostfile" || format == "rankfile" || format == "slurm";
}

std::string launcher_text(const std::string& format, const Places& places,
                          const std::vector<std::string>& hosts, const std::string& where) {
  require_names(places, hosts, where);
  if (format == "hostfile") return hostfile_text(places, hosts);
  std::string text;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const std::string& host = hosts[places[rank].node];
    text += format == "slurm" ? host + "\n"
                              : "rank " + std::to_string(rank) + "=" + host +
                                    " slot=" + std::to_string(places[rank].core) + "\n";
  }
  return text;
}

}  // namespace reprise::cli
