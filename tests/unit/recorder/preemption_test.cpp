// SPDX-License-Identifier: MIT
// The detector on this kernel, and on areas that the tests write to in the kernel's stead.
#include "recorder/capture/preemption.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <ctime>
#include <thread>

using namespace reprise::recorder;

namespace {

// A length of 0 is wrong wherever the call is known.
bool kernel_has_rseq() {
  const bool has = syscall(SYS_rseq, nullptr, 0, 0, 0) != 0 && errno == EINVAL;
  if (!has) WARN("this kernel has no rseq: nothing is tested");
  return has;
}

void wait_shortly() {
  constexpr timespec kTime{0, 1'000};
  nanosleep(&kTime, nullptr);
}

// Undisturbed at least once: a busy machine preempts at any time.
bool stays_undisturbed(PreemptionDetector& detector) {
  for (int i = 0; i < 1000; ++i) {
    detector.arm();
    if (detector.is_undisturbed()) return true;
  }
  return false;
}

// A process's exit says whether `fact`.
template <class Fact>
bool holds_in_child(const Fact& fact) {
  const pid_t child = fork();
  if (child == 0) _exit(fact() ? 0 : 1);
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE(
    "a thread that waits, gets a signal or moves to another core is disturbed, another is not") {
  if (!kernel_has_rseq()) return;
  PreemptionDetector detector;
  REQUIRE(detector.is_undisturbed());  // not attached: nothing ever happens
  REQUIRE(detector.attach());
  REQUIRE(stays_undisturbed(detector));
  wait_shortly();
  REQUIRE(detector.is_disturbed());
  REQUIRE(stays_undisturbed(detector));
  auto* const before = signal(SIGUSR1, [](int) {});
  raise(SIGUSR1);
  signal(SIGUSR1, before);
  REQUIRE(detector.is_disturbed());

  cpu_set_t allowed;
  REQUIRE(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &allowed) || core == sched_getcpu()) continue;
    cpu_set_t other;
    CPU_ZERO(&other);
    CPU_SET(core, &other);
    detector.arm();
    REQUIRE(sched_setaffinity(0, sizeof other, &other) == 0);
    REQUIRE(detector.is_disturbed());
    break;
  }
  sched_setaffinity(0, sizeof allowed, &allowed);
  detector.disarm();
}

TEST_CASE("each thread has an area of its own, and a child that is forked keeps it") {
  if (!kernel_has_rseq()) return;
  const auto works = [] {
    PreemptionDetector detector;
    if (!detector.attach() || !stays_undisturbed(detector)) return false;
    wait_shortly();
    if (!detector.is_disturbed()) return false;
    // As the recorder's does, without attaching anew.
    return holds_in_child([&] {
      if (!stays_undisturbed(detector)) return false;
      wait_shortly();
      return detector.is_disturbed();
    });
  };
  REQUIRE(works());
  bool works_in_thread = false;
  std::thread([&] { works_in_thread = works(); }).join();
  REQUIRE(works_in_thread);
}

TEST_CASE("where the program takes rseq away nothing is known") {
  if (!kernel_has_rseq()) return;
  PreemptionDetector none;
  RseqArea area{.cpu_id = 0};
  none.attach(area);
  REQUIRE(none.is_disturbed());
  none.arm();
  REQUIRE(none.is_undisturbed());
  area.cpu_id = -1;
  REQUIRE_FALSE(none.is_undisturbed());
  REQUIRE_FALSE(none.is_disturbed());
}

TEST_CASE("a descriptor of the program's own is left alone") {
  RseqArea area{.cpu_id = 0, .rseq_cs = 4096};
  PreemptionDetector detector;
  detector.attach(area);
  REQUIRE_FALSE(detector.is_undisturbed());
  REQUIRE_FALSE(detector.is_disturbed());
  detector.disarm();
  REQUIRE_FALSE(detector.sees_waiting(wait_shortly));
  REQUIRE(area.rseq_cs == 4096);
  area.rseq_cs = 0;  // by the kernel or by the program
  REQUIRE(detector.is_disturbed());
  detector.arm();
  REQUIRE(detector.is_undisturbed());
  detector.disarm();
  REQUIRE(area.rseq_cs == 0);
}

TEST_CASE("a kernel that does not tell of waiting on the same core is found out") {
  RseqArea area{.cpu_id = 0};
  PreemptionDetector detector;
  detector.attach(area);
  REQUIRE_FALSE(detector.sees_waiting([] {}));
  static RseqArea* moved;
  moved = &area;
  area.rseq_cs = 0;
  REQUIRE_FALSE(detector.sees_waiting([] {  // only of moves
    ++moved->cpu_id;
    moved->rseq_cs = 0;
  }));
  REQUIRE(detector.sees_waiting([] { moved->rseq_cs = 0; }));
}

TEST_CASE("of a thread that changes its core nearly each time it waits, few waits decide") {
  static RseqArea area;
  static int waits, stays_every;
  area = RseqArea{.cpu_id = 0};
  PreemptionDetector detector;
  detector.attach(area);
  const auto sees = [&](int every, void (*wait)()) {
    waits = 0;
    stays_every = every;
    return detector.sees_waiting(wait);
  };
  const auto noticed = [] {
    area.rseq_cs = 0;
    if (++waits % stays_every != 0) ++area.cpu_id;
  };
  REQUIRE(sees(50, noticed));         // four of 200 on one core
  REQUIRE_FALSE(sees(100, noticed));  // two
  REQUIRE_FALSE(sees(50, [] {         // four, of which nobody tells
    if (++waits % stays_every == 0) return;
    ++area.cpu_id;
    area.rseq_cs = 0;
  }));
}

TEST_CASE("preemptions add up, and their share is that of the time between calls") {
  Preemptions sum{
      .count = 1, .excess = reprise::Nanoseconds{30}, .compute = reprise::Nanoseconds{50}};
  REQUIRE(Preemptions{}.share() == 0);
  sum += {.count = 2,
          .excess = reprise::Nanoseconds{20},
          .unknown = 3,
          .clamped = 4,
          .clamped_time = reprise::Nanoseconds{5},
          .compute = reprise::Nanoseconds{100}};
  REQUIRE(sum.count == 3);
  REQUIRE(sum.share() == 0.25);
  REQUIRE(sum.unknown == 3);
  REQUIRE(sum.clamped == 4);
  REQUIRE(sum.clamped_time == reprise::Nanoseconds{5});
}

TEST_CASE("preemptions are kept by the octave of what they took") {
  Preemptions some, others;
  for (const std::int64_t took : {0, 1, 1024, 2047, 2048}) some.add(reprise::Nanoseconds{took});
  others.add(reprise::Nanoseconds{std::int64_t{1} << 50});
  some += others;
  REQUIRE(some.count == 6);
  REQUIRE(some.octaves[0].count == 1);
  REQUIRE(some.octaves[1].time == reprise::Nanoseconds{1});
  REQUIRE(some.octaves[11].count == 2);
  REQUIRE(some.octaves[11].time == reprise::Nanoseconds{3071});
  REQUIRE(some.octaves[12].count == 1);
  REQUIRE(some.octaves.back().time == reprise::Nanoseconds{std::int64_t{1} << 50});
}
