// SPDX-License-Identifier: MIT
// The C bindings: one expansion of the table.
#include <type_traits>

#include "recorder/wrappers/describe_collectives.hpp"
#include "recorder/wrappers/describe_communicators.hpp"
#include "recorder/wrappers/handwritten.hpp"
#include "recorder/wrappers/next_in_chain.hpp"

namespace reprise::recorder {
namespace {

template <class Argument>
bool may_be_wildcard(const Argument& argument) {
  if constexpr (std::is_same_v<Argument, int>)
    return argument == MPI_ANY_SOURCE || argument == MPI_ANY_TAG;
  else
    return false;
}

// What a wildcard matched, or how long a sampled message was, is read from the status: where the program ignores it, one of ours is passed instead.
template <class Argument>
Argument with_status(Argument argument, MPI_Status* ours, bool needed) {
  if constexpr (std::is_same_v<Argument, MPI_Status*>)
    return needed && argument == MPI_STATUS_IGNORE ? ours : argument;
  else
    return argument;
}

template <CallId id, class Procedure, class Describe, class... Arguments>
int record_c_call(Frame frame, Procedure procedure, const Describe& describe,
                  Arguments... arguments) {
  constexpr bool kHasStatus = (std::is_same_v<Arguments, MPI_Status*> || ...);
  constexpr Presence kPresence = presence_of(id);
  const auto run = [&](auto... passed) {
    return record_call(
        id, frame, kPresence, [&] { return procedure(passed...); },
        [&](Description& d) { return describe(d, passed...); });
  };
  if constexpr (kHasStatus) {
    MPI_Status ours;
    const bool needed = (may_be_wildcard(arguments) || ...) || reads_every_status();
    return run(with_status(arguments, &ours, needed)...);
  } else {
    return run(arguments...);
  }
}

// Once for all procedures of one signature.
template <class Procedure, class... Arguments>
int record_unmodelled_c_call(CallId id, Frame frame, Procedure procedure, Arguments... arguments) {
  return record_unmodelled(id, frame, [&] { return procedure(arguments...); });
}

}  // namespace
}  // namespace reprise::recorder

#define RECORDED(procedure, describe, parameters, ...)                                             \
  int MPI_##procedure parameters {                                                                 \
    using namespace reprise::recorder;                                                             \
    return record_c_call<CallId::procedure>(                                                       \
        REPRISE_FRAME, next_in_chain<&PMPI_##procedure>,                                           \
        [](Description& d, auto... arguments) { return describe(d, arguments...); }, __VA_ARGS__); \
  }
#define UNMODELLED(procedure, why, parameters, ...)                                 \
  int MPI_##procedure parameters {                                                  \
    using namespace reprise::recorder;                                              \
    return record_unmodelled_c_call(CallId::procedure, REPRISE_FRAME,               \
                                    next_in_chain<&PMPI_##procedure>, __VA_ARGS__); \
  }
#define HANDWRITTEN(procedure, parameters, ...)                                          \
  int MPI_##procedure parameters {                                                       \
    using namespace reprise::recorder;                                                   \
    return on_##procedure(REPRISE_FRAME, next_in_chain<&PMPI_##procedure>, __VA_ARGS__); \
  }
#define LIFECYCLE(procedure)
#define LOCAL(symbol)

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
// the library hides what does not say otherwise, and mpi.h says so for some libraries only
#pragma GCC visibility push(default)
extern "C" {
#include "recorder/mpi_calls.def"
}
#pragma GCC visibility pop
#undef RECORDED
#undef UNMODELLED
#undef HANDWRITTEN
#undef LIFECYCLE
#undef LOCAL
