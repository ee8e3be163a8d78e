// SPDX-License-Identifier: MIT
#include "platforms/topologies/reader.hpp"

#include <algorithm>

namespace reprise::platforms {

using nlohmann::json;

void read_source(ObjectReader& reader, SourceNotes& notes) {
  if (!reader.has("source")) return;
  const json& source = reader.any("source");
  if (!source.is_object()) {
    if (!source.is_string())
      reader.refuse("source",
                    "expected a text or an object of texts, found " + describe_value(source));
    notes.push_back({reader.place().pointer, reader.text("source")});
    return;
  }
  std::vector<std::string_view> keys;
  for (const std::string_view key : reader.known_keys())
    if (key != "source") keys.push_back(key);
  std::ranges::sort(keys);
  ObjectReader texts(source, reader.place().child("source"), keys);
  if (source.empty()) reader.refuse("source", "names no key");
  // A key that somebody has taken out by hand may have left its text: that is read, and of nothing.
  for (const std::string_view key : keys) {
    if (!texts.has(key)) continue;
    const std::string text = texts.text(key);
    if (reader.has(key)) notes.push_back({reader.place().child(key).pointer, text});
  }
  texts.finish();
}

LinkSpec read_link(ObjectReader& reader, std::span<const std::string_view> sharing_names,
                   std::span<const Sharing> sharings, Sharing usual, SourceNotes& notes) {
  LinkSpec link{reader.bandwidth("bandwidth"), reader.seconds("latency"), usual};
  if (reader.has("sharing")) link.sharing = sharings[reader.choice("sharing", sharing_names)];
  read_source(reader, notes);
  return link;
}

LinkSpec read_network_link(ObjectReader& parent, std::string_view key, Sharing usual,
                           SourceNotes& notes) {
  ObjectReader reader(parent.any(key), parent.place().child(key), kLinkKeys);
  const LinkSpec link = read_link(reader, kLinkSharingNames, kSharings, usual, notes);
  reader.finish();
  return link;
}

std::uint32_t TopologyReader::count(std::string_view key, std::uint32_t least) {
  constexpr std::uint64_t kMax = 65'536;  // far beyond any switch's ports
  return static_cast<std::uint32_t>(object_.count(key, least, kMax));
}

std::uint32_t TopologyReader::count_or(std::string_view key, std::uint32_t usual) {
  return object_.has(key) ? count(key) : usual;
}

LinkSpec TopologyReader::link(std::string_view key) {
  LinkSpec link = network_link_;
  if (!object_.has(key)) return link;
  ObjectReader reader(object_.any(key), object_.place().child(key), kLinkChangeKeys);
  if (reader.has("bandwidth")) link.bandwidth = reader.bandwidth("bandwidth");
  if (reader.has("latency")) link.latency = reader.seconds("latency");
  read_source(reader, notes_);
  reader.finish();
  return link;
}

void TopologyReader::finish() {
  read_source(object_, notes_);
  object_.finish();
}

}  // namespace reprise::platforms
