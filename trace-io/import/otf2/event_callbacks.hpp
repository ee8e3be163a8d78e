// SPDX-License-Identifier: MIT
// libotf2's callbacks for events: what each record means to a rank's events, and nothing else.
#pragma once

#include <otf2/otf2.h>

#include "trace-io/import/otf2/definitions.hpp"
#include "trace-io/import/otf2/library.hpp"
#include "trace-io/import/otf2/rank_events.hpp"

namespace reprise::trace_io {

// Who the callbacks tell: user data of a rank's reader.
struct RankTarget {
  Otf2RankEvents events;
  const Otf2Definitions& definitions;
  Otf2Errors& errors;
};
// And of a reader of any other thread, whose MPI calls are counted.
struct ThreadCalls {
  const Otf2Definitions& definitions;
  Otf2Errors& errors;
  std::uint64_t calls = 0;
};

class Otf2EventCallbacks {
 public:
  Otf2EventCallbacks();
  ~Otf2EventCallbacks();
  Otf2EventCallbacks(const Otf2EventCallbacks&) = delete;
  Otf2EventCallbacks& operator=(const Otf2EventCallbacks&) = delete;
  OTF2_EvtReaderCallbacks* of_ranks() const { return ranks_; }
  OTF2_EvtReaderCallbacks* of_threads() const { return threads_; }

 private:
  OTF2_EvtReaderCallbacks *ranks_, *threads_;
};

}  // namespace reprise::trace_io
