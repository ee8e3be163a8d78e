// SPDX-License-Identifier: MIT
#include "sim/cli/launcher.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace reprise::cli {
namespace {

std::string base_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

LauncherKind kind_of(const std::string& word) {
  const std::string name = base_name(word);
  if (name == "srun") return LauncherKind::srun;
  const bool is_mpi_launcher = name.starts_with("mpirun") || name.starts_with("mpiexec") ||
                               name.starts_with("orterun") || name.starts_with("prterun");
  const auto file = executable_named(word);
  if (!is_mpi_launcher || !file) return LauncherKind::none;
  std::error_code failed;
  const auto real = std::filesystem::canonical(*file, failed).filename().string();
  const auto is_in = [](const std::string& text, std::initializer_list<const char*> marks) {
    return std::any_of(marks.begin(), marks.end(),
                       [&](const char* mark) { return text.find(mark) != std::string::npos; });
  };
  if (is_in(real, {"hydra", "mpich"})) return LauncherKind::hydra;
  if (is_in(real, {"orterun", "prterun", "openmpi"})) return LauncherKind::open_mpi;
  // the name does not tell: Intel MPI's mpirun is a script, Open MPI 5's a program of its own
  return is_in(output_of({*file, "--version"}), {"HYDRA", "MPICH", "Intel(R) MPI"})
             ? LauncherKind::hydra
             : LauncherKind::open_mpi;
}

// Programs that merely start what follows them.
bool is_wrapper(const std::string& word) {
  static const std::vector<std::string> wrappers = {
      "env", "nice", "numactl", "setarch", "taskset", "time", "timeout", "stdbuf", "bash", "sh"};
  return std::find(wrappers.begin(), wrappers.end(), base_name(word)) != wrappers.end();
}

// The first word, after the launcher, that names a program. A launcher option's value that happens to name a program in PATH
// is taken for it only where no MPI program follows; so is a script, which may start the MPI program among its arguments.
void find_application(Launch& launch, std::size_t from) {
  const auto& command = launch.command;
  for (std::size_t i = from; i < command.size(); ++i) {
    const auto file = command[i].starts_with("-") ? std::nullopt : executable_named(command[i]);
    if (!file) continue;
    launch.names_a_program = true;
    if (is_wrapper(command[i])) continue;
    const bool is_mpi_program = inspect(*file).mpi != MpiLibrary::none;
    if (is_mpi_program || !launch.application) launch.application = i;
    if (is_mpi_program) return;
  }
}

// Words of the launcher's own, up to the program.
std::vector<std::string> launcher_words(const Launch& launch) {
  const auto& command = launch.command;
  const auto end =
      launch.application ? static_cast<std::ptrdiff_t>(*launch.application) : std::ssize(command);
  return {command.begin() + 1, command.begin() + end};
}

int number_in(std::string_view word) {
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size() && number > 0 ? number : 0;
}

int rank_count(const Launch& launch) {
  std::vector<std::string> names = {"-n", "-np", "--np", "--n", "--ntasks"};
  if (launch.launcher == LauncherKind::open_mpi)
    names.emplace_back("-c");  // of srun it is the cores for each rank
  const auto words = launcher_words(launch);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const auto& name : names) {
      if (words[i] == name && i + 1 < words.size()) return number_in(words[i + 1]);
      if (words[i].starts_with(name + "="))
        return number_in(std::string_view(words[i]).substr(name.size() + 1));
    }
    const int joined =
        words[i].starts_with("-n") ? number_in(std::string_view(words[i]).substr(2)) : 0;
    if (joined) return joined;
  }
  return 0;
}

bool finds_programs_elsewhere(const Launch& launch) {
  static const std::vector<std::string> options = {
      "--app", "-app", "-configfile", "--configfile", "--multi-prog", "-wdir",   "--wdir",
      "-wd",   "--wd", "-path",       "--path",       "-chdir",       "--chdir", "-D"};
  const auto words = launcher_words(launch);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return std::find(options.begin(), options.end(), word.substr(0, word.find('='))) !=
           options.end();
  });
}

// srun takes the last --export: ours would lose against the user's, so it is worked into that one.
std::vector<std::string> with_exports(const Launch& launch, const std::string& variables) {
  auto words = launch.command;
  const auto end = launch.application.value_or(words.size());
  for (std::size_t i = 1; i < end; ++i) {
    const bool is_joined = words[i].starts_with("--export=");
    if (!is_joined && (words[i] != "--export" || i + 1 >= end)) continue;
    std::string& list = words[is_joined ? i : i + 1];
    const std::string prefix = is_joined ? "--export=" : "";
    if (list == prefix + "NONE")
      list = prefix + variables.substr(1);
    else
      list += variables;
    return words;
  }
  words.insert(words.begin() + 1, "--export=ALL" + variables);
  return words;
}

}  // namespace

Launch understand(const std::vector<std::string>& command) {
  Launch launch;
  launch.command = command;
  launch.launcher = kind_of(command[0]);
  const bool launched = launch.launcher != LauncherKind::none;
  find_application(launch, launched ? 1 : 0);
  if (launched) {
    launch.ranks = rank_count(launch);
    launch.finds_programs_elsewhere = finds_programs_elsewhere(launch);
  }
  return launch;
}

std::vector<std::string> with_variables(const Launch& launch, const Environment& variables,
                                        Environment& rest) {
  std::vector<std::string> words = {launch.command[0]};
  switch (launch.launcher) {
    case LauncherKind::none:
      rest.insert(rest.end(), variables.begin(), variables.end());
      return launch.command;
    case LauncherKind::hydra:
      for (const auto& [name, value] : variables) words.insert(words.end(), {"-genv", name, value});
      words.insert(words.end(), launch.command.begin() + 1, launch.command.end());
      return words;
    case LauncherKind::open_mpi: {
      std::vector<std::string> options;
      for (const auto& [name, value] : variables)
        options.insert(options.end(), {"-x", name + "=" + value});
      words.insert(words.end(), options.begin(), options.end());
      for (std::size_t i = 1; i < launch.command.size(); ++i) {
        words.push_back(launch.command[i]);
        if (launch.command[i] == ":") words.insert(words.end(), options.begin(), options.end());
      }
      return words;
    }
    case LauncherKind::srun: {
      std::string exported;
      for (const auto& [name, value] : variables) {
        // a value with a comma cannot stand in the list; srun passes on what it finds in its own environment
        if (value.find(',') == std::string::npos)
          exported += "," + name + "=" + value;
        else
          rest.emplace_back(name, value);
      }
      return with_exports(launch, exported);
    }
  }
  return words;
}

}  // namespace reprise::cli
