// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/files/random_trace.hpp"

#include <random>

#include "trace-io/file/trace_file.hpp"
#include "trace-io/model/distribution_rounding.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::trace_io {
namespace {

constexpr int kRanks = 6;

class TextGenerator {
 public:
  explicit TextGenerator(std::uint32_t seed) : random_(seed) {}

  std::string generate() {
    out_ = "reprise-text 1\nranks " + std::to_string(kRanks) + "\n";
    out_ +=
        "communicator 2: 0 2 4\ncommunicator 2: 5 3 1\ncommunicator 3 copy 1: 0..5\ncommunicator "
        "5: 0 1 | 2 3 4 5\n";
    if (pick(2) == 0) out_ += "timing histogram\nbins 4\n";
    const int threads = 1 + pick(2);
    for (int t = 0; t < threads; ++t) {
      out_ += "thread " + std::to_string(t) + " {\n";
      body(0, kRanks);
      out_ += "}\n";
    }
    return out_;
  }

 private:
  int pick(int choices) { return static_cast<int>(random_() % static_cast<unsigned>(choices)); }
  std::string number(int choices) { return std::to_string(pick(choices)); }

  // A body for ranks 0 … ranks−1: the ranges shrink inwards, so that they stay subsets.
  void body(int depth, int ranks) {
    const int count = 1 + pick(6);
    for (int i = 0; i < count; ++i) {
      out_ += std::string(static_cast<std::size_t>(2 * depth + 2), ' ');
      int own = ranks;
      if (i > 0 && pick(3) == 0) {
        own = 1 + pick(ranks);
        out_ += "ranks 0-" + std::to_string(own - 1) + ": ";
      }
      // A body starts with a call of all its ranks: an iteration must hold an event.
      if (i > 0 && depth < 4 && pick(3) == 0) {
        out_ += "loop " + iterations(own) + (pick(4) == 0 ? " exit 1" : "") + " {\n";
        body(depth + 1, own);
        out_ += std::string(static_cast<std::size_t>(2 * depth + 2), ' ') + "}\n";
      } else {
        call(own);
      }
    }
  }

  std::string iterations(int ranks) {
    if (ranks > 1 && pick(3) == 0)
      return "{0: " + number(20) + "; 1-" + std::to_string(ranks - 1) + ": " + number(5) + "}";
    return number(9);
  }

  // Of a receive; nothing is sent to MPI_ANY_SOURCE.
  std::string destination() {
    const std::string source = peer();
    return source == "any" ? "null" : source;
  }

  std::string peer() {
    switch (pick(7)) {
      case 0:
        return number(kRanks);
      case 1:
        return "+" + number(kRanks);
      case 2:
        return "-" + number(kRanks);
      case 3:
        return "^1";
      case 4:
        return "any";
      case 5:
        return "null";
      default:
        return "relative:" + std::to_string(8 + pick(kRanks));
    }
  }

  std::string bytes(int ranks) {
    if (ranks == kRanks && pick(4) == 0) return of_every_rank(pick(2));
    if (ranks > 2 && pick(3) == 0)
      return "{1: 7; 0,2-" + std::to_string(ranks - 1) + ": " + number(1000) + "KiB}";
    return number(100000);
  }

  // One of two tables: some come again.
  std::string of_every_rank(int table) {
    std::string text = "{";
    for (int rank = 0; rank < kRanks; ++rank)
      text += (rank > 0 ? "; " : "") + std::to_string(rank) + ": " +
              std::to_string((rank * 5 + table * 3) % kRanks * 8 + 8);
    return text + "}";
  }

  std::string list() {
    std::string text = "[";
    const int count = pick(4);
    for (int i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + number(3);
    return text + "]";
  }

  void call(int ranks) {
    switch (pick(12)) {
      case 0:
        out_ += "MPI_Send peer=" + destination() + " tag=" + number(3) + " bytes=" + bytes(ranks);
        break;
      case 1:
        out_ += "MPI_Recv peer=" + peer() + " tag=any bytes=" + bytes(ranks) +
                " matched_tag=" + number(4);
        break;
      case 2:
        out_ += "MPI_Isend comm=3 peer=" + destination() + " bytes=" + bytes(ranks) +
                " request=" + number(4);
        break;
      case 3:
        out_ += "MPI_Waitall requests=" + list();
        break;
      case 4:
        out_ += "MPI_Waitsome requests=" + list() + " polls=" + number(9);
        break;
      case 5:
        out_ += "MPI_Allreduce send_bytes=" + bytes(ranks) + " at solve";
        break;
      case 6:
        out_ += "MPI_Alltoallv send_bytes_list=" + list() + " receive_bytes_list=" + list();
        break;
      case 7:
        out_ += "\"MPI_Comm_spawn\"";
        break;
      case 8:
        out_ +=
            "MPI_Win_post comm=3 window=" + number(3) + " assert=" + number(2) + " group=[1, 0]";
        break;
      case 9:
        out_ += "MPI_Rget_accumulate peer=" + destination() + " bytes=" + bytes(ranks) +
                " receive_bytes=8 request=" + number(4);
        break;
      case 10:
        out_ += "MPI_File_iwrite_at_all file=" + number(3) + " bytes=" + bytes(ranks) +
                " request=" + number(4);
        break;
      default:
        out_ += "MPI_Bcast comm={0: 0; 1-5: 0} peer=1 send_bytes=8";
        break;
    }
    const auto end = out_.rfind("{0: 0; 1-5: 0}");
    if (end != std::string::npos && ranks != kRanks) out_.replace(end, 14, "0");
    if (pick(2) == 0) out_ += " | compute " + number(1000) + "us";
    if (pick(4) == 0) out_ += " | communicate " + number(1000) + "ns";
    out_ += "\n";
  }

  std::mt19937 random_;
  std::string out_;
};

class Embellisher {
 public:
  Embellisher(Trace& trace, std::uint32_t seed) : trace_(trace), random_(seed) {}

