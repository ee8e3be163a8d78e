// SPDX-License-Identifier: MIT
#include "trace-io/check/summary.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

#include "trace-io/check/completions.hpp"
#include "trace-io/check/executions.hpp"
#include "trace-io/check/persistent_sends.hpp"
#include "trace-io/check/sequence_sums.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

// What the values of a field count as, null where they count as nothing.
using CountMember = std::uint64_t ProcedureSummary::*;
CountMember counts_as(const Procedure& procedure, const FieldSpec& spec) {
  if (spec.field == Field::send_bytes || spec.field == Field::send_bytes_list)
    return &ProcedureSummary::bytes_sent;
  if (spec.field != Field::bytes) return nullptr;
  switch (procedure.kind) {
    case Kind::send:
    case Kind::start_send:
    case Kind::sendrecv:
    case Kind::put:
    case Kind::start_put:
    case Kind::accumulate:
    case Kind::start_accumulate:
    case Kind::fetch:
    case Kind::start_fetch:
      return &ProcedureSummary::bytes_sent;
    case Kind::get:
    case Kind::start_get:
      return &ProcedureSummary::bytes_fetched;
    case Kind::file_read:
    case Kind::start_file_read:
    case Kind::file_read_all:
    case Kind::start_file_read_all:
    case Kind::file_read_begin:
      return &ProcedureSummary::bytes_read;
    case Kind::file_write:
    case Kind::start_file_write:
    case Kind::file_write_all:
    case Kind::start_file_write_all:
    case Kind::file_write_begin:
      return &ProcedureSummary::bytes_written;
    default:
      return nullptr;
  }
}

// All values that the ranks of a node read of one field, added up.
std::uint64_t total(const FieldValues& values, bool is_vector, const NodeExecutions& executed) {
  std::string problem;
  const auto owners = entry_owners(values, executed.node.ranks, executed.ranks, problem);
  // Ranks that execute the node equally often read equal prefixes: (entry, executions) → ranks.
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> readers;
  for (std::size_t i = 0; i < owners.size(); ++i) ++readers[{owners[i], executed.executions[i]}];
  WideSigned sum = 0;
  for (const auto& [key, ranks] : readers) {
    const FieldEntry& entry = values[key.first];
    std::uint64_t used = key.second;
    if (is_vector) used = static_cast<std::uint64_t>(SequenceSums(entry.lengths).sum(used));
    const WideSigned once = SequenceSums(entry.values).sum(used);
    if (once > static_cast<WideSigned>(kMost / ranks)) return kMost;
    if (once > 0) sum += once * static_cast<WideSigned>(ranks);
    if (sum > static_cast<WideSigned>(kMost)) return kMost;
  }
  return static_cast<std::uint64_t>(sum);
}

// Whether a term of one of these sequences takes this value.
bool takes(const FieldValues& values, std::int64_t value) {
  const auto in_term = [value](const auto& term) {
    if (term.is_loop) return false;
    if (term.stride == 0) return term.start == value;
    const std::int64_t at = (value - term.start) / term.stride;
    return at >= 0 && at < static_cast<std::int64_t>(term.count) &&
           term.start + at * term.stride == value;
  };
  return std::ranges::any_of(values, [&](const FieldEntry& entry) {
    const auto terms = entry.values.terms();
    return std::any_of(terms.begin(), terms.end(), in_term);
  });
}

std::uint64_t saturated(std::uint64_t a, std::uint64_t b) { return a > kMost - b ? kMost : a + b; }

// What is known of all sequences of one field.
struct Content {
  std::uint64_t terms = 0, bytes = 0;
  std::uint64_t values = 0, distinct = 0;  // of the sequence with the most terms
  std::size_t most_terms = 0;

  void add(const ValueSequence& sequence) {
    const auto all = sequence.terms();
    std::unordered_set<std::int64_t> seen;  // counted only
    for (const auto& term : all) {
      bytes += 1 + varint_bytes(zigzag(static_cast<std::int64_t>(term.count))) +
               varint_bytes(zigzag(term.start));
      if (term.stride != 0) bytes += varint_bytes(zigzag(term.stride));
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
      const auto specs = fields_of(trace_, leaf.site);
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

// What starts of persistent requests send.
void add_started(const PersistentSends& sends, const Leaf& leaf, const Procedure& known,
                 const NodeExecutions& executed, ProcedureSummary& procedure) {
  const auto bytes = sends.bytes_of(leaf, known, executed);
  procedure.has_unknown_bytes |= !bytes;
  procedure.bytes_sent = procedure.has_unknown_bytes ? 0 : saturated(procedure.bytes_sent, *bytes);
  procedure.has_null_sends |= sends.has_null_sends();
}

}  // namespace

Summary summarise(const Trace& trace) {
  Summary summary;
  summary.program = trace.header.program;
  summary.ranks = trace.header.ranks;
  summary.losses = trace.losses;
  std::vector<ProcedureSummary> all(trace.procedures.size());
  for (std::size_t p = 0; p < all.size(); ++p) all[p].name = trace.procedures[p];
  const PersistentSends persistent(trace);
  const VisitNode count = [&](const NodeExecutions& executed) {
    const auto* leaf = std::get_if<Leaf>(&executed.node.content);
    if (leaf == nullptr) return;
    ++summary.compressed_operations;
    ProcedureSummary& procedure = all[trace.sites[leaf->site].procedure];
    for (std::size_t i = 0; i < executed.executions.size(); ++i) {
      procedure.calls = saturated(procedure.calls, calls_of(*leaf, executed, i));
      summary.operations = saturated(summary.operations, executed.executions[i]);
    }
    const Procedure known = procedure_named(procedure.name);
    if (known.kind == Kind::start || known.kind == Kind::start_all)
      add_started(persistent, *leaf, known, executed, procedure);
    const auto specs = fields(known);
    const bool is_message =
        std::ranges::any_of(specs, [](const auto& spec) { return spec.field == Field::bytes; });
    for (std::size_t f = 0; f < specs.size(); ++f) {
      if (const CountMember what = counts_as(known, specs[f]))
        procedure.*what =
            saturated(procedure.*what, total(leaf->fields[f], specs[f].is_vector, executed));
      procedure.has_null_sends |=
          is_message && specs[f].field == Field::peer && takes(leaf->fields[f], kProcNull);
    }
  };
  for (const auto& program : trace.threads)
    walk_executions(program, trace.header.recorded, count, [](const Node&, const std::string&) {});
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (auto& procedure : all)
    if (procedure.calls > 0) summary.procedures.push_back(std::move(procedure));
  return summary;
}

std::vector<Contributor> contributors(const Trace& trace, std::size_t most) {
  Search search(trace);
  for (const auto& program : trace.threads) search.visit(program);
  std::stable_sort(search.found.begin(), search.found.end(),
                   [](const Contributor& a, const Contributor& b) { return a.bytes > b.bytes; });
  if (search.found.size() > most) search.found.resize(most);
  return search.found;
}

}  // namespace reprise::trace_io
