// SPDX-License-Identifier: MIT
// The calls of a phase of completions while they wait for its end, and what they do with requests.
//
// Requests are slots here (RequestTable::defer()); a trace's numbers are made of them when the phase is over.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trace-io/model/event.hpp"
#include "trace-io/model/procedure.hpp"
#include "trace-io/model/request_fields.hpp"

namespace reprise::recorder {

// Where a procedure's fields have requests and what else tells messages apart, and whether its calls may stand within a phase.
struct CallShape : trace_io::RequestFields {
  enum class Role : std::uint8_t {
    start,       // a non-blocking send or receive
    completion,  // MPI_Waitany, MPI_Testsome and their like
    other,       // ends a phase
  };
  Role role = Role::other;
  bool is_receive = false;
  int comm = -1, peer = -1, tag = -1;  // among the scalars
  int peers = -1, tags = -1;           // among the vectors
};
CallShape shape_of(const trace_io::Procedure&);

struct PhaseCall {
  trace_io::SiteId site = trace_io::kNoSite;
  const CallShape* shape = nullptr;
  std::vector<std::int64_t> scalars;
  std::vector<std::vector<std::int64_t>> vectors;
  Nanoseconds compute{}, communicate{};
  std::uint64_t polls = 0, bytes = 0;
  std::int64_t further = 0;
  bool has_tag = false;

  void assign(const trace_io::EventView&, const CallShape&);
  // Valid until the call changes; `spans` is room for them.
  trace_io::EventView event(std::vector<std::span<const std::int64_t>>& spans) const;
  void add_times(const PhaseCall& other);
  // The requests that the call completes, in the order of their numbers.
  void sort_completed();

  std::int64_t& number(int scalar) { return scalars[static_cast<std::size_t>(scalar)]; }
  std::int64_t number(int scalar) const { return scalars[static_cast<std::size_t>(scalar)]; }
  std::vector<std::int64_t>& list(int vector) { return vectors[static_cast<std::size_t>(vector)]; }
  const std::vector<std::int64_t>& list(int vector) const {
    return vectors[static_cast<std::size_t>(vector)];
  }
  std::uint32_t started() const { return static_cast<std::uint32_t>(number(shape->request)); }
  bool is(CallShape::Role role) const { return shape->role == role; }
};

// Calls in their order. Storage is used again: no allocation in the steady state.
class PhaseCalls {
 public:
  PhaseCall& add(const trace_io::EventView& event, const CallShape& shape) {
    if (size_ == calls_.size()) calls_.emplace_back();
    calls_[size_].assign(event, shape);
    for (const auto& list : event.vectors) elements_ += list.size();
    return calls_[size_++];
  }
  void clear() { size_ = elements_ = 0; }
  std::size_t size() const { return size_; }
  std::size_t elements() const { return elements_; }  // of lists, in all calls
  std::span<PhaseCall> all() { return std::span(calls_).first(size_); }
  std::span<const PhaseCall> all() const { return std::span(calls_).first(size_); }

 private:
  std::vector<PhaseCall> calls_;
  std::size_t size_ = 0, elements_ = 0;
};

}  // namespace reprise::recorder
