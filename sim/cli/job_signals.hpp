// SPDX-License-Identifier: MIT
// Signals that reach the command while it waits for a job are meant for the job: batch systems and scripts know only our process.
//
// Passed on  SIGHUP and SIGTERM always; SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGCONT and SIGTSTP where a process has
//            sent them. The terminal sends its own (Ctrl-C, Ctrl-\, Ctrl-Z) to the whole foreground group, so that the child has them.
// Stops      we stop when the child has stopped by a SIGTSTP that came to us as well, and go on with SIGCONT: the shell sees one job.
// Limits     a process that sends a signal to our whole group reaches the child itself, and once more through us. SIGSTOP and SIGKILL
//            cannot be passed on.
#pragma once

#include <sys/types.h>

#include <csignal>

namespace reprise::cli {

// From here on such signals wait, also those that come before there is a child. One at a time, in a process of one thread.
class JobSignals {
 public:
  JobSignals();
  // Forgets those that came too late for the child and lets the others through again. SIGUSR1 and SIGUSR2, which nobody sends
  // to us but for the job, do nothing from here on, so that a late one ends no work on what the job has left.
  ~JobSignals();
  JobSignals(const JobSignals&) = delete;
  JobSignals& operator=(const JobSignals&) = delete;

  // In the child, before it runs the program: the signals are as they were.
  void restore_in_child() const;

  // Passes signals on until the child has ended. Returns its status as waitpid has it.
  int wait_for(pid_t child) const;

 private:
  sigset_t waiting_, mask_before_;
  struct sigaction child_before_ = {};
};

}  // namespace reprise::cli
