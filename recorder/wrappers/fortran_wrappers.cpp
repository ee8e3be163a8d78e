// SPDX-License-Identifier: MIT
// The Fortran bindings (mpif.h, use mpi, use mpi_f08; see fortran.hpp): expansions of the table, and start and end.
#include <mpi.h>

#include <type_traits>

#include "recorder/fortran_names.hpp"
#include "recorder/wrappers/describe_collectives.hpp"
#include "recorder/wrappers/describe_communicators.hpp"
#include "recorder/wrappers/fortran_spellings.hpp"
#include "recorder/wrappers/handwritten.hpp"
#include "recorder/wrappers/lifecycle.hpp"

namespace reprise::recorder {
namespace {

// ierror is optional in mpi_f08; a binding that is not there cannot be forwarded to.
template <class Real, class... Arguments>
int forward_to(Real real, Arguments... arguments) {
  if (real == nullptr) return MPI_ERR_INTERN;
  MPI_Fint error = MPI_SUCCESS;
  real(arguments..., &error);
  return error;
}
// With the lengths of character arguments, which compilers append.
struct Lengths {
  std::size_t first, second, third, fourth;
};
template <class Real, class... Arguments>
int forward_to(Lengths lengths, Real real, Arguments... arguments) {
  if (real == nullptr) return MPI_ERR_INTERN;
  MPI_Fint error = MPI_SUCCESS;
  real(arguments..., &error, lengths.first, lengths.second, lengths.third, lengths.fourth);
  return error;
}

// What a handwritten call and one that is only timed forward to, once for all bindings of one signature.
template <class Real>
struct ForwardTo {
  Lengths lengths;
  Real real;

  template <class... Arguments>
  int operator()(Arguments... arguments) const {
    return forward_to(lengths, real, arguments...);
  }
};
template <class Real, class... Arguments>
int record_fortran_unmodelled(CallId id, Frame frame, Lengths lengths, Real real,
                              Arguments... arguments) {
  return record_unmodelled(id, frame, [&] { return forward_to(lengths, real, arguments...); });
}

template <class C>
bool may_be_wildcard(const void* argument) {
  if constexpr (std::is_same_v<C, int>)
    return integer_at(argument) == MPI_ANY_SOURCE || integer_at(argument) == MPI_ANY_TAG;
  else
    return false;
}

template <class C>
void* with_status(void* argument, void* ours, bool needed) {
  if constexpr (std::is_same_v<C, MPI_Status*>)
    return needed && is_ignored_status(argument) ? ours : argument;
  else
    return argument;
}

// `Types` are the parameters in the C binding, one per argument.
template <CallId id, class Real, class Describe, class... Types, class... Arguments>
int record_fortran_call(Frame frame, Real real, const Describe& describe, int (*)(Types...),
                        Arguments... arguments) {
  constexpr Presence kPresence = presence_of(id);
  const auto run = [&](auto... passed) {
    return record_call(
        id, frame, kPresence, [&] { return forward_to(real, passed...); },
        [&](Description& d) { return describe(d, FromFortran<Types>::convert(passed)...); });
  };
  if constexpr ((std::is_same_v<Types, MPI_Status*> || ...)) {
    MPI_Fint ours[kStatusSize];
    const bool needed = (may_be_wildcard<Types>(arguments) || ...) || reads_every_status();
    return run(with_status<Types>(arguments, ours, needed)...);
  } else {
    return run(arguments...);
  }
}

template <class Real, class... Arguments>
int on_init(CallId id, Frame frame, Real real, Arguments... arguments) {
  const InitTimes times = before_init();
  const int result = forward_to(real, arguments...);
  after_init(id, frame, times, result);
  return result;
}
template <class... Arguments>
int on_Init(Frame frame, Arguments... arguments) {
  return on_init(CallId::Init, frame, arguments...);
}
template <class... Arguments>
int on_Init_thread(Frame frame, Arguments... arguments) {
  return on_init(CallId::Init_thread, frame, arguments...);
}
template <class Real>
int on_Finalize(Frame frame, Real real) {
  before_finalize(CallId::Finalize, frame);
  return forward_to(real);
}
template <class Real>
int on_Abort(Frame frame, Real real, void* comm, void* code) {
  before_abort(frame);
  return forward_to(real, comm, code);
}

inline void give_error(MPI_Fint* ierror, int error) {
  if (ierror != nullptr) *ierror = error;
}

}  // namespace
}  // namespace reprise::recorder

