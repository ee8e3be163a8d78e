// SPDX-License-Identifier: MIT
// Fields of collectives against the sums that tools record: there and back.
#include "trace-io/import/ranks/collective_sizes.hpp"

#include <catch2/catch.hpp>

using namespace reprise;
using namespace reprise::trace_io;

namespace {

using Scalars = std::vector<std::int64_t>;

// The fields that come back from the sums that this call would have been recorded with.
Scalars there_and_back(Collective operation, const Scalars& scalars, std::int32_t size,
                       std::int32_t me, CountedBytes counted) {
  const auto sums = collective_sums(operation, scalars, {}, size, me, counted);
  ImportedCall call;
  call.scalars.push_back(scalars[0]);
  add_collective_fields(call, operation, sums, counted);
  return call.scalars;
}

}  // namespace

TEST_CASE("collective_sizes: Score-P's sums give the arguments back", "[trace-io]") {
  constexpr auto kBlocks = CountedBytes::every_block;
  for (const std::int32_t n : {1, 2, 3, 4, 8})
    for (std::int32_t me = 0; me < n; ++me) {
      CAPTURE(n, me);
      for (const std::int64_t root : {0, n - 1}) {
        const std::int64_t code = kFirstPeer + root;
        const bool is_root = root == me;
        CHECK(there_and_back(Collective::bcast, {0, code, 96}, n, me, kBlocks) ==
              Scalars{0, code, 96});
        CHECK(there_and_back(Collective::reduce, {0, code, 96, 0, 8, 1}, n, me, kBlocks) ==
              Scalars{0, code, 96, 0, 8, 1});
        CHECK(there_and_back(Collective::gather, {0, code, 12, is_root ? 12 : 0, 0}, n, me,
                             kBlocks) == Scalars{0, code, 12, is_root ? 12 : 0, 0});
        CHECK(there_and_back(Collective::scatter, {0, code, is_root ? 12 : 0, 12, 0}, n, me,
                             kBlocks) == Scalars{0, code, is_root ? 12 : 0, 12, 0});
      }
      CHECK(there_and_back(Collective::allreduce, {0, 96, 0, 8, 1}, n, me, kBlocks) ==
            Scalars{0, 96, 0, 8, 1});
      CHECK(there_and_back(Collective::scan, {0, 96, 0, 8, 1}, n, me, kBlocks) ==
            Scalars{0, 96, 0, 8, 1});
      CHECK(there_and_back(Collective::allgather, {0, 40, 40, 0}, n, me, kBlocks) ==
            Scalars{0, 40, 40, 0});
      CHECK(there_and_back(Collective::alltoall, {0, 40, 24, 0}, n, me, kBlocks) ==
            Scalars{0, 40, 24, 0});
    }
}

TEST_CASE("collective_sizes: in place shows where the sums do not divide otherwise", "[trace-io]") {
  constexpr auto kBlocks = CountedBytes::every_block;
  CHECK(there_and_back(Collective::allreduce, {0, 40, 1, 8, 1}, 3, 1, kBlocks) ==
        Scalars{0, 40, 1, 8, 1});
  CHECK(there_and_back(Collective::gather, {0, kFirstPeer, 0, 12, 1}, 4, 0, kBlocks) ==
        Scalars{0, kFirstPeer, 0, 12, 1});
  // 4 · 12 = 48 may as well be the 4 blocks of 12 that 5 ranks in place would count.
  CHECK(there_and_back(Collective::allreduce, {0, 15, 1, 1, 1}, 4, 0, kBlocks) ==
        Scalars{0, 15, 1, 1, 1});
}

TEST_CASE("collective_sizes: own arguments are what Extrae counts", "[trace-io]") {
  constexpr auto kOwn = CountedBytes::own_arguments;
  CHECK(there_and_back(Collective::allreduce, {0, 96, 0, 8, 1}, 4, 1, kOwn) ==
        Scalars{0, 96, 0, 8, 1});
  CHECK(there_and_back(Collective::bcast, {0, kFirstPeer + 1, 96}, 4, 1, kOwn) ==
        Scalars{0, kFirstPeer + 1, 96});
  CHECK(there_and_back(Collective::bcast, {0, kFirstPeer + 1, 96}, 4, 0, kOwn) ==
        Scalars{0, kFirstPeer + 1, 96});
}
