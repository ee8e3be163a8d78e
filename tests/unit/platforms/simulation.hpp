// SPDX-License-Identifier: MIT
// A SimGrid simulation in a process of its own, since SimGrid 3.32 allows one per process.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <vector>

namespace simulation {

// The numbers that RUN returns in a forked child; empty where the child did not end well.
inline std::vector<double> in_child(const std::function<std::vector<double>()>& run) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::vector<double> numbers = run();
    const std::size_t bytes = numbers.size() * sizeof(double);
    for (std::size_t done = 0; done < bytes;) {
      const ssize_t written =
          write(ends[1], reinterpret_cast<const char*>(numbers.data()) + done, bytes - done);
      if (written <= 0) _exit(1);
      done += static_cast<std::size_t>(written);
    }
    _exit(0);
  }
  close(ends[1]);
  std::vector<double> numbers;
  double number = 0;
  std::size_t filled = 0;
  for (ssize_t got; (got = read(ends[0], reinterpret_cast<char*>(&number) + filled,
                                sizeof number - filled)) > 0;) {
    filled += static_cast<std::size_t>(got);
    if (filled == sizeof number) {
      numbers.push_back(number);
      filled = 0;
    }
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? numbers : std::vector<double>{};
}

}  // namespace simulation