// clang-format off
// on(frame, real, arguments...) forwards the call.
#define REPRISE_BINDING(name, on, ...)                                                                            \
  void name(REPRISE_PARAMETERS(__VA_ARGS__) MPI_Fint* ierror) {                                                   \
    using namespace reprise::recorder;                                                                            \
    using Real = decltype(&name);                                                                                 \
    static const FortranProcedure<Real> procedure_(REPRISE_STRING(name), REPRISE_FRAME);                          \
    const Real real = procedure_.real;                                                                            \
    if (!procedure_.is_mpi) return real(__VA_ARGS__ __VA_OPT__(,) ierror);                                        \
    give_error(ierror, on(REPRISE_FRAME, real __VA_OPT__(,) __VA_ARGS__));                                        \
  }
#if defined(OPEN_MPI)
#define REPRISE_FORTRAN(procedure, on, ...)                                                                       \
  REPRISE_BINDING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _), on, __VA_ARGS__)                                   \
  REPRISE_BINDING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_), on, __VA_ARGS__)                               \
  REPRISE_FORTRAN_SPELLINGS(procedure)
#else
#define REPRISE_FORTRAN(procedure, on, ...) \
  REPRISE_BINDING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_), on, __VA_ARGS__)
#endif

// describe as a type of its own, so that record_fortran_call is compiled once for all bindings of a procedure.
#define REPRISE_DESCRIBED(procedure, describe)                                                                    \
  namespace reprise::recorder {                                                                                   \
  constexpr auto described_##procedure = [](Description& d, const auto&... arguments) { return describe(d, arguments...); }; \
  }
#define REPRISE_RECORDED(name, procedure, ...)                                                                    \
  void name(REPRISE_PARAMETERS(__VA_ARGS__) MPI_Fint* ierror) {                                                   \
    using namespace reprise::recorder;                                                                            \
    using Real = decltype(&name);                                                                                 \
    static const FortranProcedure<Real> procedure_(REPRISE_STRING(name), REPRISE_FRAME);                          \
    const Real real = procedure_.real;                                                                            \
    if (!procedure_.is_mpi) return real(__VA_ARGS__, ierror);                                                     \
    give_error(ierror, record_fortran_call<CallId::procedure>(                                                    \
        REPRISE_FRAME, real, described_##procedure, &PMPI_##procedure, __VA_ARGS__));                             \
  }
#if defined(OPEN_MPI)
#define RECORDED(procedure, describe, parameters, ...)                                                            \
  REPRISE_DESCRIBED(procedure, describe)                                                                          \
  REPRISE_RECORDED(REPRISE_CONCAT(REPRISE_LOWER(procedure), _), procedure, __VA_ARGS__)                           \
  REPRISE_RECORDED(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_), procedure, __VA_ARGS__)                       \
  REPRISE_FORTRAN_SPELLINGS(procedure)
#else
#define RECORDED(procedure, describe, parameters, ...) \
  REPRISE_DESCRIBED(procedure, describe)               \
  REPRISE_RECORDED(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_), procedure, __VA_ARGS__)
#endif

