// SPDX-License-Identifier: MIT
// Requests called by their ages: what folds, and which slots a walk finds.
#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/trace-io/folding/recorded_stream.hpp"
#include "trace-io/model/request_order.hpp"

namespace reprise::trace_io::testing {
namespace {

constexpr std::int64_t kNewest = RequestOrder::kNewest;

// A program of one rank that talks to itself; call sites are those of the procedures below.
class Program {
 public:
  enum Site : SiteId { irecv, isend, waitall, wait, waitany, recv_init, start, request_free };

  Program() {
    trace_.header.ranks = 1;
    trace_.header.recorded = RankList::single(Rank{0});
    trace_.procedures = {"MPI_Irecv",   "MPI_Isend",     "MPI_Waitall", "MPI_Wait",
                         "MPI_Waitany", "MPI_Recv_init", "MPI_Start",   "MPI_Request_free"};
    trace_.call_paths.resize(trace_.procedures.size());
    for (std::uint32_t site = 0; site < trace_.procedures.size(); ++site)
      trace_.sites.push_back({site, site});
  }

  void begin(Site site, std::int64_t number = kNewest) {
    append({site, {0, kFirstPeer, 3, 8, number}, {}});
  }
  void use(Site site, std::int64_t number) {
    Event event{site, {number}, {}};
    if (site == wait) event.scalars.insert(event.scalars.end(), {kNoPeer, kNone});
    append(event);
  }
  void wait_for(Site site, const std::vector<std::int64_t>& numbers,
                const std::vector<std::int64_t>& completed) {
    const std::vector<std::int64_t> peers(completed.size(), kNoPeer), tags(completed.size(), kNone);
    if (site == waitall)
      append({site, {}, {numbers, peers, tags}});
    else
      append({site, {}, {numbers, completed, peers, tags}});
  }

  std::vector<Node> folded() const { return compressor_.program(); }
  Stream walked() {
    trace_.threads = {compressor_.program()};
    return decoded(trace_, Rank{0});
  }

 private:
  void append(const Event& event) { testing::append(compressor_, event); }

