// SPDX-License-Identifier: MIT
// One writer of a file at a time, for as long as its making takes: PATH.lock, held with flock().
//
// Limits  where no lock can be had (a folder that cannot be written, a file system without locks) there is none. A process that is killed
//         leaves the file behind, not the lock.
#pragma once

#include <string>

namespace reprise::cli {

class FileLock {
 public:
  // Throws InputError where another process holds it.
  explicit FileLock(const std::string& path);
  ~FileLock();  // takes PATH.lock away
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  bool is_current() const;

  std::string path_;
  int file_ = -1;
};

}  // namespace reprise::cli
