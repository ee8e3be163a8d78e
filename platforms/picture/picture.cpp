// SPDX-License-Identifier: MIT
#include "platforms/picture/picture.hpp"

#include <map>

#include "platforms/picture/parts.hpp"
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
  constexpr double kColumns[] = {24, 160, 270, 420, 540};
  constexpr double kRow = 20;
  double y = top + 28;
  const char* const heads[] = {"links", "how many", "bandwidth", "latency", ""};
  for (int i = 0; i < 4; ++i) svg.text(kColumns[i], y, heads[i], "label");
  svg.line(24, y + 6, kPictureWidth - 24, y + 6, "wrap");
  for (std::size_t i = 0; i < classes.size();) {
    const bool is_pair = i + 1 < classes.size() && classes[i + 1].cable == classes[i].cable;
    y += kRow;
    svg.text(kColumns[0], y, classes[i].cable, "small");
    svg.text(kColumns[1], y, "× " + std::to_string(links[i]), "small");
    svg.text(kColumns[2], y, to_text(classes[i].bandwidth), "small");
    svg.text(kColumns[3], y, to_text(classes[i].latency), "small");
    svg.text(kColumns[4], y,
             is_pair                   ? "in each direction"
             : classes[i].is_contended ? "shared by all that cross it"
                                       : "for each message",
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

std::vector<std::int64_t> folded(std::uint64_t count, std::size_t most) {
  std::vector<std::int64_t> shown;
  if (count <= most) {
    for (std::uint64_t i = 0; i < count; ++i) shown.push_back(static_cast<std::int64_t>(i));
    return shown;
  }
  for (std::size_t i = 0; i + 2 < most; ++i) shown.push_back(static_cast<std::int64_t>(i));
  shown.push_back(kFolded);
  shown.push_back(static_cast<std::int64_t>(count - 1));
  return shown;
}

void draw_fold(Svg& svg, double x, double y, std::uint64_t count, std::size_t shown) {
  svg.text(x, y, "…", "label", Svg::Align::kMiddle);
  svg.text(x, y + 13, "×" + std::to_string(count - (shown - 1)), "small", Svg::Align::kMiddle);
}

std::string figures_of(const LinkSpec& link) {
  return to_text(link.bandwidth) + ", " + to_text(link.latency);
}

std::string picture_of(const Platform& platform) {
  Svg svg;
  svg.text(24, 34, platform.name, "title");
  svg.text(24, 56,
           nodes_text(platform.nodes) + "; inside a node " + figures_of(platform.intra_node),
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
