// SPDX-License-Identifier: MIT
#include "sim/cli/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "sim/text/printable.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace {

// Else errno says why not.
bool can_make_file_in(const std::string& folder) {
  std::string name = (fs::path(folder) / ".reprise-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) return false;
  close(file);
  unlink(name.c_str());
  return true;
}

// What a recording has cost is not to be lost by a name typed wrong.
bool is_trace(const std::string& path) {
  constexpr std::string_view kStart = "\x89reprise";  // trace-io/FORMAT.md
  std::string start(kStart.size(), '\0');
  std::ifstream(path, std::ios::binary)
      .read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == kStart;
}

// Whether all that is in the folder is what `reprise export` writes into one: TI's files, or an OTF2 archive.
bool is_export(const fs::path& folder) {
  std::error_code ignored;
  return std::ranges::all_of(fs::directory_iterator(folder, ignored), [](const auto& entry) {
    const std::string name = entry.path().filename().string();
    const bool is_rank = name.starts_with("rank-") && name.ends_with(".txt");
    if (entry.is_regular_file())
      return is_rank || name == "ti.txt" || name == "traces.otf2" || name == "traces.def";
    return entry.is_directory() && name == "traces" &&
           std::ranges::all_of(fs::directory_iterator(entry.path()), [](const auto& part) {
             const auto kind = part.path().extension();
             return part.is_regular_file() && (kind == ".def" || kind == ".evt");
           });
  });
}

void refuse_place(const std::string& path) {
  std::error_code ignored;
  const auto folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    throw InputError(path, "there is no folder \"" + folder.string() + "\"",
                     "create it, or choose another place");
  if (fs::is_directory(path, ignored)) throw InputError(path, "is a folder", "name a file in it");
  // What is there and no file, such as a pipe, is written to; a file is replaced by one that is made beside it.
  const bool is_replaced = !fs::exists(path, ignored) || fs::is_regular_file(path, ignored);
  const std::string place = folder.empty() ? "." : folder.string();
  // Permissions are not all: /proc takes no files, a full disk no new ones.
  if (is_replaced ? !can_make_file_in(place) : euidaccess(path.c_str(), W_OK) != 0)
    throw InputError(path, std::string("cannot be written: ") + std::strerror(errno),
                     "choose another place");
}

}  // namespace

void refuse_unwritable(const std::string& path) {
  refuse_place(path);
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored) && is_trace(path))
    throw InputError(path, "is a trace, which only a trace can replace",
                     "choose another name, or remove it first");
}

