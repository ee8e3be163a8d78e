// SPDX-License-Identifier: MIT
#include "sim/processes/child_pool.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <new>

#include "sim/process_cost.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {
namespace {

constexpr int kOutOfMemory = 3, kUncaught = 4,
              kUnheard = 5;  // exit statuses of children; 0: the result is whole

void limit(int resource, std::uint64_t value) {
  const rlimit both{value, value};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

// RLIMIT_DATA counts what is allocated, not the libraries that happen to be mapped. A timer of CPU time, since RLIMIT_CPU counts
// whole seconds.
void limit_child(const RunLimits& limits) {
  limit(RLIMIT_CORE, 0);
  if (limits.memory.value > 0) limit(RLIMIT_DATA, limits.memory.value);
  if (limits.cpu_time.value > 0) {
    double whole = 0;
    const double rest = std::modf(limits.cpu_time.value, &whole);
    const itimerval timer{{0, 0},
                          {static_cast<time_t>(whole),
                           std::max<suseconds_t>(1, static_cast<suseconds_t>(rest * 1e6))}};
    setitimer(ITIMER_PROF, &timer, nullptr);
  }
}

bool write_all(int channel, const std::string& text) {
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t length = write(channel, text.data() + written, text.size() - written);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return false;
    written += static_cast<std::size_t>(length);
  }
  return true;
}

// Leaves by _exit: what the parent holds is not torn down, and its buffered output not written twice.
[[noreturn]] void be_child(pid_t parent, int channel, const RunLimits& limits,
                           const std::function<std::string()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kUnheard);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  limit_child(limits);
  try {
    _exit(write_all(channel, work()) ? 0 : kUnheard);
  } catch (const std::bad_alloc&) {
    _exit(kOutOfMemory);
  } catch (...) {
    _exit(kUncaught);
  }
}

std::string reason_of(int status, const RunLimits& limits) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGPROF && limits.cpu_time.value > 0)
      return "took more than " + to_text(limits.cpu_time) + " of CPU time";
    return "killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")" +
           (signal == SIGKILL ? ", perhaps because the machine ran out of memory" : "");
  }
  const int code = WEXITSTATUS(status);
  if (code == 0) return "";
  if (code == kOutOfMemory)
    return "out of memory" +
           (limits.memory.value > 0 ? ", the limit is " + to_text(limits.memory) : std::string());
  return "ended with exit status " + std::to_string(code);
}

bool is_stopped(pid_t process) {
  siginfo_t state{};
  return waitid(P_PID, static_cast<id_t>(process), &state, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         state.si_pid == process;
}

volatile std::sig_atomic_t signals_so_far = 0;

extern "C" void count_signal(int) { signals_so_far = signals_so_far + 1; }

}  // namespace

void ChildPool::start(std::size_t id, const std::function<std::string()>& work) {
  REPRISE_ASSERT(!is_full(), "there is room for another child");
  int channel[2];
  if (pipe2(channel, O_CLOEXEC) != 0)
    throw RunError("a simulation", std::string("no pipe to it: ") + std::strerror(errno));
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0) {
    close(channel[0]);
    be_child(parent, channel[1], limits_, work);
  }
  const int reason = errno;
  close(channel[1]);
  if (process < 0) {
    close(channel[0]);
    throw RunError("a simulation", std::string("could not be started: ") + std::strerror(reason),
                   "try fewer at a time with -j");
  }
  children_.push_back({id, process, channel[0], {}, {}});
}

std::optional<ChildEnd> ChildPool::next(int timeout_ms) {
  if (auto end = end_stopped()) return end;
  std::vector<pollfd> channels;
  for (;;) {
    channels.clear();
    for (const Child& child : children_) channels.push_back({child.channel, POLLIN, 0});
    if (poll(channels.data(), channels.size(), timeout_ms) <= 0) return std::nullopt;
    for (std::size_t i = 0; i < children_.size(); ++i) {
      if (channels[i].revents == 0) continue;
      char piece[1 << 14];
      const ssize_t length = read(children_[i].channel, piece, sizeof piece);
      if (length > 0) {
        children_[i].received.append(piece, static_cast<std::size_t>(length));
      } else if (length == 0 || errno != EINTR) {
        return take(i);
      }
    }
  }
}

ChildEnd ChildPool::take(std::size_t place) {
  ChildEnd end = end_of(children_[place]);
  children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(place));
  return end;
}

std::optional<ChildEnd> ChildPool::end_stopped() {
  if (limits_.cpu_time.value <= 0) return std::nullopt;
  const auto now = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < children_.size(); ++i) {
    Child& child = children_[i];
    if (!is_stopped(child.process)) {
      child.stopped_since.reset();
    } else if (!child.stopped_since) {
      child.stopped_since = now;
    } else if (std::chrono::duration<double>(now - *child.stopped_since).count() >
               limits_.cpu_time.value) {
      kill(child.process, SIGKILL);
      ChildEnd end = take(i);
      end.reason = "stopped by a signal for longer than the " + to_text(limits_.cpu_time) +
                   " of CPU time that it may take";
      end.was_killed = false;
      return end;
    }
  }
  return std::nullopt;
}

ChildEnd ChildPool::end_of(Child& child) const {
  close(child.channel);
  int status = 0;
  rusage used{};
  while (wait4(child.process, &status, 0, &used) < 0 && errno == EINTR) {
  }
  const auto [cpu_time, peak_memory] = cost_of(used);
  ChildEnd end{child.id,
               std::move(child.received),
               reason_of(status, limits_),
               WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
               cpu_time,
               peak_memory};
  if (!end.reason.empty()) end.result.clear();
  return end;
}

void ChildPool::kill_all() {
  for (Child& child : children_) kill(child.process, SIGKILL);
  for (Child& child : children_) end_of(child);
  children_.clear();
}

StopSignals::StopSignals() {
  signals_so_far = 0;
  struct sigaction counting = {};
  counting.sa_handler = count_signal;  // without SA_RESTART: a wait for children ends
  sigaction(SIGTERM, &counting, &term_);
  sigaction(SIGINT, &counting, &interrupt_);
  sigaction(SIGHUP, &counting, &hangup_);
}

StopSignals::~StopSignals() {
  sigaction(SIGTERM, &term_, nullptr);
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGHUP, &hangup_, nullptr);
}

int StopSignals::count() { return signals_so_far; }

}  // namespace reprise::sim
