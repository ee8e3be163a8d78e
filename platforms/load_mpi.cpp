// SPDX-License-Identifier: MIT
#include "platforms/load_mpi.hpp"

#include <array>

#include "platforms/topologies/reader.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;

constexpr std::array<Progress, 2> kProgresses{Progress::kAsynchronous, Progress::kInCalls};
constexpr std::array<RendezvousHead, 2> kRendezvousHeads{RendezvousHead::kAhead,
                                                         RendezvousHead::kWithPayload};
constexpr std::array<FactorsApplyTo, 2> kFactorsApplyTo{FactorsApplyTo::kLinks,
                                                        FactorsApplyTo::kMessages};
constexpr std::uint64_t kMaxFanout = 65'536;

// READ makes an element of an object with these keys, of which the first is its size.
template <class Element, std::size_t N, class Read>
std::vector<Element> read_by_size(ObjectReader& parent, std::string_view key,
                                  const KeyList<N>& keys, Bytes Element::*size, Read read,
                                  std::size_t least = 1) {
  std::vector<Element> elements;
  const json& list = parent.list(key, least);
  for (std::size_t i = 0; i < list.size(); ++i) {
    ObjectReader reader(list[i], parent.place().child(key).child(i), keys);
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

std::vector<SizeFactor> read_factors(ObjectReader& parent, std::string_view key) {
  return read_by_size<SizeFactor>(
      parent, key, kSizeFactorKeys, &SizeFactor::from, [](ObjectReader& reader) {
        return SizeFactor{reader.bytes("from"), reader.factor("factor")};
      });
}

// None: of messages inside a node, where those between nodes have some.
std::vector<SizeTime> read_times(ObjectReader& parent, std::string_view key) {
  return read_by_size<SizeTime>(
      parent, key, kSizeTimeKeys, &SizeTime::from,
      [](ObjectReader& reader) {
        return SizeTime{reader.bytes("from"), reader.seconds("time")};
      },
      0);
}

std::vector<SizePoint> read_points(ObjectReader& parent, std::string_view key) {
  return read_by_size<SizePoint>(parent, key, kSizePointKeys, &SizePoint::bytes,
                                 [](ObjectReader& reader) {
                                   return SizePoint{reader.bytes("bytes"), reader.seconds("time")};
                                 });
}

std::vector<ColdCosts> read_cold_caches(ObjectReader& parent) {
  std::vector<ColdCosts> levels;
  const json& list = parent.list("cold_caches", 0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    ObjectReader reader(list[i], parent.place().child("cold_caches").child(i), kColdCostsKeys);
    ColdCosts level{reader.seconds("after"), {}, {}, {}};
    if (level.after.value <= 0) reader.refuse("after", "not above 0");
    if (!levels.empty() && level.after <= levels.back().after)
      reader.refuse("after", "not above the time before it",
                    "list the times in ascending order, each once");
    if (reader.has("send_overhead")) level.send_overhead = read_points(reader, "send_overhead");
    if (reader.has("recv_overhead")) level.recv_overhead = read_points(reader, "recv_overhead");
    if (reader.has("copy")) level.copy = read_points(reader, "copy");
    levels.push_back(std::move(level));
    reader.finish();
  }
  return levels;
}

Uncertainty read_uncertainty(ObjectReader& parent) {
  ObjectReader reader(parent.any("uncertainty"), parent.place().child("uncertainty"),
                      kUncertaintyKeys);
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

// One algorithm's name for every size, or a list of rules.
void read_rules(ObjectReader& parent, std::string_view operation,
                std::vector<CollectiveRule>& rules) {
  const JsonPlace place = parent.place().child(operation);
  if (parent.any(operation).is_string()) {
    rules.push_back(
        {std::string(operation), std::nullopt, parent.text(operation), Bytes{}, 0, place.pointer});
    return;
  }
  if (!parent.any(operation).is_array())
    parent.refuse(operation, "expected an algorithm's name or a list of rules, found " +
                                 describe_value(parent.any(operation)));
  const json& list = parent.list(operation, 1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    ObjectReader reader(list[i], place.child(i), kCollectiveRuleKeys);
    CollectiveRule rule{std::string(operation),
                        std::nullopt,
                        reader.text("algorithm"),
                        Bytes{},
                        0,
                        place.child(i).child("algorithm").pointer};
    if (reader.has("up_to")) rule.up_to = reader.bytes("up_to");
    if (reader.has("segment")) rule.segment = reader.bytes("segment");
    if (reader.has("fanout"))
      rule.fanout = static_cast<std::uint32_t>(reader.count("fanout", 1, kMaxFanout));
    if (i > 0 && !rules.back().up_to)
      reader.refuse("algorithm", "the previous rule already covers every size",
                    "only the last rule may have no \"up_to\"");
    if (i > 0 && rule.up_to && *rule.up_to <= *rules.back().up_to)
      reader.refuse("up_to", "not above the size before it",
                    "list the sizes in ascending order, each once");
    rules.push_back(std::move(rule));
    reader.finish();
  }
}

void read_collectives(const json& value, JsonPlace place, Platform& platform) {
  ObjectReader reader(value, std::move(place), kCollectivesKeys);
  if (reader.has("selection")) platform.collectives.selection = reader.text("selection");
  for (const std::string_view operation : kCollectivesKeys.keys)
    if (operation != "selection" && operation != "source" && reader.has(operation))
      read_rules(reader, operation, platform.collectives.rules);
  read_source(reader, platform.sources);
  reader.finish();
}

// What is there; the rest of MPI stays as it is.
void read_mpi_costs(ObjectReader& reader, Mpi& mpi, SourceNotes& notes) {
  if (reader.has("eager_limit")) mpi.eager_limit = reader.bytes("eager_limit");
  if (reader.has("send_overhead")) mpi.send_overhead = reader.seconds("send_overhead");
  if (reader.has("recv_overhead")) mpi.recv_overhead = reader.seconds("recv_overhead");
  if (reader.has("rendezvous_handshake"))
    mpi.rendezvous_handshake = reader.flag("rendezvous_handshake");
  if (reader.has("rendezvous_head"))
    mpi.rendezvous_head =
        kRendezvousHeads[reader.choice("rendezvous_head", kMpiRendezvousHeadNames)];
  if (reader.has("copy_bandwidth")) mpi.copy_bandwidth = reader.bandwidth("copy_bandwidth");
  if (reader.has("progress"))
    mpi.progress = kProgresses[reader.choice("progress", kMpiProgressNames)];
  if (reader.has("latency_factors")) mpi.latency_factors = read_factors(reader, "latency_factors");
  if (reader.has("bandwidth_factors"))
    mpi.bandwidth_factors = read_factors(reader, "bandwidth_factors");
  if (reader.has("factors_apply_to"))
    mpi.factors_apply_to =
        kFactorsApplyTo[reader.choice("factors_apply_to", kMpiFactorsApplyToNames)];
  if (reader.has("copy_factors")) mpi.copy_factors = read_factors(reader, "copy_factors");
  if (reader.has("acknowledgements")) mpi.acknowledgements = read_times(reader, "acknowledgements");
  if (reader.has("cold_caches")) mpi.cold_caches = read_cold_caches(reader);
  if (reader.has("uncertainty")) mpi.uncertainty = read_uncertainty(reader);
  read_source(reader, notes);
}

}  // namespace

void read_mpi(const json& value, JsonPlace place, Platform& platform) {
  ObjectReader reader(value, std::move(place), kMpiKeys);
  for (std::size_t i = 0; i < kMpiKeys.required; ++i) reader.any(kMpiKeys.keys[i]);
  read_mpi_costs(reader, platform.mpi, platform.sources);
  if (reader.has("reduction_bandwidth"))
    platform.reduction_bandwidth = reader.bandwidth("reduction_bandwidth");
  if (reader.has("reduction_factors"))
    platform.reduction_factors = read_factors(reader, "reduction_factors");
  if (reader.has("collectives"))
    read_collectives(reader.any("collectives"), reader.place().child("collectives"), platform);
  reader.finish();
}

void read_mpi_override(const json& value, JsonPlace place, Platform& platform) {
  ObjectReader reader(value, std::move(place), kMpiOverrideKeys);
  read_mpi_costs(reader, platform.intra_node_mpi, platform.sources);
  reader.finish();
}

}  // namespace reprise::platforms
