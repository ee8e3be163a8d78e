// SPDX-License-Identifier: MIT
// Sites: an MPI procedure at a call path, numbered as they are first seen.
//
// SiteTable is shared by all threads, under its own lock. Each thread has a SiteCache, which asks the table only about paths that
// it does not remember.
// A path begins with the program's own frame (those of language bindings are left out) and ends with main, or the function
// that a thread was started with: the start-up code below it is left out.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "recorder/capture/call_path.hpp"
#include "recorder/capture/module_table.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

class SiteTable {
 public:
  // `depth` frames of a path are kept.
  trace_io::SiteId site_of(std::string_view procedure, const Unwound& path, std::size_t depth);
  bool is_in_binding(std::uintptr_t address);
  // Fills procedures, modules, call_paths and sites.
  void describe(trace_io::Trace&);

 private:
  std::uint32_t procedure_of(std::string_view name);

  std::mutex mutex_;
  ModuleTable modules_;
  std::vector<std::string> procedures_;
  std::map<std::vector<trace_io::Frame>, std::uint32_t> path_numbers_;
  std::vector<trace_io::CallPath> paths_;
  std::map<trace_io::Site, trace_io::SiteId> site_numbers_;
  std::vector<trace_io::Site> sites_;
};

// From the stack of an MPI call to its site, per thread: remembered paths first, unwinding where none fits.
//
// Cost    a remembered path: one hash look-up and 1–2 words compared per frame (10–20 ns); else 3–10 µs.
// Memory  at most kMaxEntries paths; then all are forgotten and learnt again.
class SiteCache {
 public:
  struct Settings {
    std::size_t depth = 16;
    bool full = true;  // false: the caller alone
  };
  SiteCache(SiteTable& table, Settings settings);

  // `procedure` is the name to record; it must follow from `key`.
  trace_io::SiteId site_of(std::uint32_t key, std::string_view procedure, Frame frame) {
    const std::uintptr_t address = return_address(frame);
    const std::uintptr_t position = settings_.full ? stack_position(frame) : 0;
    for (std::uint32_t i = buckets_[bucket_of(address, position)]; i != kNone;
         i = entries_[i].next) {
      const Entry& entry = entries_[i];
      if (entry.address == address && entry.position == position && entry.key == key &&
          words_match(entry))
        return entry.site;
    }
    return learn(key, procedure, frame);
  }

 private:
  struct Entry {
    std::uintptr_t address, position;
    std::uint32_t key;
    trace_io::SiteId site;
    std::uint32_t next, first_word, words;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kBuckets = 4096, kMaxEntries = 16384;

  static std::size_t bucket_of(std::uintptr_t address, std::uintptr_t position) {
    return ((address * 0x9e3779b97f4a7c15u) ^ (position * 0xc2b2ae3d27d4eb4fu)) >> 52;
  }
  bool words_match(const Entry& entry) const {
    const StackWord* word = words_.data() + entry.first_word;
    for (const StackWord* end = word + entry.words; word != end; ++word)
      if (*word->where != word->value) return false;
    return true;
  }
  trace_io::SiteId learn(std::uint32_t key, std::string_view procedure, Frame frame);

  SiteTable& table_;
  Settings settings_;
  std::vector<std::uint32_t> buckets_;
  std::vector<Entry> entries_;
  std::vector<StackWord> words_;
};

}  // namespace reprise::recorder
