// SPDX-License-Identifier: MIT
#include "sim/cli/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "trace-io/base/error.hpp"

namespace reprise::cli {
namespace {

volatile sig_atomic_t current_child = 0;

extern "C" void pass_on(int signal) {
  if (current_child > 0) kill(static_cast<pid_t>(current_child), signal);
}

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
  struct sigaction forward = {};
  struct sigaction old_term, old_hangup, old_interrupt;
  forward.sa_handler = pass_on;
  sigaction(SIGTERM, &forward, &old_term);
  sigaction(SIGHUP, &forward, &old_hangup);
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;  // the terminal sends SIGINT to the child as well; we wait for it
  sigaction(SIGINT, &ignore, &old_interrupt);
  // A signal that comes before we know the child's number waits until we do; else it would be lost.
  sigset_t passed_on, old_mask;
  sigemptyset(&passed_on);
  sigaddset(&passed_on, SIGTERM);
  sigaddset(&passed_on, SIGHUP);
  sigprocmask(SIG_BLOCK, &passed_on, &old_mask);
  const pid_t child = fork();
  if (child == 0) {
    sigaction(SIGTERM, &old_term, nullptr);
    sigaction(SIGHUP, &old_hangup, nullptr);
    sigaction(SIGINT, &old_interrupt, nullptr);
    sigprocmask(SIG_SETMASK, &old_mask, nullptr);
    set_variables(environment);
    execvp(command[0].c_str(), argument_vector(command).data());
    const int reason = errno;
    [[maybe_unused]] const auto ignored = write(failure[1], &reason, sizeof reason);
    _exit(127);
  }
  const int fork_reason = errno;
  close(failure[1]);
  current_child = child;
  sigprocmask(SIG_SETMASK, &old_mask, nullptr);
  int status = 0, reason = 0;
  const bool exec_failed = child > 0 && read(failure[0], &reason, sizeof reason) == sizeof reason;
  if (child > 0) status = wait_for(child);
  current_child = 0;
  close(failure[0]);
  sigaction(SIGTERM, &old_term, nullptr);
  sigaction(SIGHUP, &old_hangup, nullptr);
  sigaction(SIGINT, &old_interrupt, nullptr);
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
