// SPDX-License-Identifier: MIT
#include "recorder/capture/preemption.hpp"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace reprise::recorder {

// struct rseq_cs of linux/rseq.h, on machines of 64 bits.
struct alignas(32) PreemptionDetector::Descriptor {
  std::uint32_t version, flags;
  const std::uint32_t* start;
  std::uint64_t length;
  const std::uint32_t* abort;
};

namespace {

// The kernel ends a process whose descriptor has not the signature before its abort address that the area was registered with. These
// are the ones of glibc and librseq.
#if defined(__x86_64__) && defined(__LP64__)
constexpr std::uint32_t kSignature = 0x53053053;
#elif defined(__aarch64__) && defined(__AARCH64EL__)
constexpr std::uint32_t kSignature = 0xd428bc00;
#elif defined(__powerpc64__)
constexpr std::uint32_t kSignature = 0x0fe5000b;
#else
constexpr std::uint32_t kSignature = 0;  // not known: nothing is registered, nothing attached
#endif

constexpr std::uint32_t kNowhere[] = {0, 0, kSignature, 0};  // never run
constexpr std::size_t kLeastSize = sizeof(RseqArea);

RseqArea no_area;  // what a thread without one looks at: not registered
thread_local constinit RseqArea own_area __attribute__((tls_model("initial-exec")));

#if defined(SYS_rseq)
long rseq(volatile RseqArea* area, std::size_t size, int flags) noexcept {
  return syscall(SYS_rseq, area, size, flags, kSignature);
}
#else
long rseq(volatile RseqArea*, std::size_t, int) noexcept {
  errno = ENOSYS;
  return -1;
}
#endif

// The kernel writes to an area for as long as its thread lives, and that is longer than thread-local storage may.
struct Registration {
  bool is_ours = false;
  ~Registration() {
    constexpr int kUnregister = 1;
    if (is_ours) rseq(&own_area, sizeof own_area, kUnregister);
  }
};
thread_local Registration registration;

volatile RseqArea* area_of_libc() noexcept {
  static const auto* const size = static_cast<const unsigned*>(dlsym(RTLD_DEFAULT, "__rseq_size"));
  static const auto* const offset =
      static_cast<const std::ptrdiff_t*>(dlsym(RTLD_DEFAULT, "__rseq_offset"));
  if (size == nullptr || offset == nullptr || *size == 0) return nullptr;
  return reinterpret_cast<RseqArea*>(static_cast<char*>(__builtin_thread_pointer()) + *offset);
}

// To register what is registered fails with EBUSY if it is the same area, size and signature, otherwise in other ways.
bool is_registered_as_ours(volatile RseqArea* area) noexcept {
  if (area->cpu_id < 0) return false;
#if defined(AT_RSEQ_FEATURE_SIZE)
  const std::size_t features = getauxval(AT_RSEQ_FEATURE_SIZE);
#else
  constexpr unsigned long kFeatureSize = 27;
  const std::size_t features = getauxval(kFeatureSize);
#endif
  const std::size_t rounded = (features + kLeastSize - 1) / kLeastSize * kLeastSize;
  for (const std::size_t size : {kLeastSize, std::max(rounded, kLeastSize)})
    if (rseq(area, size, 0) != 0 && errno == EBUSY) return true;
  return false;
}

volatile RseqArea* area_of_thread() noexcept {
  if (kSignature == 0) return nullptr;
  if (volatile RseqArea* area = area_of_libc()) return is_registered_as_ours(area) ? area : nullptr;
  if (!registration.is_ours) registration.is_ours = rseq(&own_area, sizeof own_area, 0) == 0;
  return registration.is_ours ? &own_area : nullptr;
}

}  // namespace

constinit const PreemptionDetector::Descriptor PreemptionDetector::kDescriptor{0, 0, kNowhere, 1,
                                                                               kNowhere + 3};
RseqArea PreemptionDetector::unwatched{.cpu_id = 0, .rseq_cs = ours()};

bool PreemptionDetector::attach() noexcept {
  const int saved = errno;
  volatile RseqArea* const area = area_of_thread();
  area_ = area != nullptr ? area : &no_area;
  if (area != nullptr && is_disturbed()) arm();
  errno = saved;
  return area != nullptr;
}

// A wait may be over before the thread has been switched out (a timer that has run out meanwhile, a hypervisor's pause), and a thread that did not wait may be
// disturbed by something else: most of the waits decide.
bool PreemptionDetector::sees_waiting(void (*wait)()) noexcept {
  constexpr int kTries = 200;  // on a crowded machine a thread seldom stays on its core
  constexpr int kWaits = 8, kSeen = 6, kFewest = 3;
  int stayed = 0, seen = 0;
  for (int i = 0; i < kTries && stayed < kWaits; ++i) {
    if (!is_undisturbed() && !is_disturbed()) return false;
    arm();
    const std::int32_t core = area_->cpu_id;
    const std::uint32_t core_of_process = area_->mm_cid;
    wait();
    if (area_->cpu_id != core || area_->mm_cid != core_of_process) continue;
    ++stayed;
    if (is_disturbed()) ++seen;
  }
  return stayed == kWaits ? seen >= kSeen : stayed >= kFewest && seen == stayed;
}

}  // namespace reprise::recorder
