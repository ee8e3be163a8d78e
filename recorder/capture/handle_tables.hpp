// SPDX-License-Identifier: MIT
// Tables from MPI handles to the small numbers that a trace knows them by: requests, matched messages, windows, files, and the
// sizes of datatypes. A handle is a pointer or a small integer; here it is a 64-bit key, so the tables need no mpi.h.
//
// Slots   the smallest number that is free on this rank when the object is made; persistent requests keep theirs until they are freed.
//         What a trace calls a request by is its slot too where it is persistent, or where threads share requests; else its age
//         among those under way (request_order.hpp), which a request that is never completed does not change for others.
// Threads none: the caller holds the lock of handles.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "trace-io/base/free_slots.hpp"
#include "trace-io/model/procedure.hpp"
#include "trace-io/model/request_order.hpp"

namespace reprise::recorder {

struct CommunicatorInfo;
using ::reprise::FreeSlots;

using HandleKey = std::uint64_t;

template <class Handle>
HandleKey key_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<HandleKey>(static_cast<std::make_unsigned_t<Handle>>(handle));
  }
}

// The handle behind a key.
template <class Handle>
Handle handle_of(HandleKey key) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<Handle>(key);
  else
    return static_cast<Handle>(key);
}

// From a handle to a 32-bit number: open addressing with linear probing.
//
// Cost    find, insert, erase: one or two cache lines; no allocation but when growing. Erasing leaves no tombstones.
class HandleMap {
 public:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  HandleMap() : slots_(64) {}

  std::uint32_t find(HandleKey key) const {
    for (std::size_t i = home(key); slots_[i].value != kAbsent; i = (i + 1) & mask())
      if (slots_[i].key == key) return slots_[i].value;
    return kAbsent;
  }
  // Overwrites. REQUIRES: value != kAbsent.
  void set(HandleKey key, std::uint32_t value) {
    std::size_t i = home(key);
    for (; slots_[i].value != kAbsent; i = (i + 1) & mask())
      if (slots_[i].key == key) {
        slots_[i].value = value;
        return;
      }
    slots_[i] = {key, value};
    if (++size_ * 2 > slots_.size()) grow();
  }
  void erase(HandleKey key) {
    std::size_t i = home(key);
    for (; slots_[i].value != kAbsent && slots_[i].key != key; i = (i + 1) & mask()) {
    }
    if (slots_[i].value == kAbsent) return;
    --size_;
    // Close the gap: whatever follows in the same run and may stand here moves here.
    for (std::size_t next = (i + 1) & mask(); slots_[next].value != kAbsent;
         next = (next + 1) & mask())
      if (((next - home(slots_[next].key)) & mask()) >= ((next - i) & mask())) {
        slots_[i] = slots_[next];
        i = next;
      }
    slots_[i].value = kAbsent;
  }

 private:
  struct Slot {
    HandleKey key = 0;
    std::uint32_t value = kAbsent;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t home(HandleKey key) const { return ((key * 0x9e3779b97f4a7c15u) >> 32) & mask(); }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    size_ = 0;
    for (const Slot& slot : old)
      if (slot.value != kAbsent) set(slot.key, slot.value);
  }

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::size_t size_ = 0;
};

// Windows, or files: handle → slot and the communicator that the object was made on.
//
// Cost    find(): a comparison for the object used last, else a hash look-up.
class ObjectTable {
 public:
  struct Object {
    std::uint32_t slot = 0;
    const CommunicatorInfo* comm = nullptr;
  };

  // Null where nothing is known of it. Holds until the next add() or detach().
  const Object* find(HandleKey handle) {
    if (last_ != nullptr && handle == last_handle_) return last_;
    const std::uint32_t slot = slots_.find(handle);
    if (slot == HandleMap::kAbsent) return nullptr;
    last_handle_ = handle;
    return last_ = &objects_[slot];
  }

