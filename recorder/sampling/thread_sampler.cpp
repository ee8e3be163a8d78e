// SPDX-License-Identifier: MIT
#include "recorder/sampling/thread_sampler.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <utility>

namespace reprise::recorder {
namespace {

// Of the thread that runs; null where it is not sampled.
constinit thread_local std::atomic<ThreadSampler*> sampler
    __attribute__((tls_model("initial-exec"))) = nullptr;
struct sigaction programs_action {};
std::atomic<bool> is_taken{false};
pthread_key_t at_thread_end;
bool has_key = false;

void on_sample(int, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  if (ThreadSampler* own = sampler.load(std::memory_order_relaxed))
    own->on_signal(*info, *static_cast<const ucontext_t*>(context));
  errno = saved_errno;
}

void stop_at_thread_end(void* own) { static_cast<ThreadSampler*>(own)->leave_thread(); }

constexpr std::size_t kSmall = std::size_t{1} << 20U, kAlternate = std::size_t{1} << 20U;

// The handler's frame may be larger than what is left of a small stack. Null where the thread needs none or has one.
void* use_alternate_stack(const StackBounds& bounds) noexcept {
  stack_t now{};
  if (bounds.high - bounds.low >= kSmall || sigaltstack(nullptr, &now) != 0 ||
      (now.ss_flags & SS_DISABLE) == 0)
    return nullptr;
  void* memory = mmap(nullptr, kAlternate, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  stack_t ours{};
  ours.ss_sp = memory;
  ours.ss_size = kAlternate;
  if (sigaltstack(&ours, nullptr) == 0) return memory;
  munmap(memory, kAlternate);
  return nullptr;
}

// Unless the program has put another one in its place, and may put this back, or the thread ends in a handler that runs on it.
void give_back_alternate_stack(void* memory) noexcept {
  stack_t now{};
  if (sigaltstack(nullptr, &now) != 0 || now.ss_sp != memory || now.ss_flags != 0) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  if (sigaltstack(&none, nullptr) == 0) munmap(memory, kAlternate);
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_sample;
}

}  // namespace

bool take_sampling_signal() noexcept {
  if (is_taken.load()) return true;
  if (sigaction(kSamplingSignal, nullptr, &programs_action) != 0 ||
      (programs_action.sa_flags & SA_SIGINFO) != 0 ||
      (programs_action.sa_handler != SIG_DFL && programs_action.sa_handler != SIG_IGN))
    return false;
  struct sigaction ours {};
  ours.sa_sigaction = on_sample;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  if (sigaction(kSamplingSignal, &ours, nullptr) != 0) return false;
  if (!has_key) has_key = pthread_key_create(&at_thread_end, stop_at_thread_end) == 0;
  is_taken.store(true);
  return true;
}

bool has_sampling_signal() noexcept {
  struct sigaction now {};
  return sigaction(kSamplingSignal, nullptr, &now) == 0 && is_ours(now);
}

void release_sampling_signal() noexcept {
  if (is_taken.exchange(false) && has_sampling_signal())
    sigaction(kSamplingSignal, &programs_action, nullptr);
}

bool ThreadSampler::start(std::uint32_t rate) noexcept {
  bounds_ = stack_of_this_thread();
  alternate_stack_ = use_alternate_stack(bounds_);
  sampler.store(this, std::memory_order_relaxed);
  if (has_key) pthread_setspecific(at_thread_end, this);
  if (!clock_.start(rate, kSamplingSignal)) {
    stop();
    return false;
  }
  is_precise_ = clock_.is_precise();
  return true;
}

void ThreadSampler::stop() noexcept {
  is_busy_.store(true, std::memory_order_relaxed);
  clock_.stop();
  if (sampler.load(std::memory_order_relaxed) == this) {
    sampler.store(nullptr, std::memory_order_relaxed);
    if (has_key) pthread_setspecific(at_thread_end, nullptr);
  }
}

// A signal that is still on its way, or that the program holds back, comes to this thread and finds no sampler.
void ThreadSampler::leave_thread() noexcept {
  stop();
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (void* memory = std::exchange(alternate_stack_, nullptr)) give_back_alternate_stack(memory);
}

void ThreadSampler::settle() {
  leave_thread();
  computing_.keep_used_only();
  communicating_.keep_used_only();
}

void ThreadSampler::on_signal(const siginfo_t& info, const ucontext_t& context) noexcept {
  const std::uint32_t samples = clock_.signalled(info);
  if (samples == 0) return;
  // Written on this thread only.
  const auto count = [samples](std::atomic<std::uint64_t>& what) {
    what.store(what.load(std::memory_order_relaxed) + samples, std::memory_order_relaxed);
  };
  if (is_busy_.load(std::memory_order_relaxed)) return count(own_);
  const bool is_inside = *static_cast<const void* const volatile*>(activity_.inside) != nullptr;
  if (is_inside && activity_.is_recording->load(std::memory_order_relaxed)) return count(own_);
  std::array<std::uintptr_t, kMostFrames> addresses;
  const auto path = walk_interrupted(context, bounds_,
                                     std::span(addresses).first(is_inside ? 1 : addresses.size()));
  if (addresses[0] >= activity_.own_code.low && addresses[0] < activity_.own_code.high)
    return count(own_);
  SampleTable& table = is_inside ? communicating_ : computing_;
  if (!table.add(std::span(addresses).first(path.frames), path.reached_end, samples))
    count(left_out_);
}

void ThreadSampler::assign(SampleTable& table, Path key, Paths& paths) {
  if (!table.has_any()) return;
  auto& counts = paths[key];
  table.take([&](std::uint32_t stack, std::uint32_t samples) {
    const auto found = counts.find(stack);
    if (found != counts.end()) {
      found->second += samples;
    } else if (counts_ < kMostCounts) {
      counts.emplace(stack, samples);
      ++counts_;
    } else {
      left_out_.fetch_add(samples, std::memory_order_relaxed);
    }
  });
  if (counts.empty()) paths.erase(key);
}

void ThreadSampler::assign(trace_io::SiteId site) {
  struct Busy {
    std::atomic<bool>& flag;
    const bool before = flag.exchange(true, std::memory_order_relaxed);
    ~Busy() {
      std::atomic_signal_fence(std::memory_order_seq_cst);
      flag.store(before, std::memory_order_relaxed);
    }
  } const busy{is_busy_};
  std::atomic_signal_fence(std::memory_order_seq_cst);
  assign(computing_, {site, last_}, compute_counts_);
  assign(communicating_, {site, trace_io::kNoSite}, communicate_counts_);
}

void ThreadSampler::discard() noexcept {
  const bool before_it = is_busy_.exchange(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const auto drop = [this](std::uint32_t, std::uint32_t samples) {
    left_out_.fetch_add(samples, std::memory_order_relaxed);
  };
  computing_.take(drop);
  communicating_.take(drop);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  is_busy_.store(before_it, std::memory_order_relaxed);
}

}  // namespace reprise::recorder
