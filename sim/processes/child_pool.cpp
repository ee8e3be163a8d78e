// SPDX-License-Identifier: MIT
#include "sim/processes/child_pool.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

// From now on. A timer, since RLIMIT_CPU counts whole seconds.
void limit_cpu_time(const RunLimits& limits) {
  if (limits.cpu_time.value <= 0) return;
  double whole = 0;
  const double rest = std::modf(limits.cpu_time.value, &whole);
  const itimerval timer{
      {0, 0},
      {static_cast<time_t>(whole), std::max<suseconds_t>(1, static_cast<suseconds_t>(rest * 1e6))}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

// RLIMIT_DATA counts what is allocated, not the libraries that happen to be mapped.
void limit_child(const RunLimits& limits) {
  limit(RLIMIT_CORE, 0);
  if (limits.memory.value > 0) limit(RLIMIT_DATA, limits.memory.value);
  limit_cpu_time(limits);
}

bool write_all(int channel, std::string_view text) {
  while (!text.empty()) {
    const ssize_t length = send(channel, text.data(), text.size(), MSG_NOSIGNAL);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(length));
  }
  return true;
}

// Before the result of a kept child's piece.
struct PieceHead {
  std::size_t length;
  double cpu_s;
  std::uint64_t peak_memory;
  bool is_last;  // the child ends now
};

std::string piece_message(const std::string& result, const ProcessCost& before, bool is_last) {
  const ProcessCost now = process_cost();
  const PieceHead head{result.size(), (now.cpu_time - before.cpu_time).value, now.peak_memory.value,
                       is_last};
  std::string message(sizeof head + result.size(), '\0');
  std::memcpy(message.data(), &head, sizeof head);
  result.copy(message.data() + sizeof head, result.size());
  return message;
}

// Until the parent closes the channel, or the child has computed for long enough.
void do_pieces(int channel, const RunLimits& limits, const ChildPool::Work& work) {
  const Seconds begin = cpu_time_so_far();
  for (bool is_last = false; !is_last;) {
    std::size_t id = 0;
    const ssize_t length = recv(channel, &id, sizeof id, MSG_WAITALL);
    if (length < 0 && errno == EINTR) continue;
    if (length != sizeof id) return;
    limit_cpu_time(limits);
    const ProcessCost before = process_cost();
    const std::string result = work(id);
    is_last = cpu_time_so_far() - begin > ChildPool::kKeptFor;
    if (!write_all(channel, piece_message(result, before, is_last))) _exit(kUnheard);
  }
}

// Leaves by _exit: what the parent holds is not torn down, and its buffered output not written twice.
[[noreturn]] void be_child(pid_t parent, int channel, const RunLimits& limits,
                           const std::function<void(int)>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kUnheard);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  limit_child(limits);
  try {
    work(channel);
    _exit(0);
  } catch (const std::bad_alloc&) {
    _exit(kOutOfMemory);
  } catch (...) {
    _exit(kUncaught);
  }
}

bool took_too_long(int status, const RunLimits& limits) {
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF && limits.cpu_time.value > 0;
}

std::string reason_of(int status, const RunLimits& limits) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (took_too_long(status, limits))
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

void ChildPool::make_child(std::size_t id, const std::function<void(int)>& work, bool is_kept) {
  REPRISE_ASSERT(!is_full(), "there is room for another child");
  int channel[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0)
    throw RunError("a simulation", std::string("no channel to it: ") + std::strerror(errno));
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0) {
    close(channel[0]);
    for (const Child& child : children_) close(child.channel);  // or it would not hear its end
    be_child(parent, channel[1], limits_, work);
  }
  const int reason = errno;
  close(channel[1]);
  if (process < 0) {
    close(channel[0]);
    throw RunError("a simulation", std::string("could not be started: ") + std::strerror(reason),
                   "try fewer at a time with -j");
  }
  children_.push_back({id, process, channel[0], is_kept, true, 0, {}, {}});
  ++busy_;
}

