// SPDX-License-Identifier: MIT
#include "trace-io/import/scalatrace/scala_messages.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "trace-io/model/procedure.hpp"

namespace reprise::trace_io {
namespace {

// Of a procedure: where its tags are, and the sizes that go with them.
std::vector<std::pair<std::size_t, std::size_t>> tags_of(const Procedure& procedure) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const auto specs = fields(procedure);
  const auto place = [&](Field field) {
    return static_cast<std::size_t>(
        std::find_if(specs.begin(), specs.end(),
                     [&](const auto& spec) { return spec.field == field; }) -
        specs.begin());
  };
  switch (procedure.kind) {
    case Kind::sendrecv:
      found.emplace_back(place(Field::receive_tag), place(Field::receive_bytes));
      [[fallthrough]];
    case Kind::send:
    case Kind::receive:
    case Kind::start_send:
    case Kind::start_receive:
      found.emplace_back(place(Field::tag), place(Field::bytes));
      break;
    default:
      break;
  }
  return found;
}

template <class Visit>
void for_each_size(Trace& trace, const Visit& visit) {
  for_each_leaf(trace.threads[0], [&](Leaf& leaf) {
    for (const auto& [tag, size] : tags_of(procedure_of(trace, leaf.site)))
      visit(leaf, leaf.fields[tag], leaf.fields[size]);
  });
}

}  // namespace

void add_loss(Trace& trace, Loss loss) {
  auto& all = trace.losses;
  const auto at = std::lower_bound(all.begin(), all.end(), loss,
                                   [](const Loss& a, const Loss& b) { return a.name < b.name; });
  if (at != all.end() && at->name == loss.name) {
    at->count += loss.count;
    at->time += loss.time;
  } else {
    all.insert(at, std::move(loss));
  }
}

bool ScalaMessages::sizes_are_tags() const {
  return !has_tags_ && !is_unknown_ &&
         std::all_of(ranks_.begin(), ranks_.end(),
                     [](const OneRank& rank) { return rank.sent == rank.received; });
}

void ScalaMessages::place_tags(Trace& trace) const {
  if (has_tags_) return;
  Wide messages = 0;
  for (const OneRank& rank : ranks_) messages += rank.sent.messages;
  if (messages == 0) return;
  const auto count = static_cast<std::uint64_t>(std::min<Wide>(messages, UINT64_MAX));
  std::map<std::int64_t, std::int64_t> number_of;
  for_each_size(trace, [&](const Leaf&, const FieldValues&, const FieldValues& sizes) {
    for (const auto& entry : sizes)
      (void)entry.values.mapped([&](std::int64_t size) { return number_of[size] = 0; });
  });
  std::int64_t next = 0;
  for (auto& [size, number] : number_of) number = next++;
  std::vector<FieldValues> placed;
  bool are_placed = sizes_are_tags();
  if (are_placed)
    for_each_size(trace, [&](const Leaf&, const FieldValues&, const FieldValues& sizes) {
      FieldValues tags = sizes;
      for (auto& entry : tags) {
        auto mapped = entry.values.mapped([&](std::int64_t size) { return number_of[size]; });
        if (mapped)
          entry.values = std::move(*mapped);
        else
          are_placed = false;
      }
      placed.push_back(std::move(tags));
    });
  if (are_placed) {
    std::size_t at = 0;
    for_each_size(trace, [&](const Leaf&, FieldValues& tags, const FieldValues&) {
      tags = std::move(placed[at++]);
    });
  }
  add_loss(trace,
           {are_placed ? "messages whose tags ScalaTrace left out: their sizes are in place of them"
                       : "messages whose tags ScalaTrace left out: 0",
            are_placed ? Severity::notice : Severity::partial,
            count,
            {}});
}

}  // namespace reprise::trace_io
