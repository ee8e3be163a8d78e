// SPDX-License-Identifier: MIT
// The Fortran bindings (mpif.h, use mpi, use mpi_f08) of the HANDWRITTEN procedures.
#include <mpi.h>

#include "recorder/completion.hpp"
#include "recorder/fortran_names.hpp"
#include "recorder/fortran_support.hpp"
#include "recorder/handwritten.hpp"
#include "recorder/lifecycle.hpp"

namespace reprise::recorder {
namespace {

constexpr int kOne = 1;

RequestArray requests_at(const void* p) {
  return RequestArray::of_fortran(static_cast<const MPI_Fint*>(p));
}

StatusArgument status_at(void* p) {
  return {static_cast<MPI_Fint*>(p), is_ignored_status(p), kStatusSize, kStatusSource, kStatusTag};
}

std::size_t size_at(const void* count) {
  const MPI_Fint size = integer_at(count);
  return size > 0 ? static_cast<std::size_t>(size) : 0;
}

const int* integers_at(const void* p) { return static_cast<const int*>(p); }

template <class Real, class... Arguments>
int call(Real real, Arguments... arguments) {
  if (real == nullptr) return MPI_ERR_INTERN;
  MPI_Fint error = MPI_SUCCESS;
  real(arguments..., &error);
  return error;
}

template <class Real>
int on_wait(Frame frame, Real real, void* request, void* status) {
  return record_wait(CallId::Wait, frame, requests_at(request), status_at(status), nullptr,
                     [&](void* passed) { return call(real, request, passed); });
}

template <class Real>
int on_test(Frame frame, Real real, void* request, void* flag, void* status) {
  return record_wait(CallId::Test, frame, requests_at(request), status_at(status),
                     integers_at(flag),
                     [&](void* passed) { return call(real, request, flag, passed); });
}

template <class Real>
int on_waitall(Frame frame, Real real, void* count, void* requests, void* statuses) {
  return record_completion(CallId::Waitall, frame, requests_at(requests), integer_at(count),
                           status_at(statuses), size_at(count), nullptr, nullptr,
                           [&](void* passed) { return call(real, count, requests, passed); });
}

template <class Real>
int on_testall(Frame frame, Real real, void* count, void* requests, void* flag, void* statuses) {
  return record_completion(CallId::Testall, frame, requests_at(requests), integer_at(count),
                           status_at(statuses), size_at(count), nullptr, integers_at(flag),
                           [&](void* passed) { return call(real, count, requests, flag, passed); });
}

template <class Real>
int on_waitany(Frame frame, Real real, void* count, void* requests, void* index, void* status) {
  const CompletedList completed{&kOne, integers_at(index), 1};
  return record_completion(CallId::Waitany, frame, requests_at(requests), integer_at(count),
                           status_at(status), 1, &completed, nullptr, [&](void* passed) {
                             return call(real, count, requests, index, passed);
                           });
}

template <class Real>
int on_testany(Frame frame, Real real, void* count, void* requests, void* index, void* flag,
               void* status) {
  const CompletedList completed{&kOne, integers_at(index), 1};
  return record_completion(CallId::Testany, frame, requests_at(requests), integer_at(count),
                           status_at(status), 1, &completed, integers_at(flag), [&](void* passed) {
                             return call(real, count, requests, index, flag, passed);
                           });
}

template <class Real>
int on_waitsome(Frame frame, Real real, void* count, void* requests, void* outcount, void* indices,
                void* statuses) {
  const CompletedList completed{integers_at(outcount), integers_at(indices), 1};
  return record_completion(
      CallId::Waitsome, frame, requests_at(requests), integer_at(count), status_at(statuses),
      size_at(count), &completed, nullptr,
      [&](void* passed) { return call(real, count, requests, outcount, indices, passed); });
}

template <class Real>
int on_testsome(Frame frame, Real real, void* count, void* requests, void* outcount, void* indices,
                void* statuses) {
  const CompletedList completed{integers_at(outcount), integers_at(indices), 1};
  return record_completion(
      CallId::Testsome, frame, requests_at(requests), integer_at(count), status_at(statuses),
      size_at(count), &completed, nullptr,
      [&](void* passed) { return call(real, count, requests, outcount, indices, passed); });
}

template <class Real>
int on_start(Frame frame, Real real, void* request) {
  return record_start(CallId::Start, frame, requests_at(request), 1, true,
                      [&] { return call(real, request); });
}

template <class Real>
int on_startall(Frame frame, Real real, void* count, void* requests) {
  return record_start(CallId::Startall, frame, requests_at(requests), integer_at(count), false,
                      [&] { return call(real, count, requests); });
}

template <class Real>
int on_cancel(Frame frame, Real real, void* request) {
  return record_use(CallId::Cancel, frame, requests_at(request),
                    [&] { return call(real, request); });
}

template <class Real>
int on_request_free(Frame frame, Real real, void* request) {
  return record_use(CallId::Request_free, frame, requests_at(request),
                    [&] { return call(real, request); });
}

template <class Real>
int on_mrecv(Frame frame, Real real, void* buffer, void* count, void* type, void* message,
             void* status) {
  return record_matched(CallId::Mrecv, frame, PMPI_Message_f2c(integer_at(message)), message,
                        integer_at(count), PMPI_Type_f2c(integer_at(type)), nullptr,
                        [&] { return call(real, buffer, count, type, message, status); });
}

template <class Real>
int on_imrecv(Frame frame, Real real, void* buffer, void* count, void* type, void* message,
              void* request) {
  return record_matched(
      CallId::Imrecv, frame, PMPI_Message_f2c(integer_at(message)), message, integer_at(count),
      PMPI_Type_f2c(integer_at(type)),
      [&] { return RequestRef(PMPI_Request_f2c(integer_at(request)), request); },
      [&] { return call(real, buffer, count, type, message, request); });
}

template <class Real>
int on_comm_free(Frame frame, Real real, void* comm) {
  return record_release(CallId::Comm_free, frame, PMPI_Comm_f2c(integer_at(comm)),
                        [&] { return call(real, comm); });
}

template <class Real>
int on_comm_disconnect(Frame frame, Real real, void* comm) {
  return record_release(CallId::Comm_disconnect, frame, PMPI_Comm_f2c(integer_at(comm)),
                        [&] { return call(real, comm); });
}

template <class Real>
int on_win_free(Frame frame, Real real, void* win) {
  return record_release(CallId::Win_free, frame, handles().windows,
                        key_of(PMPI_Win_f2c(integer_at(win))), [&] { return call(real, win); });
}

template <class Real>
int on_file_close(Frame frame, Real real, void* file) {
  return record_release(CallId::File_close, frame, handles().files,
                        key_of(PMPI_File_f2c(integer_at(file))), [&] { return call(real, file); });
}

// With a character argument, whose length compilers append.
template <class Real, class... Arguments>
int call_with_text(Real real, std::size_t length, Arguments... arguments) {
  if (real == nullptr) return MPI_ERR_INTERN;
  MPI_Fint error = MPI_SUCCESS;
  real(arguments..., &error, length);
  return error;
}

template <class Real>
int on_file_open(Frame frame, Real real, std::size_t length, void* comm, void* name, void* mode,
                 void* info, void* file) {
  return record_file_open(
      CallId::File_open, frame, PMPI_Comm_f2c(integer_at(comm)),
      [&] { return PMPI_File_f2c(integer_at(file)); },
      [&] { return call_with_text(real, length, comm, name, mode, info, file); });
}

template <class Real>
int on_file_delete(Frame frame, Real real, std::size_t length, void* name, void* info) {
  return record_call(
      CallId::File_delete, frame, Presence::normal,
      [&] { return call_with_text(real, length, name, info); },
      [](Description&) { return Outcome::event; });
}

template <class Real>
int on_file_set_view(Frame frame, Real real, std::size_t length, void* file, void* offset,
                     void* element, void* type, void* form, void* info) {
  return record_call(
      CallId::File_set_view, frame, Presence::normal,
      [&] { return call_with_text(real, length, file, offset, element, type, form, info); },
      [&](Description& d) { return describe_on_file(d, PMPI_File_f2c(integer_at(file))); });
}

template <class Real>
int on_init(Frame frame, Real real) {
  const InitTimes times = before_init();
  const int result = call(real);
  after_init(CallId::Init, frame, times, result);
  return result;
}

template <class Real>
int on_init_thread(Frame frame, Real real, void* required, void* provided) {
  const InitTimes times = before_init();
  const int result = call(real, required, provided);
  after_init(CallId::Init_thread, frame, times, result);
  return result;
}

template <class Real>
int on_finalize(Frame frame, Real real) {
  before_finalize(CallId::Finalize, frame);
  return call(real);
}

template <class Real>
int on_abort(Frame frame, Real real, void* comm, void* code) {
  before_abort(frame);
  return call(real, comm, code);
}

}  // namespace
}  // namespace reprise::recorder

