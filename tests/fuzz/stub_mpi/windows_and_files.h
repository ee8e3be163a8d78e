// SPDX-License-Identifier: MIT
// Of mpi.h: windows and files.
#pragma once

#include "tests/fuzz/stub_mpi/library.hpp"

namespace reprise::fuzz::stub {

inline int make_window(int comm, int* made) {
  stub::comm(comm);
  *made = windows().make({true, comm, {}});
  return MPI_SUCCESS;
}
inline Object& window(int handle) { return windows().at(handle, "invalid window"); }
inline int on_window(int handle, int rank = MPI_PROC_NULL) {
  check_rank(window(handle).comm, rank);
  return MPI_SUCCESS;
}
inline int on_file(int handle) {
  files().at(handle, "invalid file");
  return MPI_SUCCESS;
}

}  // namespace reprise::fuzz::stub

inline int MPI_Win_create(void* base, MPI_Aint bytes, int, MPI_Info, MPI_Comm comm, MPI_Win* made) {
  reprise::fuzz::stub::write(base, bytes, MPI_BYTE);
  return reprise::fuzz::stub::make_window(comm, made);
}
inline int MPI_Win_allocate(MPI_Aint, int, MPI_Info, MPI_Comm comm, void*, MPI_Win* made) {
  return reprise::fuzz::stub::make_window(comm, made);
}
inline int MPI_Win_allocate_shared(MPI_Aint, int, MPI_Info, MPI_Comm comm, void*, MPI_Win* made) {
  return reprise::fuzz::stub::make_window(comm, made);
}
inline int MPI_Win_create_dynamic(MPI_Info, MPI_Comm comm, MPI_Win* made) {
  return reprise::fuzz::stub::make_window(comm, made);
}
inline int PMPI_Win_attach(MPI_Win win, void* base, MPI_Aint bytes) {
  reprise::fuzz::stub::write(base, bytes, MPI_BYTE);
  return reprise::fuzz::stub::on_window(win);
}
inline int MPI_Win_free(MPI_Win* win) {
  reprise::fuzz::stub::windows().free(*win, "invalid window");
  return MPI_SUCCESS;
}
#define STUB_ON_WINDOW(NAME, ...) \
  inline int MPI_Win_##NAME(__VA_ARGS__) { return reprise::fuzz::stub::on_window(win); }
STUB_ON_WINDOW(fence, int, MPI_Win win)
STUB_ON_WINDOW(post, MPI_Group, int, MPI_Win win)
STUB_ON_WINDOW(start, MPI_Group, int, MPI_Win win)
STUB_ON_WINDOW(complete, MPI_Win win)
STUB_ON_WINDOW(wait, MPI_Win win)
STUB_ON_WINDOW(lock_all, int, MPI_Win win)
STUB_ON_WINDOW(unlock_all, MPI_Win win)
STUB_ON_WINDOW(flush_all, MPI_Win win)
STUB_ON_WINDOW(flush_local_all, MPI_Win win)
STUB_ON_WINDOW(sync, MPI_Win win)
#undef STUB_ON_WINDOW
inline int MPI_Win_test(MPI_Win win, int* done) {
  *done = 1;
  return reprise::fuzz::stub::on_window(win);
}
#define STUB_TOWARDS(NAME, ...) \
  inline int MPI_Win_##NAME(__VA_ARGS__) { return reprise::fuzz::stub::on_window(win, rank); }
STUB_TOWARDS(lock, int, int rank, int, MPI_Win win)
STUB_TOWARDS(unlock, int rank, MPI_Win win)
STUB_TOWARDS(flush, int rank, MPI_Win win)
STUB_TOWARDS(flush_local, int rank, MPI_Win win)
#undef STUB_TOWARDS

#define STUB_TARGET int rank, MPI_Aint, int, MPI_Datatype
#define STUB_ACCESS(NAME, RNAME, DO, ...)                                  \
  inline int MPI_##NAME(__VA_ARGS__, MPI_Win win) {                        \
    using namespace reprise::fuzz::stub;                                   \
    DO;                                                                    \
    return on_window(win, rank);                                           \
  }                                                                        \
  inline int MPI_##RNAME(__VA_ARGS__, MPI_Win win, MPI_Request* request) { \
    using namespace reprise::fuzz::stub;                                   \
    DO;                                                                    \
    *request = start();                                                    \
    return on_window(win, rank);                                           \
  }
STUB_ACCESS(Put, Rput, read(from, n, t), const void* from, int n, MPI_Datatype t, STUB_TARGET)
STUB_ACCESS(Get, Rget, write(to, n, t), void* to, int n, MPI_Datatype t, STUB_TARGET)
STUB_ACCESS(Accumulate, Raccumulate, read(from, n, t), const void* from, int n, MPI_Datatype t,
            STUB_TARGET, MPI_Op)
STUB_ACCESS(Get_accumulate, Rget_accumulate, read(from, n, t);
            write(to, m, u), const void* from, int n, MPI_Datatype t, void* to, int m,
            MPI_Datatype u, STUB_TARGET, MPI_Op)
