// SPDX-License-Identifier: MIT
#include "recorder/capture/own_files.hpp"

#include <sys/resource.h>

namespace reprise::recorder {

KernelUse KernelUse::of_thread() noexcept {
  rusage use{};
  if (getrusage(RUSAGE_THREAD, &use) != 0) return {};
  return {use.ru_minflt, use.ru_inblock + use.ru_oublock};
}

}  // namespace reprise::recorder
