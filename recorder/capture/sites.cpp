// SPDX-License-Identifier: MIT
#include "recorder/capture/sites.hpp"

#include <sys/auxv.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

namespace reprise::recorder {
namespace {

// Frames of a language binding that may stand before the program's own.
constexpr std::size_t kBindingFrames = 4;
constexpr std::size_t kStartFrames = 3;  // start-up code below main

// The program's entry point calls __libc_start_main within its first few instructions.
bool is_entry_point(std::uintptr_t address) {
  constexpr std::uintptr_t kEntryCode = 64;
  const std::uintptr_t entry = getauxval(AT_ENTRY);
  return address > entry && address <= entry + kEntryCode;
}

}  // namespace

std::uint32_t SiteTable::procedure_of(std::string_view name) {
  const auto found = std::find(procedures_.begin(), procedures_.end(), name);
  if (found == procedures_.end()) {
    procedures_.emplace_back(name);
    return static_cast<std::uint32_t>(procedures_.size() - 1);
  }
  return static_cast<std::uint32_t>(found - procedures_.begin());
}

std::uint64_t SiteTable::unloads() {
  const std::lock_guard lock(mutex_);
  if (!modules_.look_again()) seen_.clear();
  return modules_.unloads();
}

bool SiteTable::is_in_file(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  return modules_.is_in_file(address);
}

bool SiteTable::is_in_binding(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  return modules_.is_binding(modules_.find(address).module);
}

// REQUIRES: the lock is held, as for those that follow.
SiteTable::Frames SiteTable::frames_of(std::span<const std::uintptr_t> addresses, bool reached_end,
                                       std::size_t depth) {
  Frames frames;
  frames.reserve(addresses.size());
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto place = modules_.find(addresses[i]);
    if (frames.empty() && i + 1 < addresses.size() && modules_.is_binding(place.module)) continue;
    frames.push_back({place.module, place.offset});
  }
  if (reached_end) {
    if (frames.size() > 1 && is_entry_point(addresses.back())) frames.pop_back();
    while (frames.size() > 1 && modules_.is_c_library(frames.back().module)) frames.pop_back();
  }
  if (frames.size() > depth) frames.resize(depth);
  return frames;
}

std::uint32_t SiteTable::number_of(Frames frames) {
  if (const auto known = path_numbers_.find(frames)) return *known;
  const auto number = static_cast<std::uint32_t>(paths_.size());
  path_numbers_.add(frames, number);
  innermost_.insert(frames.front());
  paths_.push_back({std::move(frames)});
  return number;
}

void SiteTable::see_whether_they_explode() {
  if (paths_.size() < next_look_ || kept_ == 1) return;
  next_look_ = paths_.size() + 1;
  if (paths_.size() < kFew * innermost_.size()) return;
  kept_ = kept_ > kInnermost ? kInnermost : 1;
  next_look_ = paths_.size() + kMany;
}

std::uint32_t SiteTable::number_of_known_or_short(Frames frames) {
  see_whether_they_explode();
  if (frames.size() <= kept_) return number_of(std::move(frames));
  if (const auto known = path_numbers_.find(frames)) return *known;
  if (kept_ < kInnermost && frames.size() > kInnermost)  // as it was cut before
    if (const auto known = path_numbers_.find(std::span(frames).first(kInnermost));
        known && shortened_.contains(*known))
      return *known;
  frames.resize(kept_);
  const std::uint32_t number = number_of(std::move(frames));
  shortened_.insert(number);
  return number;
}

std::uint64_t SiteTable::shortened() {
  const std::lock_guard lock(mutex_);
  return shortened_.size();
}

std::uint32_t SiteTable::call_path_of(std::span<const std::uintptr_t> addresses, bool reached_end,
                                      std::size_t depth) {
  const std::lock_guard lock(mutex_);
  if (!modules_.look_again()) seen_.clear();
  return number_of(frames_of(addresses, reached_end, depth));
}

trace_io::SiteId SiteTable::site_of(std::string_view procedure, const Unwound& path,
                                    std::size_t depth, bool may_shorten) {
  const std::lock_guard lock(mutex_);
  const std::span addresses = std::span(path.addresses).first(path.frames);
  std::optional<std::uint32_t> number = seen_.find(addresses);
  if (!number) {
    Frames frames = frames_of(addresses, path.reached_end, depth);
    number =
        may_shorten ? number_of_known_or_short(std::move(frames)) : number_of(std::move(frames));
    if (seen_.elements() > kMostSeen) seen_.clear();
    seen_.add(addresses, *number);
  }
  const trace_io::Site site{procedure_of(procedure), *number};
  const auto [site_entry, new_site] =
      site_numbers_.try_emplace(std::uint64_t{site.procedure} << 32U | site.call_path,
                                static_cast<trace_io::SiteId>(sites_.size()));
  if (new_site) sites_.push_back(site);
  return site_entry->second;
}

