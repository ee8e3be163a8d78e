// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <unordered_map>

#include "trace-io/model/communicators.hpp"
#include "trace-io/text/program_text.hpp"
#include "trace-io/text/sequence_text.hpp"

namespace reprise::trace_io {
namespace {

// Every line, and every name after "at", is a call path of its own: one frame in a module named after the text.
class SiteMaker {
 public:
  SiteMaker(Trace& trace, const std::string& name) : trace_(trace), name_(name) {}

  void visit(std::vector<ParsedNode>& body) {
    for (auto& node : body) {
      if (node.is_loop)
        visit(node.body);
      else if (!node.site)
        node.site = site_for(node);
    }
  }

 private:
  SiteId site_for(const ParsedNode& node) {
    const std::uint32_t procedure = procedure_for(node.procedure);
    const std::uint32_t call_path = call_path_for(node);
    const auto [found, is_new] =
        sites_.emplace(std::pair{procedure, call_path}, static_cast<SiteId>(trace_.sites.size()));
    if (is_new) trace_.sites.push_back({procedure, call_path});
    return found->second;
  }

  std::uint32_t procedure_for(const std::string& name) {
    const auto found = std::find(trace_.procedures.begin(), trace_.procedures.end(), name);
    const auto index = static_cast<std::uint32_t>(found - trace_.procedures.begin());
    if (found == trace_.procedures.end()) trace_.procedures.push_back(name);
    return index;
  }

  std::uint32_t call_path_for(const ParsedNode& node) {
    const std::size_t line = node.site_name.empty() ? node.line : 0;
    const auto [found, is_new] = call_paths_.emplace(
        std::pair{line, node.site_name}, static_cast<std::uint32_t>(trace_.call_paths.size()));
    if (!is_new) return found->second;
    if (call_paths_.size() == 1) trace_.modules.push_back({name_, ""});
    const Frame frame{static_cast<std::uint32_t>(trace_.modules.size() - 1), call_paths_.size()};
    trace_.call_paths.push_back({{frame}});
    if (line > 0)
      trace_.frame_names.push_back({frame, "", name_, static_cast<std::uint32_t>(line)});
    else
      trace_.frame_names.push_back({frame, node.site_name, "", 0});
    return found->second;
  }

  Trace& trace_;
  const std::string& name_;
  std::map<std::pair<std::size_t, std::string>, std::uint32_t> call_paths_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, SiteId> sites_;
};

class ProgramBuilder {
 public:
  ProgramBuilder(const Trace& trace, const Scanner& scanner)
      : trace_(trace), communicators_(trace), in_(scanner) {}

  std::vector<Node> build(const std::vector<ParsedNode>& parsed) {
    std::vector<Node> program = outline(parsed, trace_.header.recorded);
    connect(program, parsed);
    // How often a node is executed is known once the loops around it are complete, and the walk goes from outside in.
    walk_executions(
        program, trace_.header.recorded,
        [&](const NodeExecutions& executed) { complete(executed); },
        [&](const Node& node, const std::string& problem) {
          refuse(made_.at(&node).parsed->position, problem);
        });
    return program;
  }

 private:
  struct Made {
    Node* node;
    const ParsedNode* parsed;
  };

  [[noreturn]] void refuse(std::size_t position, const std::string& problem,
                           const std::string& hint = "") const {
    in_.refuse(position, problem, hint);
  }

  std::vector<Node> outline(const std::vector<ParsedNode>& parsed, const RankList& context) {
    std::vector<Node> body;
    body.reserve(parsed.size());
    for (const auto& from : parsed) {
      Node node;
      node.ranks = from.ranks.value_or(context);
      if (from.is_loop) {
        Loop loop;
        loop.body = outline(from.body, node.ranks);
        loop.clusters = from.clusters;
        node.content = std::move(loop);
      } else {
        Leaf leaf;
        leaf.site = *from.site;
        leaf.polls = from.polls;
        leaf.further = from.further;
        node.content = std::move(leaf);
      }
      body.push_back(std::move(node));
    }
    return body;
  }

