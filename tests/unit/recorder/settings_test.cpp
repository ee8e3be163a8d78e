// SPDX-License-Identifier: MIT
#include "recorder/capture/settings.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <tuple>

using namespace reprise;
using namespace reprise::recorder;

namespace {

class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

}  // namespace

TEST_CASE("without variables the defaults hold and the output is named after the program") {
  const Settings settings = settings_from_environment(4);
  REQUIRE(settings.timing == trace_io::Timing::path);
  REQUIRE(settings.clock == trace_io::Clock::wall);
  REQUIRE(settings.bins == 5);
  REQUIRE(settings.depth == 16);
  REQUIRE_FALSE(settings.output_given);
  REQUIRE(std::string(settings.output).find("/test_recorder.4.") != std::string::npos);
}

TEST_CASE("call paths are full until they explode, always, or not at all") {
  CHECK(settings_from_environment(1).shorten_call_paths);
  for (const auto& [value, full, shorten] :
       {std::tuple{"auto", true, true}, {"full", true, false}, {"flat", false, true}}) {
    const Variable path("REPRISE_CALLPATH", value);
    const Settings settings = settings_from_environment(1);
    CHECK(settings.full_call_path == full);
    CHECK(settings.shorten_call_paths == shorten);
  }
}

TEST_CASE("each variable sets what it names") {
  const Variable timing("REPRISE_TIMING", "stat"), clock("REPRISE_CLOCK", "cpu"),
      depth("REPRISE_DEPTH", "3"), path("REPRISE_CALLPATH", "flat"),
      memory("REPRISE_MEMORY", "1 MiB"), snapshot("REPRISE_SNAPSHOT", "0"),
      output("REPRISE_OUTPUT", "/tmp/a.reprise"), parts("REPRISE_PARTS", "keep"),
      verbose("REPRISE_VERBOSE", "1"), preemption("REPRISE_PREEMPTION", "none"),
      histogram("REPRISE_HISTOGRAM", "balanced"), compensation("REPRISE_COMPENSATION", "off"),
      added("REPRISE_ADDED_OVERHEAD", "5 us"), completions("REPRISE_COMPLETIONS", "exact"),
      functions("REPRISE_FUNCTIONS", "sample:50"), compression("REPRISE_COMPRESSION", "quick");
  const Settings settings = settings_from_environment(4);
  REQUIRE(settings.timing == trace_io::Timing::stat);
  REQUIRE(settings.bins == 0);
  REQUIRE(settings.clock == trace_io::Clock::cpu);
  REQUIRE(settings.depth == 3);
  REQUIRE_FALSE(settings.full_call_path);
  REQUIRE(settings.exact_completions);
  REQUIRE(settings.compresses_quickly);
  REQUIRE(settings.sampling_rate == 50);
  REQUIRE(settings.memory == std::uint64_t{1} << 20);
  REQUIRE(settings.first_snapshot_s == 0);
  REQUIRE(std::string(settings.output) == "/tmp/a.reprise");
  REQUIRE(settings.keep_parts);
  REQUIRE_FALSE(settings.compensate);
  REQUIRE(settings.added_overhead == 5000);
  REQUIRE(settings.verbose);
  REQUIRE_FALSE(settings.see_preemption);
  REQUIRE(settings.bin_rule == trace_io::BinRule::balanced);
}

TEST_CASE("values that make no sense leave the default") {
  const Variable bins("REPRISE_BINS", "1"), depth("REPRISE_DEPTH", "65"),
      memory("REPRISE_MEMORY", "1 KiB"), clock("REPRISE_CLOCK", "sun"),
      snapshot("REPRISE_SNAPSHOT", "-1"), preemption("REPRISE_PREEMPTION", "no"),
      compensation("REPRISE_COMPENSATION", "maybe"), added("REPRISE_ADDED_OVERHEAD", "2 ms"),
      completions("REPRISE_COMPLETIONS", "few"), functions("REPRISE_FUNCTIONS", "sample:x"),
      compression("REPRISE_COMPRESSION", "none");
  const Settings settings = settings_from_environment(1);
  REQUIRE_FALSE(settings.exact_completions);
  REQUIRE_FALSE(settings.compresses_quickly);
  REQUIRE(settings.sampling_rate == 0);
  REQUIRE(settings.see_preemption);
  REQUIRE(settings.compensate == Settings{}.compensate);
  REQUIRE(settings.added_overhead == 0);
  REQUIRE(settings.bins == 5);
  REQUIRE(settings.depth == 16);
  REQUIRE(settings.memory == MemoryBudget::kDefault);
  REQUIRE(settings.clock == trace_io::Clock::wall);
  REQUIRE(settings.first_snapshot_s == Settings{}.first_snapshot_s);
}

TEST_CASE("the patience for other ranks is read quietly") {
  REQUIRE(patience_from_environment() == 0);
  const Variable wait("REPRISE_WAIT", "2.5");
  REQUIRE(patience_from_environment() == 2.5);
}
