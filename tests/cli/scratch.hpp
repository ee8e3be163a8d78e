// SPDX-License-Identifier: MIT
// A folder of a test's own, with programs made for it; environment variables that are put back.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  const std::filesystem::path& folder() const { return folder_; }
  std::string file(const std::string& name, const std::string& text) const;  // returns its path
  std::string script(const std::string& name,
                     const std::string& commands) const;  // of /bin/sh, executable
  // Compiles `source` as C with these options; returns the program's path, none where the compiler cannot.
  std::optional<std::string> compiled(const std::string& name, const std::string& source,
                                      const std::vector<std::string>& options) const;
  // A program that loads a library of this name ("libmpi.so.40"), which is a fake beside it.
  std::string program_loading(const std::string& name, const std::string& library) const;
  // The smallest file that is a static 64-bit ELF program by its header.
  std::string static_elf(const std::string& name) const;

 private:
  std::filesystem::path folder_;
};

class Variable {
 public:
  Variable(const char* name, const std::optional<std::string>& value);  // none: unset
  ~Variable();
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};
