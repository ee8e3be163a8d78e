// SPDX-License-Identifier: MIT
// Requests and matched messages by the trace's slot numbers, with the memory that they use until they complete.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "recorder/live/buffers.hpp"

namespace reprise::live {

// What a request needs beside its handle.
struct Slot {
  Buffer receive;                    // until the request completes
  std::vector<int> lists[4];         // counts and displacements of a collective with lists, likewise
  std::vector<MPI_Datatype> types;
  std::vector<MPI_Aint> wide_places[2];  // of Neighbor_alltoallw
  MPI_Comm made = MPI_COMM_NULL;     // by Comm_idup: usable once the request completes
};

// Shared by the threads of a rank. Handles stand side by side and never move, as in a program that keeps its requests in an array:
// a recorder tells equal handles apart by their places.
class Slots {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 24;  // address space is all that unused ones cost

  Slots() : handles_(static_cast<MPI_Request*>(std::malloc(kMost * sizeof(MPI_Request)))) {}
  ~Slots() { std::free(handles_); }
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;

  Slot& operator[](std::int64_t number) {
    grow(number);
    return slots_[static_cast<std::size_t>(number)];
  }
  MPI_Request& handle(std::int64_t number) {
    grow(number);
    return handles_[number];
  }

  // A completion in another order than recorded: what was recorded as complete is what completed, and the other one goes on
  // under its number.
  void exchange(std::int64_t a, std::int64_t b) {
    std::swap((*this)[a], (*this)[b]);
    std::swap(handle(a), handle(b));
  }

 private:
  void grow(std::int64_t number) {
    const std::lock_guard lock(growing_);
    while (slots_.size() <= static_cast<std::size_t>(number) && slots_.size() < kMost) {
      handles_[slots_.size()] = MPI_REQUEST_NULL;
      slots_.emplace_back();
    }
  }

  std::mutex growing_;
  std::deque<Slot> slots_;
  MPI_Request* handles_;
};

// The requests of one call as an array: the handles themselves where their numbers follow each other, else a copy that is written
// back when the call is over.
class HandedIn {
 public:
  HandedIn(Slots& slots, std::span<const std::int64_t> numbers) : slots_(slots), numbers_(numbers) {
    bool follow = !numbers.empty();
    for (std::size_t i = 1; i < numbers.size(); ++i) follow = follow && numbers[i] == numbers[i - 1] + 1;
    if (follow) slots.handle(numbers.back());
    else for (const auto number : numbers) copy_.push_back(slots.handle(number));
    handles_ = follow ? &slots.handle(numbers.front()) : copy_.data();
  }
  ~HandedIn() {
    for (std::size_t i = 0; i < copy_.size(); ++i) slots_.handle(numbers_[i]) = copy_[i];
  }
  HandedIn(const HandedIn&) = delete;
  HandedIn& operator=(const HandedIn&) = delete;

  MPI_Request* data() const { return handles_; }
  int count() const { return static_cast<int>(numbers_.size()); }

 private:
  Slots& slots_;
  std::span<const std::int64_t> numbers_;
  std::vector<MPI_Request> copy_;
  MPI_Request* handles_ = nullptr;
};

}  // namespace reprise::live
