// SPDX-License-Identifier: MIT
// Phases of completions: programs whose requests complete in orders that the tests draw.
#include "recorder/capture/completion_phases.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "recorder/capture/description.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::recorder;

namespace {

using trace_io::kAnySource;
using trace_io::kFirstPeer;
using trace_io::kNone;
using trace_io::kNoPeer;

constexpr const char* kCalls[] = {"MPI_Irecv",   "MPI_Isend",   "MPI_Waitsome",
                                  "MPI_Waitany", "MPI_Waitall", "MPI_Barrier"};
enum Call : std::uint32_t { kIrecv, kIsend, kWaitsome, kWaitany, kWaitall, kBarrier };

// One rank whose calls are described as the wrappers do it; each procedure is one call site.
class Program {
 public:
  explicit Program(bool exact = false) : phases_(!exact, false) {
    static Handles own;
    if (all_handles == nullptr) all_handles = &own;
    handles().requests = RequestTable();
  }

  std::uint32_t start(Call call, std::int64_t peer, std::int64_t tag) {
    Request request;
    request.handle = ++handles_given_;
    request.any_source = peer == kAnySource;
    const std::uint32_t slot = handles().requests.add(request, this);
    append(call, {0, peer, tag, 8, handles().requests.number(slot, this)}, {});
    return slot;
  }
  // `set`: what is still under way; those that complete are taken out.
  void complete(Call call, std::vector<std::uint32_t>& set,
                const std::vector<std::uint32_t>& completed, std::int64_t matched = kNoPeer) {
    phases_.expect(set.size());
    std::vector<std::vector<std::int64_t>> lists(4);
    for (const std::uint32_t slot : set) lists[0].push_back(number_of(slot));
    for (const std::uint32_t slot : std::vector(completed)) {  // which may be the set itself
      lists[1].push_back(number_of(slot));
      lists[2].push_back(matched);
      lists[3].push_back(kNone);
      handles().requests.remove(slot);
      std::erase(set, slot);
    }
    handles().requests.end_call();
    append(call, {}, lists);
  }
  void wait_all(const std::vector<std::uint32_t>& slots) {
    std::vector<std::vector<std::int64_t>> lists(3);
    for (const std::uint32_t slot : slots) {
      lists[0].push_back(number_of(slot));
      lists[1].push_back(kNoPeer);
      lists[2].push_back(kNone);
      handles().requests.remove(slot);
    }
    handles().requests.end_call();
    append(kWaitall, {}, lists);
  }
  void barrier() { append(kBarrier, {0}, {}); }

  const std::map<Call, std::uint64_t>& calls() const { return calls_; }
  trace_io::Trace trace() {
    phases_.end(compressor_);
    trace_io::Trace trace;
    trace.header.ranks = 1;
    trace.header.timing = trace_io::Timing::path;
    trace.header.bins = 5;
    trace.header.recorded = trace_io::RankList::all(1);
    trace.call_paths.emplace_back();
    for (const char* name : kCalls) {
      trace.sites.push_back({static_cast<std::uint32_t>(trace.procedures.size()), 0});
      trace.procedures.emplace_back(name);
    }
    trace.threads.push_back(compressor_.program());
    if (phases_.record().phases > 0) trace.completions = phases_.record();
    return trace;
  }

 private:
  std::int64_t number_of(std::uint32_t slot) { return handles().requests.number(slot, this); }
  void append(Call call, const std::vector<std::int64_t>& scalars,
              const std::vector<std::vector<std::int64_t>>& lists) {
    const std::vector<std::span<const std::int64_t>> spans(lists.begin(), lists.end());
    trace_io::EventView event;
    event.site = call;
    event.scalars = scalars;
    event.vectors = spans;
    event.compute = event.communicate = Nanoseconds{10};
    ++calls_[call];
    if (phases_.is_watching())
      phases_.append(event, call, kCalls[call], compressor_);
    else
      compressor_.append(event);
  }

