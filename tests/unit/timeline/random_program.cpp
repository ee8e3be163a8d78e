// SPDX-License-Identifier: MIT
#include "tests/unit/timeline/random_program.hpp"

#include <functional>

#include "tests/fuzz/random_call.hpp"

namespace reprise {
namespace {

class Program {
 public:
  explicit Program(std::uint64_t seed) : random_(seed), ranks_(4 + random_.below(4)) {}

  std::string text() {
    std::string evens, odds;
    for (std::size_t r = 0; r < ranks_; ++r) (r % 2 == 0 ? evens : odds) += " " + std::to_string(r);
    const std::string last = std::to_string(ranks_ - 1);
    out_ = "reprise-text 1\nranks " + std::to_string(ranks_) + "\ntiming path\nbins 5\n";
    out_ += "host \"one\" cores 4 ranks 0\nhost \"two\" cores 4 ranks 1-" + last + "\n";
    out_ += "communicator 2 ranks " + listed(evens) + ":" + evens + "\n";
    out_ += "communicator 2 ranks " + listed(odds) + ":" + odds + "\n";
    out_ += "communicator 3 copy 1: 0.." + last + "\nthread 0 {\n";
    call("MPI_Init");
    call("MPI_Comm_split new_comm=2");
    call("MPI_Comm_dup new_comm=3");
    if (random_.one_in(2)) persistent();
    block(0);
    call("MPI_Comm_free comm=3");
    call("MPI_Finalize");
    return out_ + "}\n";
  }

 private:
  static std::string listed(std::string ranks) {
    ranks.erase(0, 1);
    for (char& c : ranks)
      if (c == ' ') c = ',';
    return ranks;
  }

  std::string number(std::size_t below) { return std::to_string(random_.below(below)); }
  std::string bytes() {
    const std::size_t sizes[] = {0, 1, 8, 800, 4096, 65536, 65537, 1 << 20};
    return std::to_string(sizes[random_.below(std::size(sizes))]);
  }
  // Of all ranks alike, or of each its own.
  std::string each(const std::function<std::string()>& value) {
    if (!random_.one_in(3)) return value();
    std::string all = "{";
    for (std::size_t r = 0; r < ranks_; ++r)
      all += (r == 0 ? "" : "; ") + std::to_string(r) + ": " + value();
    return all + "}";
  }
  std::string times(bool is_of_all) {
    const auto time = [&] { return number(random_.one_in(8) ? 3'000'000 : 3000) + "ns"; };
    const auto some = [&] { return is_of_all ? each(time) : time(); };
    return (random_.one_in(4) ? " polls=" + number(9) : "") + " | compute " + some() +
           (random_.one_in(5) ? "" : " | communicate " + some());
  }
  void call(const std::string& text) {
    const bool may_poll = text.starts_with("MPI_Test");
    std::string delta = times(true);
    if (!may_poll && delta.starts_with(" polls")) delta = delta.substr(delta.find(" |"));
    out_ += "  " + text + delta + "\n";
  }
  void call_of(const std::string& ranks, const std::string& text) {
    std::string delta = times(false);
    if (delta.starts_with(" polls")) delta = delta.substr(delta.find(" |"));
    out_ += "  " + ranks + ": " + text + delta + "\n";
  }

  void block(int depth) {
    for (std::size_t statements = 1 + random_.below(6); statements > 0; --statements) {
      if (depth < 2 && random_.one_in(3)) {
        out_ += "  loop " + std::to_string(1 + random_.below(6)) + " {\n";
        block(depth + 1);
        out_ += "  }\n";
        continue;
      }
      switch (random_.below(6)) {
        case 0:
          ring();
          break;
        case 1:
          to_first();
          break;
        case 2:
          call("MPI_Sendrecv peer=+1 tag=2 bytes=" + bytes() +
               " receive_peer=-1 receive_tag=2 receive_bytes=2000000");
          break;
        case 3:
          call("MPI_Send peer=null tag=1 bytes=8");
          break;
        default:
          collective();
      }
    }
  }

