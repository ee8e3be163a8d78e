// SPDX-License-Identifier: MIT
#include "sim/cli/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "trace-io/base/error.hpp"

namespace reprise::cli {

FileLock::FileLock(const std::string& path) : path_(path + ".lock") {
  do {
    if (file_ >= 0) close(file_);
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) return;
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) continue;
    const bool is_held = errno == EWOULDBLOCK;
    close(file_);
    file_ = -1;
    if (!is_held) return;
    throw InputError(path, "is being written by another process",
                     "wait for that one, or choose another name with -o");
  } while (!is_current());  // the one before took the file away between the two calls
}

FileLock::~FileLock() {
  if (file_ < 0) return;
  unlink(path_.c_str());
  close(file_);
}

bool FileLock::is_current() const {
  struct stat here {
  }, there{};
  return fstat(file_, &here) == 0 && stat(path_.c_str(), &there) == 0 &&
         here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

}  // namespace reprise::cli