void refuse_unwritable_folder(const std::string& path, bool force) {
  std::error_code ignored;
  fs::path there = fs::absolute(path, ignored).lexically_normal();
  while (!fs::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
  if (!fs::is_directory(there, ignored))
    throw InputError(path, "\"" + there.string() + "\" is not a folder",
                     "name another one with -o");
  if (fs::exists(path, ignored) && !fs::is_empty(path, ignored)) {
    if (!is_export(path))
      throw InputError(path, "is a folder with files in it",
                       "name a new or an empty one with -o, or remove it first");
    if (!force)
      throw InputError(path, "is a folder with an earlier export",
                       "choose another name with -o, or --force to overwrite it");
    there = there.parent_path();  // where it is moved
  }
  if (!can_make_file_in(there.string()))
    throw InputError(path, std::string("cannot be created as a folder: ") + std::strerror(errno),
                     "name another one with -o");
}

EarlierExport::EarlierExport(const std::string& folder) {
  std::error_code failed;
  if (!fs::exists(folder, failed) || fs::is_empty(folder, failed)) return;
  fs::path there = fs::absolute(folder, failed).lexically_normal();
  if (!there.has_filename()) there = there.parent_path();
  const std::string aside = there.string() + "." + std::to_string(getpid()) + ".old";
  fs::rename(there, aside, failed);
  if (failed)
    throw InputError(folder, "cannot be moved aside: " + failed.message(), "choose another place");
  folder_ = there.string();
  aside_ = aside;
}

EarlierExport::~EarlierExport() {
  if (aside_.empty()) return;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  fs::rename(aside_, folder_, ignored);
}

void EarlierExport::replaced() {
  std::error_code ignored;
  if (!aside_.empty()) fs::remove_all(aside_, ignored);
  aside_.clear();
}

void add_output_options(po::options_description& options, const std::string& formats) {
  options.add_options()(
      "format", po::value<std::string>()->value_name(formats)->default_value("text"),
      "output format")("output,o", po::value<std::string>()->value_name("FILE")->default_value("-"),
                       "output file; - is stdout");
}

namespace {

bool is_one_of(const std::string& word, const std::string& words) {
  return ("|" + words + "|").find("|" + word + "|") != std::string::npos;
}

// A name that says something else than what would be written.
void refuse_other_ending(const std::string& path, const std::string& verb,
                         const std::string& format, const std::string& formats) {
  constexpr const char *kPictures = "svg|png|jpg|pdf", *kFiles = "json|csv|html";
  std::string ending = fs::path(path).extension().string();
  if (ending.size() < 2) return;
  ending.erase(0, 1);
  const bool is_picture = is_one_of(ending, kPictures);
  if (ending == format || !(is_picture || is_one_of(ending, kFiles))) return;
  if (is_one_of(ending, formats))
    throw InputError("--output",
                     "\"" + path + "\" ends in ." + ending + ", and the format is " + format,
                     "add --format " + ending + ", or choose another name");
  if (is_picture)
    throw InputError(
        "--output",
        "\"" + path + "\" is the name of a picture, and reprise " + verb + " writes " + formats,
        is_one_of("html", formats)
            ? "--html FILE writes a page with pictures; a browser makes one picture of "
              "it: chromium --headless --screenshot=" +
                  path + " FILE"
            : "choose another name");
}

}  // namespace

std::string output_format(const po::variables_map& values, const std::string& verb,
                          const std::string& formats) {
  const auto name = values["format"].as<std::string>();
  if (name.empty() || name.find('|') != std::string::npos || !is_one_of(name, formats))
    throw InputError(
        "reprise " + verb, "no format \"" + name + "\"",
        (formats.find('|') == std::string::npos ? "there is only " : "one of ") + formats);
  const auto path = values["output"].as<std::string>();
  refuse_other_ending(path, verb, name, formats);
  if (path != "-") refuse_unwritable(path);
  return name;
}

void write_output(const po::variables_map& values, const std::string& text) {
  // Other forms have escapes of their own.
  const bool is_text = values.count("format") == 0 || values["format"].as<std::string>() == "text";
  write_file(values["output"].as<std::string>(), is_text ? printable(text) : text);
}

namespace {

[[noreturn]] void refuse_write(const std::string& place, int reason) {
  throw RunError(place, std::string("could not be written: ") + std::strerror(reason), "");
}

bool write_all(std::FILE* file, const std::string& text, int& reason) {
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  reason = written ? 0 : errno;
  return written;
}

}  // namespace

void write_file(const std::string& path, const std::string& text) {
  int reason = 0;
  if (path == "-") {
    if (write_all(stdout, text, reason) && std::fflush(stdout) == 0) return;
    refuse_write("stdout", reason != 0 ? reason : errno);
  }
  std::error_code ignored;
  const bool is_replaced = !fs::exists(path, ignored) || fs::is_regular_file(path, ignored);
  // Behind a link stands the file that is meant.
  const fs::path target =
      fs::is_symlink(path, ignored) ? fs::canonical(path, ignored) : fs::path(path);
  const std::string beside =
      is_replaced ? target.string() + "." + std::to_string(getpid()) + ".new" : path;
  std::FILE* file = std::fopen(beside.c_str(), "w");
  if (!file)
    throw InputError(path, std::string("could not be opened for writing: ") + std::strerror(errno),
                     "");
  const bool written = write_all(file, text, reason);
  const bool closed = std::fclose(file) == 0;
  if (written && !closed) reason = errno;
  if (written && closed) {
    if (!is_replaced || std::rename(beside.c_str(), target.c_str()) == 0) return;
    reason = errno;
  }
  if (is_replaced) std::remove(beside.c_str());
  refuse_write(path, reason);
}

void add_trace_options(po::options_description& options) {
  options.add_options()("output,o", po::value<std::string>()->value_name("FILE"),
                        "the trace to write")("force", "overwrite the trace if it exists");
}

std::string new_trace(const po::variables_map& values, const std::string& verb) {
  const auto path = values.count("output") ? values["output"].as<std::string>() : "";
  if (path.empty() || path == "-")
    throw InputError("reprise " + verb, "-o is missing",
                     "name the trace to write: -o FILE.reprise");
  refuse_to_replace(path, values.count("force") > 0);
  return path;
}

void refuse_to_replace(const std::string& path, bool force) {
  refuse_place(path);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  if (!fs::is_regular_file(path, ignored))
    throw InputError(path, "is not a file that can be overwritten with a trace",
                     "choose another name with -o");
  if (!force)
    throw InputError(path, "exists already",
                     "choose another name with -o, or --force to overwrite it");
}

}  // namespace reprise::cli
