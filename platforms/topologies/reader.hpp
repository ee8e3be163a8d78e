// SPDX-License-Identifier: MIT
// Links and topologies from a platform file's JSON. Everything here throws InputError.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/json/object_reader.hpp"
#include "platforms/json/platform_keys.hpp"  // made of platform.schema.json
#include "platforms/topologies/link.hpp"

namespace reprise::platforms {

inline constexpr std::array<Sharing, 3> kSharings{Sharing::kShared, Sharing::kFullDuplex,
                                                  Sharing::kUncontended};
inline constexpr std::array<Sharing, 2> kNodeSharings{Sharing::kShared, Sharing::kUncontended};

// "source": a text for all numbers of its object and below, or an object with a text for each key; texts of keys that the object could have
// but has not are allowed, and of nothing.
void read_source(ObjectReader&, SourceNotes&);
// Reads "bandwidth", "latency", "sharing" and "source"; the caller finishes the reader.
LinkSpec read_link(ObjectReader&, std::span<const std::string_view> sharing_names,
                   std::span<const Sharing> sharings, Sharing usual, SourceNotes&);
// The whole object at KEY, as a link of the network.
LinkSpec read_network_link(ObjectReader& parent, std::string_view key, Sharing usual, SourceNotes&);

// The object of a topology, or one inside it.
class TopologyReader {
 public:
  TopologyReader(const nlohmann::json& value, JsonPlace place,
                 std::span<const std::string_view> keys, const LinkSpec& network_link,
                 SourceNotes& notes)
      : object_(value, std::move(place), keys), network_link_(network_link), notes_(notes) {}

  ObjectReader& object() { return object_; }
  SourceNotes& notes() { return notes_; }

  // Of switches, ports, nodes, cables …; USUAL where an optional key is left out.
  std::uint32_t count(std::string_view key, std::uint32_t least = 1);
  std::uint32_t count_or(std::string_view key, std::uint32_t usual);
  // The network's link with what the object at KEY changes of it, if there is one.
  LinkSpec link(std::string_view key);
  // An element for each object of the list at KEY, of which there are at most MOST.
  template <class Element, class Read>
  std::vector<Element> list(std::string_view key, std::size_t most,
                            std::span<const std::string_view> keys, Read read) {
    const nlohmann::json& objects = object_.list(key, 1);
    if (objects.size() > most)
      object_.refuse(key, "more than " + std::to_string(most) + ' ' + std::string(key));
    std::vector<Element> elements;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      TopologyReader reader(objects[i], object_.place().child(key).child(i), keys, network_link_,
                            notes_);
      elements.push_back(read(reader));
      reader.finish();
    }
    return elements;
  }
  void finish();

 private:
  ObjectReader object_;
  const LinkSpec& network_link_;
  SourceNotes& notes_;
};

}  // namespace reprise::platforms
