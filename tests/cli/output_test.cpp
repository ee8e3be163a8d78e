// SPDX-License-Identifier: MIT
#include "sim/cli/output.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "sim/cli/options.hpp"
#include "tests/cli/scratch.hpp"
#include "trace-io/base/error.hpp"

using namespace reprise::cli;
namespace po = boost::program_options;

namespace {

po::variables_map values_of(const Arguments& arguments) {
  Syntax s{"paint", "reprise paint", "", po::options_description("options"), {}};
  add_output_options(s.options, "text|json");
  return *parse(s, arguments);
}

}  // namespace

TEST_CASE("output: the format is one of those offered", "[cli]") {
  CHECK(output_format(values_of({}), "paint", "text|json") == "text");
  CHECK(output_format(values_of({"--format", "json"}), "paint", "text|json") == "json");
  CHECK_THROWS_WITH(output_format(values_of({"--format", "text|json"}), "paint", "text|json"),
                    "reprise paint: no format \"text|json\"\n  one of text|json");
  CHECK_THROWS_WITH(output_format(values_of({"--format", "json"}), "paint", "text"),
                    "reprise paint: no format \"json\"\n  there is only text");
}

TEST_CASE("output: a place that cannot be written is refused before the work", "[cli]") {
  const Scratch scratch;
  const auto format = [](const std::string& path) {
    return output_format(values_of({"-o", path}), "paint", "text");
  };
  CHECK_THROWS_WITH(format(scratch.folder()),
                    scratch.folder().string() + ": is a folder\n  name a file in it");
  CHECK_THROWS_WITH(format(scratch.path("no/x")), scratch.path("no/x") + ": there is no folder \"" +
                                                      scratch.path("no") +
                                                      "\"\n  create it, or choose another place");
  CHECK(format(scratch.path("x")) == "text");
}

TEST_CASE("output: a file is overwritten, a full disk is a failure of the run", "[cli]") {
  const Scratch scratch;
  const auto path = scratch.file("answer", "an older and longer answer\n");
  write_output(values_of({"-o", path}), "answer\n");
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  CHECK(text.str() == "answer\n");
  CHECK_THROWS_AS(write_output(values_of({"-o", "/dev/full"}), "answer\n"), reprise::RunError);
  CHECK_THROWS_WITH(write_output(values_of({"-o", "/dev/full"}), std::string(1 << 20, 'x')),
                    "/dev/full: could not be written: No space left on device");
}

TEST_CASE("output: no answer replaces a trace", "[cli]") {
  const Scratch scratch;
  const auto path = scratch.file("x.reprise", "\x89reprise and what follows");
  CHECK_THROWS_WITH(output_format(values_of({"-o", path}), "paint", "text"),
                    path +
                        ": is a trace, which only a trace can replace\n  choose another name, or "
                        "remove it first");
  CHECK_NOTHROW(refuse_to_replace(path, true));
}

TEST_CASE("output: a folder is filled where it is new or empty", "[cli]") {
  const Scratch scratch;
  CHECK_NOTHROW(refuse_unwritable_folder(scratch.path("new")));
  CHECK_NOTHROW(refuse_unwritable_folder(scratch.folder().string()));
  scratch.file("x", "");
  CHECK_THROWS_WITH(refuse_unwritable_folder(scratch.folder().string()),
                    scratch.folder().string() +
                        ": is a folder with files in it\n  name a new or an "
                        "empty one with -o, or remove it first");
}

TEST_CASE(
    "output: --force gives a folder to a new export, where an earlier one is all that is in it",
    "[cli]") {
  const Scratch scratch;
  scratch.file("ti.txt", "");
  scratch.file("rank-0.txt", "");
  const auto folder = scratch.folder().string();
  CHECK_THROWS_WITH(refuse_unwritable_folder(folder),
                    folder +
                        ": is a folder with an earlier export\n  choose another name with -o, or "
                        "--force to overwrite it");
  CHECK_NOTHROW(refuse_unwritable_folder(folder, true));
  scratch.file("notes", "");
  CHECK_THROWS_WITH(refuse_unwritable_folder(folder, true),
                    folder +
                        ": is a folder with files in it\n  name a new or an empty one with -o, or "
                        "remove it first");
}

TEST_CASE("output: an export that fails leaves the earlier one", "[cli]") {
  const Scratch scratch;
  const auto folder = scratch.path("old");
  std::filesystem::create_directory(folder);
  const auto write = [&folder](const char* name) { std::ofstream(folder + "/" + name) << "x"; };
  write("ti.txt");
  {
    const EarlierExport earlier(folder);
    CHECK_FALSE(std::filesystem::exists(folder));
    std::filesystem::create_directory(folder);
    write("rank-0.txt");
  }
  CHECK(std::filesystem::exists(folder + "/ti.txt"));
  CHECK_FALSE(std::filesystem::exists(folder + "/rank-0.txt"));
  EarlierExport earlier(folder);
  earlier.replaced();
  CHECK(std::filesystem::is_empty(scratch.folder()));
}

// Root may write anywhere, so the test is somebody else meanwhile.
class Nobody {
 public:
  Nobody() { REQUIRE((!is_root_ || seteuid(65534) == 0)); }
  ~Nobody() {
    if (is_root_ && seteuid(0) != 0) std::abort();
  }

 private:
  const bool is_root_ = geteuid() == 0;
};

TEST_CASE("output: a folder in which nothing may be made is refused before the work", "[cli]") {
  const Scratch scratch;
  const auto folder = scratch.path("locked");
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(scratch.folder(), std::filesystem::perms(0755));
  std::filesystem::permissions(folder, std::filesystem::perms(0555));
  {
    const Nobody nobody;
    CHECK_THROWS_WITH(refuse_unwritable(folder + "/x"),
                      folder +
                          "/x: cannot be written: Permission denied\n"
                          "  choose another place");
    CHECK_NOTHROW(refuse_unwritable("/dev/null"));
  }
  std::filesystem::permissions(folder, std::filesystem::perms(0755));
}

TEST_CASE("output: a write that fails leaves the file that was there, and nothing beside it",
          "[cli]") {
  const Scratch scratch;
  const auto path = scratch.file("answer", "older");
  struct rlimit before;
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const struct rlimit small { 100, before.rlim_max };
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  CHECK_THROWS_WITH(write_file(path, std::string(1 << 20, 'x')),
                    path + ": could not be written: File too large");
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, handler);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  CHECK(text.str() == "older");
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.folder()), {}) == 1);
}

TEST_CASE("output: behind a link the file that it names is replaced", "[cli]") {
  const Scratch scratch;
  const auto path = scratch.file("answer", "older");
  std::filesystem::create_symlink(path, scratch.path("link"));
  write_file(scratch.path("link"), "newer");
  CHECK(std::filesystem::is_symlink(scratch.path("link")));
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  CHECK(text.str() == "newer");
}

TEST_CASE("output: a trace replaces a file only when told to, anything else never", "[cli]") {
  const Scratch scratch;
  const auto path = scratch.file("trace", "older");
  CHECK_NOTHROW(refuse_to_replace(scratch.path("new"), false));
  CHECK_NOTHROW(refuse_to_replace(path, true));
  CHECK_THROWS_WITH(
      refuse_to_replace(path, false),
      path + ": exists already\n  choose another name with -o, or --force to overwrite it");
  CHECK_THROWS_WITH(refuse_to_replace("/dev/null", true),
                    "/dev/null: is not a file that can be overwritten with a trace\n  choose "
                    "another name with -o");
}
