// SPDX-License-Identifier: MIT
// Sites: an MPI procedure at a call path, numbered as they are first seen.
//
// SiteTable is shared by all threads, under its own lock. Each thread has a SiteCache, which asks the table only about paths that
// it does not remember.
// A path begins with the program's own frame (those of language bindings are left out) and ends with main, or the function
// that a thread was started with: the start-up code below it is left out.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "recorder/capture/call_path.hpp"
#include "recorder/capture/frame_steps.hpp"
#include "recorder/capture/module_table.hpp"
#include "recorder/capture/path_numbers.hpp"
#include "recorder/capture/stack_memory.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

// Explosion   programs that recurse reach MPI on ever more paths from few places. Where a table that may shorten has kMany paths, kFew times as many as
//             innermost frames, new paths are cut to their kInnermost innermost frames, and to one after kMany of these. Paths that are known by
//             then stay whole, and so a path has one site from its first call to its last: loops fold as before.
class SiteTable {
 public:
  static constexpr std::size_t kMany = 8192, kFew = 16, kInnermost = 4;
  static constexpr std::size_t kMostSeen = std::size_t{1} << 21;  // frames, of 8 bytes each

  // Files that were unloaded up to now: addresses may mean something else where that grows. Cost: a call of the dynamic linker.
  std::uint64_t unloads();
  // `depth` frames of a path are kept. REQUIRES: unloads() was called after the path was unwound or just before.
  trace_io::SiteId site_of(std::string_view procedure, const Unwound& path, std::size_t depth,
                           bool may_shorten = false);
  // The number among the call paths of a path that no site need have, as describe() will number it.
  std::uint32_t call_path_of(std::span<const std::uintptr_t> addresses, bool reached_end,
                             std::size_t depth);
  bool is_in_binding(std::uintptr_t address);
  bool is_in_file(std::uintptr_t address);
  // Fills procedures, modules, call_paths and sites.
  void describe(trace_io::Trace&);
  // No path is asked for any more: gives back what finds those that are known.
  void settle();
  // Call paths that stand for several, of which the innermost frames alone were kept.
  std::uint64_t shortened();

 private:
  using Frames = std::vector<trace_io::Frame>;

  std::uint32_t procedure_of(std::string_view name);
  Frames frames_of(std::span<const std::uintptr_t> addresses, bool reached_end, std::size_t depth);
  std::uint32_t number_of(Frames);
  std::uint32_t number_of_known_or_short(Frames);
  void see_whether_they_explode();

  std::mutex mutex_;
  ModuleTable modules_;
  SequenceNumbers<std::uintptr_t> seen_;  // a cache: what it has forgotten gets the same number
  std::set<trace_io::Frame> innermost_;
  std::size_t kept_ = ~std::size_t{0};  // frames of new paths, where they may be shortened
  std::size_t next_look_ = kMany;       // number of paths at which to see whether they explode
  std::set<std::uint32_t> shortened_;
  std::vector<std::string> procedures_;
  SequenceNumbers<trace_io::Frame> path_numbers_;
  std::vector<trace_io::CallPath> paths_;
  std::unordered_map<std::uint64_t, trace_io::SiteId> site_numbers_;  // by procedure and path
  std::vector<trace_io::Site> sites_;
};

// From the stack of an MPI call to its site, per thread: remembered paths first, unwinding where none fits.
//
// Order   each path remembers the two that came after it last: in a loop the next one is known before anything is looked up, be it one of
//         a thousand that lead to MPI through the same wrapper and differ in their outermost frames only.
// Words   what a path has at its places on the stack (call_path.hpp) is kept as a hash of 64 bits, of which kInner words are looked at before the
//         others; the places themselves are few, since functions have the same frames whoever calls them: one cache line for the path and one or two
//         for its places, where the words themselves took ten with 16 frames.
// Cost    a path that comes when expected: 1–2 words read per frame (10–20 ns). Another remembered one: a hash look-up and kTries of the
//         same innermost call; where none of these is it, the stack is walked (frame_steps.hpp): 0.2–0.4 µs, 0.3–1 µs for a new one, 3–10 where
//         frames are found by libgcc's unwinder. The table grows with the paths.
// Stacks  on one that is not the thread's own (coroutines) plain steps alone are followed, over words that can be read: there the path ends where they do.
// Memory  64 bytes a path and 4 to 8 a frame of different places, at most kMostBytes; then all are forgotten and learnt again.
class SiteCache {
 public:
  struct Settings {
    std::size_t depth = 16;
    bool full = true;          // false: the caller alone
    bool may_shorten = false;  // full paths, as long as they do not explode
  };
  // REQUIRES: called by the thread whose calls it is for; for another's it is right, and slower.
  SiteCache(SiteTable& table, Settings settings);

