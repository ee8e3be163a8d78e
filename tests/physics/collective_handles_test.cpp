// SPDX-License-Identifier: MIT
// Windows and files as objects: which ranks' slots are one, when a number is used again, and where members meet.
#include "sim/engine/loop/collective_handles.hpp"

#include <catch2/catch.hpp>

namespace reprise::test {
namespace {

constexpr std::uint32_t kFirstContext = 10, kStride = 2;

sim::CommunicatorView communicator(std::int32_t size, std::uint32_t entered = 0,
                                   std::int32_t remote_size = 0) {
  sim::CommunicatorView view;
  view.place.size = size;
  view.place.remote_size = remote_size;
  view.entered = entered;
  return view;
}

sim::CommunicatorView self(std::uint32_t entered = 0) {
  sim::CommunicatorView view = communicator(1, entered);
  view.number = view.context = 1;
  return view;
}

sim::CollectiveHandles handles(std::int32_t ranks) { return {ranks, kFirstContext, kStride}; }

}  // namespace

TEST_CASE("handles: members make one object by their k-th collective on a communicator",
          "[physics]") {
  auto windows = handles(2);
  const auto* first = windows.open(0, 0, communicator(2, 0));
  const auto* second = windows.open(0, 1, communicator(2, 1));
  REQUIRE((first != nullptr && second != nullptr));
  CHECK(first->object != second->object);
  CHECK(windows.open(1, 5, communicator(2, 0))->object == first->object);
  CHECK(windows.open(1, 0, communicator(2, 1))->object == second->object);
  CHECK(first->view.context == kFirstContext + kStride * first->object);
  CHECK(second->view.context == kFirstContext + kStride * second->object);
  CHECK(windows.slot_of(1, first->object) == 5);
  CHECK(windows.slot_of(1, second->object) == 0);
  CHECK(windows.find(1, 5)->object == first->object);
  CHECK(windows.find(1, 4) == nullptr);
  CHECK(windows.find(1, 6) == nullptr);
  CHECK(windows.find(1, -1) == nullptr);
}

// All members have come: whoever comes by the same number later makes another one.
TEST_CASE("handles: an object is complete when all members of both groups have come", "[physics]") {
  auto windows = handles(3);
  const auto group = communicator(2, 0, 1), other = communicator(1, 0, 2);
  const auto object = windows.open(0, 0, group)->object;
  CHECK(windows.open(1, 0, group)->object == object);
  CHECK(windows.open(2, 0, other)->object == object);
  CHECK(windows.open(0, 1, group)->object != object);
}

TEST_CASE("handles: on MPI_COMM_SELF each rank makes its own", "[physics]") {
  auto windows = handles(2);
  const auto object = windows.open(0, 0, self())->object;
  CHECK(windows.open(1, 0, self())->object != object);
  CHECK(windows.open(0, 1, self())->object != object);
}

TEST_CASE("handles: a slot is free again when its object has been closed", "[physics]") {
  auto windows = handles(2);
  auto* mine = windows.open(0, 0, communicator(2));
  CHECK(windows.open(0, 0, communicator(2, 1)) == nullptr);
  windows.close(*mine);
  CHECK(windows.find(0, 0) == nullptr);
  CHECK(windows.slot_of(0, 0) == std::nullopt);
  CHECK(windows.open(0, 0, communicator(2, 1)) != nullptr);
  CHECK(windows.open(1, -1, communicator(2)) == nullptr);
  CHECK(windows.open(1, 2'000'000'000, communicator(2)) != nullptr);  // a number costs no memory
  CHECK(windows.find(1, 2'000'000'000) != nullptr);
  CHECK(windows.find(1, 1'999'999'999) == nullptr);
}

TEST_CASE(
    "handles: a number is used again when all members have closed it, and does not mean the "
    "earlier one",
    "[physics]") {
  auto windows = handles(2);
  auto &first = *windows.open(0, 0, communicator(2)),
       &second = *windows.open(1, 0, communicator(2));
  const auto object = first.object;
  CHECK(windows.generation(object) == 1);
  first.view.entered = second.view.entered = 7;  // collectives on the object
  windows.close(first);
  CHECK(windows.open(0, 0, communicator(2, 1))->object != object);
  windows.close(second);
  const auto* again = windows.open(0, 1, communicator(2, 2));
  CHECK(again->object == object);
  CHECK(windows.generation(object) == 2);
  // Its collectives are counted on, so that none is taken for one of the object before.
  CHECK(again->view.entered == 7);
}

TEST_CASE("handles: collectives entered are those of its own contexts", "[physics]") {
  auto windows = handles(2);
  windows.open(0, 0, communicator(2));
  auto* second = windows.open(0, 1, communicator(2, 1));
  second->view.entered = 3;
  CHECK(windows.entered(0, kFirstContext) == 0);
  CHECK(windows.entered(0, kFirstContext + kStride) == 3);
  CHECK(windows.entered(1, kFirstContext + kStride) == 0);
  CHECK(windows.entered(0, kFirstContext + 1) == std::nullopt);
  CHECK(windows.entered(0, kFirstContext - 1) == std::nullopt);
  CHECK(windows.entered(0, kFirstContext - kStride) == std::nullopt);
}

}  // namespace reprise::test
