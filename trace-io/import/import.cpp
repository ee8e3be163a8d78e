// SPDX-License-Identifier: MIT
#include "trace-io/import/import.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {

#define X(format) extern const ImportFormat format;
#include "trace-io/import/formats.def"
#undef X

std::span<const ImportFormat* const> import_formats() {
  static const ImportFormat* const all[] = {
#define X(format) &(format),
#include "trace-io/import/formats.def"
#undef X
  };
  return all;
}

const ImportFormat& format_of(const std::string& word, const std::vector<std::string>& files) {
  for (const auto& file : files) {
    std::FILE* opened = std::fopen(file.c_str(), "rb");
    if (opened == nullptr)
      throw InputError(file, std::string("cannot be opened: ") + std::strerror(errno));
    std::fclose(opened);
    if (std::filesystem::is_directory(file))
      throw InputError(file, "is a folder", "give the file or files of the trace");
  }
  for (const ImportFormat* format : import_formats()) {
    if (word != format->word && (word != "auto" || !format->recognises(files.front()))) continue;
    if (files.size() > 1 && !format->takes_many)
      throw InputError(files[1], "a trace of format " + std::string(format->word) + " is one file",
                       "import one trace at a time");
    return *format;
  }
  std::string known;
  for (const ImportFormat* format : import_formats())
    known += std::string(known.empty() ? "" : "; ") + format->description;
  throw InputError(files.front(), "has an unknown format", "known are " + known);
}

}  // namespace reprise::trace_io
