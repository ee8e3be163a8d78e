// SPDX-License-Identifier: MIT
#include "sim/cli/job_signals.hpp"

#include <sys/wait.h>

#include <cerrno>
#include <ctime>

namespace reprise::cli {
namespace {

constexpr int kPassedOn[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGUSR1, SIGUSR2,
                             SIGALRM, SIGTERM, SIGXCPU, SIGCONT, SIGTSTP};

// Of the kernel, the terminal above all, only these are: the others reach the child without us, or are about us.
bool is_for_the_child(const siginfo_t& signal) {
  const bool is_of_a_process = signal.si_code <= 0;
  return is_of_a_process || signal.si_signo == SIGHUP || signal.si_signo == SIGTERM;
}

bool is_waiting(int signal) {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, signal) == 1;
}

extern "C" void do_nothing(int) {}

// Not SIG_IGN, which programs that we start later would inherit.
void disarm(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  if (action.sa_handler != SIG_DFL) return;
  action.sa_handler = do_nothing;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

JobSignals::JobSignals() {
  sigemptyset(&waiting_);
  for (const int signal : kPassedOn) sigaddset(&waiting_, signal);
  sigaddset(&waiting_, SIGCHLD);
  sigprocmask(SIG_BLOCK, &waiting_, &mask_before_);
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;  // where it is ignored, no child can be waited for
  sigaction(SIGCHLD, &usual, &child_before_);
}

JobSignals::~JobSignals() {
  const timespec at_once = {};
  while (sigtimedwait(&waiting_, nullptr, &at_once) > 0 || errno == EINTR) {
  }
  disarm(SIGUSR1);
  disarm(SIGUSR2);
  sigaction(SIGCHLD, &child_before_, nullptr);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

void JobSignals::restore_in_child() const {
  sigaction(SIGCHLD, &child_before_, nullptr);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

int JobSignals::wait_for(pid_t child) const {
  bool is_to_stop = false, has_stopped = false;  // we, the child
  for (;;) {
    int status = 0;
    const pid_t changed = waitpid(child, &status, WNOHANG | WUNTRACED);
    if (changed < 0 && errno != EINTR) return status;
    if (changed == child && !WIFSTOPPED(status)) return status;
    if (changed == child) has_stopped = true;
    // a SIGCONT that waits already is for both, and SIGSTOP would discard it
    if (is_to_stop && has_stopped && !is_waiting(SIGCONT)) {
      is_to_stop = has_stopped = false;
      raise(SIGSTOP);
    }
    siginfo_t signal = {};
    if (sigwaitinfo(&waiting_, &signal) < 0 || signal.si_signo == SIGCHLD) continue;
    if (signal.si_signo == SIGTSTP) is_to_stop = true;
    if (signal.si_signo == SIGCONT) is_to_stop = has_stopped = false;
    if (is_for_the_child(signal)) kill(child, signal.si_signo);
  }
}

}  // namespace reprise::cli
