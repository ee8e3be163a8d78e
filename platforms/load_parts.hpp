// SPDX-License-Identifier: MIT
// What all parts of a platform file have in common: key lists, sources, links.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "platforms/json/object_reader.hpp"
#include "platforms/load.hpp"
#include "platforms/platform.hpp"

namespace reprise::platforms {

// The keys of one kind of object: the required ones, then the optional ones.
template <std::size_t N>
struct KeyList {
  std::array<std::string_view, N> keys;
  std::size_t required;
};

inline constexpr KeyList<4> kLinkKeys{{"bandwidth", "latency", "sharing", "source"}, 2};
inline constexpr KeyList<3> kLinkChangeKeys{{"bandwidth", "latency", "source"}, 0};
inline constexpr std::array<std::string_view, 3> kSharingNames{"shared", "full_duplex",
                                                               "uncontended"};
inline constexpr std::array<Sharing, 3> kSharings{Sharing::kShared, Sharing::kFullDuplex,
                                                  Sharing::kUncontended};
inline constexpr std::array<std::string_view, 2> kNodeSharingNames{"shared", "uncontended"};
inline constexpr std::array<Sharing, 2> kNodeSharings{Sharing::kShared, Sharing::kUncontended};

inline constexpr KeyList<2> kSizeFactorKeys{{"from", "factor"}, 2};
inline constexpr KeyList<2> kSizeTimeKeys{{"from", "time"}, 2};
inline constexpr KeyList<4> kUncertaintyKeys{{"typical", "largest", "residuals", "source"}, 2};
inline constexpr KeyList<2> kResidualKeys{{"bytes", "relative"}, 2};

using SourceNotes = std::vector<SourceNote>;

// "source": a text for all numbers of its object and below, or an object with a text for each key.
void read_source(ObjectReader&, SourceNotes&);

// Reads "bandwidth", "latency", "sharing" and "source"; the caller finishes the reader.
LinkSpec read_link(ObjectReader&, std::span<const std::string_view> sharing_names,
                   std::span<const Sharing> sharings, Sharing usual, SourceNotes&);
// The whole object at KEY, as a link of the network.
LinkSpec read_network_link(ObjectReader& parent, std::string_view key, Sharing usual, SourceNotes&);
// USUAL with what the object at KEY changes of it, if there is one.
LinkSpec read_link_change(ObjectReader& parent, std::string_view key, const LinkSpec& usual,
                          SourceNotes&);

// The lists at KEY, in ascending order of size.
std::vector<SizeFactor> read_factors(ObjectReader& parent, std::string_view key);
std::vector<SizeTime> read_times(ObjectReader& parent, std::string_view key);
// The object at "uncertainty".
Uncertainty read_uncertainty(ObjectReader& parent);

template <std::size_t N>
ObjectKeys object_keys(std::string_view object, const KeyList<N>& list) {
  const auto split = list.keys.begin() + static_cast<std::ptrdiff_t>(list.required);
  return {object, {list.keys.begin(), split}, {split, list.keys.end()}};
}

}  // namespace reprise::platforms
