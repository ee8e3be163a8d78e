// SPDX-License-Identifier: MIT
// An MPI library for fuzzing the live replay in one process: all that recorder/live calls, and nothing more.
//
// One rank  plays alone: every message is there, every collective is complete, every lock is free, at once.
// Checks    what a library that aborts on errors checks: communicators, ranks, tags, counts, requests, windows and files are valid. What is
//           not throws StubError, in place of the message and the end of the process. Payloads are touched at their first and last bytes,
//           a receive's when it completes, so that the address sanitizer sees rooms that are too small or gone.
// Sizes     of communicators are known where one rank can know them: of the world, its duplicates, of groups, grids. Of one that was split
//           off only the rank itself is.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace reprise::fuzz {

struct StubError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Everything is as after MPI_Init of this rank.
void begin_stub(int rank, int ranks);

}  // namespace reprise::fuzz

using MPI_Comm = int;
using MPI_Datatype = int;
using MPI_File = int;
using MPI_Group = int;
using MPI_Info = int;
using MPI_Message = int;
using MPI_Op = int;
using MPI_Request = int;
using MPI_Win = int;
using MPI_Aint = std::intptr_t;
using MPI_Offset = long long;
struct MPI_Status {};
using MPI_User_function = void(void*, void*, int*, MPI_Datatype*);

enum : int {
  MPI_SUCCESS = 0,
  MPI_COMM_NULL = 0,
  MPI_COMM_WORLD = 1,
  MPI_COMM_SELF = 2,
  MPI_GROUP_NULL = 0,
  MPI_GROUP_EMPTY = 1,
  MPI_REQUEST_NULL = 0,
  MPI_MESSAGE_NULL = 0,
  MPI_MESSAGE_NO_PROC = -1,
  MPI_WIN_NULL = 0,
  MPI_FILE_NULL = 0,
  MPI_INFO_NULL = 0,
  MPI_DATATYPE_NULL = 0,
  MPI_OP_NULL = 0,
  MPI_ANY_SOURCE = -2,
  MPI_PROC_NULL = -1,
  MPI_ROOT = -3,
  MPI_ANY_TAG = -1,
  MPI_UNDEFINED = -32766,
  MPI_COMM_TYPE_SHARED = 1,
  MPI_IDENT = 0,
  MPI_UNEQUAL = 3,
  MPI_THREAD_SINGLE = 0,
  MPI_THREAD_MULTIPLE = 3,
  MPI_LOCK_EXCLUSIVE = 234,
  MPI_LOCK_SHARED = 235,
  MPI_MODE_NOCHECK = 1,
  MPI_MODE_NOSTORE = 2,
  MPI_MODE_NOPUT = 4,
  MPI_MODE_NOPRECEDE = 8,
  MPI_MODE_NOSUCCEED = 16,
  MPI_MODE_CREATE = 1,
  MPI_MODE_RDWR = 8,
  MPI_MODE_DELETE_ON_CLOSE = 16,
  MPI_SEEK_SET = 600,
  MPI_SEEK_CUR = 602,
};
// Basic types by their sizes; made ones are above them all.
enum : MPI_Datatype {
  MPI_BYTE = 1 << 8,
  MPI_INT8_T,
  MPI_SHORT = 2 << 8,
  MPI_INT16_T,
  MPI_INT = 4 << 8,
  MPI_INT32_T,
  MPI_FLOAT,
  MPI_DOUBLE = 8 << 8,
  MPI_INT64_T,
  MPI_LONG_LONG,
  MPI_AINT,
};
enum : MPI_Op { MPI_SUM = 1, MPI_MIN, MPI_MAX, MPI_BOR, MPI_NO_OP };
inline void* const MPI_IN_PLACE = reinterpret_cast<void*>(-1);
inline int* const MPI_UNWEIGHTED = reinterpret_cast<int*>(-1);
inline MPI_Status* const MPI_STATUS_IGNORE = nullptr;
inline MPI_Status* const MPI_STATUSES_IGNORE = nullptr;

#include "tests/fuzz/stub_mpi/collectives.h"
#include "tests/fuzz/stub_mpi/messages.h"
#include "tests/fuzz/stub_mpi/objects.h"
#include "tests/fuzz/stub_mpi/windows_and_files.h"
