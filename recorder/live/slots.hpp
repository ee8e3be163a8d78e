// SPDX-License-Identifier: MIT
// Requests and matched messages by the trace's slot numbers, with the memory that they use until they complete.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "recorder/live/buffers.hpp"

namespace reprise::live {

// What a request needs beside its handle.
struct Slot {
  Buffer receive;             // until the request completes
  std::vector<int> lists[4];  // counts and displacements of a collective with lists, likewise
  std::vector<MPI_Datatype> types;
  std::vector<MPI_Aint> wide_places[2];  // of Neighbor_alltoallw
  MPI_Comm made = MPI_COMM_NULL;         // by Comm_idup: usable once the request completes
};

// One per thread of a rank: slots are numbered per rank, but two threads that used one after the other when recorded may overlap here.
// Handles stand side by side and never move, as in a program that keeps its requests in an array:
// a recorder tells equal handles apart by their places. A trace may say any number: one that no recorder gives (it takes the smallest that is
// free) has a place of its own, and only its own thread finds it.
class Slots {
 public:
  static constexpr std::int64_t kNear = std::int64_t{1}
                                        << 24;  // address space is all that unused ones cost
  static bool is_near(std::int64_t number) { return number >= 0 && number < kNear; }

  Slots()
      : handles_(static_cast<MPI_Request*>(std::malloc(kNear * sizeof(MPI_Request)))),
        is_set_(kNear / kBlock) {}
  ~Slots() { std::free(handles_); }
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  Slot& operator[](std::int64_t number) { return slots_[number]; }
  MPI_Request& handle(std::int64_t number) {
    if (!is_near(number)) return far_.try_emplace(number, MPI_REQUEST_NULL).first->second;
    set(number);
    return handles_[number];
  }

  // For other threads, who must not make it grow.
  MPI_Request peek(std::int64_t number) const {
    return is_near(number) && is_set_[block_of(number)].load(std::memory_order_acquire)
               ? handles_[number]
               : MPI_REQUEST_NULL;
  }

  // A completion in another order than recorded: what was recorded as complete is what completed, and the other one goes on
  // under its number.
  void exchange(std::int64_t a, std::int64_t b) {
    std::swap((*this)[a], (*this)[b]);
    std::swap(handle(a), handle(b));
  }

 private:
  static constexpr std::int64_t kBlock = 1024;
  static std::size_t block_of(std::int64_t number) {
    return static_cast<std::size_t>(number / kBlock);
  }
  void set(std::int64_t number) {
    auto& is_set = is_set_[block_of(number)];
    if (is_set.load(std::memory_order_relaxed)) return;
    std::fill_n(handles_ + number / kBlock * kBlock, kBlock, MPI_REQUEST_NULL);
    is_set.store(true, std::memory_order_release);
  }

  std::unordered_map<std::int64_t, Slot> slots_;
  MPI_Request* handles_;
  std::vector<std::atomic<bool>> is_set_;  // by block of handles
  std::map<std::int64_t, MPI_Request> far_;
};

// The requests of one call as an array: the handles themselves where their numbers follow each other, else a copy that is written
// back when the call is over.
class HandedIn {
 public:
  // slots_of(number): where the request is.
  template <class SlotsOf>
  HandedIn(std::span<const std::int64_t> numbers, SlotsOf slots_of) : numbers_(numbers) {
    bool follow = !numbers.empty();
    for (const auto number : numbers) in_.push_back(&slots_of(number));
    for (std::size_t i = 1; i < numbers.size(); ++i)
      follow = follow && numbers[i] == numbers[i - 1] + 1 && in_[i] == in_[i - 1];
    follow = follow && Slots::is_near(numbers.front()) && Slots::is_near(numbers.back());
    if (!follow)
      for (std::size_t i = 0; i < numbers.size(); ++i) copy_.push_back(in_[i]->handle(numbers[i]));
    handles_ = follow ? &in_.front()->handle(numbers.front()) : copy_.data();
  }
  ~HandedIn() {
    for (std::size_t i = 0; i < copy_.size(); ++i) in_[i]->handle(numbers_[i]) = copy_[i];
  }
  HandedIn(const HandedIn&) = delete;
  HandedIn& operator=(const HandedIn&) = delete;

  MPI_Request* data() const { return handles_; }
  int count() const { return static_cast<int>(numbers_.size()); }

 private:
  std::span<const std::int64_t> numbers_;
  std::vector<Slots*> in_;
  std::vector<MPI_Request> copy_;
  MPI_Request* handles_ = nullptr;
};

}  // namespace reprise::live
