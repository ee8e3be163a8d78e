// SPDX-License-Identifier: MIT
#include "sim/export/timeline/call_words.hpp"

#include "trace-io/model/communicators.hpp"

namespace reprise::sim {

using trace_io::Field;

FileCommunicators::FileCommunicators(const trace_io::Trace& trace) {
  for (const auto& uses : trace.communicator_indices) {
    auto& numbers = by_index_.emplace_back(static_cast<std::size_t>(trace.header.ranks), -1);
    for (const auto& use : uses)
      for (const Rank rank : use.ranks.ranks())
        numbers[static_cast<std::size_t>(rank.value)] = static_cast<std::int32_t>(use.communicator);
  }
}

std::int64_t FileCommunicators::number(Rank rank, std::int64_t index) const {
  if (index < trace_io::kFirstOwnIndex) return index;
  const auto at = static_cast<std::size_t>(index - trace_io::kFirstOwnIndex);
  if (at >= by_index_.size()) return -1;
  const auto definition = by_index_[at][static_cast<std::size_t>(rank.value)];
  return definition < 0 ? -1 : trace_io::kFirstOwnIndex + definition;
}

std::vector<CallWord> call_words(const TimedCall& call, Rank rank,
                                 const FileCommunicators& communicators) {
  std::vector<CallWord> words;
  using Kind = CallWord::Kind;
  std::size_t scalar = 0, vector = 0, named = 0;
  const auto request = [&](std::int64_t slot) {
    const std::int64_t number = call.started >= 0           ? call.started
                                : named < call.named.size() ? call.named[named++]
                                                            : -1;
    words.push_back(number >= 0 ? CallWord{Kind::request, number} : CallWord{Kind::number, slot});
  };
  for (const auto& spec : trace_io::fields(call.procedure)) {
    const bool is_request = spec.field == Field::request || spec.field == Field::requests ||
                            spec.field == Field::completed;
    const bool is_comm = spec.field == Field::comm || spec.field == Field::new_comm;
    if (spec.is_vector) {
      const auto list = call.vectors[vector++];
      words.push_back({Kind::vector, static_cast<std::int64_t>(list.size())});
      for (const auto value : list)
        if (is_request)
          request(value);
        else
          words.push_back({Kind::number, value});
      continue;
    }
    const std::int64_t value = call.scalars[scalar++];
    if (is_request)
      request(value);
    else
      words.push_back(
          {Kind::number, is_comm && value >= 0 ? communicators.number(rank, value) : value});
  }
  return words;
}

std::string words_as_text(const std::vector<CallWord>& words) {
  std::string text;
  for (const CallWord& word : words) {
    if (!text.empty()) text += ' ';
    if (word.kind == CallWord::Kind::vector) {
      text += '|';
      continue;
    }
    if (word.kind == CallWord::Kind::request) text += 'r';
    text += std::to_string(word.value);
  }
  return text;
}

}  // namespace reprise::sim
