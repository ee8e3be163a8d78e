// SPDX-License-Identifier: MIT
// The C bindings of the HANDWRITTEN procedures; start and end of MPI are in lifecycle.cpp.
#include "recorder/completion.hpp"
#include "recorder/handwritten.hpp"

using namespace reprise::recorder;

namespace {

MPI_Status* status_of(void* passed) { return static_cast<MPI_Status*>(passed); }
constexpr int kOne = 1;

}  // namespace

// the library hides what does not say otherwise, and mpi.h says so for some libraries only
#pragma GCC visibility push(default)
extern "C" {

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return record_wait(CallId::Wait, REPRISE_FRAME, request, status, nullptr,
                     [&](void* passed) { return PMPI_Wait(request, status_of(passed)); });
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return record_wait(CallId::Test, REPRISE_FRAME, request, status, flag,
                     [&](void* passed) { return PMPI_Test(request, flag, status_of(passed)); });
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return record_completion(CallId::Waitall, REPRISE_FRAME, requests, count, statuses,
                           static_cast<std::size_t>(count), nullptr, nullptr, [&](void* passed) {
                             return PMPI_Waitall(count, requests, status_of(passed));
                           });
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return record_completion(CallId::Testall, REPRISE_FRAME, requests, count, statuses,
                           static_cast<std::size_t>(count), nullptr, flag, [&](void* passed) {
                             return PMPI_Testall(count, requests, flag, status_of(passed));
                           });
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  const CompletedList completed{&kOne, index, 0};
  return record_completion(
      CallId::Waitany, REPRISE_FRAME, requests, count, status, 1, &completed, nullptr,
      [&](void* passed) { return PMPI_Waitany(count, requests, index, status_of(passed)); });
}

int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  const CompletedList completed{&kOne, index, 0};
  return record_completion(
      CallId::Testany, REPRISE_FRAME, requests, count, status, 1, &completed, flag,
      [&](void* passed) { return PMPI_Testany(count, requests, index, flag, status_of(passed)); });
}

int MPI_Waitsome(int count, MPI_Request requests[], int* outcount, int indices[],
                 MPI_Status statuses[]) {
  const CompletedList completed{outcount, indices, 0};
  return record_completion(CallId::Waitsome, REPRISE_FRAME, requests, count, statuses,
                           static_cast<std::size_t>(count), &completed, nullptr, [&](void* passed) {
                             return PMPI_Waitsome(count, requests, outcount, indices,
                                                  status_of(passed));
                           });
}

int MPI_Testsome(int count, MPI_Request requests[], int* outcount, int indices[],
                 MPI_Status statuses[]) {
  const CompletedList completed{outcount, indices, 0};
  return record_completion(CallId::Testsome, REPRISE_FRAME, requests, count, statuses,
                           static_cast<std::size_t>(count), &completed, nullptr, [&](void* passed) {
                             return PMPI_Testsome(count, requests, outcount, indices,
                                                  status_of(passed));
                           });
}

int MPI_Start(MPI_Request* request) {
  return record_start(CallId::Start, REPRISE_FRAME, request, 1, true,
                      [&] { return PMPI_Start(request); });
}

int MPI_Startall(int count, MPI_Request requests[]) {
  return record_start(CallId::Startall, REPRISE_FRAME, requests, count, false,
                      [&] { return PMPI_Startall(count, requests); });
}

int MPI_Cancel(MPI_Request* request) {
  return record_use(CallId::Cancel, REPRISE_FRAME, request, [&] { return PMPI_Cancel(request); });
}

int MPI_Request_free(MPI_Request* request) {
  return record_use(CallId::Request_free, REPRISE_FRAME, request,
                    [&] { return PMPI_Request_free(request); });
}

int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
              MPI_Status* status) {
  return record_matched(CallId::Mrecv, REPRISE_FRAME, *message, message, count, type, nullptr,
                        [&] { return PMPI_Mrecv(buffer, count, type, message, status); });
}

int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
               MPI_Request* request) {
  return record_matched(
      CallId::Imrecv, REPRISE_FRAME, *message, message, count, type,
      [&] { return RequestRef(request); },
      [&] { return PMPI_Imrecv(buffer, count, type, message, request); });
}

#if MPI_VERSION >= 4
int MPI_Mrecv_c(void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* message,
                MPI_Status* status) {
  return record_matched(CallId::Mrecv_c, REPRISE_FRAME, *message, message, count, type, nullptr,
                        [&] { return PMPI_Mrecv_c(buffer, count, type, message, status); });
}

int MPI_Imrecv_c(void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* message,
                 MPI_Request* request) {
  return record_matched(
      CallId::Imrecv_c, REPRISE_FRAME, *message, message, count, type,
      [&] { return RequestRef(request); },
      [&] { return PMPI_Imrecv_c(buffer, count, type, message, request); });
}
#endif

int MPI_Comm_free(MPI_Comm* comm) {
  return record_release(CallId::Comm_free, REPRISE_FRAME, *comm,
                        [&] { return PMPI_Comm_free(comm); });
}

int MPI_Comm_disconnect(MPI_Comm* comm) {
  return record_release(CallId::Comm_disconnect, REPRISE_FRAME, *comm,
                        [&] { return PMPI_Comm_disconnect(comm); });
}

int MPI_Win_free(MPI_Win* win) {
  return record_release(CallId::Win_free, REPRISE_FRAME, handles().windows, key_of(*win),
                        [&] { return PMPI_Win_free(win); });
}

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  return record_file_open(
      CallId::File_open, REPRISE_FRAME, comm, [&] { return *file; },
      [&] { return PMPI_File_open(comm, name, mode, info, file); });
}

int MPI_File_close(MPI_File* file) {
  return record_release(CallId::File_close, REPRISE_FRAME, handles().files, key_of(*file),
                        [&] { return PMPI_File_close(file); });
}

int MPI_File_delete(const char* name, MPI_Info info) {
  return record_call(
      CallId::File_delete, REPRISE_FRAME, Presence::normal,
      [&] { return PMPI_File_delete(name, info); }, [](Description&) { return Outcome::event; });
}

int MPI_File_set_view(MPI_File file, MPI_Offset offset, MPI_Datatype element, MPI_Datatype type,
                      const char* form, MPI_Info info) {
  return record_call(
      CallId::File_set_view, REPRISE_FRAME, Presence::normal,
      [&] { return PMPI_File_set_view(file, offset, element, type, form, info); },
      [&](Description& d) { return describe_on_file(d, file); });
}

int MPI_Pcontrol(const int level, ...) {
  switch_recording(level);
  return MPI_SUCCESS;
}
}
#pragma GCC visibility pop