  void ring() {
    const std::string comm = random_.one_in(2) ? "0" : "3", tag = number(5);
    const auto size = [&] { return bytes(); };
    call("MPI_Irecv comm=" + comm + " peer=-1 tag=" + (random_.one_in(3) ? "any" : tag) +
         " bytes=2000000 request=-2");
    const char* const sends[] = {"MPI_Isend", "MPI_Issend", "MPI_Ibsend"};
    call(sends[random_.below(3)] + (" comm=" + comm) + " peer=+1 tag=" + tag +
         " bytes=" + each(size) + " request=-2");
    const bool any_tag = out_.find("tag=any", out_.rfind("MPI_Irecv")) != std::string::npos;
    const std::string tags = any_tag ? " matched_tags=[" + tag + ", none]" : "",
                      one = any_tag ? " matched_tag=" + tag : "";
    switch (random_.below(4)) {
      case 0:
        return call("MPI_Waitall requests=[-3, -2]" + tags);
      case 1:
        call("MPI_Wait request=-3" + one);
        return call("MPI_Wait request=-2");
      case 2:
        call("MPI_Waitany requests=[-3, -2] completed=[-2]");
        return call("MPI_Wait request=-2" + one);
      default:
        return call("MPI_Testall requests=[-3, -2]" + tags);
    }
  }

  // All others send to rank 0, which takes them as they come.
  void to_first() {
    const std::string others = "ranks 1-" + std::to_string(ranks_ - 1);
    const bool probes = random_.one_in(3), names = random_.one_in(2);
    for (std::size_t r = 1; r < ranks_; ++r) {
      const std::string from = std::to_string(r),
                        source = names ? "peer=" + from : "peer=any matched_peer=" + from;
      if (probes) call_of("rank 0", "MPI_Probe " + source + " tag=4");
      call_of("rank 0", "MPI_Recv " + source + " tag=4 bytes=2000000");
    }
    call_of(others,
            (random_.one_in(2) ? "MPI_Send peer=0 tag=4 bytes=" : "MPI_Ssend peer=0 tag=4 bytes=") +
                bytes());
  }

  void persistent() {
    call("MPI_Send_init peer=+1 tag=7 bytes=64 request=0");
    call("MPI_Recv_init peer=-1 tag=7 bytes=64 request=1");
    out_ += "  loop " + std::to_string(1 + random_.below(5)) + " {\n";
    call("MPI_Startall requests=[0, 1]");
    call("MPI_Waitall requests=[0, 1]");
    out_ += "  }\n";
    call("MPI_Request_free request=0");
    call("MPI_Request_free request=1");
  }

  // One number of bytes for each rank of the world.
  std::string list() {
    std::string all = "[";
    for (std::size_t r = 0; r < ranks_; ++r) all += (r == 0 ? "" : ", ") + number(5000);
    return all + "]";
  }
  // That list at the root, none elsewhere.
  std::string at_root(std::size_t root) {
    std::string all = "{";
    for (std::size_t r = 0; r < ranks_; ++r)
      all += (r == 0 ? "" : "; ") + std::to_string(r) + ": " + (r == root ? list() : "[]");
    return all + "}";
  }

  void collective() {
    const std::string comm = " comm=" + number(4 - 1), size = bytes();
    const std::string on = comm == " comm=1" ? " comm=0" : comm;
    const std::size_t root = random_.below(ranks_);
    const std::string world_root = " peer=" + std::to_string(root);
    switch (random_.below(12)) {
      case 0:
        return call("MPI_Barrier" + on);
      case 1:
        return call("MPI_Bcast" + on + " peer=0 send_bytes=" + size);
      case 2:
        return call("MPI_Reduce" + world_root + " send_bytes=" + size +
                    " element_bytes=1 in_place=0");
      case 3:
        return call("MPI_Allreduce" + on + " send_bytes=" + size + " element_bytes=1");
      case 4:
        return call("MPI_Alltoall comm=3 send_bytes=" + size + " receive_bytes_per_peer=" + size);
      case 5:
        return call("MPI_Allgather" + on + " send_bytes=" + size +
                    " receive_bytes_per_peer=" + size);
      case 6:
        return call("MPI_Gatherv" + world_root +
                    " send_bytes=100 receive_bytes_list=" + at_root(root));
      case 7:
        return call("MPI_Scatterv" + world_root +
                    " receive_bytes_per_peer=100 send_bytes_list=" + at_root(root));
      case 8: {
        const std::string all = list();
        return call("MPI_Reduce_scatter receive_bytes_list=" + all + " element_bytes=1");
      }
      case 9:
        return call("MPI_Alltoallv send_bytes_list=" + list() + " receive_bytes_list=" + list());
      case 10:
        call("MPI_Iallreduce" + on + " send_bytes=" + size + " element_bytes=1 request=-2");
        return call("MPI_Wait request=-2");
      default:
        call("MPI_Ibarrier" + on + " request=-2");
        return call("MPI_Test request=-2");
    }
  }

  fuzz::Random random_;
  std::size_t ranks_;
  std::string out_;
};

}  // namespace

std::string random_program(std::uint64_t seed) { return Program(seed).text(); }

}  // namespace reprise
