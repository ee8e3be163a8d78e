// SPDX-License-Identifier: MIT
// What the stub's calls have in common: the handles that are alive, and payloads touched.
#pragma once

#include <cstdint>
#include <vector>

namespace reprise::fuzz::stub {

// Throws StubError(what) where the fact does not hold.
void require(bool fact, const char* what);

std::int64_t size_of_type(int type);
int make_type(std::int64_t bytes);
void read(const void* from, std::int64_t count, int type);
void write(void* to, std::int64_t count, int type);

struct Comm {
  bool is_alive = true;
  int me = 0;
  int size = 0;             // 0: not known
  std::vector<int> widths;  // of a grid
};
Comm& comm(int handle);  // checked
int make_comm(int me, int size, std::vector<int> widths = {});
void free_comm(int& handle);
int ranks_in(int handle);             // those that are known, itself at least
void check_rank(int comm, int rank);  // of a receiver, or a root
void check_source(int comm, int rank, int tag);
void check_destination(int comm, int rank, int tag);

// Memory that is written when the request completes; null where there is none.
int start(void* into = nullptr, std::int64_t bytes = 0);
int make_persistent(void* into = nullptr, std::int64_t bytes = 0);
void start_again(int request);
void check_request(int request);
void complete(int& request);
void free_request(int& request);

// Windows, files, groups and messages: numbers that are alive or not.
struct Object {
  bool is_alive = true;
  int comm = 0;
  std::vector<int> ranks;
};
class Objects {
 public:
  int make(Object object) {
    all_.push_back(std::move(object));
    return static_cast<int>(all_.size());
  }
  Object& at(int handle, const char* what) {
    require(handle > 0 && static_cast<std::size_t>(handle) <= all_.size(), what);
    Object& object = all_[static_cast<std::size_t>(handle) - 1];
    require(object.is_alive, what);
    return object;
  }
  void free(int& handle, const char* what) {
    at(handle, what).is_alive = false;
    handle = 0;
  }
  void clear() { all_.clear(); }

 private:
  std::vector<Object> all_;
};
Objects& windows();
Objects& files();
Objects& groups();
Objects& messages();

}  // namespace reprise::fuzz::stub
