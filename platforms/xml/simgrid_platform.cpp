// SPDX-License-Identifier: MIT
#include "platforms/xml/simgrid_platform.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>
#include <vector>

#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/star.hpp"
#include "platforms/xml/read_by_simgrid.hpp"
#include "platforms/xml/simgrid_settings.hpp"
#include "platforms/xml/xml_document.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxNodes = 1'000'000;

std::vector<std::string> parts(const std::string& text, char separator) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) all.push_back(part);
  return all;
}

class ClusterReader {
 public:
  ClusterReader(const XmlElement& cluster, std::string file)
      : cluster_(cluster), file_(std::move(file)) {}

  json read(const SmpiSettings& smpi, const std::string& name) const {
    refuse_unknown();
    const auto names = node_names();
    json nodes = {{"count", names.size()},
                  {"names", names},
                  {"cores", whole("core", "1")},
                  {"core_speed", to_text(simgrid_speed(need("speed"), where()))}};
    json network = {
        {"topology", topology()},
        {"link", link(need("bw"), need("lat"), sharing("sharing_policy", "SPLITDUPLEX"))}};
    network.update(smpi.sharing);
    json intra = link(get("loopback_bw", smpi.loopback_bandwidth),
                      get("loopback_lat", smpi.loopback_latency),
                      get("loopback_bw", "").empty() ? "uncontended" : "shared");
    return {{"format", 1U},
            {"name", name},
            {"source", "SimGrid platform file, cluster " + get("id", "")},
            {"nodes", nodes},
            {"intra_node", intra},
            {"network", network},
            {"mpi", smpi.mpi}};
  }

 private:
  std::string where() const { return file_ + ":" + std::to_string(cluster_.line); }
  std::string get(const char* key, const std::string& usual) const {
    const auto* value = cluster_.attribute(key);
    return value == nullptr ? usual : *value;
  }
  std::string need(const char* key) const {
    const auto* value = cluster_.attribute(key);
    if (value == nullptr)
      throw InputError(where(), std::string("the cluster has no \"") + key + "\"");
    return *value;
  }

  // What is about hosts of a cluster alone.
  void refuse_unknown() const {
    for (const XmlElement& child : cluster_.children)
      if (const auto* id = child.attribute("id"); id != nullptr && id->starts_with("smpi/"))
        throw InputError(file_ + ":" + std::to_string(child.line),
                         "\"" + *id + "\" for a cluster's hosts is not supported",
                         "put it into <config>, for the whole platform");
  }

  std::uint64_t whole(const char* key, const std::string& usual) const {
    return number(get(key, usual));
  }
  std::uint64_t number(const std::string& text) const {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value > kMaxNodes)
      throw InputError(where(),
                       "\"" + text + "\" is not a whole number up to " + std::to_string(kMaxNodes));
    return value;
  }

  // "0-15,20": hosts in this order.
  std::vector<std::string> node_names() const {
    std::vector<std::string> names;
    for (const std::string& part : parts(need("radical"), ',')) {
      const auto dash = part.find('-');
      const std::uint64_t first = number(part.substr(0, dash)),
                          last = dash == std::string::npos ? first : number(part.substr(dash + 1));
      if (last < first)
        throw InputError(where(), "the radical \"" + part + "\" ends before it begins");
      if (last - first >= kMaxNodes - names.size())
        throw InputError(where(), "more than " + std::to_string(kMaxNodes) + " hosts");
      for (std::uint64_t host = first; host <= last; ++host)
        names.push_back(get("prefix", "") + std::to_string(host) + get("suffix", ""));
    }
    return names;
  }

  std::string sharing(const char* key, const std::string& usual) const {
    const std::string policy = get(key, usual);
    if (policy == "SPLITDUPLEX" || policy == "FULLDUPLEX") return "full_duplex";
    if (policy == "SHARED") return "shared";
    if (policy == "FATPIPE") return "uncontended";
    throw InputError(where(), std::string("no ") + key + " \"" + policy + "\"",
                     "one of: SPLITDUPLEX, SHARED, FATPIPE");
  }

  json link(const std::string& bandwidth, const std::string& latency,
            const std::string& how) const {
    return {{"bandwidth", to_text(simgrid_bandwidth(bandwidth, where()))},
            {"latency", to_text(simgrid_time(latency, where()))},
            {"sharing", how}};
  }

  json topology() const {
    const std::string kind = get("topology", "FLAT");
    if (kind == "FAT_TREE") return fat_tree();
    json star = {{"kind", Star::kKind}};
    if (cluster_.attribute("bb_bw") != nullptr)
      star["backbone"] =
          link(need("bb_bw"), get("bb_lat", "0"), sharing("bb_sharing_policy", "SHARED"));
    return star;
  }

  // "2;16,4;1,8;1,1": levels; elements below a switch; switches above an element; cables between them.
  json fat_tree() const {
    const auto groups = parts(need("topo_parameters"), ';');
    if (groups.size() != 4)
      throw InputError(where(), "a fat tree has four groups of topo_parameters, not " +
                                    std::to_string(groups.size()));
    const auto down = parts(groups[1], ','), up = parts(groups[2], ','),
               parallel = parts(groups[3], ',');
    const auto levels = number(groups[0]);
    if (down.size() != levels || up.size() != levels || parallel.size() != levels)
      throw InputError(where(), "the fat tree's topo_parameters lack a number for each of its " +
                                    groups[0] + " levels");
    json list = json::array();
    for (std::size_t i = 0; i < levels; ++i)
      list.push_back(
          {{"down", number(down[i])}, {"up", number(up[i])}, {"parallel", number(parallel[i])}});
    return {{"kind", FatTree::kKind}, {"levels", list}};
  }

  const XmlElement& cluster_;
  std::string file_;
};

