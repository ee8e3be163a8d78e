// SPDX-License-Identifier: MIT
#include "trace-io/check/growth.hpp"

#include <algorithm>
#include <unordered_set>

#include "trace-io/check/site_text.hpp"

namespace reprise::trace_io {
namespace {

std::uint64_t varint_bytes(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  std::uint64_t rest = (bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0), bytes = 1;
  while ((rest >>= 7) != 0) ++bytes;
  return bytes;
}

// What is known of all sequences of one field.
struct Content {
  std::uint64_t terms = 0, bytes = 0;
  std::uint64_t values = 0, distinct = 0;  // of the sequence with the most terms
  std::size_t most_terms = 0;

  void add(const ValueSequence& sequence) {
    const auto all = sequence.terms();
    std::unordered_set<std::int64_t> seen;  // counted only
    for (const auto& term : all) {
      bytes += 1 + varint_bytes(static_cast<std::int64_t>(term.count)) + varint_bytes(term.start);
      if (term.stride != 0) bytes += varint_bytes(term.stride);
      if (!term.is_loop) seen.insert(term.start);
    }
    terms += all.size();
    if (all.size() <= most_terms) return;
    most_terms = all.size();
    values = sequence.size();
    distinct = seen.size();
  }
};

std::string reason_of(const Content& content, std::size_t entries) {
  std::string reason;
  if (content.most_terms >= kManyTerms)
    reason = "irregular: " + std::to_string(content.distinct) +
             " distinct values or starts of runs in " + std::to_string(content.values) + " values";
  if (entries > 1)
    reason += (reason.empty() ? "" : "; ") + std::string("different on ") +
              std::to_string(entries) + " groups of ranks";
  return reason.empty() ? "lists that change" : reason;
}

class Search {
 public:
  explicit Search(const Trace& trace) : trace_(trace) {}

  void visit(const std::vector<Node>& body) {
    for (const auto& node : body) {
      if (const auto* loop = std::get_if<Loop>(&node.content)) {
        note(loop->iterations, "a loop", "iterations");
        note(loop->exits, "a loop", "exits");
        visit(loop->body);
        continue;
      }
      const auto& leaf = std::get<Leaf>(node.content);
      const auto specs =
          fields(procedure_named(trace_.procedures[trace_.sites[leaf.site].procedure]));
      for (std::size_t f = 0; f < specs.size(); ++f)
        note(leaf.fields[f], site_text(trace_, leaf.site), std::string(name_of(specs[f].field)));
    }
  }

  std::vector<Contributor> found;

 private:
  void note(const FieldValues& values, const std::string& where, const std::string& field) {
    Content content;
    for (const auto& entry : values) {
      content.add(entry.values);
      if (!entry.lengths.empty()) content.add(entry.lengths);
    }
    if (content.terms < kManyTerms) return;
    found.push_back(
        {where, field, content.terms, content.bytes, reason_of(content, values.size())});
  }

  const Trace& trace_;
};

}  // namespace

std::vector<Contributor> contributors(const Trace& trace, std::size_t most) {
  Search search(trace);
  for (const auto& program : trace.threads) search.visit(program);
  std::stable_sort(search.found.begin(), search.found.end(),
                   [](const Contributor& a, const Contributor& b) { return a.bytes > b.bytes; });
  if (search.found.size() > most) search.found.resize(most);
  return search.found;
}

}  // namespace reprise::trace_io
