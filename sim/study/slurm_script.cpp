// SPDX-License-Identifier: MIT
#include "sim/study/slurm_script.hpp"

#include <charconv>

namespace reprise::sim {
namespace {

// A job's name or a file's, without what sbatch or a shell would take for something else.
std::string plain(const std::string& name) {
  std::string text;
  for (const char c : name)
    text +=
        (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '.' || c == '-'
            ? c
            : '_';
  return text;
}

}  // namespace

std::string shell_word(const std::string& text) {
  const bool is_plain =
      text.find_first_not_of(
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-=:,@%") ==
      std::string::npos;
  if (is_plain && !text.empty()) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

std::string slurm_script(const SlurmArray& array) {
  std::string script =
      "#!/bin/bash\n# Submit with sbatch THIS_FILE, as often as needed: finished simulations are "
      "not repeated.\n# Progress, and the results when all are done:\n";
  const std::string place = shell_word(array.study) + " -o " + shell_word(array.folder);
  for (const char* action : {"status", "merge"})
    script += "#   " + shell_word(array.reprise) + " study " + action + ' ' + place + '\n';
  const auto option = [&script](const std::string& text) { script += "#SBATCH --" + text + '\n'; };
  option("job-name=reprise-" + plain(array.name));
  option("array=0-" + std::to_string(array.members - 1) +
         (array.at_most > 0 ? '%' + std::to_string(array.at_most) : ""));
  option("ntasks=1");
  option("cpus-per-task=" + std::to_string(array.jobs));
  if (!array.time.empty()) option("time=" + array.time);
  if (!array.partition.empty()) option("partition=" + array.partition);
  if (!array.account.empty()) option("account=" + array.account);
  if (!array.memory.empty()) option("mem=" + array.memory);
  option("signal=B:TERM@60");
  option("requeue");
  option("open-mode=append");
  // no quotes here: sbatch reads the rest of the line; its own patterns are %A, the job, and %a, the member
  option("output=" + array.folder + "/slurm-%A_%a.log");
  script += "exec " + shell_word(array.reprise) + " study " + place + " -j " +
            std::to_string(array.jobs) + " --shard $((SLURM_ARRAY_TASK_ID + 1))/" +
            std::to_string(array.members) + '\n';
  return script;
}

std::uint32_t largest_array(const std::string& output) {
  const std::size_t at = output.find("MaxArraySize");
  const std::size_t digits = at == std::string::npos ? at : output.find_first_of("0123456789", at);
  std::uint32_t size = 0;
  if (digits != std::string::npos)
    std::from_chars(output.data() + digits, output.data() + output.size(), size);
  return size;
}

}  // namespace reprise::sim