// Whether ClusterReader knows all that a cluster says.
bool is_known(const XmlElement& cluster) {
  static constexpr std::string_view kKnown[] = {"id",
                                                "prefix",
                                                "suffix",
                                                "radical",
                                                "speed",
                                                "core",
                                                "bw",
                                                "lat",
                                                "sharing_policy",
                                                "bb_bw",
                                                "bb_lat",
                                                "bb_sharing_policy",
                                                "loopback_bw",
                                                "loopback_lat",
                                                "topology",
                                                "topo_parameters",
                                                "router_id"};
  for (const auto& [key, value] : cluster.attributes)
    if (std::find(std::begin(kKnown), std::end(kKnown), key) == std::end(kKnown)) return false;
  for (const XmlElement& child : cluster.children)
    if (child.name != "prop") return false;
  const std::string* kind = cluster.attribute("topology");
  if (kind == nullptr || *kind == "FLAT") return true;
  return *kind == "FAT_TREE" && cluster.attribute("bb_bw") == nullptr;
}

// The clusters, in whatever zones, and the settings; false where something else carries messages.
bool collect(const XmlElement& element, std::vector<const XmlElement*>& clusters,
             std::vector<const XmlElement*>& settings) {
  for (const XmlElement& child : element.children) {
    if (child.name == "cluster")
      clusters.push_back(&child);
    else if (child.name == "zone" || child.name == "AS") {
      if (!collect(child, clusters, settings)) return false;
    } else if (child.name == "config") {
      for (const XmlElement& prop : child.children) settings.push_back(&prop);
    } else if (child.name != "prop" && child.name != "random") {
      return false;
    }
  }
  return true;
}

}  // namespace

bool looks_like_xml(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string_view::npos && text[first] == '<';
}

std::optional<Document> read_one_cluster(const XmlElement& root, const std::string& file) {
  const std::string where = file + ":" + std::to_string(root.line);
  if (root.name != "platform")
    throw InputError(where, "<" + root.name + "> is not a SimGrid platform");
  const auto* version = root.attribute("version");
  if (version == nullptr || !version->starts_with("4"))
    throw InputError(where,
                     "version " + (version ? *version : "\"\"") +
                         " of SimGrid's platform files is not supported",
                     "simgrid_update_xml makes it version 4.1");
  std::vector<const XmlElement*> clusters, props;
  if (!collect(root, clusters, props) || clusters.size() != 1 || !is_known(*clusters[0]))
    return std::nullopt;
  SmpiSettings settings;
  for (const XmlElement* prop : props) settings.take(*prop, file);
  settings.finish();
  return Document{
      ClusterReader(*clusters[0], file).read(settings, std::filesystem::path(file).stem().string()),
      file};
}

Document parse_simgrid_platform(std::string_view text, const std::string& file) {
  if (text.size() > kMaxFileBytes)
    throw InputError(file, "larger than " + std::to_string(kMaxFileBytes >> 20) + " MiB");
  const XmlElement root = parse_xml(text, file);
  if (std::optional<Document> document = read_one_cluster(root, file)) return *std::move(document);
  return read_by_simgrid(root, text, file);
}

}  // namespace reprise::platforms
