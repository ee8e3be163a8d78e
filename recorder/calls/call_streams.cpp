// SPDX-License-Identifier: MIT
#include "recorder/calls/call_streams.hpp"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "recorder/calls/thread_calls.hpp"
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace reprise::recorder {

constinit std::atomic<bool> call_streams_on{false}, mpi_calls_in_streams{false};

namespace {

constexpr std::size_t kMostThreads = 4096;  // at a time

constinit FunctionNumbers numbers;
constinit CallOutput output;
constinit std::array<std::atomic<ThreadCalls*>, kMostThreads> threads{};
constinit std::atomic<std::uint32_t> next_thread{0};
constinit std::atomic<std::uint64_t> without_room{0}, skipped{0}, corrected{0}, unmatched{0};
trace_io::CallStreamForm form;
pthread_key_t at_thread_end;
int process = 0;
bool has_barrier = false;

enum class State : std::uint8_t { before, joining, joined, ended };
constinit thread_local ThreadCalls* own __attribute__((tls_model("initial-exec"))) = nullptr;
constinit thread_local State state __attribute__((tls_model("initial-exec"))) = State::before;

std::uint64_t monotonic_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return monotonic_ns();
#endif
}

// The block up to now. Its last event may be a while ago: its moment is by the ticks.
void write_block(ThreadCalls& thread) noexcept {
  if (thread.coder.is_empty()) return;
  auto block = thread.coder.finish_block();
  if (!output.is_open()) {
    thread.lost += block.head.count;
    thread.coder.restart();
    return;
  }
  const std::uint64_t now_ns = monotonic_ns(), now = ticks();
  block.head.thread = thread.number;
  block.head.lost =
      static_cast<std::uint32_t>(thread.lost < ~std::uint32_t{0} ? thread.lost : ~std::uint32_t{0});
  block.head.begin_ns = thread.begin_ns;
  block.head.end_ns = now_ns;
  if (form.is_timed && now > thread.begin_ticks) {
    block.head.ticks = thread.last_ticks - thread.begin_ticks;
    const double share =
        static_cast<double>(block.head.ticks) / static_cast<double>(now - thread.begin_ticks);
    block.head.end_ns =
        thread.begin_ns +
        static_cast<std::uint64_t>(static_cast<double>(now_ns - thread.begin_ns) * share);
  }
  if (output.write(numbers, block.head, block.words, block.times)) {
    thread.lost = 0;
    thread.coder.begin_block();
  } else {
    thread.lost += block.head.count;
    thread.all_lost += block.head.count;
    thread.coder.restart();
  }
}

void put(ThreadCalls& thread, std::uint16_t symbol, std::uint64_t now) noexcept {
  if (thread.coder.is_empty()) [[unlikely]] {
    thread.begin_ns = monotonic_ns();
    thread.begin_ticks = now;
  }
  thread.coder.put(symbol, now);
  thread.last_ticks = now;
  if (thread.coder.is_full()) [[unlikely]]
    write_block(thread);
}

void note_end(ThreadCalls& thread) noexcept {
  corrected += thread.stack.corrected();
  unmatched += thread.stack.unmatched();
  skipped += thread.skipped.load();
  without_room += thread.all_lost;
}

void end_thread(void* pointer) noexcept {
  auto* thread = static_cast<ThreadCalls*>(pointer);
  state = State::ended;
  own = nullptr;
  for (auto& slot : threads) {
    ThreadCalls* expected = thread;
    // who ends the streams may be at it
    if (!slot.compare_exchange_strong(expected, nullptr)) continue;
    if (has_call_streams()) write_block(*thread);
    note_end(*thread);
    ThreadCalls::remove(thread);
    return;
  }
}

[[gnu::noinline]] ThreadCalls* join() noexcept {
  if (state != State::before) return nullptr;
  state = State::joining;
  ThreadCalls* made = ThreadCalls::make(form, next_thread.fetch_add(1));
  if (made == nullptr) return nullptr;
  for (auto& slot : threads) {
    ThreadCalls* nobody = nullptr;
    if (!slot.compare_exchange_strong(nobody, made)) continue;
    own = made;
    state = State::joined;
    pthread_setspecific(at_thread_end, made);
    return made;
  }
  ThreadCalls::remove(made);
  return nullptr;
}

// From entry to return of a hook; false where the event is skipped.
class InHook {
 public:
  explicit InHook(std::uintptr_t position) noexcept : thread_(own != nullptr ? own : join()) {
    if (thread_ == nullptr) {
      without_room.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    const std::uintptr_t before = thread_->busy.load(std::memory_order_relaxed);
    if (before != 0 && !was_left(before, position)) {
      thread_->skipped.fetch_add(1, std::memory_order_relaxed);
      thread_ = nullptr;
      return;
    }
    thread_->busy.store(position, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (has_call_streams()) [[likely]]
      return;
    thread_->busy.store(0, std::memory_order_release);  // who ends the streams waits for that
    thread_ = nullptr;
  }
  ~InHook() {
    if (thread_ != nullptr) thread_->busy.store(0, std::memory_order_release);
  }
  InHook(const InHook&) = delete;
  InHook& operator=(const InHook&) = delete;
  explicit operator bool() const noexcept { return thread_ != nullptr; }
  ThreadCalls& thread() const noexcept { return *thread_; }

 private:
  // By siglongjmp out of a handler that had interrupted it.
  bool was_left(std::uintptr_t before, std::uintptr_t position) noexcept {
    if (!thread_->own.has(position) || !thread_->own.has(before) || position <= before)
      return false;
    thread_->lost += thread_->coder.count();
    thread_->all_lost += thread_->coder.count();
    thread_->coder.restart();
    return true;
  }
  ThreadCalls* thread_;
};

void wait_until_at_rest(const ThreadCalls& thread) noexcept {
  constexpr timespec kShort{0, 100'000};
  for (int tries = 0; tries < 100 && thread.busy.load(std::memory_order_acquire) != 0; ++tries)
    nanosleep(&kShort, nullptr);
}

void stop_in_child() noexcept {
  drop_call_streams();
  output.close();
}

bool asks_for_trace(const char* modes, bool& is_timed) noexcept {
  bool asks = false;
  is_timed = false;
  for (const char* at = modes; at != nullptr && *at != '\0';) {
    const std::size_t length = std::strcspn(at, ",");
    if (length == 5 && std::strncmp(at, "trace", 5) == 0) asks = true;
    if (length == 5 && std::strncmp(at, "timed", 5) == 0) is_timed = true;
    at += length + (at[length] == ',' ? 1 : 0);
  }
  return asks;
}

// [002] has its own form; it is there to be compared with.
trace_io::LzForm form_asked_for() noexcept {
  const char* text = std::getenv("REPRISE_CALL_FORM");
  return text != nullptr && std::strcmp(text, "symbol") == 0 ? trace_io::LzForm::symbol
                                                             : trace_io::LzForm::sparse;
}

[[gnu::constructor]] void arm_call_streams() noexcept {
  bool is_timed = false;
  if (!asks_for_trace(std::getenv("REPRISE_FUNCTIONS"), is_timed) || !numbers.begin() ||
      pthread_key_create(&at_thread_end, end_thread) != 0)
    return;
  form = {form_asked_for(), trace_io::kDefaultWindow, is_timed};
  process = getpid();
  has_barrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  pthread_atfork(nullptr, nullptr, stop_in_child);
  call_streams_on.store(true, std::memory_order_release);
}

[[gnu::destructor]] void end_at_exit() noexcept { end_call_streams(); }

}  // namespace

void enter_function(std::uintptr_t key, std::uintptr_t site, std::uintptr_t at,
                    std::uintptr_t position) noexcept {
  const InHook hook(position);
  if (!hook) return;
  ThreadCalls& thread = hook.thread();
  const std::uint64_t now = form.is_timed ? ticks() : 0;
  const std::uint16_t number = numbers.find(key);
  thread.stack.enter({position, site, at, number}, [&] { put(thread, trace_io::kLeave, now); });
  put(thread, number, now);
}

void leave_function(std::uintptr_t key, std::uintptr_t site, std::uintptr_t at,
                    std::uintptr_t position) noexcept {
  const InHook hook(position);
  if (!hook) return;
  ThreadCalls& thread = hook.thread();
  const std::uint64_t now = form.is_timed ? ticks() : 0;
  thread.stack.leave({position, site, at, numbers.find(key)},
                     [&] { put(thread, trace_io::kLeave, now); });
}

bool begin_call_file(const char* folder, int rank, MpiName mpi_name) noexcept {
  if (!has_call_streams() || output.is_open()) return false;
  char path[PATH_MAX];
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    std::fprintf(stderr, "reprise: warning: %s: %s, no function calls are recorded on rank %d\n",
                 folder, std::strerror(errno), rank);
  } else if (std::snprintf(path, sizeof path, "%s/rank-%d.calls", folder, rank) <
             static_cast<int>(sizeof path)) {
    if (output.open(path, rank, mpi_name)) {
      mpi_calls_in_streams.store(true);
      return true;
    }
    std::fprintf(stderr, "reprise: warning: %s: %s, no function calls are recorded on rank %d\n",
                 path, std::strerror(output.error()), rank);
  }
  drop_call_streams();
  return false;
}

void drop_call_streams() noexcept {
  mpi_calls_in_streams.store(false);
  call_streams_on.store(false);
}

void end_call_streams() noexcept {
  if (getpid() != process || !call_streams_on.exchange(false)) return;
  mpi_calls_in_streams.store(false);
  // Who has not seen that says so in `busy` before this returns.
  if (has_barrier) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  for (auto& slot : threads) {
    ThreadCalls* thread = slot.exchange(nullptr);
    if (thread == nullptr) continue;
    if (thread != own) wait_until_at_rest(*thread);
    // in the middle of an event: what it has coded so far is no block
    if (thread->busy.load(std::memory_order_acquire) == 0)
      write_block(*thread);
    else
      thread->all_lost += thread->coder.count();
    note_end(*thread);
  }
  output.write_loss("events that no block has room for, or could not be written", without_room);
  output.write_loss("events of signal handlers that interrupted a hook", skipped);
  output.write_loss("leaves of functions that were not entered while the hooks were on", unmatched);
  output.write_loss("functions beyond the first 65534, entered", numbers.entered_others());
  output.write_loss("functions left by longjmp or an exception, detected by the stack pointer",
                    corrected);
  if (output.is_open() && output.error() != 0)
    std::fprintf(stderr,
                 "reprise: warning: %s: the function calls of a rank are recorded in part\n",
                 std::strerror(output.error()));
  output.close();
}

}  // namespace reprise::recorder