// Compilers append the lengths of character arguments, four at most; where there are none, what is passed on is never read.
#define REPRISE_LENGTHS std::size_t length_1, std::size_t length_2, std::size_t length_3, std::size_t length_4
#define REPRISE_UNMODELLED(name, procedure, ...)                                                                  \
  void name(REPRISE_PARAMETERS(__VA_ARGS__) MPI_Fint* ierror, REPRISE_LENGTHS) {                                  \
    using namespace reprise::recorder;                                                                            \
    using Real = decltype(&name);                                                                                 \
    static const FortranProcedure<Real> procedure_(REPRISE_STRING(name), REPRISE_FRAME);                          \
    const Real real = procedure_.real;                                                                            \
    if (!procedure_.is_mpi) return real(__VA_ARGS__, ierror, length_1, length_2, length_3, length_4);             \
    give_error(ierror, record_fortran_unmodelled(CallId::procedure, REPRISE_FRAME,                                \
                                                 Lengths{length_1, length_2, length_3, length_4}, real,           \
                                                 __VA_ARGS__));                                                   \
  }
#if defined(OPEN_MPI)
#define UNMODELLED(procedure, why, parameters, ...)                                                               \
  REPRISE_UNMODELLED(REPRISE_CONCAT(REPRISE_LOWER(procedure), _), procedure, __VA_ARGS__)                         \
  REPRISE_UNMODELLED(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_), procedure, __VA_ARGS__)                     \
  REPRISE_FORTRAN_SPELLINGS(procedure)
#else
#define UNMODELLED(procedure, why, parameters, ...) \
  REPRISE_UNMODELLED(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_), procedure, __VA_ARGS__)
#endif
#define REPRISE_HANDWRITTEN(name, procedure, ...)                                                                 \
  void name(REPRISE_PARAMETERS(__VA_ARGS__) MPI_Fint* ierror, REPRISE_LENGTHS) {                                  \
    using namespace reprise::recorder;                                                                            \
    using Real = decltype(&name);                                                                                 \
    static const FortranProcedure<Real> procedure_(REPRISE_STRING(name), REPRISE_FRAME);                          \
    const Real real = procedure_.real;                                                                            \
    if (!procedure_.is_mpi) return real(__VA_ARGS__, ierror, length_1, length_2, length_3, length_4);             \
    const ForwardTo<Real> forward{{length_1, length_2, length_3, length_4}, real};                                \
    give_error(ierror, on_##procedure(REPRISE_FRAME, forward, __VA_ARGS__));                                      \
  }
#if defined(OPEN_MPI)
#define HANDWRITTEN(procedure, parameters, ...)                                                                   \
  REPRISE_HANDWRITTEN(REPRISE_CONCAT(REPRISE_LOWER(procedure), _), procedure, __VA_ARGS__)                        \
  REPRISE_HANDWRITTEN(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_), procedure, __VA_ARGS__)                    \
  REPRISE_FORTRAN_SPELLINGS(procedure)
#else
#define HANDWRITTEN(procedure, parameters, ...) \
  REPRISE_HANDWRITTEN(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_), procedure, __VA_ARGS__)
#endif
#define LIFECYCLE(procedure)
#define LOCAL(symbol)
// clang-format on

// the library hides what does not say otherwise, and mpi.h says so for some libraries only
#pragma GCC visibility push(default)
extern "C" {
#include "recorder/mpi_calls.def"
#undef RECORDED
#undef UNMODELLED
#undef HANDWRITTEN
#undef LIFECYCLE
#undef LOCAL
REPRISE_FORTRAN(Init, on_Init)
REPRISE_FORTRAN(Init_thread, on_Init_thread, required, provided)
REPRISE_FORTRAN(Finalize, on_Finalize)
REPRISE_FORTRAN(Abort, on_Abort, comm, code)

// Without ierror in every binding.
void mpi_pcontrol_f08_(const MPI_Fint* level) { reprise::recorder::switch_recording(*level); }
#if defined(OPEN_MPI)
void mpi_pcontrol_(const MPI_Fint* level) { reprise::recorder::switch_recording(*level); }
REPRISE_FORTRAN_SPELLINGS(Pcontrol)
#endif
}
#pragma GCC visibility pop
