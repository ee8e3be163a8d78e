// SPDX-License-Identifier: MIT
#include "sim/cli/child.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sim/cli/job_signals.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::cli {
namespace {

std::vector<char*> argument_vector(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

void set_variables(const Environment& environment) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
}

[[noreturn]] void reject(const std::string& program, int reason) {
  throw InputError(program, std::string("could not be run: ") + std::strerror(reason), "");
}

int shell_status(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

void become(const std::vector<std::string>& command, const Environment& environment) {
  set_variables(environment);
  execvp(command[0].c_str(), argument_vector(command).data());
  reject(command[0], errno);
}

int run_child(const std::vector<std::string>& command, const Environment& environment) {
  int failure
      [2];  // the child reports a failed exec through this pipe, which a successful exec closes
  if (pipe2(failure, O_CLOEXEC) != 0) reject(command[0], errno);
  const JobSignals signals;
  const pid_t child = fork();
  if (child == 0) {
    signals.restore_in_child();
    set_variables(environment);
    execvp(command[0].c_str(), argument_vector(command).data());
    const int reason = errno;
    [[maybe_unused]] const auto ignored = write(failure[1], &reason, sizeof reason);
    _exit(127);
  }
  const int fork_reason = errno;
  close(failure[1]);
  int status = 0, reason = 0;
  const bool exec_failed = child > 0 && read(failure[0], &reason, sizeof reason) == sizeof reason;
  if (child > 0) status = signals.wait_for(child);
  close(failure[0]);
  if (child < 0) reject(command[0], fork_reason);
  if (exec_failed) reject(command[0], reason);
  return shell_status(status);
}

std::string output_of(const std::vector<std::string>& command) {
  int channel[2];
  if (pipe2(channel, O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(channel[1], STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execvp(command[0].c_str(), argument_vector(command).data());
    _exit(127);
  }
  close(channel[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; child > 0 &&
                  ((n = read(channel[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR));)
    if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
  close(channel[0]);
  if (child > 0) wait_for(child);
  return text;
}

}  // namespace reprise::cli
