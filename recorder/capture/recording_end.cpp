// SPDX-License-Identifier: MIT
// Where threads are when a recording ends without MPI_Finalize: ThreadRecorder::end(), Recording::note_end().
#include "trace-io/model/recording_end.hpp"

#include "recorder/capture/recording.hpp"

namespace reprise::recorder {

using trace_io::LastPlace;

namespace {

// Calls that may find nothing.
bool is_poll_named(std::string_view name) {
  return (name.starts_with("MPI_Test") && name != "MPI_Test_cancelled") || name == "MPI_Iprobe" ||
         name == "MPI_Improbe";
}

}  // namespace

trace_io::RecordingEnd ThreadRecorder::end(const RecordingClock& clock,
                                           std::span<const std::string_view> names,
                                           std::uint64_t now) {
  trace_io::RecordingEnd end;
  end.time = clock.wall_between(clock.wall_at_latest(time), now);
  bool is_polling = pending_.polls > 0;
  if (inside != nullptr) {
    end.place = LastPlace::inside;
    const bool is_known = entered.key < names.size() && entered.frame != nullptr;
    if (is_known) end.site = sites_.site_of(entered.key, names[entered.key], entered.frame);
    is_polling = is_polling && is_known && is_poll_named(names[entered.key]);
  } else if (!is_polling) {
    end.site = last_site_;
  }
  if (!is_polling) return end;
  end.place = LastPlace::polling;
  end.time = clock.is_cheap() ? clock.wall_between(polling_since_, now) : Nanoseconds{};
  // Between polls the frame is gone, but for the place that it was called from.
  const auto key = static_cast<std::uint32_t>((polled_ >> kKeyAt) - 1);
  if (inside != nullptr || polled_ == 0 || key >= names.size()) return end;
  Unwound caller;
  caller.addresses[caller.frames++] =
      static_cast<std::uintptr_t>(polled_ & ((AwaitedPolls::Place{1} << kKeyAt) - 1));
  end.site = sites_.site_of_path(names[key], caller);
  return end;
}

void Recording::note_end(int signal, std::uint64_t now) noexcept try {
  ends_.clear();
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
    trace_io::RecordingEnd end = threads_[thread]->end(clock, process.call_names, now);
    end.rank = Rank{process.rank};
    end.thread = thread;
    end.signal = signal;
    ends_.push_back(end);
  }
} catch (...) {  // out of memory: the part goes without
  ends_.clear();
}

}  // namespace reprise::recorder
