// SPDX-License-Identifier: MIT
#include "platforms/xml/read_by_simgrid.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <tuple>

#include "platforms/simgrid/router.hpp"
#include "platforms/topologies/routed_by_simgrid.hpp"
#include "platforms/xml/profile_elements.hpp"
#include "platforms/xml/simgrid_settings.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;

// Profiles and disks, line by line; and SMPI's settings, of which those on single hosts are refused.
class Elements {
 public:
  explicit Elements(const std::string& file) : file_(file), profiles_(file) {}

  void take(const XmlElement& element) {
    for (const XmlElement& child : element.children) {
      if (child.name == "config") {
        for (const XmlElement& prop : child.children) found.settings.take(prop, file_);
        continue;
      }
      refuse_smpi(element, child);
      profiles_.take(child, found);
      if (child.name == "disk")
        found.left_out.push_back(place(file_, child) + ": " + named(child) +
                                 ": /storage describes files");
      take(child);
    }
  }

  BesideSimgrid found;

 private:
  void refuse_smpi(const XmlElement& element, const XmlElement& prop) const {
    const std::string* id = prop.name == "prop" ? prop.attribute("id") : nullptr;
    if (id == nullptr || !id->starts_with("smpi/")) return;
    throw InputError(place(file_, prop),
                     '"' + *id + "\" for one <" + element.name + "> is not supported",
                     "put it into <config>, for the whole platform");
  }

  std::string file_;
  ProfileElements profiles_;
};

json nodes_of(const SimgridMachine& machine) {
  const auto describe = [](const SimgridHost& host) {
    json node = {{"cores", host.cores}};
    if (host.speed.value > 0) node["core_speed"] = to_text(host.speed);
    return node;
  };
  json names = json::array(), groups = json::array();
  const SimgridHost* before = nullptr;
  for (const SimgridHost& host : machine.hosts) {
    names.push_back(host.name);
    if (before == nullptr || host.cores != before->cores || host.speed != before->speed) {
      groups.push_back(describe(host));
      groups.back()["count"] = 0;
    }
    groups.back()["count"] = groups.back()["count"].get<std::uint64_t>() + 1;
    before = &host;
  }
  json nodes = groups.size() == 1 ? groups[0] : json{{"groups", groups}};
  nodes["names"] = names;
  return nodes;
}

json figures(BytesPerSecond bandwidth, Seconds latency, bool is_shared) {
  return {{"bandwidth", to_text(bandwidth)},
          {"latency", to_text(latency)},
          {"sharing", is_shared ? "shared" : "uncontended"}};
}

json inside_of(const SimgridMachine& machine, const std::string& file, BesideSimgrid& beside) {
  using Loopback = std::tuple<double, double, bool>;  // bandwidth, latency, is shared
  std::map<Loopback, std::uint64_t> hosts;
  std::uint64_t without = 0, over_network = 0;
  for (const SimgridHost& host : machine.hosts) {
    const SimgridLoopback& loopback = host.loopback;
    if (goes_out(loopback) && machine.hosts.size() > 1)
      ++over_network;
    else if (loopback.links == 1 && loopback.bandwidth.value > 0)
      ++hosts[{loopback.bandwidth.value, loopback.latency.value,
               loopback.policy != SimgridPolicy::fatpipe}];
    else
      ++without;
  }
  const SmpiSettings& smpi = beside.settings;
  json inside = figures(simgrid_bandwidth(smpi.loopback_bandwidth, file),
                        simgrid_time(smpi.loopback_latency, file), false);
  if (!hosts.empty()) {
    const auto& [loopback, count] =
        *std::max_element(hosts.begin(), hosts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; });
    inside =
        figures({std::get<0>(loopback)}, Seconds{std::get<1>(loopback)}, std::get<2>(loopback));
    const std::uint64_t with = machine.hosts.size() - over_network - without;
    if (count < with)
      beside.left_out.push_back(file + ": loopbacks of " + std::to_string(with - count) +
                                " hosts that are not those of the other " + std::to_string(count));
  }
  if (without > 0)
    beside.left_out.push_back(
        file + ": " + std::to_string(without) +
        " hosts have no loopback in SimGrid; messages inside them take /intra_node");
  return inside;
}

json links_json(const std::vector<RoutedBySimgrid::Links>& links) {
  json list = json::array();
  for (const RoutedBySimgrid::Links& one : links) {
    list.push_back(
        figures(one.link.bandwidth, one.link.latency, one.link.sharing != Sharing::kUncontended));
    list.back()["name"] = one.name;
  }
  return list;
}

// The machine's profiles; what of them cannot be is left out.
json profiles_json(const SimgridMachine& machine, BesideSimgrid& beside) {
  json list = json::array();
  for (const ProfileOf& profile : beside.profiles) {
    const std::string why = why_left_out(profile, machine);
    if (why.empty())
      list.push_back(profile_json(profile, machine));
    else
      beside.left_out.push_back(profile.where + ": " + profile.what + why);
  }
  return list;
}

}  // namespace

BesideSimgrid read_beside_simgrid(const XmlElement& root, const std::string& file) {
  Elements elements(file);
  elements.take(root);
  elements.found.settings.finish();
  return std::move(elements.found);
}

Document read_by_simgrid(const XmlElement& root, std::string_view text, const std::string& file) {
  BesideSimgrid beside = read_beside_simgrid(root, file);
  const auto router = simgrid_router(file, std::string(text));
  const SimgridMachine& machine = router->machine();
  const std::filesystem::path path(file);
  json platform = {{"format", 1U},
                   {"name", path.stem().string()},
                   {"source", "SimGrid platform file"},
                   {"nodes", nodes_of(machine)},
                   {"intra_node", inside_of(machine, file, beside)},
                   {"mpi", beside.settings.mpi}};
  const json profiles = profiles_json(machine, beside);
  if (machine.hosts.size() > 1) {
    const json links = links_json(links_of(*router));
    platform["network"] = {
        {"topology",
         {{"kind", RoutedBySimgrid::kKind}, {"file", path.filename().string()}, {"links", links}}},
        // none takes its figures from here
        {"link", {{"bandwidth", "1 GB/s"}, {"latency", "1 us"}, {"sharing", "shared"}}}};
    if (!links.empty()) {
      platform["network"]["link"] = links[0];
      platform["network"]["link"].erase("name");
    } else {
      platform["network"]["topology"].erase("links");
    }
    platform["network"].update(beside.settings.sharing);
    if (!profiles.empty()) platform["network"]["topology"]["profiles"] = profiles;
    if (!beside.left_out.empty()) platform["network"]["topology"]["left_out"] = beside.left_out;
  } else {
    for (const ProfileOf& profile : beside.profiles)
      if (why_left_out(profile, machine).empty())
        beside.left_out.push_back(profile.where + ": " + profile.what +
                                  ": of a machine of one host");
    for (const std::string& what : beside.left_out)
      platform["source"] = platform["source"].get<std::string>() + "; left out: " + what;
  }
  return {platform, file};
}

}  // namespace reprise::platforms
