// SPDX-License-Identifier: MIT
#include "sim/cli/jobs_option.hpp"

#include <cstdlib>
#include <string>

#include "sim/cli/options.hpp"

namespace reprise::cli {
namespace po = boost::program_options;

void add_jobs_option(po::options_description& options, const char* help) {
  options.add_options()("jobs,j", po::value<std::string>()->value_name("N"), help);
}

std::size_t jobs_of(const po::variables_map& values, std::size_t by_default) {
  if (values.count("jobs")) return whole_number(values, "jobs", 1, kMostJobs);
  const char* const given = std::getenv("SLURM_CPUS_PER_TASK");
  const int cores = given != nullptr ? std::atoi(given) : 0;
  return cores > 0 ? static_cast<std::size_t>(cores) : by_default;
}

}  // namespace reprise::cli
