// SPDX-License-Identifier: MIT
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>

#include "recorder/calls/call_streams.hpp"
#include "recorder/finish/snapshot.hpp"

namespace reprise::recorder {
namespace {

constexpr std::array kSignals = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL, SIGABRT,
                                 SIGXCPU, SIGTERM, SIGINT, SIGHUP};
constexpr std::array kRequests = {SIGTERM, SIGINT, SIGHUP};  // which programs handle and go on
constexpr long kPatience =
    800;  // milliseconds; launchers kill about a second after they asked politely
constexpr long kTogether = 500;      // milliseconds
constexpr unsigned kChildLife = 10;  // seconds

std::array<struct sigaction, kSignals.size()> before;
std::array<bool, kSignals.size()> watched{};
pid_t process = 0;
volatile sig_atomic_t saving = 0;

bool is_own(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

// `now`: when the signal came, by the recording's clock.
void save_in_child(Recording& recording, int number, std::uint64_t now) {
  const pid_t child = _Fork();
  if (child == 0) {
    // The heap may be in the middle of something: then this process hangs, and the alarm ends it.
    signal(SIGALRM, SIG_DFL);
    signal(SIGSEGV, SIG_DFL);
    // Launchers and `timeout` ask whole groups of processes, and more than once.
    for (const int again : {SIGTERM, SIGINT, SIGHUP}) signal(again, SIG_IGN);
    alarm(kChildLife);
    write_last_part(recording, number, now);
    _exit(0);
  }
  if (child < 0) return;
  constexpr timespec kMillisecond{0, 1'000'000};
  for (long waited = 0; waited < kPatience; ++waited) {
    if (waitpid(child, nullptr, WNOHANG) != 0) return;
    nanosleep(&kMillisecond, nullptr);
  }
}

bool was_asked_by_others(const siginfo_t& info) {
  return (info.si_code == SI_USER || info.si_code == SI_TKILL) && info.si_pid != getpid();
}

// Other ranks are asked at the same time, and Open MPI's mpirun kills those that are left as soon as the first one has died: it waits for a second by
// sleep(), which SIGCHLD ends.
void wait_for_others(const timespec& since) {
  constexpr long kMillion = 1'000'000, kBillion = 1'000'000'000;
  timespec until = since;
  until.tv_nsec += kTogether * kMillion;
  until.tv_sec += until.tv_nsec / kBillion;
  until.tv_nsec %= kBillion;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

// As the kernel would have: its flags and mask are those that ours was installed with.
void hand_to(const struct sigaction& action, int number, siginfo_t* info, void* context) {
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) signal(number, SIG_DFL);
  if ((action.sa_flags & SA_SIGINFO) != 0)
    action.sa_sigaction(number, info, context);
  else
    action.sa_handler(number);
}

void on_fatal_signal(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  timespec came{};
  clock_gettime(CLOCK_MONOTONIC, &came);
  Recording* recording = Recording::current();
  const std::uint64_t now = recording != nullptr ? recording->clock.wall_now() : 0;
  const std::size_t place =
      static_cast<std::size_t>(std::ranges::find(kSignals, number) - kSignals.begin());
  const struct sigaction its = before[place];
  end_call_streams();
  const bool is_recorded = recording != nullptr && Recording::is_on() && getpid() == process;
  if (is_recorded && saving == 0 && recording->is_at_rest()) {
    saving = 1;
    save_in_child(*recording, number, now);
    saving = is_own(its) ? 0 : 1;  // the program may go on, and end otherwise
  }
  sigaction(number, &its, nullptr);
  if (is_own(its)) {
    errno = saved_errno;
    return hand_to(its, number, info, context);
  }
  if (is_recorded && was_asked_by_others(*info)) wait_for_others(came);
  // A fault repeats itself on return and then finds the old disposition; whatever was sent has to be sent again.
  if (info->si_code <= 0) raise(number);
  errno = saved_errno;
}

}  // namespace

void watch_fatal_signals() noexcept {
  process = getpid();
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (sigaction(kSignals[i], nullptr, &before[i]) != 0 || before[i].sa_handler == SIG_IGN)
      continue;
    struct sigaction ours {};
    ours.sa_sigaction = on_fatal_signal;
    sigemptyset(&ours.sa_mask);
    if (is_own(before[i])) {
      if (std::ranges::find(kRequests, kSignals[i]) != kRequests.end()) continue;
      ours.sa_mask = before[i].sa_mask;
      ours.sa_flags = before[i].sa_flags & ~static_cast<int>(SA_RESETHAND);
    }
    ours.sa_flags |= SA_SIGINFO | SA_ONSTACK;
    watched[i] = sigaction(kSignals[i], &ours, nullptr) == 0;
  }
}

void unwatch_fatal_signals() noexcept {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now {};
    if (!watched[i] || sigaction(kSignals[i], nullptr, &now) != 0) continue;
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_fatal_signal)
      sigaction(kSignals[i], &before[i], nullptr);
    watched[i] = false;
  }
}

}  // namespace reprise::recorder