  CompletionPhases phases_;
  trace_io::ThreadCompressor compressor_{{}};
  std::map<Call, std::uint64_t> calls_;
  HandleKey handles_given_ = 0;
};

std::string fields_of(trace_io::Trace trace) {
  for (auto& program : trace.threads)
    for_each_leaf(program, [](trace_io::Leaf& leaf) {
      leaf.compute.clear();
      leaf.communicate.clear();
    });
  return dump(trace);
}

void expect_sound(const trace_io::Trace& trace, const Program& program) {
  // Whose messages they are is nobody's affair here: there is no other rank.
  for (const auto& finding : check(trace))
    if (finding.severity != trace_io::Severity::notice && finding.where != "MPI_COMM_WORLD")
      FAIL_CHECK(finding.where + ": " + finding.problem);
  std::int64_t compute = 0, communicate = 0, calls = 0;
  for_each_leaf(trace.threads[0], [&](const trace_io::Leaf& leaf) {
    for (const auto& path : leaf.compute) compute += path.classes[0].durations.sum().value;
    communicate += leaf.communicate[0].durations.sum().value;
  });
  for (const auto& [call, times] : program.calls()) calls += static_cast<std::int64_t>(times);
  CHECK(compute == 10 * calls);
  CHECK(communicate == 10 * calls);
  for (const auto& procedure : summarise(trace).procedures)
    for (std::uint32_t call = 0; call < std::size(kCalls); ++call)
      if (procedure.name == kCalls[call])
        CHECK(procedure.calls == program.calls().at(static_cast<Call>(call)));
}

// Receives of six messages, taken as they come: some at a time, or one.
void take_messages(Program& program, std::mt19937& random, bool one_by_one, bool answers) {
  std::vector<std::uint32_t> set, sends;
  for (int tag = 0; tag < 6; ++tag) set.push_back(program.start(kIrecv, kFirstPeer, tag));
  int answer = 0;
  if (answers && random() % 2 == 0) sends.push_back(program.start(kIsend, kFirstPeer, answer++));
  while (!set.empty()) {
    std::vector<std::uint32_t> ready = set;
    std::shuffle(ready.begin(), ready.end(), random);
    ready.resize(one_by_one ? 1 : 1 + random() % ready.size());
    program.complete(one_by_one ? kWaitany : kWaitsome, set, ready);
    for (std::size_t i = 0; answers && i < ready.size() && answer < 6; ++i)
      if (random() % 2 == 0) sends.push_back(program.start(kIsend, kFirstPeer, answer++));
  }
  for (; answers && answer < 6;) sends.push_back(program.start(kIsend, kFirstPeer, answer++));
  if (answers) program.wait_all(sends);
  program.barrier();
}

std::size_t bytes_of(const trace_io::Trace& trace) { return trace_io::serialise(trace).size(); }

}  // namespace

TEST_CASE("requests taken one by one in any order are a program of one order") {
  std::string dumped[2];
  for (unsigned seed : {1U, 2U}) {
    std::mt19937 random(seed);
    Program program;
    for (int step = 0; step < 100; ++step) take_messages(program, random, true, false);
    const auto trace = program.trace();
    expect_sound(trace, program);
    dumped[seed - 1] = fields_of(trace);
  }
  CHECK(dumped[0] == dumped[1]);
}

TEST_CASE("completions and answers in any order: calls are exact, the trace does not grow") {
  std::map<int, std::size_t> bytes;
  for (const int steps : {100, 1600}) {
    std::mt19937 random(7);
    Program program;
    for (int step = 0; step < steps; ++step) take_messages(program, random, false, true);
    const auto trace = program.trace();
    expect_sound(trace, program);
    REQUIRE(trace.completions);
    CHECK(trace.completions->phases == static_cast<std::uint64_t>(steps));
    CHECK(trace.completions->represented >= static_cast<std::uint64_t>(steps) - 8);
    bytes[steps] = bytes_of(trace);
    CHECK(dump(trace_io::deserialise(trace_io::serialise(trace), "again")) == dump(trace));
  }
  CHECK(static_cast<double>(bytes[1600]) <= 1.1 * static_cast<double>(bytes[100]));
}

