// SPDX-License-Identifier: MIT
#include "sim/experiment/work_by_arrival.hpp"

#include <algorithm>
#include <vector>

#include "sim/site_text.hpp"

namespace reprise::sim {
namespace {

using trace_io::Kind;
using trace_io::Procedure;

bool completes_what_is_first(const std::string& name, Kind kind) {
  return kind == Kind::wait_any || kind == Kind::wait_some || name == "MPI_Test" ||
         name == "MPI_Iprobe" || name == "MPI_Improbe";
}

bool sends(Kind kind) {
  return kind == Kind::send || kind == Kind::start_send || kind == Kind::sendrecv;
}

class WorkSearch {
 public:
  explicit WorkSearch(const trace_io::Trace& trace) : trace_(trace) {
    for (const std::string& name : trace.procedures)
      procedures_.push_back(trace_io::procedure_named(name));
  }

  // ARRIVED: completions earlier in an iteration of a loop around. IN_LOOP: there is one.
  void walk(const std::vector<trace_io::Node>& nodes, std::vector<const trace_io::Node*> arrived,
            bool in_loop) {
    for (const trace_io::Node& node : nodes) {
      if (const auto* loop = std::get_if<trace_io::Loop>(&node.content)) {
        walk(loop->body, arrived, true);
        continue;
      }
      if (!in_loop) continue;
      const auto& leaf = std::get<trace_io::Leaf>(node.content);
      const std::uint32_t procedure = trace_.sites[leaf.site].procedure;
      const Kind kind = procedures_[procedure].kind;
      if (!found.counter && (kind == Kind::fetch || kind == Kind::start_fetch))
        found.counter = leaf.site;
      if (completes_what_is_first(trace_.procedures[procedure], kind)) arrived.push_back(&node);
      if (found.answer || !sends(kind)) continue;
      for (const trace_io::Node* completion : arrived)
        if (goes_to_many(leaf, completion->ranks)) {
          found.answer = {std::get<trace_io::Leaf>(completion->content).site, leaf.site};
          break;
        }
    }
  }

  WorkByArrival found;

 private:
  // Whether the call has more than one destination on one of RANKS.
  bool goes_to_many(const trace_io::Leaf& leaf, const trace_io::RankList& ranks) const {
    const auto specs = fields_of(trace_, leaf.site);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (specs[i].field != trace_io::Field::peer || specs[i].is_vector) continue;
      return std::ranges::any_of(leaf.fields[i], [&](const trace_io::FieldEntry& entry) {
        return !entry.values.empty() && !entry.values.is_constant() &&
               entry.ranks.intersects(ranks);
      });
    }
    return false;
  }

  const trace_io::Trace& trace_;
  std::vector<Procedure> procedures_;
};

}  // namespace

WorkByArrival work_by_arrival(const trace_io::Trace& trace) {
  WorkSearch search(trace);
  for (const auto& program : trace.threads) search.walk(program, {}, false);
  return search.found;
}

std::string describe(const WorkByArrival& found, const trace_io::Trace& trace,
                     bool answers_are_told) {
  constexpr char kSame[] =
      "each rank computes what it computed when recorded, even if it would "
      "have got other work";
  std::string text;
  if (found.answer && !answers_are_told)
    text = call_text(trace, found.answer->completion) + " takes what is complete first, and " +
           call_text(trace, found.answer->send) + " goes to one rank or another after it";
  if (found.counter)
    text += (text.empty() ? "what " : "; what ") + call_text(trace, *found.counter) +
            " fetched, such as the number of the next task, is as recorded";
  if (text.empty()) return {};
  return "if work is distributed while the program runs, it stays where it was: " + text + "; " +
         kSame;
}

}  // namespace reprise::sim