void SiteTable::describe(trace_io::Trace& trace) {
  const std::lock_guard lock(mutex_);
  trace.procedures = procedures_;
  trace.call_paths = paths_;
  trace.sites = sites_;
  // An MPI process maps dozens of files; only those that a call path runs through are worth their bytes.
  constexpr std::uint32_t kNotKept = UINT32_MAX;
  std::vector<std::uint32_t> kept(modules_.modules().size(), kNotKept);
  for (auto& path : trace.call_paths) {
    for (auto& frame : path.frames) {
      std::uint32_t& number = kept.at(frame.module);
      if (number == kNotKept) {
        number = static_cast<std::uint32_t>(trace.modules.size());
        trace.modules.push_back(modules_.modules()[frame.module]);
      }
      frame.module = number;
    }
  }
}

void SiteTable::settle() {
  const std::lock_guard lock(mutex_);
  seen_.clear();
  path_numbers_.clear();
}

void SiteCache::settle() {
  forget();
  std::vector<Entry>().swap(entries_);
  std::vector<Layout>().swap(layouts_);
  std::vector<std::int32_t>().swap(places_);
  for (auto* buckets : {&buckets_, &exact_buckets_, &layout_buckets_}) buckets->shrink_to_fit();
  steps_.clear();
}

SiteCache::SiteCache(SiteTable& table, Settings settings) : table_(table), settings_(settings) {
  grow(kFewest);
  // libgcc's unwinder is linked statically, and its first walk fills its table of registers. An exception that passes through a wrapper needs
  // that table, and walks by remembered steps never fill it.
  Unwound first;
  unwind(static_cast<Frame>(__builtin_frame_address(0)), 1, first);
}

void SiteCache::grow(std::size_t buckets) {
  shift_ = 64U - static_cast<unsigned>(std::countr_zero(buckets));
  buckets_.assign(buckets, kNone);
  exact_buckets_.assign(buckets, kNone);
  layout_buckets_.assign(buckets, kNone);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    entry.next = std::exchange(buckets_[bucket_of(entry.call.address, entry.call.position)], i);
    entry.next_exact = std::exchange(exact_bucket_of(entry), i);
  }
  for (std::uint32_t i = 0; i < layouts_.size(); ++i)
    layouts_[i].next = std::exchange(layout_buckets_[layouts_[i].hash >> shift_], i);
}

trace_io::SiteId SiteCache::pass_unexpected(std::uint32_t i) {
  if (last_ != kNone) {
    Entry& last = entries_[last_];
    last.after_before = std::exchange(last.after, i);
  }
  return pass(i);
}

void SiteCache::forget() {
  last_ = expected_ = kNone;
  entries_.clear();
  layouts_.clear();
  places_.clear();
  grow(kFewest);
}

std::uint32_t SiteCache::first_place_of(std::span<const std::int32_t> places) {
  std::uint64_t hash = places.size();
  for (const std::int32_t place : places)
    hash = (hash ^ static_cast<std::uint32_t>(place)) * 0x9e3779b97f4a7c15u;
  std::uint32_t& bucket = layout_buckets_[hash >> shift_];
  for (std::uint32_t i = bucket; i != kNone; i = layouts_[i].next)
    if (layouts_[i].hash == hash && layouts_[i].count == places.size() &&
        std::ranges::equal(places, std::span(places_).subspan(layouts_[i].first, places.size())))
      return layouts_[i].first;
  const auto first = static_cast<std::uint32_t>(places_.size());
  places_.insert(places_.end(), places.begin(), places.end());
  layouts_.push_back({hash, first, static_cast<std::uint32_t>(places.size()), bucket});
  bucket = static_cast<std::uint32_t>(layouts_.size() - 1);
  return first;
}

