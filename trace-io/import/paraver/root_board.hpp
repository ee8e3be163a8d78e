// SPDX-License-Identifier: MIT
// Who the roots of collectives are, told by the roots themselves: the other members, which call the same collective earlier or later, ask here.
//
// A collective is known by its communicator and its number there: members enter them in one order.
// Memory  collectives that not all members have asked for yet.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace reprise::trace_io {

class RootBoard {
 public:
  struct Asker {
    std::int32_t rank;
    std::uint64_t call;
  };
  using Key = std::pair<std::uint32_t, std::uint64_t>;
  static constexpr std::int32_t kUnknown = -1;

  // The root's place in the communicator; kUnknown where it has not told: then the asker will be among those of tell().
  std::int32_t ask(Key key, std::int32_t members, Asker asker) {
    Entry& entry = entries_[key];
    const std::int32_t root = entry.root;
    if (root == kUnknown) entry.askers.push_back(asker);
    pass(key, entry, members);
    return root;
  }
  // Set by who has the ranks: hears which call of which rank may go on.
  std::function<void(const Asker&, std::int32_t root)> answer;

  // Those that have asked before.
  std::vector<Asker> tell(Key key, std::int32_t members, std::int32_t root) {
    Entry& entry = entries_[key];
    entry.root = root;
    std::vector<Asker> askers = std::move(entry.askers);
    pass(key, entry, members);
    return askers;
  }

  // How often a rank has asked in vain up to now.
  std::uint64_t unanswered(std::int32_t rank) const {
    std::uint64_t count = 0;
    for (const auto& [key, entry] : entries_)
      for (const Asker& asker : entry.askers) count += asker.rank == rank ? 1 : 0;
    return count;
  }

 private:
  struct Entry {
    std::int32_t root = kUnknown, passed = 0;
    std::vector<Asker> askers;
  };
  void pass(Key key, Entry& entry, std::int32_t members) {
    if (++entry.passed >= members) entries_.erase(key);
  }
  std::map<Key, Entry> entries_;
};

}  // namespace reprise::trace_io