  void connect(std::vector<Node>& body, const std::vector<ParsedNode>& parsed) {
    for (std::size_t i = 0; i < body.size(); ++i) {
      made_[&body[i]] = {&body[i], &parsed[i]};
      if (auto* loop = std::get_if<Loop>(&body[i].content)) connect(loop->body, parsed[i].body);
    }
  }

  void complete(const NodeExecutions& executed) {
    const auto [node, parsed] = made_.at(&executed.node);
    if (auto* loop = std::get_if<Loop>(&node->content)) {
      constexpr FieldSpec kCounter{Field::bytes, false, PeerFrame::not_a_peer};
      loop->iterations = field_values(parsed->iterations, kCounter, executed);
      ParsedField never(1);
      never.front().is_one_call = true;
      never.front().values = {{false, 0, 0, 1, 0}};
      loop->exits = field_values(parsed->exits.empty() ? never : parsed->exits, kCounter, executed);
      return;
    }
    Leaf& leaf = std::get<Leaf>(node->content);
    const Procedure procedure = procedure_named(parsed->procedure);
    const auto specs = fields(procedure);
    for (std::size_t f = 0; f < specs.size(); ++f) {
      if (parsed->fields[f]) {
        leaf.fields.push_back(field_values(*parsed->fields[f], specs[f], executed, &leaf, specs));
      } else if (auto value = default_value(leaf, specs, procedure.kind, f, executed)) {
        leaf.fields.push_back(std::move(*value));
      } else {
        refuse(parsed->position,
               parsed->procedure + " needs \"" + std::string(name_of(specs[f].field)) + "\"");
      }
    }
    for (const auto& path : parsed->compute)
      leaf.compute.push_back({path.predecessor, delta_classes(path.classes, executed)});
    std::stable_sort(
        leaf.compute.begin(), leaf.compute.end(),
        [](const PathDeltas& a, const PathDeltas& b) { return a.predecessor < b.predecessor; });
    for (std::size_t w = 1; w < leaf.compute.size(); ++w)
      if (leaf.compute[w].predecessor == leaf.compute[w - 1].predecessor)
        refuse(parsed->compute.front().position, "two compute times for one path into the call");
    leaf.communicate = delta_classes(parsed->communicate, executed);
  }

  FieldValues field_values(const ParsedField& parsed, const FieldSpec& spec,
                           const NodeExecutions& executed, const Leaf* leaf = nullptr,
                           std::span<const FieldSpec> specs = {}) {
    std::vector<const ParsedEntry*> ordered;  // by their lowest ranks, however they are written
    for (const auto& from : parsed) ordered.push_back(&from);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const ParsedEntry* a, const ParsedEntry* b) {
                       return a->ranks && b->ranks && a->ranks->front() < b->ranks->front();
                     });
    FieldValues values;
    for (const auto* from : ordered)
      values.push_back({from->ranks.value_or(executed.node.ranks), PeerForm::absolute, {}, {}});
    std::string problem;
    if (entry_owners(values, executed.node.ranks, executed.ranks, problem).empty())
      refuse(parsed.empty() ? made_.at(&executed.node).parsed->position : parsed.front().position,
             problem);
    const auto needed = values_needed(values, executed);
    for (std::size_t e = 0; e < values.size(); ++e) {
      const ParsedEntry& from = *ordered[e];
      Terms terms = from.values;
      if (from.form) values[e].form = *from.form;
      values[e].other_forms = from.other_forms;
      if (!from.words.empty())
        values[e].form = resolve_peers(from, terms, spec, values[e].ranks, leaf, specs);
      if (!from.is_one_call) {
        values[e].values = ValueSequence::from_terms(terms);
        values[e].lengths = ValueSequence::from_terms(from.lengths);
        continue;
      }
      auto all = repeated(terms, needed[e]);
      if (!all) refuse(from.position, "more values than 62 bits count");
      if (spec.is_vector) {
        const auto length = static_cast<std::int64_t>(ValueSequence::from_terms(terms).size());
        values[e].lengths = *repeated({{false, length, 0, 1, 0}}, needed[e]);
      }
      values[e].values = std::move(*all);
    }
    return values;
  }

