// SPDX-License-Identifier: MIT
#include "tests/cli/scratch.hpp"

#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "sim/cli/child.hpp"

namespace fs = std::filesystem;

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "reprise-test-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no folder for the test");
  folder_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Scratch::file(const std::string& name, const std::string& text) const {
  fs::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return path(name);
}

std::string Scratch::script(const std::string& name, const std::string& commands) const {
  const auto path = file(name, "#!/bin/sh\n" + commands + "\n");
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

std::optional<std::string> Scratch::compiled(const std::string& name, const std::string& source,
                                             const std::vector<std::string>& options) const {
  const auto text = file(name + ".c", source);
  std::vector<std::string> command = {REPRISE_TEST_C_COMPILER, text, "-o", path(name)};
  command.insert(command.end(), options.begin(), options.end());
  std::string line;
  for (const auto& word : command) line += "'" + word + "' ";
  if (reprise::cli::run_child({"sh", "-c", line + " 2>/dev/null"}, {}) != 0) return std::nullopt;
  return path(name);
}

std::string Scratch::program_loading(const std::string& name, const std::string& library) const {
  const auto fake = compiled(library, "int fake_mpi(void) { return 0; }\n",
                             {"-shared", "-fPIC", "-Wl,-soname," + library});
  const auto program =
      fake ? compiled(name, "int fake_mpi(void);\nint main(void) { return fake_mpi(); }\n",
                      {*fake, "-Wl,-rpath," + folder_.string()})
           : std::nullopt;
  if (!program) throw std::runtime_error("the C compiler did not make " + name);
  return *program;
}

std::string Scratch::static_elf(const std::string& name) const {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_type = ET_EXEC;
  const auto path = file(name, std::string(reinterpret_cast<const char*>(&header), sizeof header));
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

Variable::Variable(const char* name, const std::optional<std::string>& value) : name_(name) {
  if (const char* before = std::getenv(name)) before_ = before;
  if (value)
    setenv(name, value->c_str(), 1);
  else
    unsetenv(name);
}

Variable::~Variable() {
  if (before_)
    setenv(name_.c_str(), before_->c_str(), 1);
  else
    unsetenv(name_.c_str());
}