  // `procedure` is the name to record; it must follow from `key`.
  trace_io::SiteId site_of(std::uint32_t key, std::string_view procedure, Frame frame) {
    const Call call{return_address(frame), settings_.full ? stack_position(frame) : 0, key};
    if (fits(call, expected_)) [[likely]]
      return pass(expected_);
    return unexpected(call, procedure, frame);
  }
  // Gives back all that is remembered; what follows is learnt anew.
  void settle();
  // Of a path that is no thread's stack any more.
  trace_io::SiteId site_of_path(std::string_view procedure, const Unwound& path) {
    return table_.site_of(procedure, path, settings_.depth);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Call {
    std::uintptr_t address, position;
    std::uint32_t key;
    friend bool operator==(const Call&, const Call&) = default;
  };
  struct alignas(64) Entry {
    Call call;
    trace_io::SiteId site = trace_io::kNoSite;
    std::uint32_t reach = 0;  // of a stack that is not the thread's: bytes up to the last word
    std::uint64_t words = 0;  // hash
    std::uint32_t first_place = 0;
    std::uint16_t places = 0, inner = 0;  // `inner`: of the hash of the first words
    std::uint32_t after = kNone,
                  after_before = kNone;  // the latest to follow, and the latest but that
    std::uint32_t next = kNone, next_exact = kNone;
  };
  struct Layout {  // where the words are, in words from the stack position
    std::uint64_t hash;
    std::uint32_t first, count, next;
  };
  static constexpr std::size_t kInner = 8;
  static constexpr int kTries = 4;
  static constexpr std::size_t kFewest = 8;  // buckets, a power of two
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  std::size_t bucket_of(std::uintptr_t address, std::uintptr_t position) const {
    return ((address * 0x9e3779b97f4a7c15u) ^ (position * 0xc2b2ae3d27d4eb4fu)) >> shift_;
  }
  trace_io::SiteId pass(std::uint32_t i) {
    last_ = i;
    expected_ = entries_[i].after;
    return entries_[i].site;
  }
  trace_io::SiteId pass_unexpected(std::uint32_t);
  trace_io::SiteId unexpected(const Call&, std::string_view procedure, Frame);
  bool fits(const Call& call, std::uint32_t i) const {
    return i != kNone && entries_[i].call == call && words_match(entries_[i]);
  }
  // A multiplication apart from the chain of steps, which take two cycles each.
  static std::uint64_t with_word(std::uint64_t hash, std::uintptr_t word) {
    return std::rotl(hash, 23) ^ word * 0x9e3779b97f4a7c15u;
  }
  static std::uint16_t inner_of(std::uint64_t hash) {
    return static_cast<std::uint16_t>(hash >> 48U);
  }
  bool words_match(const Entry& entry) const {
    if (entry.reach != 0 && !is_readable_above(entry.call.position, entry.reach)) [[unlikely]]
      return false;
    const auto* const stack = reinterpret_cast<const std::uintptr_t*>(entry.call.position);
    const std::int32_t* const places = places_.data() + entry.first_place;
    const std::size_t inner = std::min<std::size_t>(entry.places, kInner);
    std::uint64_t hash = entry.places;
    std::size_t i = 0;
    for (; i < inner; ++i) hash = with_word(hash, stack[places[i]]);
    // What lies further out may be another stack, which may be there no more where these differ.
    if (inner_of(hash) != entry.inner) return false;
    for (; i < entry.places; ++i) hash = with_word(hash, stack[places[i]]);
    return hash == entry.words;
  }
  trace_io::SiteId look_up(const Call&, std::string_view procedure, Frame);
  void find_callers(Frame, Unwound&);
  void drop_what_no_file_has(Unwound&);
  std::uint32_t& exact_bucket_of(const Entry& entry) {
    return exact_buckets_[((entry.call.address ^ entry.words) * 0x9e3779b97f4a7c15u ^
                           (entry.call.position + entry.call.key) * 0xc2b2ae3d27d4eb4fu) >>
                          shift_];
  }
  std::uint32_t find_exactly(const Entry&);

  void grow(std::size_t buckets);
  void forget();
  // The places that Entry has of the path's words, and their hash; false where they are too far apart.
  bool set_words(const Unwound&, Entry&);
  std::uint32_t first_place_of(std::span<const std::int32_t> places);

  SiteTable& table_;
  Settings settings_;
  FrameSteps steps_;
  StackBounds own_stack_ = bounds_of_own_stack();
  std::uint64_t unloads_ = 0;
  std::uint32_t last_ = kNone, expected_ = kNone;
  unsigned shift_ = 0;  // 64 − log2(buckets)
  std::vector<std::uint32_t> buckets_, exact_buckets_, layout_buckets_;
  std::vector<Entry> entries_;
  std::vector<Layout> layouts_;
  std::vector<std::int32_t> places_;
};

}  // namespace reprise::recorder
