// SPDX-License-Identifier: MIT
// Finds tags that count (model/tag_steps.hpp) while the program runs, and says what a trace stores for each.
//
// Rule    A tag is new where it is above or below all tags that its call site had before, and neither repeats nor continues the site's last step. A site's tags count
//         once kManyNew were new and three quarters of these were the same small step (at most kMostStep, not 0) away from the last changed tag on the communicator:
//         the last one that differed from the tag before it at its own site. From then on the site's tags are stored as steps. Once one site of a communicator
//         counts, the others follow with their next new tag that is a small step away, or none; sites that are called for the first time follow at once if their tag
//         is at most kNextSteps beyond the last one stored as a step. A site whose steps are too irregular goes back to plain tags, and stays there.
// So      sites with a constant tag, with few different tags, or with tags made of the rank, the peer or the iteration keep plain tags.
// Cost    some ten instructions a call; 32 bytes a site, 24 a communicator.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/event.hpp"

namespace reprise::trace_io {

class CountedTags {
 public:
  // What a trace stores for the tag of a call of that site, on a communicator of the rank: itself, or a step. May throw std::bad_alloc.
  std::int64_t told(SiteId, std::int64_t comm, std::int64_t tag);
  // Forgets what it knows of call sites. Each communicator's last tag stays, so tags that follow can still be stored as steps.
  void settle() { std::vector<Site>().swap(sites_); }
  std::size_t memory_bytes() const {
    return sites_.capacity() * sizeof(Site) + comms_.capacity() * sizeof(Comm);
  }

 private:
  enum class Telling : std::uint8_t { tags, steps, tags_for_good };
  struct Site {
    std::int32_t last = -1, least = 0, most = -1;
    std::int32_t stride = 0, step = 0;  // of `last`: from the site's tag before, and the comm's
    // How many tags were new, and how many of these the same step away. Of a site that stores steps, `fresh` says how irregular they are.
    std::int32_t fresh = 0, steady = 0;
    Telling telling = Telling::tags;
  };
  static_assert(sizeof(Site) == 32);
  struct Comm {
    std::int64_t changed = 0, told = 0;  // the last changed tag, and the last stored as a step
    bool is_counted = false;
  };
  static constexpr std::int32_t kManyNew = 4, kManyWrong = 64, kMostStep = 16, kNextSteps = 4;

  // Whether the site's tags are stored as steps from this one on. REQUIRES: it differs from the tag before.
  static bool begins_to_count(Site&, const Comm&, std::int32_t tag);
  static void watch(Site&, bool is_steady);

  std::vector<Site> sites_;
  std::vector<Comm> comms_;
};

}  // namespace reprise::trace_io
