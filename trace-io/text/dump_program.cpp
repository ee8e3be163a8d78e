// SPDX-License-Identifier: MIT
#include <unordered_map>

#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/model/tag_steps.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/text/completions_text.hpp"
#include "trace-io/text/implied.hpp"
#include "trace-io/text/iterations_text.hpp"
#include "trace-io/text/order_text.hpp"
#include "trace-io/text/program_text.hpp"
#include "trace-io/text/scanner.hpp"
#include "trace-io/text/sequence_text.hpp"

namespace reprise::trace_io {
namespace {

std::string tag_step_text(std::int64_t number) {
  const std::int64_t step = tag_step(number);
  return std::string("last") + (step < 0 ? "" : "+") + std::to_string(step);
}

class ProgramDump {
 public:
  enum class What { everything, structure, structure_without_sites };
  ProgramDump(const Trace& trace, What what, std::string& out)
      : trace_(trace), what_(what), communicators_(trace), out_(out) {}

  void dump(const std::vector<Node>& program) {
    // The walk comes by every node once, before its body: what depends on the number of executions is written then.
    walk_executions(
        program, trace_.header.recorded,
        [&](const NodeExecutions& executed) { lines_[&executed.node] = text_of(executed); },
        [](const Node&, const std::string& problem) { REPRISE_ASSERT(false, problem.c_str()); });
    write_body(program, trace_.header.recorded, 1);
  }

 private:
  void write_body(const std::vector<Node>& body, const RankList& context, std::size_t depth) {
    const std::string indent(2 * depth, ' ');
    for (const auto& node : body) {
      out_ += indent;
      if (node.ranks != context) out_ += "ranks " + node.ranks.text() + ": ";
      for (const char c : lines_.at(&node)) {
        out_ += c;
        if (c == '\n') out_ += indent;
      }
      if (const auto* loop = std::get_if<Loop>(&node.content)) {
        out_ += "\n";
        if (what_ == What::everything)
          for (const RankIterations& one : loop->clusters)
            out_ += indent + "  " + iterations_text(one) + "\n";
        write_body(loop->body, node.ranks, depth + 1);
        out_ += indent + "}";
      }
      out_ += "\n";
    }
  }

  std::string text_of(const NodeExecutions& executed) {
    if (const auto* loop = std::get_if<Loop>(&executed.node.content))
      return loop_text(*loop, executed);
    return leaf_text(std::get<Leaf>(executed.node.content), executed);
  }

  std::string loop_text(const Loop& loop, const NodeExecutions& executed) {
    constexpr FieldSpec kCounter{Field::bytes, false, PeerFrame::not_a_peer};
    std::string text = "loop ";
    text += field_text(loop.iterations, kCounter, executed, nullptr, {});
    const std::string exits = field_text(loop.exits, kCounter, executed, nullptr, {});
    if (exits != "0") text += " exit " + exits;
    return text + " {";
  }

  std::string leaf_text(const Leaf& leaf, const NodeExecutions& executed) {
    const std::string& name = trace_.procedures[trace_.sites[leaf.site].procedure];
    const Procedure procedure = procedure_named(name);
    std::string text;
    if (what_ == What::structure)
      text = site_text(trace_, leaf.site);
    else if (what_ == What::structure_without_sites)
      text = name;
    else
      text.append("@")
          .append(std::to_string(leaf.site))
          .append(" ")
          .append(procedure.kind == Kind::unmodelled ? quote(name) : name);
    const auto specs = fields(procedure);
    for (std::size_t f = 0; f < specs.size(); ++f) {
      const auto value = default_value(leaf, specs, procedure.kind, f, executed);
      if (value && same_terms(*value, leaf.fields[f])) continue;
      text.append(" ").append(name_of(specs[f].field)).append("=");
      text += field_text(leaf.fields[f], specs[f], executed, &leaf, specs);
    }
    if (what_ != What::everything) return text;
    if (leaf.polls != 0) text.append(" polls=").append(std::to_string(leaf.polls));
    if (!leaf.further.empty()) text += " further_calls=" + further_calls_text(leaf.further);
    for (const auto& path : leaf.compute) {
      text += "\n  | compute ";
      if (path.predecessor != kNoSite)
        text.append("after @").append(std::to_string(path.predecessor)).append(" ");
      text += classes_text(path.classes, executed);
    }
    if (!leaf.communicate.empty())
      text += "\n  | communicate " + classes_text(leaf.communicate, executed);
    return text;
  }

