// SPDX-License-Identifier: MIT
// Arguments that describe_*() functions need as more than their C type: the same for calls from C and from Fortran.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace reprise::recorder {

// A request handle after (or before) the call, and the program's variable that holds it.
struct RequestRef {
  RequestRef(MPI_Request* request) : handle(*request), where(request) {}
  RequestRef(MPI_Request converted, const void* variable) : handle(converted), where(variable) {}
  MPI_Request handle;
  const void* where;
};

// A communicator that the call made.
struct MadeComm {
  MadeComm(const MPI_Comm* comm) : handle(*comm) {}
  explicit MadeComm(MPI_Comm converted, std::nullptr_t) : handle(converted) {}
  MPI_Comm handle;
};

// A window that the call made.
struct MadeWindow {
  MadeWindow(const MPI_Win* win) : handle(*win) {}
  explicit MadeWindow(MPI_Win converted, std::nullptr_t) : handle(converted) {}
  MPI_Win handle;
};

// A matched message after the call.
struct MadeMessage {
  MadeMessage(const MPI_Message* message) : handle(*message), where(message) {}
  MadeMessage(MPI_Message converted, const void* variable) : handle(converted), where(variable) {}
  MPI_Message handle;
  const void* where;
};

// One status or an array of them, as C structs or Fortran integers.
class StatusRef {
 public:
  StatusRef(const MPI_Status* statuses)
      : bytes_(reinterpret_cast<const char*>(statuses)),
        size_(sizeof(MPI_Status)),
        source_(offsetof(MPI_Status, MPI_SOURCE)),
        tag_(offsetof(MPI_Status, MPI_TAG)) {}
  StatusRef(const void* statuses, std::size_t size, std::size_t source, std::size_t tag)
      : bytes_(static_cast<const char*>(statuses)), size_(size), source_(source), tag_(tag) {}
  int source(std::size_t i = 0) const { return field(i, source_); }
  int tag(std::size_t i = 0) const { return field(i, tag_); }

 private:
  int field(std::size_t i, std::size_t offset) const {
    return *reinterpret_cast<const int*>(bytes_ + i * size_ + offset);
  }
  const char* bytes_;
  std::size_t size_, source_, tag_;
};

// The array argument of MPI_Waitall and its like, before the call.
class RequestArray {
 public:
  RequestArray(const MPI_Request* requests) : requests_(requests), fortran_(nullptr) {}
  static RequestArray of_fortran(const MPI_Fint* requests) {
    RequestArray array(nullptr);
    array.fortran_ = requests;
    return array;
  }
  MPI_Request operator[](std::size_t i) const {
    return requests_ != nullptr ? requests_[i] : PMPI_Request_f2c(fortran_[i]);
  }
  const void* where(std::size_t i) const {
    return requests_ != nullptr ? static_cast<const void*>(requests_ + i) : fortran_ + i;
  }

 private:
  const MPI_Request* requests_;
  const MPI_Fint* fortran_;
};

}  // namespace reprise::recorder
