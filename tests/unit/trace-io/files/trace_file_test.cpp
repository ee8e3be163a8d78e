// SPDX-License-Identifier: MIT
#include "trace-io/file/trace_file.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/unit/trace-io/files/random_trace.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/quick_bytes.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

// A directory that goes away with the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "reprise-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_),
                                                  std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

constexpr const char* kRing = R"(reprise-text 1
ranks 16
thread 0 {
  loop 1000 {
    MPI_Isend peer=+1 tag=7 bytes=8KiB request=0 | compute 10us
    MPI_Recv peer=-1 tag=7 bytes=8KiB
    MPI_Waitall requests=[0]
  }
}
)";

}  // namespace

TEST_CASE("a trace written quickly reads as the same trace", "[files]") {
  bool differ = false;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const auto trace = random_trace(seed);
    const auto whole = serialise(trace), quick = serialise_quickly(trace);
    differ = differ || whole != quick;
    CHECK(serialise(deserialise(quick, "quick")) == whole);
  }
  CHECK(differ);
}

TEST_CASE("trace_file: an empty trace comes back", "[trace-io]") {
  Trace trace;
  trace.header.recorded = RankList::all(1);
  const auto bytes = serialise(trace);
  REQUIRE(same_trace(deserialise(bytes, "t"), trace));
}

TEST_CASE("trace_file: random traces come back in every part", "[trace-io]") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    const Trace trace = random_trace(seed);
    const Trace back = deserialise(serialise(trace), "t");
    REQUIRE(encode_payload(back) == encode_payload(trace));
    REQUIRE(dump(back) == dump(trace));
  }
}

TEST_CASE("trace_file: equal traces have equal bytes", "[trace-io]") {
  REQUIRE(serialise(random_trace(7)) == serialise(random_trace(7)));
}

TEST_CASE("trace_file: a ring of 16 ranks and 1000 steps takes less than 300 bytes", "[trace-io]") {
  // Three calls in a loop: what is left are tables and counters, whatever the number of steps.
  const auto bytes = serialise(assemble(kRing, "ring"));
  REQUIRE(bytes.size() < 300);
}

TEST_CASE("trace_file: saving and loading gives the same trace", "[trace-io]") {
  const TemporaryDirectory directory;
  const std::string path = (directory / "a.reprise").string();
  const Trace trace = random_trace(3);
  save(trace, path);
  REQUIRE(same_trace(load(path), trace));
  SECTION("a saved file can be replaced") {
    const Trace other = random_trace(4);
    save(other, path);
    REQUIRE(same_trace(load(path), other));
  }
  REQUIRE(directory.files() == 1);  // no temporary file stays
}

TEST_CASE("trace_file: a saved file has the permissions that the process's mask leaves",
          "[trace-io]") {
  const TemporaryDirectory directory;
  const std::string path = (directory / "a.reprise").string();
  const mode_t before = ::umask(027);
  save(random_trace(1), path);
  ::umask(before);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  REQUIRE((status.st_mode & 0777) == 0640);
}

TEST_CASE("trace_file: saving into a directory that is not there is refused with the reason",
          "[trace-io]") {
  try {
    save(random_trace(1), "/no/such/place/a.reprise");
    FAIL("saved");
  } catch (const InputError& error) {
    REQUIRE(std::string(error.what()) ==
            "/no/such/place/a.reprise: cannot create a file beside it: No such file or directory\n"
            "  choose another place with -o");
  }
}

TEST_CASE("trace_file: a failed save leaves the old file as it was", "[trace-io]") {
  const TemporaryDirectory directory;
  // The target is a directory that is not empty: the rename fails after all has been written.
  std::filesystem::create_directory(directory / "a.reprise");
  std::ofstream(directory / "a.reprise" / "file") << "kept";
  const std::string path = (directory / "a.reprise").string();
  REQUIRE_THROWS_AS(save(random_trace(1), path), InputError);
  REQUIRE(std::filesystem::exists(directory / "a.reprise" / "file"));
  REQUIRE(directory.files() == 1);
}

TEST_CASE("trace_file: loading a file that is not there says so", "[trace-io]") {
  try {
    load("/no/such/a.reprise");
    FAIL("loaded");
  } catch (const InputError& error) {
    REQUIRE(std::string(error.what()) ==
            "/no/such/a.reprise: cannot open the trace: No such file or directory");
  }
}

TEST_CASE("trace_file: an extremely repetitive trace keeps within the reader's limits",
          "[trace-io]") {
  // 100 000 equal calls, not folded: zstd alone would shrink them by more than a reader accepts.
  Trace trace = assemble("reprise-text 1\nranks 1\nthread 0 {\n  MPI_Barrier\n}\n", "t");
  trace.threads[0].resize(100'000, trace.threads[0][0]);
  const auto bytes = serialise(trace);
  REQUIRE(deserialise(bytes, "t").threads[0].size() == 100'000);
}

TEST_CASE("trace_file: more than the format has room for is an error, not the end of the process",
          "[trace-io]") {
  Trace trace = assemble("reprise-text 1\nranks 1\nthread 0 {\n  MPI_Barrier\n}\n", "t");
  trace.call_paths[0].frames.resize(1025, trace.call_paths[0].frames[0]);
  REQUIRE_THROWS_WITH(serialise(trace),
                      "the trace: 1025 frames in a call path are more than the format's 1024\n  "
                      "record with a smaller --depth");
}
