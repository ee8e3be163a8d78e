// SPDX-License-Identifier: MIT
// What the recorder says about itself: when a program begins, why it records nothing; when it ends, the time that it took, and what preemption took from
// the program.
//
// Collective over `comm`, which has all ranks; the texts are rank 0's.
#pragma once

#include <mpi.h>

#include <string>
#include <string_view>

#include "recorder/capture/recording.hpp"

namespace reprise::recorder {

// On stderr, not collective. `version`: as the library tells it, over several lines perhaps.
void tell_of_other_library(const char* compiled_for, std::string_view version);
void tell_of_absent_ranks(double patience);  // seconds

// "the recorder's own time, mean and largest of a rank: …"
std::string own_time_of_ranks(const Recording&, MPI_Comm comm);

// "preemption: …": of how many compute times how much was taken off, in all and at most on a rank; or why it is not seen.
std::string preemption_of_ranks(const Recording&, MPI_Comm comm);

// "reprise: recorded 4 ranks in 12345 bytes: FILE", on stderr. Not collective. REQUIRES: the file is written.
void tell_of_trace(const Recording&);

// Preemption that was to be seen and was not, as losses. Of this rank.
void note_unseen_preemption(Recording&) noexcept;
// Buffers with gaps, which MPI packs, as a loss. Of this rank.
void note_packed_buffers(Recording&) noexcept;

}  // namespace reprise::recorder
