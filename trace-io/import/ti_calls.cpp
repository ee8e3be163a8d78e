// SPDX-License-Identifier: MIT
// The verbs that move data. Scalars and lists stand in the order of fields() (trace-io/model/procedure.hpp).
#include <algorithm>
#include <limits>
#include <string_view>

#include "trace-io/import/ti_rank.hpp"

namespace reprise::trace_io {
namespace {

// Bytes of SMPI's types by their number (src/smpi/mpi/smpi_datatype.cpp of SimGrid 3.32, on x86-64). 0: not usable.
constexpr std::int64_t kTypeBytes[] = {8, 4,  1,  2, 8,  4,  1,  8,  1,  1,  2, 4,  8,  8,  16,
                                       4, 1,  1,  2, 4,  8,  1,  2,  4,  8,  8, 16, 32, 8,  8,
                                       8, 16, 16, 8, 8,  8,  16, 16, 4,  4,  8, 16, 8,  16, 16,
                                       4, 2,  4,  8, 16, 32, 1,  8,  16, 32, 0, 0,  1,  8,  8};
constexpr std::int64_t kUnknownSize =
    std::numeric_limits<std::int32_t>::max();  // room for whatever comes

std::int64_t code(std::int64_t rank) { return kFirstPeer + rank; }

}  // namespace

TiRank::Type TiRank::type(const TiReader& in, std::size_t word) const {
  if (word >= in.words()) return default_type_;
  const auto number = in.whole(word, "the type");
  if (number < 0 || number >= static_cast<std::int64_t>(std::size(kTypeBytes)) ||
      kTypeBytes[number] == 0)
    in.refuse("no type " + std::string(in.word(word)),
              "SMPI numbers its types from 0 (MPI_DOUBLE) to 59 (MPI_COUNT)");
  return {kTypeBytes[number]};
}

std::int64_t TiRank::bytes(const TiReader& in, std::size_t word, Type type) const {
  const auto count = in.whole(word, "a size");
  if (count < 0) in.refuse("a size is " + std::string(in.word(word)));
  if (count > std::numeric_limits<std::int64_t>::max() / type.bytes)
    in.refuse("a size is too large");
  return count * type.bytes;
}

std::int64_t TiRank::peer(const TiReader& in, std::size_t word, const char* what) const {
  const auto rank = in.whole(word, what);
  if (rank < 0)
    in.refuse(std::string(what) + " is " + std::string(in.word(word)) + ", not a rank",
              "a receive from anybody cannot be imported: the trace does not say who sent");
  if (rank >= ranks_)
    in.refuse(std::string(what) + " is " + std::string(in.word(word)) +
              ", but there are ranks 0 to " + std::to_string(ranks_ - 1) + " only");
  return rank;
}

std::int64_t TiRank::root(const TiReader& in, std::size_t word) const {
  return code(word < in.words() ? peer(in, word, "the root") : 0);
}

void TiRank::message(const TiReader& in) {
  const std::string_view verb = in.word(1);
  const bool sends = verb.ends_with("send");
  const auto partner = peer(in, 2, sends ? "the receiver" : "the sender");
  const auto tag = in.whole(3, "the tag");
  if (tag < 0)
    in.refuse("the tag is " + std::string(in.word(3)),
              "a receive of any tag cannot be imported: the trace does not say which came");
  const bool unknown =
      !sends && in.words() > 4 && in.word(4).starts_with('-');  // SMPI then probes for the size
  const auto size = unknown ? kUnknownSize : bytes(in, 4, type(in, 5));
  if (verb == "send") return append("MPI_Send", {0, code(partner), tag, size});
  if (verb == "recv") return append("MPI_Recv", {0, code(partner), tag, size, kNoPeer, kNone});
  const auto free = std::find(slot_taken_.begin(), slot_taken_.end(), false);
  const auto slot = free - slot_taken_.begin();
  if (free == slot_taken_.end())
    slot_taken_.push_back(true);
  else
    *free = true;
  open_[sends ? Key{rank_.value, partner, tag} : Key{partner, rank_.value, tag}].push_back(slot);
  append(sends ? "MPI_Isend" : "MPI_Irecv", {0, code(partner), tag, size, slot});
}

void TiRank::sendrecv(const TiReader& in) {
  const auto sent = bytes(in, 2, type(in, 6)), room = bytes(in, 4, type(in, 7));
  const auto to = peer(in, 3, "the receiver"), from = peer(in, 5, "the sender");
  append("MPI_Sendrecv", {0, code(to), 0, sent, code(from), 0, room, kNoPeer, kNone});
}

void TiRank::wait(const TiReader& in) {
  const Key key{peer(in, 2, "the sender"), peer(in, 3, "the receiver"), in.whole(4, "the tag")};
  const auto found = open_.find(key);
  if (found == open_.end()) in.refuse("waits for a request that has not been started");
  const auto slot = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) open_.erase(found);
  slot_taken_[static_cast<std::size_t>(slot)] = false;
  append("MPI_Wait", {slot, kNoPeer, kNone});
}

