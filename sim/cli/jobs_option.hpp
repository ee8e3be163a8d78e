// SPDX-License-Identifier: MIT
// --jobs of verbs that simulate several times: how many at a time.
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>

namespace reprise::cli {

inline constexpr std::uint64_t kMostJobs = 4096;

void add_jobs_option(boost::program_options::options_description&, const char* help);
// What --jobs says; else the cores that a Slurm job gives each task; else BY_DEFAULT. Throws InputError.
std::size_t jobs_of(const boost::program_options::variables_map&, std::size_t by_default);

}  // namespace reprise::cli
