// SPDX-License-Identifier: MIT
// Threads that end, and what they give back: programs may have a thread for each step (std::async), thousands of them one after the other.
//
// When    by the destructor of a key of thread-specific data. Those of other keys may come later and call MPI: the thread goes on with the same
//         recorder then, which makes anew what it needs, and ends once more in the next round of destructors, if there is one.
// What    caches of call paths, tables for folding, samples' tables and signal stack, counters. Its recorded calls stay, and so does the state by which further ones are folded.
// Others  who walks all threads' recordings holds back join() and this: a snapshot by try_pause(), MPI_Finalize and exit by keep_ended_threads();
//         who dies of a signal finds the thread changing (is_at_rest()), and leaves it.
// Not     in a forked child, whose copy of the lock may be taken for good, nor by a thread that ends within a call of MPI.
#include <pthread.h>
#include <unistd.h>

#include <ctime>
#include <utility>

#include "recorder/capture/caller_state.hpp"
#include "recorder/capture/recording.hpp"

namespace reprise::recorder {

void Recording::watch_end_of(ThreadRecorder* thread) noexcept {
  static pthread_key_t key;
  static const bool has_key = pthread_key_create(&key, [](void* ending) {
                                end_thread(*static_cast<ThreadRecorder*>(ending));
                              }) == 0;
  if (has_key) pthread_setspecific(key, thread);
}

void Recording::end_thread(ThreadRecorder& thread) noexcept try {
  if (&thread != thread_ || thread.inside != nullptr || !is_on()) return;
  Recording& recording = *current_;
  if (getpid() != recording.own_process_) return;
  const CallerStateHeld held;
  const std::lock_guard lock(recording.threads_mutex_);
  if (!recording.gives_back_.load()) return;
  ended_ = std::exchange(thread_, nullptr);
  // The clock is not asked: the thread's registration with rseq is gone by now, as would be seen. The little that this takes is computing of a call that a
  // later destructor makes.
  thread.settle_at_end();
} catch (...) {  // without memory for what is smaller the rest stays as it is
}

ThreadRecorder* Recording::joined_again() noexcept {
  if (ended_ == nullptr) return nullptr;
  thread_ = std::exchange(ended_, nullptr);
  watch_end_of(thread_);
  return thread_;
}

void Recording::keep_ended_threads() noexcept {
  constexpr timespec kShort{0, 100'000};
  constexpr int kTries = 1000;
  gives_back_.store(false);
  for (int tries = 0; tries < kTries; ++tries) {
    if (const std::unique_lock lock(threads_mutex_, std::try_to_lock); lock.owns_lock()) return;
    nanosleep(&kShort, nullptr);
  }
}

}  // namespace reprise::recorder
