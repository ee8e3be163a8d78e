// SPDX-License-Identifier: MIT
#include "trace-io/text/completions_text.hpp"

namespace reprise::trace_io {

std::string completions_text(const CompletionRecord& record) {
  return "completions phases " + std::to_string(record.phases) + " represented " +
         std::to_string(record.represented) + "\n";
}

CompletionRecord read_completions(Scanner& in) {
  CompletionRecord record;
  in.expect("phases", "after \"completions\"");
  record.phases = in.unsigned_number("a number of phases");
  in.expect("represented", "after the number of phases");
  record.represented = in.unsigned_number("a number of phases");
  return record;
}

std::string further_calls_text(const std::vector<FurtherCalls>& further) {
  std::string text = "[";
  for (const FurtherCalls& one : further) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(one.rank.value) + "/" + std::to_string(one.calls);
  }
  return text + "]";
}

std::vector<FurtherCalls> read_further_calls(Scanner& in, std::int32_t ranks) {
  std::vector<FurtherCalls> further;
  in.expect("[", "in front of further calls");
  while (!in.accept("]")) {
    if (!further.empty()) in.expect(",", "between further calls");
    const std::size_t at = in.position();
    const std::uint64_t rank = in.unsigned_number("a rank");
    if (rank >= static_cast<std::uint64_t>(ranks))
      in.refuse(at, "there is no rank " + std::to_string(rank));
    in.expect("/", "between a rank and its further calls");
    further.push_back({Rank{static_cast<std::int32_t>(rank)}, in.number("a number of calls")});
  }
  return further;
}

}  // namespace reprise::trace_io
