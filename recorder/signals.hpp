// SPDX-License-Identifier: MIT
// Fatal signals: save what was recorded, then let the program end exactly as it would have.
//
// How     a child made by _Fork() writes the part, because a handler may not allocate; the process waits for it at most kPatience.
//         Where the signal came in the middle of an append, the older snapshot stays. Then the disposition that was there before
//         is put back and the signal is raised again (or the faulting instruction runs again): exit status and messages stay.
// Which   SEGV BUS FPE ILL ABRT and TERM INT HUP XCPU, where the program does not ignore them. A handler that the program installs
//         later replaces this one.
#pragma once

namespace reprise::recorder {

void watch_fatal_signals() noexcept;
// Puts back the dispositions that are still ours.
void unwatch_fatal_signals() noexcept;

}  // namespace reprise::recorder
