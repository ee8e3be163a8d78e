// SPDX-License-Identifier: MIT
#include "sim/cli/application.hpp"

#include <elf.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "sim/cli/child.hpp"

namespace reprise::cli {
namespace {

bool is_program(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

// The interpreter that PT_INTERP names; empty where there is none (a static program).
std::string interpreter_of(std::ifstream& file, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    file.seekg(static_cast<std::streamoff>(header.e_phoff + i * std::uint64_t{header.e_phentsize}));
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) return {};
    if (segment.p_type != PT_INTERP || segment.p_filesz == 0 || segment.p_filesz > 4096) continue;
    std::string name(segment.p_filesz, '\0');
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    if (!file.read(name.data(), static_cast<std::streamsize>(name.size()))) return {};
    return name.c_str();
  }
  return {};
}

MpiLibrary library_in(const std::string& listing) {
  if (listing.find("libmpi.so") != std::string::npos) return MpiLibrary::open_mpi;
  if (listing.find("libmpich.so") != std::string::npos) return MpiLibrary::mpich;
  return MpiLibrary::none;
}

bool has_address_sanitizer(const std::string& listing) {
  return listing.find("libasan.so") != std::string::npos ||
         listing.find("libclang_rt.asan") != std::string::npos;
}

}  // namespace

std::optional<std::string> executable_named(const std::string& word) {
  if (word.empty()) return std::nullopt;
  if (word.find('/') != std::string::npos)
    return is_program(word) ? std::optional(word) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto candidate = std::filesystem::path(folder.empty() ? "." : folder) / word;
    if (is_program(candidate)) return candidate.string();
  }
  return std::nullopt;
}

Application inspect(const std::string& path) {
  Application application;
  application.path = path;
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return application;
  application.is_elf = true;
  const std::string interpreter = interpreter_of(file, header);
  application.is_static = interpreter.empty();
  if (application.is_static) return application;
  const std::string listing = output_of({interpreter, "--list", path});
  application.mpi = library_in(listing);
  application.has_address_sanitizer = has_address_sanitizer(listing);
  return application;
}

}  // namespace reprise::cli
