// SPDX-License-Identifier: MIT
#include "sim/cli/address_sanitizer.hpp"

#include <cstdlib>

namespace reprise::cli {
namespace {

const std::string kVariable = "ASAN_OPTIONS", kOption = "verify_asan_link_order";

std::string with_option(const std::string& options) {
  return options + (options.empty() ? "" : ":") + kOption + "=0";
}

std::string options_of_ours() {
  const char* const set = std::getenv(kVariable.c_str());
  return set == nullptr ? "" : set;
}

// The text in the launcher's part of the command that is the value of ASAN_OPTIONS, after "ASAN_OPTIONS=" or as a word of its own.
struct Setting {
  std::size_t word, begin;
};

// Writes `-x ASAN_OPTIONS`, which names a variable of ours, as `-x ASAN_OPTIONS=VALUE`.
std::optional<Setting> setting_in(Launch& launch) {
  auto& words = launch.command;
  std::optional<Setting> last;  // which is the one that counts
  for (std::size_t i = 0; i < launch.application.value_or(0); ++i) {
    if (words[i].starts_with(kVariable + "=")) last = Setting{i, kVariable.size() + 1};
    if (words[i] != kVariable || i == 0) continue;
    if (words[i - 1] == "-x") {
      words[i] += "=" + options_of_ours();
      last = Setting{i, kVariable.size() + 1};
    } else if ((words[i - 1] == "-genv" || words[i - 1] == "-env") && i + 1 < *launch.application) {
      last = Setting{i + 1, 0};
    }
  }
  return last;
}

}  // namespace

std::optional<std::string> sanitized_program(const Launch& launch) {
  const auto& words = launch.command;
  bool is_looked_for = true;  // the program of this part of the command
  for (std::size_t i = launch.application.value_or(words.size()); i < words.size(); ++i) {
    if (words[i] == ":") is_looked_for = true;
    const auto file =
        is_looked_for && !words[i].starts_with("-") ? executable_named(words[i]) : std::nullopt;
    if (!file) continue;
    const auto program = inspect(*file);
    if (program.has_address_sanitizer) return words[i];
    is_looked_for = program.mpi == MpiLibrary::none;
  }
  return std::nullopt;
}

bool allow_preloading(Launch& launch, Environment& variables) {
  if (const auto setting = setting_in(launch)) {
    auto& word = launch.command[setting->word];
    if (word.find(kOption) != std::string::npos) return false;
    word = word.substr(0, setting->begin) + with_option(word.substr(setting->begin));
    return true;
  }
  const std::string options = options_of_ours();
  if (options.find(kOption) != std::string::npos) return false;
  variables.emplace_back(kVariable, with_option(options));
  return true;
}

}  // namespace reprise::cli
