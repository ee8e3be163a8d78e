// SPDX-License-Identifier: MIT
// Finds tags that count (model/tag_steps.hpp) while the program runs: what a trace is told for each.
//
// Rule    a call site's tags count when it has had kManyNew tags that are beyond all it had before and that neither repeat nor continue the step before them,
//         and three quarters of them were one small step (kMostStep), always the same and not 0, from the communicator's last changed tag (that another one than the tag
//         before at its site). From then on it tells steps. Other sites on the communicator follow with such a tag that is a small step away, or none, and
//         new ones from their first call on, if that is at most kNextSteps beyond the last tag that counts. Where steps come out more irregular
//         than that, the site tells tags again, for good.
// So      sites with a constant tag, with tags of a few kinds, of the rank, the peer, or the iteration never tell steps.
// Cost    some ten instructions a call; 32 bytes a site, 24 a communicator.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/event.hpp"

namespace reprise::trace_io {

class CountedTags {
 public:
  // What stands for the tag of a call of that site, on a communicator of the rank: itself, or a step. May throw std::bad_alloc.
  std::int64_t told(SiteId, std::int64_t comm, std::int64_t tag);
  std::size_t memory_bytes() const {
    return sites_.capacity() * sizeof(Site) + comms_.capacity() * sizeof(Comm);
  }

 private:
  enum class Telling : std::uint8_t { tags, steps, tags_for_good };
  struct Site {
    std::int32_t last = -1, least = 0, most = -1;
    std::int32_t stride = 0, step = 0;  // of `last`: from the site's tag before, and the comm's
    // New tags so far, and of them those one step on. Where steps are told: how irregular they are.
    std::int32_t fresh = 0, steady = 0;
    Telling telling = Telling::tags;
  };
  static_assert(sizeof(Site) == 32);
  struct Comm {
    std::int64_t changed = 0, told = 0;  // the last tags
    bool is_counted = false;
  };
  static constexpr std::int32_t kManyNew = 4, kManyWrong = 64, kMostStep = 16, kNextSteps = 4;

  // Whether the site, whose tag is another one than before, tells steps from here on.
  static bool begins_to_count(Site&, const Comm&, std::int32_t tag);
  static void watch(Site&, bool is_steady);

  std::vector<Site> sites_;
  std::vector<Comm> comms_;
};

}  // namespace reprise::trace_io