  // ------------------------------------------------------------------ fields
  std::string field_text(const FieldValues& values, const FieldSpec& spec,
                         const NodeExecutions& executed, const Leaf* leaf,
                         std::span<const FieldSpec> specs) {
    const auto needed = values_needed(values, executed);
    if (values.size() == 1 && values.front().ranks == executed.node.ranks)
      return entry_text(values.front(), spec, needed.front(), leaf, specs);
    std::string text = "{";
    for (std::size_t e = 0; e < values.size(); ++e) {
      if (e > 0) text += "; ";
      text += values[e].ranks.text() + ": " + entry_text(values[e], spec, needed[e], leaf, specs);
    }
    return text + "}";
  }

  std::string entry_text(const FieldEntry& entry, const FieldSpec& spec, std::uint64_t needed,
                         const Leaf* leaf, std::span<const FieldSpec> specs) {
    const std::string also =
        entry.other_forms == 0 ? "" : "also=" + std::to_string(entry.other_forms) + " ";
    return also + values_text(entry, spec, needed, leaf, specs);
  }

  std::string values_text(const FieldEntry& entry, const FieldSpec& spec, std::uint64_t needed,
                          const Leaf* leaf, std::span<const FieldSpec> specs) {
    const bool is_peer = spec.frame != PeerFrame::not_a_peer;
    const bool is_tag = spec.field == Field::tag || spec.field == Field::receive_tag;
    const bool is_negative_none = spec.field == Field::matched_tag ||
                                  spec.field == Field::matched_tags ||
                                  spec.field == Field::new_comm;
    const WriteValue write_plain = [&](std::int64_t value) -> std::string {
      if (value == kAnyTag && is_tag) return "any";
      if (spec.field == Field::tag && is_tag_step(value)) return tag_step_text(value);
      if (value == kNone && is_negative_none) return "none";
      return plain_number(value);
    };
    if (!is_peer) {
      const std::string text = sequence_text(entry, spec.is_vector, needed, write_plain);
      return text.empty() ? sequence_text(entry, spec.is_vector, needed, plain_number)
                          : text;  // a run that starts at a word
    }
    const std::string words = peer_text(entry, spec, needed, leaf, specs);
    if (!words.empty()) return words;
    const char* form = entry.form == PeerForm::absolute   ? "absolute:"
                       : entry.form == PeerForm::relative ? "relative:"
                                                          : "xor:";
    return form + sequence_text(entry, spec.is_vector, needed, plain_number);
  }

  // Empty where words do not lead back to the same form and codes.
  std::string peer_text(const FieldEntry& entry, const FieldSpec& spec, std::uint64_t needed,
                        const Leaf* leaf, std::span<const FieldSpec> specs) {
    const bool is_absolute = entry.form == PeerForm::absolute;
    const auto view = is_absolute ? std::nullopt : view_of(entry, spec, *leaf, specs);
    bool has_form = is_absolute;
    bool leads_back = true;
    const WriteValue write = [&](std::int64_t code) -> std::string {
      const std::string word = peer_word(entry.form, code, view);
      if (code >= kFirstPeer && !is_absolute) {
        has_form = true;
        const std::int64_t distance =
            word.empty() ? 0 : std::stoll(word.substr(word[0] == '^' ? 1 : 0));
        leads_back = leads_back && !word.empty() && peer_code(entry.form, distance, *view) == code;
      }
      if (code >= kFirstPeer && is_absolute && code - kFirstPeer > INT32_MAX) return "";
      return word;
    };
    const std::string text = sequence_text(entry, spec.is_vector, needed, write);
    return has_form && leads_back ? text : "";
  }

  // As the assembler will see it: by the first communicator of the entry's lowest rank.
  std::optional<Position> view_of(const FieldEntry& entry, const FieldSpec& spec, const Leaf& leaf,
                                  std::span<const FieldSpec> specs) const {
    if (spec.frame == PeerFrame::world)
      return communicators_.frame_of(entry.ranks.front(), kWorldIndex);
    const Field wanted = spec.frame == PeerFrame::new_comm ? Field::new_comm : Field::comm;
    for (std::size_t f = 0; f < specs.size(); ++f) {
      if (specs[f].field != wanted) continue;
      for (const auto& communicators : leaf.fields[f])
        if (communicators.ranks.contains(entry.ranks.front()) && !communicators.values.empty())
          return communicators_.frame_of(entry.ranks.front(), communicators.values.front());
    }
    return std::nullopt;
  }

  // Empty where the values cannot be written.
  static std::string sequence_text(const FieldEntry& entry, bool is_vector, std::uint64_t needed,
                                   const WriteValue& write) {
    const Terms terms = entry.values.terms();
    if (!is_vector) {
      if (needed > 0 && terms.size() == 1 && !terms.front().is_loop && terms.front().stride == 0 &&
          terms.front().count == needed)
        return write(terms.front().start);
      return write_terms(terms, write);
    }
    const Terms lengths = entry.lengths.terms();
    const auto list = one_call(terms, lengths, needed);
    if (list) return write_bracketed(*list, write);
    const std::string values = write_terms(terms, write);
    return values.empty() ? "" : "<" + values + " | " + write_terms(lengths) + ">";
  }