void ChildPool::start(std::size_t id, const std::function<std::string()>& work) {
  make_child(
      id,
      [&work](int channel) {
        if (!write_all(channel, work())) _exit(kUnheard);
      },
      false);
}

void ChildPool::start(std::size_t id) {
  if (!hand_to_idle(id)) start_new(id);
}

// In a new child, which is kept.
void ChildPool::start_new(std::size_t id) {
  make_child(
      id, [this](int channel) { do_pieces(channel, limits_, work_); }, true);
  write_all(children_.back().channel, {reinterpret_cast<const char*>(&id), sizeof id});
}

// False where all children are busy. One that has died meanwhile ends like one that dies at this piece.
bool ChildPool::hand_to_idle(std::size_t id) {
  for (Child& child : children_) {
    if (child.is_busy) continue;
    child.id = id;
    child.is_busy = true;
    ++busy_;
    write_all(child.channel, {reinterpret_cast<const char*>(&id), sizeof id});
    return true;
  }
  return false;
}

std::optional<ChildEnd> ChildPool::next(int timeout_ms) {
  if (auto end = end_stopped()) return end;
  std::vector<pollfd> channels;
  for (;;) {
    channels.clear();
    for (const Child& child : children_)
      channels.push_back({child.is_busy ? child.channel : -1, POLLIN, 0});
    if (poll(channels.data(), channels.size(), timeout_ms) <= 0) return std::nullopt;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (channels[i].revents == 0) continue;
      char piece[1 << 14];
      const ssize_t length = read(children_[i].channel, piece, sizeof piece);
      if (length < 0 && errno == EINTR) continue;
      if (length > 0) children_[i].received.append(piece, static_cast<std::size_t>(length));
      if (auto end = length > 0 ? end_of_piece(i) : end_of_child(i)) return end;
      if (length <= 0) break;  // the children have other places now
    }
  }
}

// Of a kept child, where all of its result is here.
std::optional<ChildEnd> ChildPool::end_of_piece(std::size_t place) {
  Child& child = children_[place];
  PieceHead head{};
  if (!child.is_kept || child.received.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, child.received.data(), sizeof head);
  if (child.received.size() < sizeof head + head.length) return std::nullopt;
  ChildEnd end;
  end.id = child.id;
  end.result = child.received.substr(sizeof head);
  end.cpu_time = Seconds{head.cpu_s};
  end.peak_memory = Bytes{head.peak_memory};
  child.received.clear();
  ++child.pieces;
  child.is_busy = false;
  --busy_;
  if (head.is_last) take(place);
  return end;
}

// None where the child's piece is begun once more.
std::optional<ChildEnd> ChildPool::end_of_child(std::size_t place) {
  const bool was_kept = children_[place].is_kept, was_alone = children_[place].pieces == 0;
  ChildEnd end = take(place);
  if (!was_kept) return end;
  end.result.clear();
  if (end.reason.empty()) end.reason = "ended without a result";
  if (was_alone || end.took_too_long) return end;
  start_new(end.id);
  return std::nullopt;
}

ChildEnd ChildPool::take(std::size_t place) {
  if (children_[place].is_busy) --busy_;
  ChildEnd end = end_of(children_[place]);
  children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(place));
  return end;
}

std::optional<ChildEnd> ChildPool::end_stopped() {
  if (limits_.cpu_time.value <= 0) return std::nullopt;
  const auto now = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < children_.size(); ++i) {
    Child& child = children_[i];
    if (!child.is_busy || !is_stopped(child.process)) {
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
               took_too_long(status, limits_),
               cpu_time,
               peak_memory};
  if (!end.reason.empty()) end.result.clear();
  return end;
}

void ChildPool::kill_all() {
  for (Child& child : children_) kill(child.process, SIGKILL);
  for (Child& child : children_) end_of(child);
  children_.clear();
  busy_ = 0;
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
