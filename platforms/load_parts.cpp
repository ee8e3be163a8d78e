// SPDX-License-Identifier: MIT
#include "platforms/load_parts.hpp"

namespace reprise::platforms {

using nlohmann::json;

void read_source(ObjectReader& reader, SourceNotes& notes) {
  if (!reader.has("source")) return;
  const json& source = reader.any("source");
  if (!source.is_object()) {
    if (!source.is_string()) reader.refuse("source", "expected a text or an object of texts, found " + describe_value(source));
    notes.push_back({reader.place().pointer, reader.text("source")});
    return;
  }
  std::vector<std::string_view> keys;
  for (const auto& [key, ignored] : reader.value().items())
    if (key != "source") keys.push_back(key);
  ObjectReader texts(source, reader.place().child("source"), keys);
  if (source.empty()) reader.refuse("source", "names no key");
  for (const std::string_view key : keys)
    if (texts.has(key)) notes.push_back({reader.place().child(key).pointer, texts.text(key)});
  texts.finish();
}

LinkSpec read_link(ObjectReader& reader, std::span<const std::string_view> sharing_names, std::span<const Sharing> sharings,
                   Sharing usual, SourceNotes& notes) {
  LinkSpec link{reader.bandwidth("bandwidth"), reader.seconds("latency"), usual};
  if (reader.has("sharing")) link.sharing = sharings[reader.choice("sharing", sharing_names)];
  read_source(reader, notes);
  return link;
}

LinkSpec read_network_link(ObjectReader& parent, std::string_view key, Sharing usual, SourceNotes& notes) {
  ObjectReader reader(parent.any(key), parent.place().child(key), kLinkKeys.keys);
  const LinkSpec link = read_link(reader, kSharingNames, kSharings, usual, notes);
  reader.finish();
  return link;
}

LinkSpec read_link_change(ObjectReader& parent, std::string_view key, const LinkSpec& usual, SourceNotes& notes) {
  LinkSpec link = usual;
  if (!parent.has(key)) return link;
  ObjectReader reader(parent.any(key), parent.place().child(key), kLinkChangeKeys.keys);
  if (reader.has("bandwidth")) link.bandwidth = reader.bandwidth("bandwidth");
  if (reader.has("latency")) link.latency = reader.seconds("latency");
  read_source(reader, notes);
  reader.finish();
  return link;
}

}  // namespace reprise::platforms
