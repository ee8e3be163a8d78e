// SPDX-License-Identifier: MIT
// What stands in a rank's slots: requests, matched messages, windows, files, by the numbers that a trace knows them by.
//
// How     a recorder gives out the smallest free number, so numbers are small and an array holds them. A trace may say any number
//         all the same: one far above what the array holds goes to a hash table, so that memory follows what is in use, never a number.
// Cost    a comparison and an array access for numbers as recorders give them. Growing the array makes it longer by at most kReach a
//         call. References hold until the next call of at().
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

namespace reprise::sim {

template <class Thing>
class Slots {
 public:
  explicit Slots(Thing empty = Thing{}) : empty_(std::move(empty)) {}

  // Empty where nothing was there. Below 0 stands slot 0.
  Thing& at(std::int64_t number) {
    const auto place = static_cast<std::size_t>(number < 0 ? 0 : number);
    if (place < near_.size()) return near_[place];
    if (place < near_.size() + kReach) {
      grow(place + 1);
      return near_[place];
    }
    if (far_ == nullptr) far_ = std::make_unique<Far>();
    return far_->try_emplace(place, empty_).first->second;
  }
  // Null where nothing was ever there.
  Thing* find(std::int64_t number) {
    const auto place = static_cast<std::size_t>(number);
    if (number < 0) return nullptr;
    if (place < near_.size()) return &near_[place];
    if (far_ == nullptr) return nullptr;
    const auto found = far_->find(place);
    return found == far_->end() ? nullptr : &found->second;
  }
  template <class Visit>
  void for_each(const Visit& visit) {
    for (Thing& thing : near_) visit(thing);
    if (far_ == nullptr) return;
    for (auto& [place, thing] : *far_) visit(thing);
  }

 private:
  static constexpr std::size_t kReach = 64;
  using Far = std::unordered_map<std::size_t, Thing>;

  void grow(std::size_t size) {
    near_.resize(size, empty_);
    if (far_ == nullptr) return;
    for (auto entry = far_->begin(); entry != far_->end();) {
      if (entry->first >= size) {
        ++entry;
        continue;
      }
      near_[entry->first] = std::move(entry->second);
      entry = far_->erase(entry);
    }
  }

  Thing empty_;
  // The usual few stand in the rank itself.
  boost::container::small_vector<Thing, 8> near_;
  std::unique_ptr<Far> far_;  // none until a number is out of reach
};

}  // namespace reprise::sim