  Trace trace_;
  ThreadCompressor compressor_{ThreadCompressor::Settings{}};
};

std::vector<std::int64_t> newest(std::int64_t count) {  // oldest first
  std::vector<std::int64_t> ages;
  for (std::int64_t i = count; i-- > 0;) ages.push_back(kNewest - i);
  return ages;
}

std::vector<std::vector<std::int64_t>> lists_of(const Stream& stream, SiteId site) {
  std::vector<std::vector<std::int64_t>> lists;
  for (const Event& event : stream)
    if (event.site == site) lists.push_back(event.vectors[0]);
  return lists;
}

}  // namespace

TEST_CASE("request_order: an age is that among what was started later and is under way") {
  RequestOrder order;
  for (std::uint32_t slot = 0; slot < 6; ++slot) order.start(slot);
  CHECK(order.age_of(5) == kNewest);
  CHECK(order.age_of(0) == kNewest - 5);
  CHECK(order.slot_of(kNewest - 2) == 3);
  CHECK(order.slot_of(kNewest - 6) == RequestOrder::kNoSlot);
  CHECK(order.slot_of(-1) == RequestOrder::kNoSlot);
  order.end(4);
  order.end(1);
  CHECK(order.age_of(0) == kNewest - 5);  // the call that ended them names others as they were
  order.sweep();
  CHECK(order.age_of(0) == kNewest - 3);
  CHECK(order.age_of(3) == kNewest - 1);
  CHECK(order.age_of(4) == -1);
  order.start(4);
  CHECK(order.slot_of(kNewest) == 4);
  CHECK(order.size() == 5);
}

TEST_CASE("request_order: ages lead back to the requests, whatever starts and ends") {
  std::mt19937 random(5);
  RequestOrder order;
  std::vector<std::uint32_t> under_way;  // oldest first
  std::uint32_t next = 0;
  for (int step = 0; step < 20'000; ++step) {
    for (auto starts = random() % 4; starts > 0; --starts) {
      order.start(next);
      under_way.push_back(next++);
    }
    for (auto ends = random() % 4; ends > 0 && !under_way.empty(); --ends) {
      const std::size_t which = random() % under_way.size();
      const std::int64_t age = order.age_of(under_way[which]);
      REQUIRE(age == kNewest - static_cast<std::int64_t>(under_way.size() - 1 - which));
      REQUIRE(order.slot_of(age) == under_way[which]);
      order.end(under_way[which]);
      order.sweep();
      under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
    }
    REQUIRE(order.size() == under_way.size());
  }
}

TEST_CASE("walk: ages become the smallest slots that are free") {
  Program program;
  for (int step = 0; step < 50; ++step) {
    program.begin(Program::irecv);
    program.begin(Program::isend);
    program.begin(Program::isend);
    program.wait_for(Program::waitall, newest(3), newest(3));
  }
  for (const auto& list : lists_of(program.walked(), Program::waitall))
    CHECK(list == std::vector<std::int64_t>{0, 1, 2});
}

TEST_CASE("walk: a leak in each step changes no number, and no size") {
  const auto run = [](int steps) {
    Program program;
    for (int step = 0; step < steps; ++step) {
      program.begin(Program::irecv);
      program.begin(Program::isend);  // never completed
      program.begin(Program::isend);
      program.wait_for(Program::waitall, {kNewest - 2, kNewest}, {0, 0});
    }
    return program;
  };
  Program few = run(10), many = run(1000);
  CHECK(size_of(many.folded()) == size_of(few.folded()));
  const auto lists = lists_of(few.walked(), Program::waitall);
  REQUIRE(lists.size() == 10);
  CHECK(lists[0] == std::vector<std::int64_t>{0, 2});
  CHECK(lists[1] == std::vector<std::int64_t>{0, 3});
  CHECK(lists[9] == std::vector<std::int64_t>{0, 11});
}

TEST_CASE("walk: a request that outlives a loop is found behind it, however long the loop is") {
  for (const int passes : {1, 3, 100}) {
    Program program;
    for (int phase = 0; phase < 5; ++phase) {
      program.begin(Program::irecv);
      for (int pass = 0; pass < passes; ++pass) {
        program.begin(Program::isend);
        program.use(Program::wait, kNewest);
      }
      program.wait_for(Program::waitall, {kNewest}, {0});
    }
    for (const auto& list : lists_of(program.walked(), Program::waitall))
      CHECK(list == std::vector<std::int64_t>{0});
  }
}

TEST_CASE("walk: persistent requests keep their number, given or not") {
  Program program;
  program.begin(Program::irecv);
  program.begin(Program::recv_init, 0);
  for (int step = 0; step < 3; ++step) {
    program.use(Program::start, 0);
    program.begin(Program::isend);
    program.wait_for(Program::waitall, {0, kNewest}, {0, 0});
  }
  program.use(Program::request_free, 0);
  program.begin(Program::recv_init, 0);
  program.use(Program::wait, kNewest);
  const Stream walked = program.walked();
  for (const auto& list : lists_of(walked, Program::waitall))
    CHECK(list == std::vector<std::int64_t>{1, 2});
  CHECK(walked.front().scalars.back() == 0);
  CHECK(walked[walked.size() - 2].scalars.back() == 1);  // freed, and made again
  CHECK(walked.back().scalars.front() == 0);
}

TEST_CASE("walk: Waitany ends what it lists as completed alone") {
  Program program;
  for (int i = 0; i < 3; ++i) program.begin(Program::irecv);
  program.wait_for(Program::waitany, newest(3), {kNewest - 1});
  program.wait_for(Program::waitany, newest(2), {kNewest - 1});
  program.wait_for(Program::waitany, newest(1), {kNewest});
  const Stream walked = program.walked();
  CHECK(walked[3].vectors[0] == std::vector<std::int64_t>{0, 1, 2});
  CHECK(walked[3].vectors[1] == std::vector<std::int64_t>{1});
  CHECK(walked[4].vectors[0] == std::vector<std::int64_t>{0, 2});
  CHECK(walked[4].vectors[1] == std::vector<std::int64_t>{0});
  CHECK(walked[5].vectors[1] == std::vector<std::int64_t>{2});
}

TEST_CASE("walk: an age that no request has becomes a number that no request has") {
  Program program;
  program.begin(Program::irecv);
  program.use(Program::wait, kNewest - 1);
  CHECK(program.walked()[1].scalars.front() == (1 << 20) - 1);
}

TEST_CASE("walk: numbers without ages are passed on as they are") {
  Program program;
  program.begin(Program::irecv, 7);
  program.use(Program::wait, 7);
  program.use(Program::wait, kNone);
  const Stream walked = program.walked();
  CHECK(walked[0].scalars.back() == 7);
  CHECK(walked[1].scalars.front() == 7);
  CHECK(walked[2].scalars.front() == kNone);
}

}  // namespace reprise::trace_io::testing
