// SPDX-License-Identifier: MIT
// Files with numbers coded by context stay readable for ever: those of versions 7 to 9 are no longer written (golden_test.cpp).
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "tests/unit/trace-io/files/golden_files.hpp"
#include "trace-io/file/container.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;

namespace {

// Loops whose iterations and sizes follow no rule, in the same pattern and in others; deep call paths.
constexpr const char* kCoded = R"(reprise-text 1
ranks 2
procedure 0 "MPI_Bcast"
procedure 1 "MPI_Barrier"
module 0 "/bin/solve" build_id "00ff"
path 0 0+0x1100 0+0x2000 0+0x3000
path 1 0+0x1100 0+0x2010 0+0x3000
path 2 0+0x1180 0+0x2010 0+0x3000
site 0 procedure 0 path 0
site 1 procedure 0 path 1
site 2 procedure 1 path 2
thread 0 {
  loop 40 {
    loop (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5, 2, 8, 8, 4, 1, 9, 7, 1) {
      @2 MPI_Barrier
    }
    @0 MPI_Bcast peer=0 send_bytes=(24, 8, 32, 8, 40, 72, 16, 48, 40, 24, 40, 64, 72, 56, 72, 24, 16, 24, 64, 32, 48, 16, 48, 32, 24, 24, 64, 24, 16, 56, 72, 40, 16, 64, 64, 32, 8, 72, 56, 8)
    @1 MPI_Bcast peer=0 send_bytes=(0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0)
  }
}
)";

// Tags that count, and one that does not.
constexpr const char* kCounted = R"(reprise-text 1
ranks 2
thread 0 {
  loop 20 {
    ranks 0: MPI_Send at a peer=1 tag=(176..180, 190, last+199, last+1*13) bytes=8
    ranks 0: MPI_Recv at b peer=1 tag=(176..180, 190..191, last+0*13) bytes=8
    ranks 1: MPI_Recv at b peer=0 tag=(176..180, 190..191, last+192, last+1*12) bytes=8
    ranks 1: MPI_Send at a peer=0 tag=(176..180, 190..191, last+0*12, last-9799) bytes=8
    MPI_Sendrecv at c peer=^1 tag=9976 bytes=8 receive_peer=^1 receive_tag=any receive_bytes=8
  }
}
)";

// A loop whose inner loop and branch follow from one state an iteration, and what is inside them, too. Without the iterations before `first`.
std::string loop_of_states(int first) {
  constexpr int kIterations = 90;
  unsigned random = 1;
  std::string states, branch, inside, inner;
  for (int i = 0; i < kIterations; ++i) {
    random = random * 1103515245U + 12345U;
    const unsigned state = random >> 16U & 7U;
    if (i < first) continue;
    const auto add = [](std::string& list, unsigned value) {
      list += (list.empty() ? "" : ", ") + std::to_string(value);
    };
    add(states, 8 * state);
    add(inner, state % 4);
    add(branch, state % 2);
    if (state % 2 > 0) add(inside, 100 * state);
  }
  return "loop " + std::to_string(kIterations - first) +
         " {\n    @0 MPI_Bcast peer=0 send_bytes=(" + states + ")\n    loop (" + branch +
         ") {\n      @1 MPI_Bcast peer=0 send_bytes=(" + inside + ")\n    }\n    loop (" + inner +
         ") {\n      @2 MPI_Barrier\n    }\n  }\n";
}

std::string head_of_coded() {
  const std::string all(kCoded);
  return all.substr(0, all.find("  loop 40"));
}

std::string aligned() { return head_of_coded() + "  " + loop_of_states(0) + "}\n"; }

// Likewise on rank 0; rank 1 has its first iteration in front of the loop.
std::string peeled() {
  return head_of_coded() + "  ranks 0: " + loop_of_states(0) +
         "  ranks 1: @0 MPI_Bcast peer=0 send_bytes=8\n  ranks 1: " + loop_of_states(1) + "}\n";
}

// Ends a use of a buffer.
constexpr const char* kDetached = R"(reprise-text 1
ranks 2
thread 0 {
  loop 3 {
    ranks 0: MPI_Bsend at a peer=1 tag=2 bytes=8000
    ranks 1: MPI_Recv at b peer=0 tag=2 bytes=8000
    MPI_Buffer_detach at c | compute 2us
  }
}
)";

}  // namespace

TEST_CASE("golden: MPI_Buffer_detach reads as it did when it was written", "[trace-io]") {
  std::uint32_t version = 0;
  const auto payload = encode_payload(assemble(kDetached, "detached"), version);
  REQUIRE(version == kDetachVersion);
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) {
    save_bytes(wrap(payload, version), path_of("detached.reprise", version));
    std::ofstream(path_of("detached.txt", version))
        << dump(load(path_of("detached.reprise", version)));
  }
  const Trace golden = load(path_of("detached.reprise", 11));
  REQUIRE(dump(golden) == content(path_of("detached.txt", 11)));
  REQUIRE(serialise(assemble(kDetached, "detached")) == serialise(golden));
  REQUIRE(procedure_named(golden.procedures.back()).kind == Kind::buffer_detach);
  // Who wrote version 10 knew only what it took.
  const Trace older = decode_payload(payload, kNeighboursVersion, "older");
  CHECK(older.procedures.back() == "MPI_Buffer_detach (time only)");
  CHECK(procedure_named(older.procedures.back()).kind == Kind::unmodelled);
}

TEST_CASE("golden: tags stored as steps read as they did when they were written", "[trace-io]") {
  const Trace golden = load(path_of("counted.reprise", 9));
  REQUIRE(dump(golden) == content(path_of("counted.txt", 9)));
  REQUIRE(serialise(assemble(kCounted, "counted")) == serialise(golden));
}

TEST_CASE("golden: numbers coded by context read as they did when they were written",
          "[trace-io]") {
  const Trace golden = load(path_of("coded.reprise", 7));
  REQUIRE(dump(golden) == content(path_of("coded.txt", 7)));
  REQUIRE(dump(assemble(kCoded, "coded")) == content(path_of("coded.txt", 7)));
}

TEST_CASE("golden: sequences coded beside aligned ones read as they did when they were written",
          "[trace-io]") {
  std::uint32_t version = 0;
  const auto payload = encode_payload(assemble(aligned(), "aligned"), version, true);
  const Trace golden = load(path_of("aligned.reprise", 8));
  REQUIRE(dump(golden) == content(path_of("aligned.txt", 8)));
  REQUIRE(dump(assemble(aligned(), "aligned")) == content(path_of("aligned.txt", 8)));
  REQUIRE(encode_payload(golden, version, true) == payload);
}

TEST_CASE("golden: numbers coded beside neighbours read as they did when they were written",
          "[trace-io]") {
  std::uint32_t version = 0;
  const auto payload = encode_payload(assemble(peeled(), "peeled"), version, true);
  REQUIRE(version == kNeighboursVersion);
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) {
    save_bytes(wrap(payload, version), path_of("peeled.reprise", version));
    std::ofstream(path_of("peeled.txt", version)) << dump(load(path_of("peeled.reprise", version)));
  }
  const Trace golden = load(path_of("peeled.reprise", 10));
  REQUIRE(dump(golden) == content(path_of("peeled.txt", 10)));
  REQUIRE(dump(assemble(peeled(), "peeled")) == content(path_of("peeled.txt", 10)));
  REQUIRE(encode_payload(golden, version, true) == payload);
}
