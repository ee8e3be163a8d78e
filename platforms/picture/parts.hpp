// SPDX-License-Identifier: MIT
// What the pictures of all topologies have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/picture/svg.hpp"
#include "platforms/platform.hpp"

namespace reprise::platforms {

inline constexpr double kPictureWidth = 960,
                        kGutter = 190;  // the gutter on the left holds words about the rows

// The first elements of a row, then kFolded, then the last one; all where there are at most MOST.
inline constexpr std::int64_t kFolded = -1;
std::vector<std::int64_t> folded(std::uint64_t count, std::size_t most);
// "…" and how many are left out of COUNT, in the middle of a place.
void draw_fold(Svg&, double x, double y, std::uint64_t count, std::size_t shown);
// "2.5 GB/s, 1.2 us"
std::string figures_of(const LinkSpec&);

// Each draws below TOP and returns where it ends.
double draw_network(Svg&, const Platform&, const Star&, double top);
double draw_network(Svg&, const Platform&, const FatTree&, double top);
double draw_network(Svg&, const Platform&, const Dragonfly&, double top);
double draw_network(Svg&, const Platform&, const Grid&, double top);
double draw_node(Svg&, const Platform&, double top);

}  // namespace reprise::platforms