  void run() {
    Header& header = trace_.header;
    header.program = "/a \"quoted\" path\\with\nall sorts \x01";
    header.mpi_library = "Some MPI 1.2";
    header.timing = static_cast<Timing>(random_() % 3);
    header.clock = static_cast<Clock>(random_() % 2);
    header.bin_rule = static_cast<BinRule>(apart_() % 3);
    header.merge_elapsed = Nanoseconds{static_cast<std::int64_t>(apart_() % 3)};
    header.merge_cpu = Nanoseconds{static_cast<std::int64_t>(apart_())};
    header.complete = random_() % 2 == 0;
    header.elapsed = Nanoseconds{static_cast<std::int64_t>(random_())};
    header.hosts = {{"one", 2, RankList::from_ranks({Rank{0}, Rank{2}})}, {"two", 64, RankList{}}};
    trace_.modules.push_back({"/lib/x.so", "00ff3a"});
    trace_.modules.push_back({"/lib/y.so", "not hexadecimal"});
    trace_.losses = {{"a loss", Severity::partial, 3, Nanoseconds{-5}},
                     {"b", Severity::error, ~std::uint64_t{0}, {}}};
    for (auto& program : trace_.threads)
      for (auto& node : program) visit(node);
  }

 private:
  void visit(Node& node) {
    if (auto* loop = std::get_if<Loop>(&node.content)) {
      for (auto& inner : loop->body) visit(inner);
      return;
    }
    auto& leaf = std::get<Leaf>(node.content);
    if (random_() % 2 == 0) {
      leaf.compute.clear();
      for (SiteId site = 0; site < trace_.sites.size(); ++site)
        if (random_() % 4 == 0) leaf.compute.push_back({site, classes(node.ranks)});
      if (random_() % 2 == 0) leaf.compute.push_back({kNoSite, classes(node.ranks)});
    }
    if (random_() % 2 == 0) leaf.communicate = classes(node.ranks);
    for (auto& field : leaf.fields)
      for (auto& entry : field)
        if (entry.lengths.empty() && random_() % 4 == 0)
          for (int i = 0; i < 5; ++i)
            entry.values.append(static_cast<std::int64_t>(random_() % 3) + 100 * (i % 2));
  }

  std::vector<DeltaClass> classes(const RankList& ranks) {
    std::vector<DeltaClass> all;
    const RankList lowest = RankList::single(ranks.front());
    if (random_() % 3 == 0 && ranks.size() > 1) {
      all.push_back({lowest, durations(ranks.front())});
      all.push_back({ranks.minus(lowest), durations(ranks.minus(lowest).front())});
    } else if (random_() % 5 > 0) {
      all.push_back({ranks, durations(ranks.front())});
      tell_ranks_apart(all.back());
    }
    return all;
  }

  void tell_ranks_apart(DeltaClass& delta) {
    const std::uint64_t count = delta.durations.count();
    if (count == 0) return;
    const auto choice = apart_() % 4;
    if (choice == 0) {
      delta.totals.resize(static_cast<std::size_t>(delta.ranks.size()));
      delta.totals.back() = {count, delta.durations.sum().value};
    } else if (choice == 1) {
      RankScaleFactors scale_factors{delta.ranks, {}};
      for (std::int32_t i = 0; i < delta.ranks.size(); ++i)
        scale_factors.values.append(100 + static_cast<std::int64_t>(apart_() % 3) *
                                              static_cast<std::int64_t>(apart_() % 1000));
      delta.scale_factors = std::make_shared<const RankScaleFactors>(std::move(scale_factors));
      delta.scaled_count = 1 + apart_() % 100000;
    }
  }

  Distribution durations(Rank rank) {
    Distribution distribution(random_() % 3 == 0 ? 0 : 1 + random_() % 8);
    const auto count = random_() % 50;
    const auto scale = std::int64_t{1} << (random_() % 50);
    for (unsigned i = 0; i < count; ++i)
      distribution.add(Nanoseconds{static_cast<std::int64_t>(random_()) % 1000 * scale %
                                   (std::int64_t{1} << 55)},
                       rank);
    if (apart_() % 2 == 0) return rounded(distribution, false).value_or(distribution);
    return distribution;
  }

  Trace& trace_;
  std::mt19937 random_;
  std::mt19937 apart_{7};  // its own, so that everything else stays as it was
};

}  // namespace

std::string random_text(std::uint32_t seed) { return TextGenerator(seed).generate(); }

Trace random_trace(std::uint32_t seed) {
  Trace trace = assemble(random_text(seed), "random");
  Embellisher(trace, seed).run();
  return trace;
}

bool same_trace(const Trace& a, const Trace& b) {
  return serialise(a) == serialise(b) && dump(a) == dump(b);
}

}  // namespace reprise::trace_io