void TiRank::wait_all() {  // for all that there are, whatever the line's number says: so does SMPI
  std::vector<std::int64_t> slots;
  for (std::size_t i = 0; i < slot_taken_.size(); ++i)
    if (slot_taken_[i]) slots.push_back(static_cast<std::int64_t>(i));
  const std::vector<std::int64_t> nobody(slots.size(), kNoPeer), nothing(slots.size(), kNone);
  slot_taken_.assign(slot_taken_.size(), false);
  open_.clear();
  append("MPI_Waitall", {}, {slots, nobody, nothing});
}

void TiRank::reduction(const TiReader& in) {
  const std::string_view verb = in.word(1);
  const bool rooted = verb == "reduce";
  const Type element = type(in, rooted ? 5 : 4);
  const auto size = bytes(in, 2, element);
  const auto flops = std::max(0.0, in.number(3, "the number of flops"));
  if (rooted)
    append("MPI_Reduce", {0, root(in, 4), size, 0, element.bytes, 1});
  else
    append(verb == "allreduce" ? "MPI_Allreduce"
           : verb == "scan"    ? "MPI_Scan"
                               : "MPI_Exscan",
           {0, size, 0, element.bytes, 1});
  pass_flops(flops);
}

void TiRank::uniform(const TiReader& in) {
  const std::string_view verb = in.word(1);
  const bool rooted = verb == "gather" || verb == "scatter";
  const std::size_t types = rooted ? 5 : 4;
  const auto sent = bytes(in, 2, type(in, types)), received = bytes(in, 3, type(in, types + 1));
  if (!rooted)
    return append(verb == "allgather" ? "MPI_Allgather" : "MPI_Alltoall", {0, sent, received, 0});
  const auto whom = root(in, 4);
  const bool is_root = whom == code(rank_.value);
  if (verb == "gather")
    append("MPI_Gather", {0, whom, sent, is_root ? received : 0, 0});
  else
    append("MPI_Scatter", {0, whom, is_root ? sent : 0, received, 0});
}

std::vector<std::int64_t> TiRank::list(const TiReader& in, std::size_t first, std::size_t count,
                                       Type type) const {
  std::vector<std::int64_t> sizes(count);
  for (std::size_t i = 0; i < count; ++i) sizes[i] = bytes(in, first + i, type);
  return sizes;
}

void TiRank::with_lists(const TiReader& in) {
  const std::string_view verb = in.word(1);
  const auto p = static_cast<std::size_t>(ranks_);
  if (verb == "reducescatter") {
    const Type element = type(in, 3 + p);
    append("MPI_Reduce_scatter", {0, 0, element.bytes, 1}, {list(in, 2, p, element)});
    return pass_flops(std::max(0.0, in.number(2 + p, "the number of flops")));
  }
  if (verb == "alltoallv") {
    const Type out = type(in, 4 + 2 * p), back = type(in, 5 + 2 * p);
    return append("MPI_Alltoallv", {0, 0}, {list(in, 3, p, out), list(in, 4 + p, p, back)});
  }
  if (verb == "allgatherv") {
    // Types follow the counts, or displacements (one a rank, without effect) do, or types and then displacements.
    const std::size_t words = in.words(), end = 3 + p;
    const bool has_types = words > end + p || words <= end + 2;
    const Type out = has_types ? type(in, end) : default_type_,
               back = has_types ? type(in, end + 1) : default_type_;
    return append("MPI_Allgatherv", {0, bytes(in, 2, out), 0}, {list(in, 3, p, back)});
  }
  const auto whom = root(in, 3 + p);
  const bool is_root = whom == code(rank_.value);
  const Type out = type(in, 4 + p), back = type(in, 5 + p);
  if (verb == "gatherv") {
    const auto rooms = list(in, 3, p, back);
    return append("MPI_Gatherv", {0, whom, bytes(in, 2, out), 0},
                  {is_root ? rooms : std::vector<std::int64_t>{}});
  }
  const auto sizes = list(in, 2, p, out);
  append("MPI_Scatterv", {0, whom, bytes(in, 2 + p, back), 0},
         {is_root ? sizes : std::vector<std::int64_t>{}});
}

}  // namespace reprise::trace_io