// clang-format off
#define REPRISE_BINDING(name, on, ...)                                                                            \
  void name(REPRISE_PARAMETERS(__VA_ARGS__) MPI_Fint* ierror) {                                                   \
    using namespace reprise::recorder;                                                                            \
    using Real = decltype(&name);                                                                                 \
    static const auto real = reinterpret_cast<Real>(fortran_procedure(REPRISE_STRING(name)));                 \
    const int error = on(REPRISE_FRAME, real __VA_OPT__(,) __VA_ARGS__);                                          \
    if (ierror != nullptr) *ierror = error;                                                                       \
  }
// One of the arguments is of type character.
#define REPRISE_TEXT_BINDING(name, on, ...)                                                                       \
  void name(REPRISE_PARAMETERS(__VA_ARGS__) MPI_Fint* ierror, std::size_t length) {                               \
    using namespace reprise::recorder;                                                                            \
    using Real = decltype(&name);                                                                                 \
    static const auto real = reinterpret_cast<Real>(fortran_procedure(REPRISE_STRING(name)));                 \
    const int error = on(REPRISE_FRAME, real, length, __VA_ARGS__);                                               \
    if (ierror != nullptr) *ierror = error;                                                                       \
  }
#if defined(OPEN_MPI)
#define REPRISE_FORTRAN(procedure, ...)                                                                           \
  REPRISE_BINDING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _),                                                    \
                  REPRISE_CONCAT(on_, REPRISE_LOWER_##procedure), __VA_ARGS__)                                    \
  REPRISE_BINDING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_),                                                \
                  REPRISE_CONCAT(on_, REPRISE_LOWER_##procedure), __VA_ARGS__)                                    \
  REPRISE_FORTRAN_ALIASES(procedure, (REPRISE_PARAMETERS(__VA_ARGS__) MPI_Fint*))
#define REPRISE_FORTRAN_TEXT(procedure, ...)                                                                      \
  REPRISE_TEXT_BINDING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _),                                               \
                       REPRISE_CONCAT(on_, REPRISE_LOWER_##procedure), __VA_ARGS__)                               \
  REPRISE_TEXT_BINDING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_),                                           \
                       REPRISE_CONCAT(on_, REPRISE_LOWER_##procedure), __VA_ARGS__)                               \
  REPRISE_FORTRAN_ALIASES(procedure, (REPRISE_PARAMETERS(__VA_ARGS__) MPI_Fint*, std::size_t))
#else
#define REPRISE_FORTRAN(procedure, ...)                          \
  REPRISE_BINDING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_), \
                  REPRISE_CONCAT(on_, REPRISE_LOWER_##procedure), __VA_ARGS__)
#define REPRISE_FORTRAN_TEXT(procedure, ...)                          \
  REPRISE_TEXT_BINDING(REPRISE_CONCAT(REPRISE_LOWER(procedure), _f08_), \
                       REPRISE_CONCAT(on_, REPRISE_LOWER_##procedure), __VA_ARGS__)
#endif
// clang-format on

// the library hides what does not say otherwise, and mpi.h says so for some libraries only
#pragma GCC visibility push(default)
extern "C" {
REPRISE_FORTRAN(Wait, request, status)
REPRISE_FORTRAN(Test, request, flag, status)
REPRISE_FORTRAN(Waitall, count, requests, statuses)
REPRISE_FORTRAN(Testall, count, requests, flag, statuses)
REPRISE_FORTRAN(Waitany, count, requests, index, status)
REPRISE_FORTRAN(Testany, count, requests, index, flag, status)
REPRISE_FORTRAN(Waitsome, count, requests, outcount, indices, statuses)
REPRISE_FORTRAN(Testsome, count, requests, outcount, indices, statuses)
REPRISE_FORTRAN(Start, request)
REPRISE_FORTRAN(Startall, count, requests)
REPRISE_FORTRAN(Cancel, request)
REPRISE_FORTRAN(Request_free, request)
REPRISE_FORTRAN(Mrecv, buffer, count, type, message, status)
REPRISE_FORTRAN(Imrecv, buffer, count, type, message, request)
REPRISE_FORTRAN(Comm_free, comm)
REPRISE_FORTRAN(Comm_disconnect, comm)
REPRISE_FORTRAN(Win_free, win)
REPRISE_FORTRAN(File_close, file)
REPRISE_FORTRAN_TEXT(File_open, comm, name, mode, info, file)
REPRISE_FORTRAN_TEXT(File_delete, name, info)
REPRISE_FORTRAN_TEXT(File_set_view, file, offset, element, type, form, info)
REPRISE_FORTRAN(Init)
REPRISE_FORTRAN(Init_thread, required, provided)
REPRISE_FORTRAN(Finalize)
REPRISE_FORTRAN(Abort, comm, code)

// Without ierror in every binding.
void mpi_pcontrol_f08_(const MPI_Fint* level) { reprise::recorder::switch_recording(*level); }
#if defined(OPEN_MPI)
void mpi_pcontrol_(const MPI_Fint* level) { reprise::recorder::switch_recording(*level); }
__attribute__((alias("mpi_pcontrol_"))) void mpi_pcontrol(const MPI_Fint* level);
__attribute__((alias("mpi_pcontrol_"))) void mpi_pcontrol__(const MPI_Fint* level);
__attribute__((alias("mpi_pcontrol_"))) void MPI_PCONTROL(const MPI_Fint* level);
#endif
}
#pragma GCC visibility pop
