// SPDX-License-Identifier: MIT
// MPI-IO: every recorded call, on files of our own beside the trace's replay.
//
// Names      of the program's files are not in a trace, and must not be: they would be overwritten. Each open makes
//            reprise-live.PID.N in the working folder (or in REPRISE_LIVE_FOLDER), which goes away when it is closed.
// Offsets    are not in a trace either: explicit ones go on from the rank's last call, ranks side by side.
// Sizes      the files are sparse and have room for any read: at the end of a file reads would be cut short, and Open MPI 4.1's
//            asynchronous ones wait there for ever.
#include <unistd.h>

#include <cstdlib>

#include "recorder/live/player.hpp"

namespace reprise::live {

using trace_io::Field;
using trace_io::Kind;

constexpr MPI_Offset kRoom = MPI_Offset{1} << 40;

// The same name on all ranks of the communicator: its first rank makes it up.
std::string Player::file_name(MPI_Comm comm) {
  static int opened = 0;
  int mine[2] = {static_cast<int>(getpid()), opened++};
  PMPI_Bcast(mine, 2, MPI_INT, 0, comm);
  const char* folder = std::getenv("REPRISE_LIVE_FOLDER");
  return (folder != nullptr ? std::string(folder) + "/" : "") + "reprise-live." +
         std::to_string(mine[0]) + "." + std::to_string(mine[1]);
}

void Player::open_file() {
  File& file = shared_.files[field(Field::file)];
  file.next = 0;
  MPI_File_open(comm(), file_name(comm()).c_str(),
                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                &file.handle);
  PMPI_File_set_size(file.handle, kRoom);
}

void Player::set_file() {
  const MPI_File file = shared_.files[field(Field::file)].handle;
  const auto procedure = name();
  if (procedure == "MPI_File_seek")
    MPI_File_seek(file, 0, MPI_SEEK_CUR);
  else if (procedure == "MPI_File_seek_shared")
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  else if (procedure == "MPI_File_set_size")
    MPI_File_set_size(file, kRoom);
  else if (procedure == "MPI_File_set_view")
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  else if (procedure == "MPI_File_set_atomicity")
    MPI_File_set_atomicity(file, 0);
  else if (procedure == "MPI_File_preallocate")
    MPI_File_preallocate(file, 0);
  else if (procedure == "MPI_File_sync")
    MPI_File_sync(file);
  else
    take_recorded_time();
}

// There has to be a file for the call to succeed as it did.
void Player::delete_file() {
  const auto name_of_it = file_name(MPI_COMM_SELF);
  MPI_File made = MPI_FILE_NULL;
  PMPI_File_open(MPI_COMM_SELF, name_of_it.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                 &made);
  PMPI_File_close(&made);
  MPI_File_delete(name_of_it.c_str(), MPI_INFO_NULL);
}

void Player::close_file() { MPI_File_close(&shared_.files[field(Field::file)].handle); }

void Player::access_file() {
  File& own = shared_.files[field(Field::file)];
  const MPI_File file = own.handle;
  const auto bytes = field(Field::bytes);
  const Extent data = extent_of(bytes);
  const Kind kind = cursor_.procedure().kind;
  const bool reads = kind == Kind::file_read || kind == Kind::file_read_all ||
                     kind == Kind::start_file_read || kind == Kind::start_file_read_all ||
                     kind == Kind::file_read_begin;
  const bool makes_request = kind == Kind::start_file_read || kind == Kind::start_file_write ||
                             kind == Kind::start_file_read_all ||
                             kind == Kind::start_file_write_all;
  void* to = reads ? (makes_request ? slot().receive : own.memory).of(bytes) : nullptr;
  const void* from = reads ? nullptr : send_buffer_.of(bytes);
  int ranks = 1, me = 0;
  PMPI_Comm_size(comm(), &ranks);
  PMPI_Comm_rank(comm(), &me);
  const MPI_Offset at = own.next * ranks + me * bytes;
  const auto procedure = name();
  // One line for each procedure: MPI_File_NAME(file, [offset,] buffer, count, type, [status or request]).
#define REPRISE_FILE(NAME, ...) \
  if (procedure == "MPI_File_" #NAME) return static_cast<void>(MPI_File_##NAME(file, __VA_ARGS__))
#define REPRISE_AT(NAME, ...)         \
  if (procedure == "MPI_File_" #NAME) \
  return own.next += bytes, static_cast<void>(MPI_File_##NAME(file, at, __VA_ARGS__))
  REPRISE_FILE(read, to, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_FILE(write, from, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_FILE(read_all, to, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_FILE(write_all, from, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_FILE(read_shared, to, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_FILE(write_shared, from, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_FILE(read_ordered, to, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_FILE(write_ordered, from, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_FILE(iread, to, data.count, data.type, &request());
  REPRISE_FILE(iwrite, from, data.count, data.type, &request());
  REPRISE_FILE(iread_shared, to, data.count, data.type, &request());
  REPRISE_FILE(iwrite_shared, from, data.count, data.type, &request());
  REPRISE_FILE(iread_all, to, data.count, data.type, &request());
  REPRISE_FILE(iwrite_all, from, data.count, data.type, &request());
  REPRISE_FILE(read_all_begin, to, data.count, data.type);
  REPRISE_FILE(write_all_begin, from, data.count, data.type);
  REPRISE_FILE(read_ordered_begin, to, data.count, data.type);
  REPRISE_FILE(write_ordered_begin, from, data.count, data.type);
  REPRISE_AT(read_at, to, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_AT(write_at, from, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_AT(read_at_all, to, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_AT(write_at_all, from, data.count, data.type, MPI_STATUS_IGNORE);
  REPRISE_AT(iread_at, to, data.count, data.type, &request());
  REPRISE_AT(iwrite_at, from, data.count, data.type, &request());
  REPRISE_AT(iread_at_all, to, data.count, data.type, &request());
  REPRISE_AT(iwrite_at_all, from, data.count, data.type, &request());
  REPRISE_AT(read_at_all_begin, to, data.count, data.type);
  REPRISE_AT(write_at_all_begin, from, data.count, data.type);
#undef REPRISE_FILE
#undef REPRISE_AT
  take_recorded_time();
}

void Player::end_file_access() {
  File& own = shared_.files[field(Field::file)];
  const auto procedure = name();
  const void* sent = send_buffer_.of(0);
  void* read = own.memory.of(0);
  if (procedure == "MPI_File_read_all_end")
    MPI_File_read_all_end(own.handle, read, MPI_STATUS_IGNORE);
  else if (procedure == "MPI_File_write_all_end")
    MPI_File_write_all_end(own.handle, sent, MPI_STATUS_IGNORE);
  else if (procedure == "MPI_File_read_at_all_end")
    MPI_File_read_at_all_end(own.handle, read, MPI_STATUS_IGNORE);
  else if (procedure == "MPI_File_write_at_all_end")
    MPI_File_write_at_all_end(own.handle, sent, MPI_STATUS_IGNORE);
  else if (procedure == "MPI_File_read_ordered_end")
    MPI_File_read_ordered_end(own.handle, read, MPI_STATUS_IGNORE);
  else if (procedure == "MPI_File_write_ordered_end")
    MPI_File_write_ordered_end(own.handle, sent, MPI_STATUS_IGNORE);
  else
    take_recorded_time();
}

}  // namespace reprise::live
