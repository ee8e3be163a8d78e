// SPDX-License-Identifier: MIT
#include "platforms/picture/picture.hpp"

#include "platforms/routes.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

std::string counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

std::string nodes_text(const Nodes& nodes) {
  const std::string sockets = nodes.sockets > 1 ? " on " + counted(nodes.sockets, "socket") : "";
  if (nodes.groups.empty())
    return counted(nodes.count, "node") + " of " + counted(nodes.cores, "core") + sockets;
  std::string text;
  for (const NodeGroup& group : nodes.groups)
    text += (text.empty() ? "" : ", ") + counted(group.count, "node") + " of " +
            counted(group.cores, "core");
  return text + sockets;
}

// A row for each kind of cable.
double draw_table(Svg& svg, const Platform& platform, double top) {
  const auto routes = make_route_table(platform);
  const auto& classes = routes->link_classes();
  std::vector<std::uint64_t> links(classes.size());
  for (LinkIndex link = 0; link < routes->link_count(); ++link)
    ++links[routes->link_class_index(link)];
  static constexpr double kColumns[] = {24, 160, 270, 420, 540};
  constexpr double kRow = 20;
  double y = top + 28;
  const auto row = [&svg, &y](const std::vector<std::string>& words, const char* kind) {
    for (std::size_t i = 0; i < words.size(); ++i) svg.text(kColumns[i], y, words[i], kind);
  };
  row({"links", "how many", "bandwidth", "latency"}, "label");
  svg.line(24, y + 6, kPictureRight, y + 6, "wrap");
  for (std::size_t i = 0; i < classes.size();) {
    const bool is_pair = i + 1 < classes.size() && classes[i + 1].cable == classes[i].cable;
    y += kRow;
    row({classes[i].cable, "× " + std::to_string(links[i]), to_text(classes[i].bandwidth),
         to_text(classes[i].latency),
         is_pair                   ? "in each direction"
         : classes[i].is_contended ? "shared by all that cross it"
                                   : "for each message"},
        "small");
    i += is_pair ? 2 : 1;
  }
  return y + 20;
}

// As the grid that it says it is, or by a drawing of its own.
template <class T>
double draw_topology(Svg& svg, const Platform& platform, const T& topology, double top) {
  if constexpr (requires { topology.grid(); })
    return draw_network(svg, platform, topology.grid(), top);
  else
    return draw_network(svg, platform, topology, top);
}

}  // namespace

std::string link_text(const LinkSpec& link) {
  return to_text(link.bandwidth) + ", " + to_text(link.latency);
}

std::string picture_of(const Platform& platform) {
  Svg svg;
  svg.text(24, 34, platform.name, "title");
  svg.text(24, 56, nodes_text(platform.nodes) + "; inside a node " + link_text(platform.intra_node),
           "label");
  constexpr double kTop = 76;
  double bottom =
      platform.network
          ? std::visit(
                [&](const auto& topology) { return draw_topology(svg, platform, topology, kTop); },
                platform.network->topology)
          : draw_node(svg, platform, kTop);
  bottom = draw_table(svg, platform, bottom);
  return svg.finish(kPictureWidth, bottom, platform.name);
}

}  // namespace reprise::platforms
