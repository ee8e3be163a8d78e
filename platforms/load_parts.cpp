// SPDX-License-Identifier: MIT
#include "platforms/load_parts.hpp"

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
  for (const auto& [key, ignored] : reader.value().items())
    if (key != "source") keys.push_back(key);
  ObjectReader texts(source, reader.place().child("source"), keys);
  if (source.empty()) reader.refuse("source", "names no key");
  for (const std::string_view key : keys)
    if (texts.has(key)) notes.push_back({reader.place().child(key).pointer, texts.text(key)});
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
  ObjectReader reader(parent.any(key), parent.place().child(key), kLinkKeys.keys);
  const LinkSpec link = read_link(reader, kSharingNames, kSharings, usual, notes);
  reader.finish();
  return link;
}

LinkSpec read_link_change(ObjectReader& parent, std::string_view key, const LinkSpec& usual,
                          SourceNotes& notes) {
  LinkSpec link = usual;
  if (!parent.has(key)) return link;
  ObjectReader reader(parent.any(key), parent.place().child(key), kLinkChangeKeys.keys);
  if (reader.has("bandwidth")) link.bandwidth = reader.bandwidth("bandwidth");
  if (reader.has("latency")) link.latency = reader.seconds("latency");
  read_source(reader, notes);
  reader.finish();
  return link;
}

namespace {

// READ makes an element of an object with these keys, of which the first is its size.
template <class Element, std::size_t N, class Read>
std::vector<Element> read_by_size(ObjectReader& parent, std::string_view key,
                                  const KeyList<N>& keys, Bytes Element::*size, Read read) {
  std::vector<Element> elements;
  const json& list = parent.list(key, 1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    ObjectReader reader(list[i], parent.place().child(key).child(i), keys.keys);
    const Element element = read(reader);
    if (!elements.empty() && element.*size <= elements.back().*size)
      reader.refuse(keys.keys.front(), "not above the size before it",
                    "list the sizes in ascending order, each once");
    elements.push_back(element);
    reader.finish();
  }
  return elements;
}

double read_share(ObjectReader& reader, std::string_view key) {
  const json& value = reader.any(key);
  if (!value.is_number() || value.get<double>() < 0)
    reader.refuse(key, "expected a share that is not below zero, such as 0.05, found " +
                           describe_value(value));
  return value.get<double>();
}

}  // namespace

std::vector<SizeFactor> read_factors(ObjectReader& parent, std::string_view key) {
  return read_by_size<SizeFactor>(
      parent, key, kSizeFactorKeys, &SizeFactor::from, [](ObjectReader& reader) {
        return SizeFactor{reader.bytes("from"), reader.factor("factor")};
      });
}

std::vector<SizeTime> read_times(ObjectReader& parent, std::string_view key) {
  return read_by_size<SizeTime>(parent, key, kSizeTimeKeys, &SizeTime::from,
                                [](ObjectReader& reader) {
                                  return SizeTime{reader.bytes("from"), reader.seconds("time")};
                                });
}

Uncertainty read_uncertainty(ObjectReader& parent) {
  ObjectReader reader(parent.any("uncertainty"), parent.place().child("uncertainty"),
                      kUncertaintyKeys.keys);
  Uncertainty uncertainty;
  uncertainty.typical = read_share(reader, "typical");
  uncertainty.largest = read_share(reader, "largest");
  if (uncertainty.typical > uncertainty.largest) reader.refuse("typical", "above the largest");
  if (reader.has("residuals"))
    uncertainty.residuals = read_by_size<Residual>(
        reader, "residuals", kResidualKeys, &Residual::bytes, [](ObjectReader& one) {
          const json& relative = one.any("relative");
          if (!relative.is_number())
            one.refuse("relative", "expected a number, found " + describe_value(relative));
          return Residual{one.bytes("bytes"), relative.get<double>()};
        });
  if (reader.has("source")) reader.text("source");
  reader.finish();
  return uncertainty;
}

}  // namespace reprise::platforms