bool SiteCache::set_words(const Unwound& path, Entry& entry) {
  const auto* const stack = reinterpret_cast<const std::uintptr_t*>(entry.call.position);
  std::array<std::int32_t, Unwound{}.words.size()> places;
  constexpr std::ptrdiff_t kWord = sizeof(std::uintptr_t);
  const bool is_own = StackReading(own_stack_, entry.call.position).is_own();
  std::uint64_t hash = path.word_count;
  entry.inner = inner_of(hash);
  for (std::size_t i = 0; i < path.word_count; ++i) {
    const std::ptrdiff_t place = path.words[i].where - stack;
    if (!std::in_range<std::int32_t>(place)) return false;
    places[i] = static_cast<std::int32_t>(place);
    if (!is_own && place >= 0)
      entry.reach = std::max(entry.reach, static_cast<std::uint32_t>((place + 1) * kWord));
    hash = with_word(hash, path.words[i].value);
    if (i < kInner) entry.inner = inner_of(hash);
  }
  entry.words = hash;
  entry.places = static_cast<std::uint16_t>(path.word_count);
  entry.first_place = first_place_of(std::span(places).first(path.word_count));
  return true;
}

// What stands behind the outermost frame of a coroutine's stack is no caller.
void SiteCache::drop_what_no_file_has(Unwound& path) {
  while (path.frames > 1 && !table_.is_in_file(path.addresses[path.frames - 1])) --path.frames;
}

void SiteCache::find_callers(Frame frame, Unwound& path) {
  const bool alone = !settings_.full;
  if (alone && !table_.is_in_binding(return_address(frame))) {
    path.addresses[0] = return_address(frame);
    path.frames = 1;
    return;
  }
  const std::size_t wanted = (alone ? 1 : settings_.depth + kStartFrames) + kBindingFrames,
                    limit = std::min(wanted, Unwound::kMaxFrames);
  StackReading stack(own_stack_, stack_position(frame));
  if (!steps_.walk(frame, limit, stack, path)) {
    if (stack.is_own())
      unwind(frame, limit, path);
    else
      drop_what_no_file_has(path);
  }
  // A binding's frame: the position is not part of the key then.
  if (alone) path.can_be_remembered = false;
}

std::uint32_t SiteCache::find_exactly(const Entry& wanted) {
  for (std::uint32_t i = exact_bucket_of(wanted); i != kNone; i = entries_[i].next_exact) {
    const Entry& entry = entries_[i];
    if (entry.call == wanted.call && entry.words == wanted.words &&
        entry.first_place == wanted.first_place)
      return i;
  }
  return kNone;
}

// A path that did not come when expected.
trace_io::SiteId SiteCache::unexpected(const Call& call, std::string_view procedure, Frame frame) {
  std::uint32_t i = last_ == kNone ? kNone : entries_[last_].after_before;
  if (i != kNone && i != expected_ && fits(call, i)) return pass(i);
  i = buckets_[bucket_of(call.address, call.position)];
  for (int tries = 0; i != kNone && tries < kTries; i = entries_[i].next, ++tries)
    if (fits(call, i)) return pass_unexpected(i);
  return look_up(call, procedure, frame);
}

trace_io::SiteId SiteCache::look_up(const Call& call, std::string_view procedure, Frame frame) {
  if (const std::uint64_t unloads = table_.unloads(); unloads != unloads_) {
    unloads_ = unloads;
    steps_.clear();
    forget();
  }
  Unwound path;
  find_callers(frame, path);
  const std::size_t depth = settings_.full ? settings_.depth : 1;
  if (!path.can_be_remembered) return table_.site_of(procedure, path, depth, settings_.may_shorten);

  const std::size_t bytes = entries_.size() * (sizeof(Entry) + 2 * sizeof(std::uint32_t)) +
                            layouts_.size() * sizeof(Layout) +
                            places_.size() * sizeof(std::int32_t);
  if (bytes > kMostBytes) forget();
  if (std::max(entries_.size(), layouts_.size()) >= buckets_.size()) grow(2 * buckets_.size());
  Entry entry{call};
  if (!set_words(path, entry)) return table_.site_of(procedure, path, depth, settings_.may_shorten);
  if (const std::uint32_t known = find_exactly(entry); known != kNone)
    return pass_unexpected(known);
  entry.site = table_.site_of(procedure, path, depth, settings_.may_shorten);
  const auto number = static_cast<std::uint32_t>(entries_.size());
  entry.next = std::exchange(buckets_[bucket_of(entry.call.address, entry.call.position)], number);
  entry.next_exact = std::exchange(exact_bucket_of(entry), number);
  entries_.push_back(entry);
  return pass_unexpected(number);
}

}  // namespace reprise::recorder
