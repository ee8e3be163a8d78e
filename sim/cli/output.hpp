// SPDX-License-Identifier: MIT
// Where a verb's answer goes: --format and -o/--output, with the meaning they have everywhere.
#pragma once

#include <boost/program_options.hpp>
#include <string>

namespace reprise::cli {

// For verbs that answer. `formats`: "text|json".
void add_output_options(boost::program_options::options_description&, const std::string& formats);

// The format asked for. Also refuses, before any work is done, a -o that cannot be written, or whose ending is that of another format or of
// a picture. Throws InputError.
std::string output_format(const boost::program_options::variables_map&, const std::string& verb,
                          const std::string& formats);

// Writes to the file named by -o, or to stdout where that is "-". Throws InputError where the file cannot be opened, RunError
// where it cannot be written.
void write_output(const boost::program_options::variables_map&, const std::string& text);

// Beside the answer: writes a file of its own, or to stdout where it is "-". Throws as write_output does.
void write_file(const std::string& path, const std::string& text);
// Refuse, before any work is done, a place that cannot be written: where a file would be made, one is made and removed. Throw InputError.
// Files are replaced, but never a trace, which nothing but a recording can make again.
void refuse_unwritable(const std::string& path);
// The same for a folder, which is made where there is none, and must be empty where there is; with `force` it may hold an earlier export,
// and nothing else.
void refuse_unwritable_folder(const std::string& path, bool force = false);

// A folder's earlier export out of the way while a new one is written, and back again where that fails. Nothing where there is no such
// folder. Throws InputError where it cannot be moved.
class EarlierExport {
 public:
  explicit EarlierExport(const std::string& folder);
  ~EarlierExport();
  EarlierExport(const EarlierExport&) = delete;
  EarlierExport& operator=(const EarlierExport&) = delete;
  void replaced();  // it is removed

 private:
  std::string folder_, aside_;  // empty: there is none
};

// For verbs that make a trace: -o/--output FILE and --force.
void add_trace_options(boost::program_options::options_description&);

// The trace to write. Throws InputError: -o left out, a file that exists (unless --force), a folder that does not.
std::string new_trace(const boost::program_options::variables_map&, const std::string& verb);

// Throws InputError where a trace must not be written there. An existing file may be replaced with `force`, but never a folder, a
// device or a pipe: saving renames over it.
void refuse_to_replace(const std::string& path, bool force);

}  // namespace reprise::cli