  // The list that every call has, if repeating it gives exactly these terms.
  static std::optional<Terms> one_call(const Terms& terms, const Terms& lengths,
                                       std::uint64_t calls) {
    const bool is_constant = lengths.size() == 1 && !lengths.front().is_loop &&
                             lengths.front().stride == 0 && lengths.front().count == calls;
    if (!is_constant) return std::nullopt;
    Terms list = terms;
    if (calls > 1 && !terms.empty()) {
      if (terms.size() == 1 && !terms.front().is_loop) {
        list.front().count = static_cast<std::uint64_t>(lengths.front().start);
      } else if (terms.front().is_loop && terms.front().body_terms + 1 == terms.size()) {
        list.erase(list.begin());
      } else {
        return std::nullopt;
      }
    }
    if (!ValueSequence::well_formed(list)) return std::nullopt;
    const auto again = repeated(list, calls);
    if (!again || again->terms() != terms) return std::nullopt;
    const auto length = static_cast<std::int64_t>(ValueSequence::from_terms(list).size());
    return length == lengths.front().start ? std::optional(list) : std::nullopt;
  }

  // ------------------------------------------------------------------ delta times
  std::string classes_text(const std::vector<DeltaClass>& classes, const NodeExecutions& executed) {
    if (classes.size() == 1 && classes.front().ranks == executed.node.ranks)
      return durations_text(classes.front(), executed);
    std::string text = "{";
    for (const auto& delta : classes) {
      if (&delta != &classes.front()) text += "; ";
      text += delta.ranks.text() + ": " + durations_text(delta, executed);
    }
    return text + "}";
  }

  std::string durations_text(const DeltaClass& delta, const NodeExecutions& executed) const {
    const Distribution& durations = delta.durations;
    if (delta.pool != DeltaClass::kOwnTimes)
      return "(pool=" + std::to_string(delta.pool) + " count=" + std::to_string(durations.count()) +
             ranks_apart_text(delta) + ")";
    if (durations.count() == 0) return "(limit=" + std::to_string(durations.bin_limit()) + ")";
    const Nanoseconds each = durations.min().value;
    if (!delta.is_scaled() && delta.logs.empty() && delta.order == nullptr &&
        each == durations.max().value &&
        durations.count() == total_executions(executed, delta.ranks) &&
        equal_durations(each, durations.count(), delta.ranks.front(), trace_.header.bins) ==
            durations)
      return to_text(each);
    return "(" + parts_text(durations) + ranks_apart_text(delta) + order_text(delta) + ")";
  }

  static std::string ranks_apart_text(const DeltaClass& delta) {
    std::string text;
    if (!delta.totals.empty()) {
      text += " totals=[";
      for (const RankTotal& total : delta.totals)
        text += (&total == delta.totals.data() ? "" : ", ") + std::to_string(total.count) + "/" +
                std::to_string(total.sum);
      text += "]";
    }
    if (delta.scale_factors != nullptr)
      text += " scale=" + delta.scale_factors->ranks.text() + ": " +
              write_terms(delta.scale_factors->values.terms()) +
              " scaled=" + std::to_string(delta.scaled_count);
    return text;
  }

  const Trace& trace_;
  What what_;
  CommunicatorTable communicators_;
  std::string& out_;
  std::unordered_map<const Node*, std::string> lines_;  // looked up only
};

}  // namespace

std::string parts_text(const Distribution& durations) {
  const auto extreme = [](const Extreme& value) {
    return std::to_string(value.value.value) + "@" + std::to_string(value.rank.value);
  };
  std::string text = "limit=" + std::to_string(durations.bin_limit()) +
                     " count=" + std::to_string(durations.count()) +
                     " sum=" + std::to_string(durations.sum().value) +
                     " squares=" + std::to_string(durations.squares().high) + ":" +
                     std::to_string(durations.squares().low) + " min=" + extreme(durations.min()) +
                     " max=" + extreme(durations.max());
  if (durations.bins().empty()) return text;
  text += " bins=[";
  for (const auto& bin : durations.bins())
    text += (&bin == durations.bins().data() ? "" : ", ") + std::to_string(bin.count) + "/" +
            std::to_string(bin.sum);
  return text + "]";
}

void dump_program(const Trace& trace, const std::vector<Node>& program, std::string& out) {
  ProgramDump(trace, ProgramDump::What::everything, out).dump(program);
}

void dump_structure(const Trace& trace, const std::vector<Node>& program, bool with_sites,
                    std::string& out) {
  using What = ProgramDump::What;
  ProgramDump(trace, with_sites ? What::structure : What::structure_without_sites, out)
      .dump(program);
}

}  // namespace reprise::trace_io
