// SPDX-License-Identifier: MIT
// Whether a thread was switched out, moved to another core or interrupted by a signal since it last asked: for a nanosecond, by
// restartable sequences (rseq(2), Linux 4.18).
//
// How     a thread's rseq area points to a descriptor of the critical section that the thread is in. The kernel looks at it when it returns
//         to the program after one of these events, and sets the pointer to 0 where the program counter is not inside. Nothing ever runs
//         inside of ours: while the pointer is ours, nothing has happened.
// Area    glibc 2.35 registers one for each thread. Without it (an older glibc, glibc.pthread.rseq=0, another C library) we register one of
//         ours, unless the thread has one already. A fork keeps both, an exec none.
// Others  a program with critical sections of its own stores its own descriptors, and may leave them or set the pointer to 0. A
//         foreign descriptor is never overwritten: what happened is not known until the kernel takes it away. A 0 says that something
//         may have happened, whoever wrote it: whoever asks has to look closer, and loses a system call where it was nothing. Never is
//         a disturbed interval taken for an undisturbed one, because nobody but us stores our descriptor.
// Cost    is_undisturbed(): 1 ns. attach(): one or two system calls.
// Limits  what a hypervisor takes away is not seen. From Linux 6.19 on waiting inside a system call need not be seen: sees_waiting().
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "recorder/capture/owned_sum.hpp"
#include "trace-io/base/quantity.hpp"
#include "trace-io/model/preemption_record.hpp"

namespace reprise::recorder {

// Intervals of computing in which a thread lost its core against its will. The thread adds to its own; whoever writes a snapshot reads
// them meanwhile.
struct Preemptions {
  std::uint64_t count = 0;
  Nanoseconds excess{};        // wall time less CPU time of these intervals
  std::uint64_t unknown = 0;   // intervals of which it is not known, because rseq was not ours
  std::uint64_t clamped = 0;   // intervals whose CPU time came out negative, taken as 0,
  Nanoseconds clamped_time{};  // and by how much
  Nanoseconds compute{};       // all compute deltas, these intervals included
  // The preemptions by the octave of what each took (trace-io/model/preemption_record.hpp).
  struct Octave {
    std::uint64_t count = 0;
    Nanoseconds time{};
  };
  std::array<Octave, trace_io::kPreemptionOctaves> octaves{};

  void add(Nanoseconds took) {
    add_owned(count, 1);
    add_owned(excess, took);
    Octave& octave = octaves[std::min<std::size_t>(
        static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(took.value))),
        octaves.size() - 1)];
    add_owned(octave.count, 1);
    add_owned(octave.time, took);
  }

  // Of the time between MPI calls.
  double share() const {
    const auto total = static_cast<double>((compute + excess).value);
    return total > 0 ? static_cast<double>(excess.value) / total : 0;
  }
  Preemptions& operator+=(const Preemptions& other) {
    count += read_shared(other.count);
    excess += read_shared(other.excess);
    unknown += read_shared(other.unknown);
    clamped += read_shared(other.clamped);
    clamped_time += read_shared(other.clamped_time);
    compute += read_shared(other.compute);
    for (std::size_t i = 0; i < octaves.size(); ++i) {
      octaves[i].count += read_shared(other.octaves[i].count);
      octaves[i].time += read_shared(other.octaves[i].time);
    }
    return *this;
  }
};

// As the kernel writes it; see linux/rseq.h.
struct alignas(32) RseqArea {
  std::uint32_t cpu_id_start = 0;
  std::int32_t cpu_id = -1;  // negative while it is not registered
  std::uint64_t rseq_cs = 0;
  std::uint32_t flags = 0, node_id = 0, mm_cid = 0, padding = 0;
};

// Of one thread, used by that thread only.
class PreemptionDetector {
 public:
  // To the area of this thread; false where there is none that we may use: then nothing is known.
  bool attach() noexcept;
  void attach(RseqArea& area) noexcept { area_ = &area; }  // for tests

  // Nothing has happened since arm(). True for ever before attach().
  [[gnu::always_inline]] bool is_undisturbed() const noexcept {
    return area_->cpu_id >= 0 && area_->rseq_cs == ours();
  }
  // REQUIRES: !is_undisturbed(). Something may have happened; else it is not known.
  bool is_disturbed() const noexcept { return area_->cpu_id >= 0 && area_->rseq_cs == 0; }
  // REQUIRES: is_disturbed() or is_undisturbed().
  void arm() noexcept { area_->rseq_cs = ours(); }
  void disarm() noexcept {
    if (area_ != &unwatched && is_undisturbed()) area_->rseq_cs = 0;
  }
  // Whether a thread that waits (here: in wait()) is noticed when it goes on on the same core. Takes eight waits on one core, at most 200 in all;
  // of fewer on one core three at least must be noticed, and all.
  bool sees_waiting(void (*wait)()) noexcept;

 private:
  struct Descriptor;
  static const Descriptor kDescriptor;
  static RseqArea unwatched;

  static std::uint64_t ours() noexcept { return reinterpret_cast<std::uintptr_t>(&kDescriptor); }
  volatile RseqArea* area_ = &unwatched;
};

}  // namespace reprise::recorder