#undef STUB_ACCESS
inline int MPI_Fetch_and_op(const void* from, void* to, MPI_Datatype type, int rank, MPI_Aint,
                            MPI_Op, MPI_Win win) {
  reprise::fuzz::stub::read(from, 1, type);
  reprise::fuzz::stub::write(to, 1, type);
  return reprise::fuzz::stub::on_window(win, rank);
}
inline int MPI_Compare_and_swap(const void* from, const void*, void* to, MPI_Datatype type,
                                int rank, MPI_Aint at, MPI_Win win) {
  return MPI_Fetch_and_op(from, to, type, rank, at, MPI_NO_OP, win);
}

int MPI_File_open(MPI_Comm, const char* name, int mode, MPI_Info, MPI_File* made);
int MPI_File_close(MPI_File*);
inline int MPI_File_delete(const char*, MPI_Info) { return MPI_SUCCESS; }
inline int PMPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info,
                          MPI_File* made) {
  return MPI_File_open(comm, name, mode, info, made);
}
inline int PMPI_File_close(MPI_File* file) { return MPI_File_close(file); }
#define STUB_ON_FILE(NAME, ...) \
  inline int MPI_File_##NAME(__VA_ARGS__) { return reprise::fuzz::stub::on_file(file); }
STUB_ON_FILE(seek, MPI_File file, MPI_Offset, int)
STUB_ON_FILE(seek_shared, MPI_File file, MPI_Offset, int)
STUB_ON_FILE(set_size, MPI_File file, MPI_Offset)
STUB_ON_FILE(set_view, MPI_File file, MPI_Offset, MPI_Datatype, MPI_Datatype, const char*, MPI_Info)
STUB_ON_FILE(set_atomicity, MPI_File file, int)
STUB_ON_FILE(preallocate, MPI_File file, MPI_Offset)
STUB_ON_FILE(sync, MPI_File file)
#define STUB_END(NAME)                                               \
  STUB_ON_FILE(read_##NAME##_end, MPI_File file, void*, MPI_Status*) \
  STUB_ON_FILE(write_##NAME##_end, MPI_File file, const void*, MPI_Status*)
STUB_END(all)
STUB_END(at_all)
STUB_END(ordered)
#undef STUB_END
#undef STUB_ON_FILE
inline int PMPI_File_set_size(MPI_File file, MPI_Offset size) {
  return MPI_File_set_size(file, size);
}

// MPI_File_read_NAME and MPI_File_write_NAME: their own parameters before the buffer, and after it.
#define STUB_ACCESS(READ, WRITE, BEFORE, AFTER)                                             \
  inline int MPI_File_##READ(MPI_File file, BEFORE void* to, int n, MPI_Datatype t AFTER) { \
    reprise::fuzz::stub::write(to, n, t);                                                   \
    return reprise::fuzz::stub::on_file(file);                                              \
  }                                                                                         \
  inline int MPI_File_##WRITE(MPI_File file, BEFORE const void* from, int n,                \
                              MPI_Datatype t AFTER) {                                       \
    reprise::fuzz::stub::read(from, n, t);                                                  \
    return reprise::fuzz::stub::on_file(file);                                              \
  }
#define STUB_NOTHING
#define STUB_AT MPI_Offset,
#define STUB_STATUS , MPI_Status*
STUB_ACCESS(read, write, STUB_NOTHING, STUB_STATUS)
STUB_ACCESS(read_all, write_all, STUB_NOTHING, STUB_STATUS)
STUB_ACCESS(read_shared, write_shared, STUB_NOTHING, STUB_STATUS)
STUB_ACCESS(read_ordered, write_ordered, STUB_NOTHING, STUB_STATUS)
STUB_ACCESS(read_all_begin, write_all_begin, STUB_NOTHING, STUB_NOTHING)
STUB_ACCESS(read_ordered_begin, write_ordered_begin, STUB_NOTHING, STUB_NOTHING)
STUB_ACCESS(read_at, write_at, STUB_AT, STUB_STATUS)
STUB_ACCESS(read_at_all, write_at_all, STUB_AT, STUB_STATUS)
STUB_ACCESS(read_at_all_begin, write_at_all_begin, STUB_AT, STUB_NOTHING)
#undef STUB_ACCESS

#define STUB_START(READ, WRITE, BEFORE)                                                      \
  inline int MPI_File_##READ(MPI_File file, BEFORE void* to, int n, MPI_Datatype t,          \
                             MPI_Request* request) {                                         \
    *request = reprise::fuzz::stub::start(to, n * reprise::fuzz::stub::size_of_type(t));     \
    return reprise::fuzz::stub::on_file(file);                                               \
  }                                                                                          \
  inline int MPI_File_##WRITE(MPI_File file, BEFORE const void* from, int n, MPI_Datatype t, \
                              MPI_Request* request) {                                        \
    reprise::fuzz::stub::read(from, n, t);                                                   \
    *request = reprise::fuzz::stub::start();                                                 \
    return reprise::fuzz::stub::on_file(file);                                               \
  }
STUB_START(iread, iwrite, STUB_NOTHING)
STUB_START(iread_all, iwrite_all, STUB_NOTHING)
STUB_START(iread_shared, iwrite_shared, STUB_NOTHING)
STUB_START(iread_at, iwrite_at, STUB_AT)
STUB_START(iread_at_all, iwrite_at_all, STUB_AT)
#undef STUB_START
