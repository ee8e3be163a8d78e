// SPDX-License-Identifier: MIT
// Flows over the same links with the same bound are one class: whatever shares links fairly gives all of them one rate.
//
// Cost    finding the class of a flow: a hash of its links, and a comparison with the class found.
// Memory  4 bytes for each link of a class, as many places for each as the longest route has, rounded up to a power of two; and 8 to 24
//         a class. Classes without flows are given up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/large_pages.hpp"
#include "sim/network/pool.hpp"

namespace reprise::sim {

class FlowClasses {
 public:
  using Class = std::uint32_t;
  using Link = std::uint32_t;

  struct Found {
    Class index;
    bool is_new;
  };
  // The class over these links. REQUIRES: there is one at least; they are in the same order for all flows that cross them.
  Found find_or_add(std::span<const Link> links);
  void give_back(Class);
  void clear();  // none are left, but their memory

  std::span<const Link> links(Class one) const {
    return {links_.data() + std::size_t{one} * stride_, counts_[one]};
  }
  // With those given back, which have no links.
  std::uint32_t size() const { return static_cast<std::uint32_t>(counts_.size()); }
  // The class's links will soon be asked for (sim/fetch.hpp).
  void prepare(Class one) const {
    fetch(links_[std::size_t{one} * stride_]);
    fetch(counts_[one]);
  }
  // The class over these links will soon be asked for: first where a search begins, then which it may be, ~0 for none.
  void prepare(std::span<const Link> wanted) const { prefetch(&table_[place_of(wanted)]); }
  Class glance(std::span<const Link> wanted) const { return table_[place_of(wanted)]; }

 private:
  static constexpr Class kNone = ~Class{0};
  std::size_t place_of(std::span<const Link>) const;  // where a search for it begins
  std::size_t after(std::size_t place) const { return (place + 1) & (table_.size() - 1); }
  void grow();
  void widen(std::size_t links);

  std::size_t stride_ = 4;
  LargeArray<Link> links_;            // `stride_` for each class
  LargeArray<std::uint32_t> counts_;  // of links, by class
  std::vector<Class> free_;
  // Open addressing with linear probing (Knuth, The Art of Computer Programming 3, 2nd ed., 1998, §6.4): at most half full, so one or two
  // places are looked at; a power of two in size.
  LargeArray<Class> table_ = LargeArray<Class>(64, kNone);
};

}  // namespace reprise::sim
