// SPDX-License-Identifier: MIT
// Rows of finished simulations, one JSON object a line, in files that only grow: DIR/shard-3-of-8.jsonl.
//
// Writer  one process at a time (a lock of the file system, flock). A line is one write; sync() brings lines to the disk, so that what
//         follows a sync survives the machine. A last line without its end, from a process that was killed, is taken off when the file is
//         opened for writing.
// Reader  ignores such a line, and counts it. Any other damage is an error: a line that ends was written whole.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/study/shard.hpp"

namespace reprise::sim {

std::string shard_path(const std::string& folder, const std::string& what,
                       const Shard&);  // "DIR/shard-3-of-8.jsonl"

class LineFile {
 public:
  // Makes the file and its folder. Throws InputError: cannot be opened, RunError: another process is writing it.
  explicit LineFile(std::string path);
  ~LineFile();  // syncs
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  void append(const std::string& line);  // without its end. Throws RunError: the disk is full
  void sync();

 private:
  void take_off_torn_line();
  [[noreturn]] void fail() const;

  std::string path_;
  int file_;
  bool is_synced_ = true;
};

// A row as it stands in a file.
struct StoredRow {
  nlohmann::ordered_json row;
  std::string file;
};

struct StoredRows {
  std::vector<std::string> files;      // sorted
  std::vector<bool> is_being_written;  // for each file
  std::vector<StoredRow> rows;         // by file, then as written
  std::size_t torn_lines = 0;
};

// Every DIR/shard-*.jsonl; no rows where there is no such folder. Throws InputError at "FILE:LINE".
StoredRows read_rows(const std::string& folder);

}  // namespace reprise::sim
