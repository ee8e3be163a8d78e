// SPDX-License-Identifier: MIT
// MPI arguments as the recorder's tables and the trace know them: special values as codes, handles as keys, and those arguments
// that describe_*() functions need as more than their C type. The same for calls from C and from Fortran.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "recorder/capture/description.hpp"
#include "recorder/capture/handles.hpp"
#include "trace-io/model/byte_counts.hpp"
#include "trace-io/model/procedure.hpp"

namespace reprise::recorder {

inline std::int64_t peer_code(int rank) {
  if (rank >= 0) return trace_io::kFirstPeer + rank;
  if (rank == MPI_PROC_NULL) return trace_io::kProcNull;
  if (rank == MPI_ANY_SOURCE) return trace_io::kAnySource;
  if (rank == MPI_ROOT) return trace_io::kRoot;
  return trace_io::kNoPeer;
}

inline std::int64_t tag_code(int tag) { return tag == MPI_ANY_TAG ? trace_io::kAnyTag : tag; }

// The handle lock is held.
inline const CommunicatorInfo& communicator_of(MPI_Comm comm) {
  return handles().communicators.of(key_of(comm));
}
// From the MPI library (ask_library.cpp).
CommunicatorFacts read_communicator(HandleKey);
// The size; that `count` elements of it lie scattered in memory is noted.
std::int64_t ask_type_size(MPI_Datatype, std::int64_t count);

// The largest size that a trace holds, in place of one beyond it; a loss.
std::int64_t note_too_large();

// A size as `count` parts of `unit` bytes.
inline std::int64_t sized(std::int64_t count, std::int64_t unit) {
  const auto bytes = trace_io::bytes_of(count, unit);
  return bytes ? *bytes : note_too_large();
}

// Bytes in `count` elements, exact up to kMostBytes.
inline std::int64_t payload(std::int64_t count, MPI_Datatype type) {
  if (count == 0 || type == MPI_DATATYPE_NULL) return 0;
  const std::int64_t known = handles().types.find(key_of(type));
  return sized(count, known != TypeSizes::kUnknown ? known : ask_type_size(type, count));
}

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
  // As the call named it, or as the status tells where that was a wildcard.
  int known_source(int named) const { return named == MPI_ANY_SOURCE ? source() : named; }
  int known_tag(int named) const { return named == MPI_ANY_TAG ? tag() : named; }
  const char* at(std::size_t i) const { return bytes_ == nullptr ? nullptr : bytes_ + i * size_; }
  std::size_t size() const { return size_; }

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
