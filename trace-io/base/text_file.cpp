// SPDX-License-Identifier: MIT
#include "trace-io/base/text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "trace-io/base/error.hpp"

namespace reprise {

std::string read_text_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw InputError(path, std::string("cannot be opened: ") + std::strerror(errno), "");
  std::string text;
  char buffer[1 << 16];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;)
    text.append(buffer, n);
  if (std::ferror(file.get()))
    throw InputError(path, std::string("cannot be read: ") + std::strerror(errno), "");
  return text;
}

}  // namespace reprise