  const Object& add(HandleKey handle, const CommunicatorInfo& comm) {
    if (const std::uint32_t unseen = detach(handle); unseen != HandleMap::kAbsent) freed(unseen);
    const std::uint32_t slot = free_.take();
    if (slot >= objects_.size()) objects_.resize(slot + 1);
    objects_[slot] = {slot, &comm};
    slots_.set(handle, slot);
    return objects_[slot];
  }

  // As of Communicators: the handle is taken off before the call that frees the object, which is freed after it.
  std::uint32_t detach(HandleKey handle) {
    last_ = nullptr;
    const std::uint32_t slot = slots_.find(handle);
    slots_.erase(handle);
    return slot;
  }
  const Object& at(std::uint32_t slot) const { return objects_[slot]; }
  void freed(std::uint32_t slot) { free_.release(slot); }
  void attach(HandleKey handle, std::uint32_t slot) { slots_.set(handle, slot); }

 private:
  HandleMap slots_;
  FreeSlots free_;
  std::vector<Object> objects_;  // by slot
  HandleKey last_handle_ = 0;
  const Object* last_ = nullptr;
};

// Requests, or matched messages: handle → slot and what completing one must know.
//
// Equal handles  MPI libraries hand out one shared handle for operations that completed at once. Requests with equal handles are
//         told apart by where the program keeps them, the newest there first, else the oldest is meant: they are all complete, so
//         either is true.
struct Request {
  HandleKey handle = 0;
  const void* where = nullptr;  // the program's variable that received the handle
  const CommunicatorInfo* comm = nullptr;
  bool persistent = false;
  bool active = false;
  bool any_source = false, any_tag = false;
  bool cancelled = false;  // MPI_Cancel was called on it
  bool is_awaited = true;  // false: the trace has no number for it (chance_sends.hpp)
  std::uintptr_t started_at =
      0;  // of a send that may be found complete by chance: the return address of the call that started it
  std::uint64_t polled_at = 0;  // 1 + the thread's events when a poll of it failed last; 0: never
  static constexpr std::uint32_t kNoMessage = ~std::uint32_t{0};
  std::uint32_t message =
      kNoMessage;  // what the sampler of messages knows it by (message_sampler.hpp)
  const void* starter =
      nullptr;  // who started it and calls it by its age; null where its slot is its number
  const void* maker = nullptr;  // who started it, whatever it is called by
  // Slots of the next and the previous request in a list, older ones first; before the oldest comes the youngest.
  struct Links {
    std::uint32_t next = HandleMap::kAbsent, previous = HandleMap::kAbsent;
  };
  Links alike;              // of all with an equal handle
  Links here;               // of those that are kept in one place as well; in use where is_crowded
  std::uint32_t count = 0;  // of the oldest: how many are alike
  bool is_crowded = false;  // of the oldest: the table has a Crowd for them
  std::uint64_t claim = 0;
};

// Cost    add, claim and remove: O(1), also where 100 000 eager sends share a handle. A list of alike requests is searched as long as it
//         is short; one that has been longer than kFewAlike is hashed by place until it is empty.
class RequestTable {
 public:
  static constexpr std::uint32_t kUnknown = HandleMap::kAbsent;

  std::uint32_t add(const Request& request, const void* starter = nullptr);
  void remove(std::uint32_t slot);
  // From now on requests are called by their slots: more than one thread may complete them.
  void count_by_slot() { by_age_ = false; }
  // What a trace calls the request by, until the call that ends it is over; −1 where another than its starter asks.
  std::int64_t number(std::uint32_t slot, const void* who) {
    Request& request = requests_[slot];
    if (request.starter == nullptr || is_deferring_)
      return request.is_awaited ? std::int64_t{slot} : trace_io::kNone;
    if (request.starter == who) return order_.age_of(slot);
    request.starter = this;  // its starter's trace never hears of its end
    return -1;
  }
  // Whether another has started it than the one who asks: the order between the two is in no trace.
  bool is_of_another(std::uint32_t slot, const void* who) const {
    return requests_[slot].maker != who && requests_[slot].maker != nullptr;
  }
  void end_call() { order_.sweep(); }
  // The library has completed the request, the trace has not: its handle means it no more, its number is kept until close().
  void keep_number(std::uint32_t slot) { unlink(slot); }
  void close(std::uint32_t slot) {
    if (requests_[slot].starter != nullptr) order_.end(slot);
    slots_.release(slot);
  }

