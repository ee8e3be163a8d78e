// SPDX-License-Identifier: MIT
#include "sim/cli/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "sim/text/printable.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::cli {
namespace po = boost::program_options;
namespace fs = std::filesystem;

void refuse_missing_folder(const std::string& path) {
  std::error_code ignored;
  const auto folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    throw InputError(path, "there is no folder \"" + folder.string() + "\"",
                     "make it first, or choose another place with -o");
  if (fs::is_directory(path, ignored))
    throw InputError(path, "is a folder", "name a file in it with -o");
}

void add_output_options(po::options_description& options, const std::string& formats) {
  options.add_options()("format",
                        po::value<std::string>()->value_name(formats)->default_value("text"),
                        "how the answer is written")(
      "output,o", po::value<std::string>()->value_name("FILE")->default_value("-"),
      "where to; - is stdout");
}

std::string output_format(const po::variables_map& values, const std::string& verb,
                          const std::string& formats) {
  const auto name = values["format"].as<std::string>();
  if (name.empty() || name.find('|') != std::string::npos ||
      ("|" + formats + "|").find("|" + name + "|") == std::string::npos)
    throw InputError(
        "reprise " + verb, "no format \"" + name + "\"",
        (formats.find('|') == std::string::npos ? "there is only " : "one of ") + formats);
  const auto path = values["output"].as<std::string>();
  if (path != "-") refuse_missing_folder(path);
  return name;
}

void write_output(const po::variables_map& values, const std::string& text) {
  // Other forms have escapes of their own.
  const bool is_text = values.count("format") == 0 || values["format"].as<std::string>() == "text";
  write_file(values["output"].as<std::string>(), is_text ? printable(text) : text);
}

void write_file(const std::string& path, const std::string& text) {
  const bool to_stdout = path == "-";
  std::FILE* file = to_stdout ? stdout : std::fopen(path.c_str(), "w");
  if (!file)
    throw InputError(path, std::string("could not be opened for writing: ") + std::strerror(errno),
                     "");
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int reason = errno;
  const bool closed = to_stdout ? std::fflush(file) == 0 : std::fclose(file) == 0;
  if (written && closed) return;
  throw RunError(to_stdout ? "stdout" : path,
                 std::string("could not be written: ") + std::strerror(written ? errno : reason),
                 "");
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
  refuse_missing_folder(path);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  if (!fs::is_regular_file(path, ignored))
    throw InputError(path, "is not a file that a trace can replace", "choose another name with -o");
  if (!force)
    throw InputError(path, "exists already",
                     "choose another name with -o, or --force to overwrite it");
}

}  // namespace reprise::cli
