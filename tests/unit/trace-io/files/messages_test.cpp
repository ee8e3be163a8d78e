// SPDX-License-Identifier: MIT
// Times of sampled messages: as text, as a file, and refused where they cannot be.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/model/message_choice.hpp"
#include "trace-io/model/message_times.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

const std::string kChoice =
    "messages random asked 42949673 kept 21474836 period 0 variance 0 bytes 0 0 sent 1000 chosen 4 "
    "joined 3 clock_error 12ns\n";
const std::string kRow =
    "message 0 1 sites 0 any same_node class 11 bytes 2048 latency 2/1500ns/500ns/1000ns [95/1, "
    "111/1]\n";
const std::string kAnyRow =
    "message any any sites any any other_node class 0 bytes 0 latency 1/7ns/7ns/7ns [7/1]\n";
const std::string kCost =
    "message_cost same_node bytes 1024 one_way 1/500ns/500ns/500ns [95/1] exchange 0 send 0 "
    "receive 0 ahead "
    "2 "
    "held 0\n";

std::string text(const std::string& messages) {
  return "reprise-text 1\nranks 2\n" + messages + "thread 0 {\n  MPI_Barrier\n}\n";
}
// Rows without ranks come first.
const std::string kAll = kChoice + kAnyRow + kRow + kCost;

std::string refusal(const std::string& messages) {
  try {
    assemble(text(messages), "t.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("messages: text and file give back what was sampled", "[trace-io]") {
  const Trace trace = assemble(text(kAll), "t.txt");
  REQUIRE(trace.messages);
  CHECK(trace.messages->kept == 21474836);
  CHECK(trace.messages->joined == 3);
  REQUIRE(trace.messages->rows.size() == 2);
  CHECK(trace.messages->rows[1].latency.mean() == Nanoseconds{750});
  CHECK(trace.messages->costs[0].sent_ahead == 2);
  const std::string dumped = dump(trace);
  CHECK(dumped.find(kAll) != std::string::npos);
  CHECK(dump(assemble(dumped, "t.txt")) == dumped);
  const Trace read = deserialise(serialise(trace), "t.reprise");
  REQUIRE(read.messages);
  CHECK(*read.messages == *trace.messages);
  CHECK(dump(read) == dumped);
}

TEST_CASE("messages: a trace without them has not a byte more", "[trace-io]") {
  Trace trace = assemble(text(kAll), "t.txt");
  trace.messages.reset();
  CHECK(serialise(trace) == serialise(assemble(text("#\n#\n#\n#\n"), "t.txt")));
}

TEST_CASE("messages: what cannot be is refused", "[trace-io]") {
  CHECK(refusal(kRow) == "t.txt:3:9: \"message\" follows the statement \"messages\"");
  CHECK(refusal(kChoice + kChoice) == "t.txt:4:10: \"messages\" is given twice");
  const auto problem = [](const std::string& what) { return "t.txt: messages: " + what; };
  CHECK(refusal(with(kAll, "joined 3", "joined 5")) ==
        problem("5 messages joined of 4 chosen of 1000"));
  CHECK(refusal(with(kAll, "joined 3", "joined 2")) ==
        problem("rows that do not add up to the messages joined"));
  CHECK(refusal(with(kAll, "message 0 1", "message 0 2")) ==
        problem("messages of ranks that do not exist"));
  CHECK(refusal(with(kAll, "message 0 1", "message 0 any")) ==
        problem("messages of ranks that do not exist"));
  CHECK(refusal(with(kAll, "sites 0 any", "sites 9 any")) ==
        problem("messages of call sites that do not exist"));
  CHECK(refusal(with(kAll, "bytes 2048", "bytes 100")) ==
        problem("bytes that are not of the messages' size class"));
  CHECK(refusal(with(kAll, "111/1]", "95/1]")) ==
        problem("buckets of times that are empty or not in order"));
  CHECK(refusal(with(kAll, "1500ns", "9500ns")) ==
        problem("times whose count, sum or extremes are not those of their buckets"));
  CHECK(refusal(kChoice + kRow + kAnyRow) == problem("rows that are not in order, or there twice"));
  CHECK(refusal(with(kAll, "kept 21474836", "kept 5000000000")) ==
        problem("a share of messages above all of them"));
}

TEST_CASE("messages: buckets are one logarithmic scale without gaps", "[trace-io]") {
  for (std::uint32_t code = 0; code + 1 < kLatencyBuckets; ++code) {
    REQUIRE(bucket_of(bucket_start(code)) == code);
    REQUIRE(bucket_of(bucket_start(code + 1) - 1) == code);
    const auto width = static_cast<double>(bucket_start(code + 1) - bucket_start(code));
    if (code >= kBucketsPerOctave) REQUIRE(width <= static_cast<double>(bucket_start(code)) / 16);
  }
}

TEST_CASE("messages: quantiles are those of the times, to a sixteenth", "[trace-io]") {
  std::mt19937 random(5);
  std::vector<std::int64_t> times;
  LatencyStat all, halves[2];
  for (int i = 0; i < 5000; ++i) {
    times.push_back(
        static_cast<std::int64_t>(std::exp(6 + 0.001 * static_cast<double>(random() % 4000))));
    all.add(Nanoseconds{times.back()});
    halves[i % 2].add(Nanoseconds{times.back()});
  }
  halves[0].unite(halves[1]);
  CHECK(halves[0] == all);
  std::ranges::sort(times);
  for (const double share : {0.1, 0.5, 0.9, 0.99}) {
    const auto exact = static_cast<double>(times[static_cast<std::size_t>(share * 5000)]);
    CHECK(static_cast<double>(all.quantile(share).value) == Approx(exact).epsilon(1.0 / 16));
  }
  CHECK(LatencyStat().quantile(0.5) == Nanoseconds{});
}

TEST_CASE("messages: which are sampled, in words", "[trace-io]") {
  const auto one = message_choice_of("sample:1%");
  REQUIRE(one);
  CHECK(one->share == 42949673);
  const auto counter = message_choice_of("counter:64~8,size=1KiB..");
  REQUIRE(counter);
  CHECK(counter->mode == MessageMode::counter);
  CHECK(counter->period == 64);
  CHECK(counter->variance == 8);
  CHECK(counter->least_bytes == 1024);
  CHECK(counter->is_of_size(std::uint64_t{1} << 40));
  const auto timer = message_choice_of("timer:1ms~100us,size=..4KiB");
  REQUIRE(timer);
  CHECK(timer->period == 1'000'000);
  CHECK(timer->variance == 100'000);
  CHECK_FALSE(timer->is_of_size(4097));
  for (const char* wrong :
       {"", "sample", "sample:", "sample:1", "sample:0%", "sample:101%", "sample:1%x", "counter:0",
        "counter:8~4", "counter:-1", "counter:99999999999", "timer:5", "timer:1ms~1s", "chance:1%",
        "sample:1%,size=5", "sample:1%,size=9KiB..1KiB", "sample:1%,sizes=1..2"})
    CHECK_FALSE(message_choice_of(wrong));
}

// tests/golden/v3/messages.txt is a ring of two ranks on a machine whose message costs are 0.2 us + 0.5 us + n / (5 GB/s) + 0.3 us.
TEST_CASE("golden: times of messages read as they did when they were written", "[trace-io]") {
  const std::string stem = std::string(REPRISE_GOLDEN_DIRECTORY) + "/v3/messages";
  std::ifstream file(stem + ".txt", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Trace golden = load(stem + ".reprise");
  REQUIRE(dump(golden) == text);
  REQUIRE(serialise(assemble(text, "messages")) == serialise(golden));
}
