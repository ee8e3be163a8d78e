// SPDX-License-Identifier: MIT
// A predicted run written as a timeline and read again: its calls at their times, its messages as flows between them.
#include "sim/export/timeline/predicted_timeline.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/engine/observe/observation.hpp"
#include "sim/engine/replay.hpp"
#include "trace-io/import/import.hpp"
#include "trace-io/text/text.hpp"
#include "trace-io/walk/cursor.hpp"

using namespace reprise;

namespace {

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "reprise-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

platforms::Platform machine() {
  platforms::Platform machine;
  machine.nodes.count = 4;
  machine.network = platforms::Network{
      platforms::Star{}, {BytesPerSecond{1e9}, Seconds{1e-6}, platforms::Sharing::kFullDuplex}};
  return machine;
}

trace_io::Trace ring(const std::string& more = "") {
  return trace_io::assemble(
      "reprise-text 1\nranks 4\nthread 0 {\nloop 50 {\n"
      "  MPI_Irecv peer=-1 tag=1 bytes=1000 request=0 | compute 20us\n"
      "  MPI_Isend peer=+1 tag=1 bytes=1000 request=1 | compute 100us\n"
      "  MPI_Waitall requests=[0, 1]\n  MPI_Allreduce send_bytes=8 }\n" +
          more + "}\n",
      "test");
}

void watch(sim::Observation& observation, const trace_io::Trace& trace,
           sim::WindowQuestion question = {}) {
  question.keeps_fields = true;
  observation.open_window(std::move(question));
  sim::ReplaySettings settings;
  settings.observation = &observation;
  try {
    sim::replay(trace, machine(), settings);
  } catch (const sim::ReplayError& error) {
    CHECK(error.kind() == sim::ReplayError::Kind::deadlock);
  }
}

// The numbers of each record of a Paraver file.
std::vector<std::vector<std::int64_t>> lines_of(const std::string& path) {
  std::vector<std::vector<std::int64_t>> records;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") || line.starts_with("c:")) continue;
    std::vector<std::int64_t>& fields = records.emplace_back();
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, ':');) fields.push_back(std::stoll(word));
  }
  return records;
}

}  // namespace

TEST_CASE("predicted_timeline: Chrome's slices and flows", "[timeline]") {
  const auto trace = ring();
  sim::Observation observation{sim::Watched{}};
  watch(observation, trace, {.iterations = {{10, 12}}});
  const Folder folder;
  const auto summary = sim::write_timeline(trace, *observation.window(),
                                           sim::TimelineFormat::chrome, folder / "t.json");
  CHECK(summary.calls == 4 * 4 * 3);
  std::ifstream file(summary.path);
  const auto events = nlohmann::json::parse(file).at("traceEvents");
  std::map<int, std::vector<std::pair<double, double>>> slices;
  std::map<int, std::pair<int, int>> flows;  // by id: begins, ends
  for (const auto& event : events)
    if (event["ph"] == "X")
      slices[event["tid"]].emplace_back(event["ts"],
                                        event["ts"].get<double>() + event["dur"].get<double>());
  // No slice touches the next one, and each has a length: viewers would nest them.
  for (const auto& [rank, of_rank] : slices)
    for (std::size_t i = 0; i < of_rank.size(); ++i) {
      CHECK(of_rank[i].first < of_rank[i].second);
      if (i > 0) CHECK(of_rank[i - 1].second < of_rank[i].first);
    }
  const auto is_inside = [&](const auto& event) {
    for (const auto& [begin, end] : slices[event["tid"]])
      if (event["ts"] >= begin - 1e-6 && event["ts"] <= end + 1e-6) return true;
    return false;
  };
  for (const auto& event : events) {
    if (event["ph"] == "s") ++flows[event["id"]].first;
    if (event["ph"] == "f") ++flows[event["id"]].second;
    if (event["ph"] == "s" || event["ph"] == "f") CHECK(is_inside(event));
  }
  CHECK(slices.size() == 4);
  CHECK(slices[0].size() == 4 * 3);
  CHECK(flows.size() == 4 * 3);
  for (const auto& [id, ends] : flows) CHECK(ends == std::pair(1, 1));
}