  // Until settle() numbers are slots, whatever has been started or has ended since: who defers gives the ages, by the order that it chooses. No slot
  // is used twice meanwhile, and what is known of an ended request stays. False, and nothing happens, where requests are called by slots anyway.
  bool defer() { return is_deferring_ = by_age_; }
  bool is_deferring() const { return is_deferring_; }
  bool has_age(std::uint32_t slot) const { return requests_[slot].starter != nullptr; }
  trace_io::RequestOrder& order() { return order_; }
  void settle() {
    for (const std::uint32_t slot : ended_) slots_.release(slot);
    ended_.clear();
    is_deferring_ = false;
  }
  Request& operator[](std::uint32_t slot) { return requests_[slot]; }

  // Starts the look-ups of one MPI call: within it no two handles mean the same request.
  void begin_claims() { ++claim_; }
  std::uint32_t claim(HandleKey handle, const void* where) {
    const std::uint32_t first = heads_.find(handle);
    if (first == kUnknown) return kUnknown;
    if (requests_[first].alike.next == kUnknown && requests_[first].claim != claim_) {
      requests_[first].claim = claim_;
      return first;
    }
    return claim_among_alike(first, where);
  }
  // The library gave a persistent request another handle while starting it.
  void rename(std::uint32_t slot, HandleKey handle);

 private:
  static constexpr std::uint32_t kFewAlike = 64;
  struct Crowd {
    HandleMap oldest;                    // place → slot
    std::uint32_t unclaimed = kUnknown;  // all before it are claimed by the look-ups `claim`
    std::uint64_t claim = 0;
  };
  using List = Request::Links Request::*;

  [[gnu::cold, gnu::noinline]] void release_later(std::uint32_t slot) { ended_.push_back(slot); }
  std::uint32_t claim_among_alike(std::uint32_t first, const void* where);
  std::uint32_t find_in_crowd(std::uint32_t first, const void* where);
  void link(std::uint32_t slot);
  void unlink(std::uint32_t slot);
  void gather(std::uint32_t first);
  void enter(Crowd&, std::uint32_t slot);
  void leave(Crowd&, std::uint32_t slot);
  template <List kList>
  void append(std::uint32_t first, std::uint32_t slot);
  template <List kList>
  std::uint32_t take_out(std::uint32_t first, std::uint32_t slot);  // the first one then

  HandleMap heads_;  // handle → slot of the oldest request with it
  std::unordered_map<HandleKey, Crowd> crowds_;
  FreeSlots slots_;
  trace_io::RequestOrder order_;
  bool by_age_ = true, is_deferring_ = false;
  std::vector<std::uint32_t> ended_;  // while deferring
  std::vector<Request> requests_;     // by slot
  std::uint64_t claim_ = 0;
};

// Bytes of payload in one element of a datatype, for types that MPI itself names: those are never freed, so their handles never
// mean another type later. A direct-mapped cache: a later type may take an earlier one's place.
class TypeSizes {
 public:
  static constexpr std::int64_t kUnknown = -1;

  std::int64_t find(HandleKey type) const {
    const Entry& entry = entries_[place_of(type)];
    return entry.type == type ? entry.bytes : kUnknown;
  }
  void remember(HandleKey type, std::int64_t bytes) { entries_[place_of(type)] = {type, bytes}; }

 private:
  struct Entry {
    HandleKey type = 0;
    std::int64_t bytes = kUnknown;
  };
  static constexpr std::size_t kEntries = 64;
  static std::size_t place_of(HandleKey type) { return (type * 0x9e3779b97f4a7c15u) >> 58; }

  std::array<Entry, kEntries> entries_{};
};

}  // namespace reprise::recorder
