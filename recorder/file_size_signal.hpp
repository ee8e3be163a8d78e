// SPDX-License-Identifier: MIT
// Writing past RLIMIT_FSIZE raises SIGXFSZ, which ends a process: while this lives, our writes fail with EFBIG instead and the
// program never sees the signal.
#pragma once

#include <signal.h>

#include <ctime>

namespace reprise::recorder {

class FileSizeSignalHeld {
 public:
  FileSizeSignalHeld() noexcept {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~FileSizeSignalHeld() {
    if (sigismember(&before_, SIGXFSZ) == 1) return;
    constexpr timespec kNow{0, 0};
    while (sigtimedwait(&signal_, nullptr, &kNow) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeSignalHeld(const FileSizeSignalHeld&) = delete;
  FileSizeSignalHeld& operator=(const FileSizeSignalHeld&) = delete;

 private:
  sigset_t signal_, before_;
};

}  // namespace reprise::recorder