TEST_CASE("predicted_timeline: OTF2 and Paraver are imported as the calls that were replayed",
          "[timeline]") {
  const auto trace = ring();
  sim::Observation observation{sim::Watched{}};
  watch(observation, trace);
  const auto& window = *observation.window();
  double compute = 0;
  for (const auto& call : window.calls()) compute += call.enter - call.begin;
  for (const auto& [format, name] : {std::pair(sim::TimelineFormat::otf2, "archive"),
                                     std::pair(sim::TimelineFormat::prv, "t.prv")}) {
    INFO(name);
    const Folder folder;
    const auto summary = sim::write_timeline(trace, window, format, folder / name);
    CHECK(summary.calls == 4 * 50 * 4);
    CHECK(summary.messages == 4 * 50);
    const std::vector<std::string> files = {summary.path};
    const auto after = trace_io::format_of("auto", files).import(files, {});
    const trace_io::Programs before_programs(trace), after_programs(after);
    double recorded = 0;
    for (std::int32_t rank = 0; rank < 4; ++rank) {
      trace_io::Cursor a(before_programs, Rank{rank}, 0), b(after_programs, Rank{rank}, 0);
      std::uint64_t calls = 0;
      while (a.advance()) {
        REQUIRE(b.advance());
        ++calls;
        REQUIRE(a.procedure().name == b.procedure().name);
        REQUIRE(std::ranges::equal(a.scalars(), b.scalars()));
      }
      CHECK(calls == 200);
      CHECK_FALSE(b.advance());
    }
    for (const auto& thread : after.threads)
      trace_io::for_each_leaf(thread, [&](const trace_io::Leaf& leaf) {
        for (const auto& path : leaf.compute)
          for (const auto& delta : path.classes)
            recorded += static_cast<double>(delta.durations.sum().value) * 1e-9;
      });
    CHECK(recorded == Approx(compute).epsilon(1e-6));
  }
}

// System: messages of the ring come while their receivers compute, 100 µs before these wait for them.
TEST_CASE("predicted_timeline: Paraver's physical receives are in the calls that complete them",
          "[timeline]") {
  const auto trace = ring();
  sim::Observation observation{sim::Watched{}};
  watch(observation, trace, {.iterations = {{10, 12}}});
  const auto& window = *observation.window();
  const Folder folder;
  sim::write_timeline(trace, window, sim::TimelineFormat::prv, folder / "t.prv");
  const auto ns = [](double seconds) {
    return static_cast<std::int64_t>(std::llround(seconds * 1e9));
  };
  std::size_t messages = 0;
  for (const auto& fields : lines_of(folder / "t.prv")) {
    if (fields[0] != 3) continue;
    REQUIRE(fields.size() == 15);
    ++messages;
    const std::int64_t received = fields[12];
    const bool is_in_wait = std::ranges::any_of(window.calls(), [&](const auto& call) {
      return call.rank + 1 == fields[9] &&
             procedure_of(trace, call.site).kind == trace_io::Kind::wait_all &&
             ns(call.enter) <= received && received <= ns(call.end);
    });
    CAPTURE(fields);
    CHECK(is_in_wait);
    CHECK(fields[11] < fields[12] - 100'000);
  }
  CHECK(messages == 4 * 3);
}

TEST_CASE("predicted_timeline: Paraver's ranks are Running between their calls", "[timeline]") {
  const auto trace = ring();
  sim::Observation observation{sim::Watched{}};
  watch(observation, trace);
  const auto& window = *observation.window();
  std::array<double, 4> computed{};
  for (const auto& call : window.calls())
    computed[static_cast<std::size_t>(call.rank)] += call.enter - call.begin;
  const Folder folder;
  sim::write_timeline(trace, window, sim::TimelineFormat::prv, folder / "t.prv");
  std::array<std::int64_t, 4> running{}, until{};
  std::int64_t before = 0;
  for (const auto& fields : lines_of(folder / "t.prv")) {
    CHECK(fields[5] >= before);  // lines are in the order of time
    before = fields[5];
    if (fields[0] != 1) continue;
    const auto rank = static_cast<std::size_t>(fields[3] - 1);
    CHECK(fields[5] == until[rank]);  // each state begins where the one before ends
    until[rank] = fields[6];
    if (fields[7] == 1) running[rank] += fields[6] - fields[5];
  }
  for (std::size_t rank = 0; rank < 4; ++rank) {
    CHECK(static_cast<double>(running[rank]) * 1e-9 == Approx(computed[rank]).epsilon(1e-6));
    CHECK(running[rank] > 5'000'000);  // 50 times 120 µs
    CHECK(static_cast<double>(until[rank]) * 1e-9 == Approx(window.end()).epsilon(1e-6));
  }
}

TEST_CASE("predicted_timeline: what never ends is marked in every format", "[timeline]") {
  const auto trace = ring("ranks 2: MPI_Recv peer=0 tag=9 bytes=8\n");
  sim::Observation observation{sim::Watched{}};
  watch(observation, trace, {.iterations = {}, .ranks = trace_io::RankList::single(Rank{2})});
  const Folder folder;
  for (const auto& [format, name] : {std::pair(sim::TimelineFormat::otf2, "archive"),
                                     std::pair(sim::TimelineFormat::prv, "t.prv"),
                                     std::pair(sim::TimelineFormat::chrome, "t.json")}) {
    INFO(name);
    const auto summary = sim::write_timeline(trace, *observation.window(), format, folder / name);
    CHECK(summary.unfinished == 1);
    CHECK(summary.calls == 50 * 4 + 1);
  }
  const auto text_of = [](const std::string& path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  CHECK_THAT(text_of(folder / "t.json"), Catch::Contains("\"never_ends\":true"));
  CHECK_THAT(text_of(folder / "t.prv"), Catch::Contains(":98000010:1"));
  CHECK_THAT(text_of(folder / "t.pcf"), Catch::Contains("98000010    reprise: never ends"));
}