  // Turns the terms' word numbers into codes; the form that all of them agree on.
  PeerForm resolve_peers(const ParsedEntry& from, Terms& terms, const FieldSpec& spec,
                         const RankList& ranks, const Leaf* leaf,
                         std::span<const FieldSpec> specs) {
    const PeerWord* first = nullptr;
    std::vector<std::int64_t> codes;
    for (const auto& word : from.words) {
      if (word.is_special) {
        codes.push_back(word.number);
        continue;
      }
      if (first == nullptr) first = &word;
      if (word.form != first->form)
        refuse(word.position,
               "ranks that share a value must see all peers absolute, all relative or all by "
               "exclusive-or",
               "write \"{0-1: …; 2-3: …}\" where they differ");
      if (word.form == PeerForm::absolute) {
        codes.push_back(kFirstPeer + word.number);
        continue;
      }
      const auto view = communicators_.frame_of(
          ranks.front(), communicator_of(spec.frame, ranks.front(), *leaf, specs));
      if (!view)
        refuse(word.position,
               "rank " + std::to_string(ranks.front().value) + " has no such communicator",
               "declare it: communicator 2 ranks 0-1: 0 1");
      const auto code = peer_code(word.form, word.number, *view);
      if (!code)
        refuse(word.position, "no such peer among " + std::to_string(view->size) + " ranks");
      codes.push_back(*code);
    }
    for (auto& term : terms)
      if (!term.is_loop) term.start = codes[static_cast<std::size_t>(term.start)];
    return first == nullptr ? PeerForm::absolute : first->form;
  }

  // The rank's first communicator index of the call: peers as words need it not to change.
  std::int64_t communicator_of(PeerFrame frame, Rank rank, const Leaf& leaf,
                               std::span<const FieldSpec> specs) const {
    if (frame == PeerFrame::world) return 0;
    const Field field = frame == PeerFrame::new_comm ? Field::new_comm : Field::comm;
    for (std::size_t f = 0; f < leaf.fields.size(); ++f) {
      if (specs[f].field != field) continue;
      for (const auto& entry : leaf.fields[f])
        if (entry.ranks.contains(rank) && !entry.values.empty()) return entry.values.front();
    }
    return 0;
  }

  std::vector<DeltaClass> delta_classes(const std::vector<ParsedClass>& parsed,
                                        const NodeExecutions& executed) {
    std::vector<DeltaClass> classes;
    for (const auto& from : parsed) {
      DeltaClass delta = from.durations.parts;
      delta.ranks = from.ranks.value_or(executed.node.ranks);
      if (from.durations.each) {
        const std::uint64_t count = total_executions(executed, delta.ranks);
        std::int64_t sum = 0;
        if (__builtin_mul_overflow(count, from.durations.each->value, &sum))
          refuse(from.position, "the durations add up to more than 63 bits of nanoseconds");
        delta.durations = count > 0 ? equal_durations(*from.durations.each, count,
                                                      delta.ranks.front(), trace_.header.bins)
                                    : Distribution(trace_.header.bins);
      }
      delta.durations.follow(trace_.header.bin_rule);
      classes.push_back(std::move(delta));
    }
    return classes;
  }

  const Trace& trace_;
  CommunicatorTable communicators_;
  const Scanner& in_;
  std::unordered_map<const Node*, Made> made_;  // looked up only
};

}  // namespace

void make_sites(std::vector<std::vector<ParsedNode>>& programs, Trace& trace,
                const std::string& name) {
  SiteMaker maker(trace, name);
  for (auto& program : programs) maker.visit(program);
}

void build_programs(const std::vector<std::vector<ParsedNode>>& programs, Trace& trace,
                    const Scanner& scanner) {
  for (const auto& program : programs)
    trace.threads.push_back(ProgramBuilder(trace, scanner).build(program));
}

}  // namespace reprise::trace_io
