// SPDX-License-Identifier: MIT
// Traces in their text form, mutated as programs, played by the live replay on a stub of MPI (stub_mpi/mpi.h): what a call hands to MPI is
// valid, or the call is refused by name; memory and time are bounded by the trace.
#include <memory>
#include <vector>

#include "recorder/live/player.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/heap_watch.hpp"
#include "tests/fuzz/stub_mpi/mpi.h"
#include "tests/fuzz/trace_text_input.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;

namespace {

constexpr std::uint64_t kMostCalls = 2000;
constexpr std::int32_t kMostRanks = 4;  // the others do the same
constexpr std::int64_t kMostBytes = 128 << 10;

// Threads one after the other: nothing that they wait for fails to come.
void play(const trace_io::Trace& trace, Rank rank, const live::Settings& settings) {
  fuzz::begin_stub(rank.value, trace.header.ranks);
  const trace_io::CommunicatorTable table(trace);
  const trace_io::Programs programs(trace);
  live::Rankwide shared(live::Communicators(table, rank));
  for (std::size_t thread = 0; thread < programs.thread_count(); ++thread)
    shared.requests.emplace_back();
  for (std::size_t thread = 0; thread < programs.thread_count(); ++thread) {
    if (!programs.has(rank, thread)) continue;
    live::Player player(programs, rank, thread, shared, settings);
    player.play();
    if (thread == 0) player.finalize();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_at(data, size);
  fuzz::allow_heap(fuzz::heap_for(text) + kMostCalls * kMostBytes);  // messages in flight
  const std::uint64_t variant = fuzz::variant_of(text);
  const live::Settings settings{.deltas = static_cast<live::Deltas>(variant % 4),
                                .seed = variant % 3,
                                .compute_scale = 1,
                                .most_bytes = kMostBytes};
  try {
    const auto trace = trace_io::assemble(text, "fuzz");
    if (trace_io::summarise(trace).operations > kMostCalls) return 0;
    for (std::int32_t rank = 0; rank < std::min(kMostRanks, trace.header.ranks); ++rank) {
      try {
        play(trace, Rank{rank}, settings);
      } catch (const InputError&) {
      } catch (const fuzz::StubError&) {  // the library's own message, and the end
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}
