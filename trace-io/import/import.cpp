// SPDX-License-Identifier: MIT
#include "trace-io/import/import.hpp"

#include <algorithm>
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

std::vector<std::string> files_meant(std::vector<std::string> files) {
  namespace fs = std::filesystem;
  for (std::string& file : files) {
    std::error_code failed;
    if (!fs::is_directory(file, failed)) continue;
    std::vector<std::string> anchors;
    for (const auto& entry : fs::directory_iterator(file, failed))
      if (entry.path().extension() == ".otf2" && entry.is_regular_file(failed))
        anchors.push_back(entry.path().string());
    if (anchors.empty())
      throw InputError(file, "is a folder without an OTF2 archive (*.otf2)",
                       "give the file or files of the trace");
    std::sort(anchors.begin(), anchors.end());
    if (anchors.size() > 1)
      throw InputError(file,
                       "is a folder with " + std::to_string(anchors.size()) + " OTF2 archives",
                       "give the anchor file of one, such as " + anchors.front());
    file = anchors.front();
  }
  return files;
}

const ImportFormat& format_of(const std::string& word, const std::vector<std::string>& files) {
  for (const auto& file : files) {
    std::FILE* opened = std::fopen(file.c_str(), "rb");
    if (opened == nullptr)
      throw InputError(file, std::string("cannot be opened: ") + std::strerror(errno));
    std::fclose(opened);
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
