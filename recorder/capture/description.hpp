// SPDX-License-Identifier: MIT
// The fields of one call while they are gathered: filled by describe_*() in the order of trace_io::fields().
//
// Scalars and vectors are counted apart, so only the order within each matters. Storage is reused: no allocation in steady state.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "recorder/capture/chance_sends.hpp"
#include "recorder/capture/handles.hpp"
#include "trace-io/model/event.hpp"

namespace reprise::recorder {

enum class Outcome : std::uint8_t {
  event,
  failed_poll,  // a Test or Iprobe that found nothing
  chance,       // a Test that found sends complete which nothing waits for (chance_sends.hpp)
  unmodelled,  // on a communicator with processes outside MPI_COMM_WORLD, of a request of an unmodelled call
};

class Description {
 public:
  explicit Description(bool looks_for_chance) : sends_by_chance_(looks_for_chance) {}

  // Of a call that returns to that address.
  void begin(ChanceSends::Place returns_to) {
    returns_to_ = returns_to;
    clear();
  }
  void clear() {
    scalar_count_ = vector_count_ = 0;
    notes_.clear();
    receives_ = 0;
    sends_much_ = has_tag_ = false;
  }
  // Gives back the storage.
  void settle() {
    clear();
    for (auto& vector : vectors_) std::vector<std::int64_t>().swap(vector);
    std::vector<MessageNote>().swap(notes_);
  }
  void scalar(std::int64_t value) { scalars_[scalar_count_++] = value; }
  // The next vector field, empty.
  std::vector<std::int64_t>& vector() {
    std::vector<std::int64_t>& next = vectors_[vector_count_++];
    next.clear();
    return next;
  }
  void comm(const CommunicatorInfo& info) { scalar(info.index); }
  // That the call is a point-to-point one, with a tag (model/tag_steps.hpp).
  void note_tag() { has_tag_ = true; }
  // A request that the call made; its number is the next scalar.
  template <class Ref>
  void started(Request request, const Ref& ref) {
    request.handle = key_of(ref.handle);
    request.where = ref.where;
    RequestTable& requests = handles().requests;
    scalar(requests.number(requests.add(request, this), this));
  }

  ChanceSends& sends_by_chance() { return sends_by_chance_; }
  // Of a request of a non-blocking send that the call makes.
  void note_send(Request& request) const {
    request.started_at = returns_to_;
    request.is_awaited = sends_by_chance_.is_awaited(returns_to_);
  }

  // What the call did about sampled messages: empty unless some are.
  std::vector<MessageNote>& notes() { return notes_; }
  void count_receive() { ++receives_; }
  void count_large_send() { sends_much_ = true; }
  bool waits_for_one() const { return receives_ == 1 && !sends_much_; }

  trace_io::EventView event() {
    for (std::size_t i = 0; i < vector_count_; ++i) spans_[i] = vectors_[i];
    // All at once: where they are assigned afterwards, GCC 12 clears the whole first, by `rep stos`.
    return {.scalars = std::span(scalars_.data(), scalar_count_),
            .vectors = std::span(spans_.data(), vector_count_),
            .has_tag = has_tag_};
  }

 private:
  static constexpr std::size_t kScalars = 16, kVectors = 4;
  std::array<std::int64_t, kScalars> scalars_;
  std::array<std::vector<std::int64_t>, kVectors> vectors_;
  std::array<std::span<const std::int64_t>, kVectors> spans_;
  std::size_t scalar_count_ = 0, vector_count_ = 0;
  ChanceSends sends_by_chance_;
  ChanceSends::Place returns_to_ = 0;
  std::vector<MessageNote> notes_;
  std::uint32_t receives_ = 0;  // that the call completed, as far as the sampler knows
  bool sends_much_ = false, has_tag_ = false;
};

}  // namespace reprise::recorder
