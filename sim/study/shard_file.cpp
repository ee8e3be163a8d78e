// SPDX-License-Identifier: MIT
#include "sim/study/shard_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "trace-io/base/error.hpp"
#include "trace-io/base/text_file.hpp"

namespace reprise::sim {
namespace {

namespace fs = std::filesystem;

bool is_locked(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool locked = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return locked;
}

void read_lines(const std::string& path, StoredRows& into) {
  const std::string text = read_text_file(path);
  std::size_t line_number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line_number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) {
      ++into.torn_lines;
      return;
    }
    auto row = nlohmann::ordered_json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                             text.begin() + static_cast<std::ptrdiff_t>(end),
                                             nullptr, false);
    const auto is_text = [&row](const char* key) {
      return row.contains(key) && row[key].is_string();
    };
    if (!row.is_object() || !is_text("key") || !is_text("status"))
      throw InputError(path + ':' + std::to_string(line_number), "is not a row of a study",
                       "delete the line, and its simulation is repeated");
    into.rows.push_back({std::move(row), path});
    begin = end + 1;
  }
}

}  // namespace

std::string shard_path(const std::string& folder, const std::string& what, const Shard& shard) {
  const std::string count = std::to_string(shard.count), index = std::to_string(shard.index + 1);
  return folder + '/' + what + '-' + std::string(count.size() - index.size(), '0') + index +
         "-of-" + count + ".jsonl";
}

LineFile::LineFile(std::string path) : path_(std::move(path)) {
  std::error_code problem;
  fs::create_directories(fs::path(path_).parent_path(), problem);
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw InputError(path_, std::string("cannot be opened: ") + std::strerror(errno));
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
    const int reason = errno;
    close(file_);
    if (reason == EWOULDBLOCK)
      throw RunError(path_, "another process is writing it",
                     "give each process a share of its own with --shard I/N, or wait for that one");
    throw RunError(path_, std::string("cannot be locked: ") + std::strerror(reason));
  }
  take_off_torn_line();
}

LineFile::~LineFile() {
  if (!is_synced_) fsync(file_);
  close(file_);
}

void LineFile::take_off_torn_line() {
  struct stat status {};
  if (fstat(file_, &status) != 0) fail();
  for (off_t size = status.st_size; size > 0;) {
    char piece[4096];
    const off_t begin = std::max<off_t>(0, size - static_cast<off_t>(sizeof piece));
    const ssize_t length = pread(file_, piece, static_cast<std::size_t>(size - begin), begin);
    if (length <= 0) fail();
    for (ssize_t i = length; i-- > 0;)
      if (piece[i] == '\n') {
        if (begin + i + 1 < status.st_size && ftruncate(file_, begin + i + 1) != 0) fail();
        return;
      }
    size = begin;
  }
  if (status.st_size > 0 && ftruncate(file_, 0) != 0) fail();
}

void LineFile::append(const std::string& line) {
  const std::string whole = line + '\n';
  for (std::size_t written = 0; written < whole.size();) {
    const ssize_t length = write(file_, whole.data() + written, whole.size() - written);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) fail();
    written += static_cast<std::size_t>(length);
  }
  is_synced_ = false;
}

void LineFile::sync() {
  if (is_synced_) return;
  if (fdatasync(file_) != 0 && errno != EINVAL && errno != EROFS)
    fail();  // EINVAL: not a file that can be synced
  is_synced_ = true;
}

void LineFile::fail() const {
  throw RunError(path_, std::string("could not be written: ") + std::strerror(errno));
}

StoredRows read_rows(const std::string& folder) {
  StoredRows rows;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("shard-") && name.ends_with(".jsonl"))
      rows.files.push_back(entry->path().string());
  }
  if (problem && problem != std::errc::no_such_file_or_directory)
    throw InputError(folder, "cannot be read: " + problem.message());
  std::sort(rows.files.begin(), rows.files.end());
  for (const std::string& file : rows.files) {
    rows.is_being_written.push_back(is_locked(file));
    read_lines(file, rows);
  }
  return rows;
}

}  // namespace reprise::sim
