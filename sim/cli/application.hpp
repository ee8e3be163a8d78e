// SPDX-License-Identifier: MIT
// What can be told about a program from its file, before it runs: which libraries it will load, whether it can be preloaded.
//
// Cost    runs the program's own dynamic linker in its listing mode (as ldd does); the program itself is never run.
#pragma once

#include <optional>
#include <string>

namespace reprise::cli {

enum class MpiLibrary { none, open_mpi, mpich };

struct Application {
  std::string path;
  bool is_elf = false;     // false: a script
  bool is_static = false;  // no dynamic linker: nothing can be preloaded
  MpiLibrary mpi = MpiLibrary::none;
  bool has_address_sanitizer = false;  // as a shared library, gcc's or clang's
};

// The file that the shell would run for `word` (a path, or a name looked up in PATH); none where there is none.
std::optional<std::string> executable_named(const std::string& word);

// REQUIRES: path names a readable file.
Application inspect(const std::string& path);

}  // namespace reprise::cli