// A program that does nothing but such exchanges, as one that solves fields on a grid may.
TEST_CASE(
    "exchanges without a call between them are phases of their own, the trace does not grow") {
  std::map<int, std::size_t> bytes;
  for (const int exchanges : {4000, 16000}) {
    std::mt19937 random(13);
    Program program;
    for (int exchange = 0; exchange < exchanges; ++exchange) {
      std::vector<std::uint32_t> set;
      for (int tag = 0; tag < 4; ++tag)
        set.push_back(program.start(tag % 2 == 0 ? kIrecv : kIsend, kFirstPeer, tag));
      while (!set.empty()) {
        std::vector<std::uint32_t> ready = set;
        std::shuffle(ready.begin(), ready.end(), random);
        ready.resize(1 + random() % ready.size());
        program.complete(kWaitsome, set, ready);
      }
    }
    const auto trace = program.trace();
    expect_sound(trace, program);
    REQUIRE(trace.completions);
    CHECK(trace.completions->phases > static_cast<std::uint64_t>(exchanges) / 2);
    CHECK(trace.completions->represented + 8 > trace.completions->phases);
    bytes[exchanges] = bytes_of(trace);
  }
  // What repeats is coded value by value until that is longer than what is coded by its loops. As they were, the exchanges take 5501 and 20 821 bytes.
  CHECK(bytes[4000] < 1500);
  CHECK(bytes[16000] < 1800);
}

TEST_CASE("exact completions are kept as they happened") {
  std::mt19937 random(7);
  Program program(true);
  for (int step = 0; step < 100; ++step) take_messages(program, random, false, true);
  const auto trace = program.trace();
  expect_sound(trace, program);
  CHECK_FALSE(trace.completions);
  for_each_leaf(trace.threads[0], [](const trace_io::Leaf& leaf) { CHECK(leaf.further.empty()); });
}

TEST_CASE("requests that outlive the phase are found behind it") {
  std::mt19937 random(3);
  Program program;
  for (int step = 0; step < 50; ++step) {
    std::vector<std::uint32_t> set;
    const std::uint32_t older = program.start(kIsend, kFirstPeer, 9);
    for (int tag = 0; tag < 5; ++tag) set.push_back(program.start(kIrecv, kFirstPeer, tag));
    for (int i = 0; i < 2; ++i) program.complete(kWaitany, set, {set[random() % set.size()]});
    program.wait_all(set);
    program.wait_all({older});
  }
  const auto trace = program.trace();
  expect_sound(trace, program);
  CHECK(bytes_of(trace) < 500);
}

TEST_CASE("receives from any source keep their names and matches") {
  const auto dumped = [](bool exact) {
    std::mt19937 random(5);
    Program program(exact);
    for (int step = 0; step < 20; ++step) {
      std::vector<std::uint32_t> set;
      for (int i = 0; i < 4; ++i) set.push_back(program.start(kIrecv, kAnySource, 0));
      while (!set.empty())
        program.complete(kWaitany, set, {set[random() % set.size()]}, kFirstPeer);
      program.barrier();
    }
    auto trace = program.trace();
    expect_sound(trace, program);
    CHECK(trace.completions.has_value() != exact);
    if (trace.completions) CHECK(trace.completions->represented == 0);
    trace.completions.reset();
    return fields_of(trace);
  };
  CHECK(dumped(false) == dumped(true));
}

TEST_CASE("messages of one tag to one rank do not overtake each other") {
  std::mt19937 random(11);
  Program program;
  for (int step = 0; step < 60; ++step) {
    std::vector<std::uint32_t> set, sends;
    for (int tag = 0; tag < 3; ++tag) set.push_back(program.start(kIrecv, kFirstPeer, tag));
    // As many sends in each step, of which some have the same tag: how many changes.
    const int same = static_cast<int>(random() % 3);
    for (int i = 0; i < 3; ++i) {
      sends.push_back(program.start(kIsend, kFirstPeer, i < same ? 5 : 6 + i));
      program.complete(kWaitany, set, {set[random() % set.size()]});
    }
    program.wait_all(sends);
  }
  const auto trace = program.trace();
  expect_sound(trace, program);
}
