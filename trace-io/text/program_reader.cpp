// SPDX-License-Identifier: MIT
#include <algorithm>

#include "trace-io/base/suggestion.hpp"
#include "trace-io/text/completions_text.hpp"
#include "trace-io/text/iterations_text.hpp"
#include "trace-io/text/program_text.hpp"

namespace reprise::trace_io {
namespace {

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const auto nearest = nearest_word(word, candidates);
  return nearest ? "did you mean \"" + *nearest + "\"?" : "";
}

class ProgramReader {
 public:
  ProgramReader(Scanner& scanner, const Trace& tables)
      : in_(scanner), tables_(tables), ranks_(tables.header.ranks) {}

  std::vector<ParsedNode> read_body(int depth) {
    std::vector<ParsedNode> body;
    for (;;) {
      if (in_.at_end()) in_.refuse("expected \"}\" before the end of the text");
      if (in_.accept("}")) return body;
      body.push_back(read_statement(depth));
      if (!in_.next_is('}')) in_.end_line();
    }
  }

 private:
  ParsedNode read_statement(int depth) {
    ParsedNode node;
    node.position = in_.position();
    if (in_.accept("all")) {
      in_.expect(":", "after \"all\"");
    } else if (in_.accept("ranks") || in_.accept("rank")) {
      node.ranks = read_ranks(in_, ranks_);
      in_.expect(":", "after the ranks");
    }
    if (in_.accept("loop"))
      read_loop(node, depth);
    else
      read_call(node);
    return node;
  }

  void read_loop(ParsedNode& node, int depth) {
    if (depth >= kMaxNesting)
      in_.refuse(node.position, "loops nest more than " + std::to_string(kMaxNesting) + " deep");
    node.is_loop = true;
    node.iterations = read_counter(in_, ranks_);
    if (in_.accept("exit")) node.exits = read_counter(in_, ranks_);
    in_.expect("{", "in front of the loop's body");
    while (!in_.at_end() && in_.accept("iterations")) {
      node.clusters.push_back(read_iterations(in_, tables_));
      in_.end_line();
    }
    node.body = read_body(depth + 1);
    if (node.body.empty()) in_.refuse(node.position, "the loop's body is empty");
  }

  void read_call(ParsedNode& node) {
    const std::size_t line = in_.line();
    if (in_.accept("@")) node.site = read_site();
    const std::size_t name_start = in_.position();
    const bool is_quoted = in_.next_is('"');
    node.procedure = is_quoted ? in_.quoted("a procedure")
                               : std::string(in_.word("an MPI procedure, \"loop\" or \"}\""));
    const Procedure procedure = procedure_named(node.procedure);
    if (!is_quoted && procedure.kind == Kind::unmodelled)
      refuse_unknown(name_start, node.procedure);
    if (node.site && tables_.procedures[tables_.sites[*node.site].procedure] != node.procedure)
      in_.refuse(name_start, "site " + std::to_string(*node.site) + " is a call of " +
                                 tables_.procedures[tables_.sites[*node.site].procedure]);
    const auto specs = fields(procedure);
    node.fields.resize(specs.size());
    while (!in_.at_line_end() && !in_.next_is('|') && !in_.next_is('}'))
      read_attribute(node, specs);
    for (;;) {
      if (in_.accept("|"))
        read_delta(node);
      else if (!continues())
        break;
    }
    node.line = line;
  }

  // Delta times may stand on lines of their own below the call. Empty lines between are skipped either way.
  bool continues() {
    if (!in_.at_line_end()) return false;
    const Scanner before = in_;
    in_.skip_lines();
    if (in_.next_is('|')) return true;
    in_ = before;
    return false;
  }

  SiteId read_site() {
    const std::size_t at = in_.position();
    const std::uint64_t site = in_.unsigned_number("a site's number");
    if (site >= tables_.sites.size())
      in_.refuse(at, "there is no site " + std::to_string(site) + ", " +
                         std::to_string(tables_.sites.size()) + " are declared");
    return static_cast<SiteId>(site);
  }

  [[noreturn]] void refuse_unknown(std::size_t at, const std::string& name) {
    std::vector<std::string> names;
    for (const auto& known : known_procedures()) names.emplace_back(known.name);
    std::string hint = suggestion(name, names);
    if (hint.empty()) hint = "a procedure that is only counted and timed must be in quotes";
    in_.refuse(at, "no procedure \"" + name + "\"", hint);
  }

  void read_attribute(ParsedNode& node, std::span<const FieldSpec> specs) {
    const std::size_t at = in_.position();
    const std::string name(in_.word("a field"));
    if (name == "at") {
      if (node.site) in_.refuse(at, "a call of a numbered site has its call path");
      node.site_name =
          in_.next_is('"') ? in_.quoted("a name") : std::string(in_.word("the call site's name"));
      if (node.site_name.empty()) in_.refuse(at, "the call site's name is empty");
      return;
    }
    if (name == "polls") {
      in_.expect("=", "after \"polls\"");
      node.polls = in_.unsigned_number("a count of polls");
      return;
    }
    if (name == "further_calls") {
      in_.expect("=", "after \"further_calls\"");
      node.further = read_further_calls(in_, ranks_);
      return;
    }
    const auto spec = std::find_if(specs.begin(), specs.end(),
                                   [&](const FieldSpec& s) { return name_of(s.field) == name; });
    if (spec == specs.end()) refuse_field(at, node.procedure, name, specs);
    auto& field = node.fields[static_cast<std::size_t>(spec - specs.begin())];
    if (field) in_.refuse(at, "field \"" + name + "\" is given twice");
    in_.expect("=", "after the field's name");
    field = read_field(in_, *spec, ranks_);
  }

  [[noreturn]] void refuse_field(std::size_t at, const std::string& procedure,
                                 const std::string& name, std::span<const FieldSpec> specs) {
    std::vector<std::string> names;
    for (const auto& spec : specs) names.emplace_back(name_of(spec.field));
    std::string hint = suggestion(name, names);
    if (hint.empty() && !names.empty()) {
      hint = "it has";
      for (const auto& known : names) hint += (known == names.front() ? " " : ", ") + known;
    }
    in_.refuse(at, procedure + " has no field \"" + name + "\"", hint);
  }

  void read_delta(ParsedNode& node) {
    const std::size_t at = in_.position();
    if (in_.accept("communicate")) {
      if (!node.communicate.empty()) in_.refuse(at, "\"communicate\" is given twice");
      node.communicate = read_delta_classes(in_, ranks_);
      return;
    }
    if (!in_.accept("compute"))
      in_.refuse(at, "expected \"compute\" or \"communicate\" after \"|\"");
    ParsedPath path;
    path.position = at;
    if (in_.accept("after")) {
      in_.expect("@", "in front of the site before");
      path.predecessor = read_site();
    }
    path.classes = read_delta_classes(in_, ranks_);
    node.compute.push_back(std::move(path));
  }

  Scanner& in_;
  const Trace& tables_;
  std::int32_t ranks_;
};

}  // namespace

std::vector<ParsedNode> read_program(Scanner& scanner, const Trace& tables) {
  return ProgramReader(scanner, tables).read_body(0);
}

}  // namespace reprise::trace_io
