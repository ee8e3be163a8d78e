// SPDX-License-Identifier: MIT
#include "trace-io/text/recording_ends_text.hpp"

#include <array>
#include <string_view>

namespace reprise::trace_io {
namespace {

constexpr std::array<std::string_view, kLastPlaces> kPlaceWords = {"inside", "polling", "outside"};

std::uint64_t number_below(Scanner& in, std::uint64_t limit, const char* what) {
  const std::size_t at = in.position();
  const std::uint64_t number = in.unsigned_number(what);
  if (number >= limit) in.refuse(at, "there is no " + (what + (" " + std::to_string(number))));
  return number;
}

}  // namespace

std::string recording_ends_text(const std::vector<RecordingEnd>& ends) {
  std::string text;
  for (const RecordingEnd& end : ends) {
    text += "ended rank " + std::to_string(end.rank.value) + " thread " +
            std::to_string(end.thread) + " " +
            std::string(kPlaceWords[static_cast<std::size_t>(end.place)]);
    if (end.site != kNoSite) text += " @" + std::to_string(end.site);
    text +=
        " for " + std::to_string(end.time.value) + "ns signal " + std::to_string(end.signal) + "\n";
  }
  return text;
}

void read_ended(Scanner& in, Trace& trace) {
  RecordingEnd end;
  in.expect("rank", "after \"ended\"");
  end.rank = Rank{static_cast<std::int32_t>(
      number_below(in, static_cast<std::uint64_t>(trace.header.ranks), "rank"))};
  in.expect("thread", "after the rank");
  end.thread = static_cast<std::uint32_t>(number_below(in, UINT32_MAX, "thread"));
  const std::size_t at = in.position();
  const std::string word(in.word("a place"));
  std::size_t place = 0;
  while (place < kLastPlaces && kPlaceWords[place] != word) ++place;
  if (place == kLastPlaces)
    in.refuse(at, "no place \"" + word + "\"", "it is inside, polling or outside");
  end.place = static_cast<LastPlace>(place);
  if (in.accept("@")) end.site = static_cast<SiteId>(number_below(in, trace.sites.size(), "site"));
  in.expect("for", "in front of the time at the place");
  end.time = Nanoseconds{in.nanoseconds("the time at the place")};
  in.expect("signal", "after the time");
  end.signal = static_cast<std::int32_t>(number_below(in, kMostSignals + 1, "signal"));
  trace.ends.push_back(end);
}

}  // namespace reprise::trace_io
