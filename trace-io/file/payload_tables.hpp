// SPDX-License-Identifier: MIT
// Header, tables, communicators and losses of a trace in the payload (FORMAT.md, sections 4 to 7), for both directions.
#pragma once

#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/file/coded_paths_codec.hpp"
#include "trace-io/file/payload_io.hpp"

namespace reprise::trace_io {

// What a direction may do to a part of the trace: fill it, or look at it.
template <class Io, class Part>
using InOut = std::conditional_t<Io::kReads, Part, const Part>;

// What the format has no room for. Thrown, not asserted: the writer runs inside traced programs, which must live on.
inline void refuse_beyond(std::size_t count, std::size_t most, const char* what,
                          const char* remedy) {
  if (count > most)
    throw InputError(
        "the trace",
        std::to_string(count) + " " + what + " are more than the format's " + std::to_string(most),
        remedy);
}

// The world ranks of all groups of a communicator that were recorded: mostly the ranks that mean it by an index of theirs, too.
// Values that are no ranks are left out; a group so large that it cannot be one has no members.
inline RankList members_of(const Communicator& communicator, const RankList& recorded) {
  std::vector<Rank> members;
  for (const ValueSequence& group : communicator.groups) {
    if (group.size() > static_cast<std::uint64_t>(kMaxRanks)) continue;
    for (const std::int64_t number : group.unrolled()) {
      if (number < 0 || number >= kMaxRanks) continue;
      if (const Rank rank{static_cast<std::int32_t>(number)}; recorded.contains(rank))
        members.push_back(rank);
    }
  }
  return RankList::from_ranks(std::move(members));
}

template <class Io>
class TablesCodec {
 public:
  TablesCodec(Io& io, InOut<Io, Trace>& trace) : io_(io), trace_(trace) {}

  void all() {
    header(trace_.header);
    tables();
    communicators();
    io_.each(Column::header, Column::header, trace_.losses, "losses", [&](InOut<Io, Loss>& loss) {
      io_.text(loss.name);
      io_.choice(Column::header, loss.severity, 3, "severity");
      const std::uint64_t count = io_.number(Column::header, loss.count);
      if constexpr (Io::kReads) loss.count = count;
      io_.time(Column::header, loss.time);
    });
    if (io_.version() < 3) return;
    times_apart();
  }

 private:
  // Behind the rows, as one more, who was preempted.
  static constexpr std::uint64_t kPreemptions = kTimesApart;

  void times_apart() {
    if constexpr (Io::kReads) {
      for (std::uint64_t left = io_.in().count(Column::header, "times apart"); left > 0; --left) {
        const std::uint64_t what = io_.number(Column::header);
        if (what < kTimesApart) {
          ApartTime& apart = trace_.times_apart.emplace_back();
          apart.what = static_cast<TimeApart>(what);
          time_apart(apart);
        } else if (what == kPreemptions && left == 1) {
          preemptions(trace_.preemptions.emplace());
        } else {
          io_.refuse(Column::header, "time apart " + std::to_string(what) + " does not exist");
        }
      }
    } else {
      io_.number(Column::header, trace_.times_apart.size() + (trace_.preemptions ? 1 : 0));
      for (const ApartTime& apart : trace_.times_apart) {
        io_.number(Column::header, static_cast<std::uint64_t>(apart.what));
        time_apart(apart);
      }
      if (!trace_.preemptions) return;
      io_.number(Column::header, kPreemptions);
      preemptions(*trace_.preemptions);
    }
  }

  void preemptions(InOut<Io, PreemptionRecord>& record) {
    std::uint64_t next = 0;
    const auto count_and_time = [&](auto& row) {
      const std::uint64_t count = io_.number(Column::header, row.count);
      if constexpr (Io::kReads) row.count = count;
      io_.time(Column::header, row.time);
    };
    io_.each(Column::header, Column::header, record.ranks, "preempted ranks",
             [&](InOut<Io, RankPreemptions>& row) {
               const std::uint64_t rank =
                   next +
                   io_.number(Column::header, static_cast<std::uint64_t>(row.rank.value) - next);
               if constexpr (Io::kReads) {
                 if (rank < next || rank >= static_cast<std::uint64_t>(trace_.header.ranks))
                   io_.refuse(Column::header, "a preempted rank that does not exist");
                 row.rank = Rank{static_cast<std::int32_t>(rank)};
               }
               next = rank + 1;
               count_and_time(row);
               io_.time(Column::header, row.compute);
             });
    io_.each(Column::header, Column::header, record.durations, "durations of preemptions",
             [&](InOut<Io, PreemptionOctave>& row) {
               io_.u32(Column::header, row.octave, "octave");
               count_and_time(row);
             });
  }

  void time_apart(InOut<Io, ApartTime>& apart) {
    const std::uint64_t count = io_.number(Column::header, apart.count);
    if constexpr (Io::kReads) apart.count = count;
    io_.time(Column::header, apart.time);
    io_.time(Column::header, apart.most.value);
    const std::uint64_t rank =
        io_.number(Column::header, static_cast<std::uint32_t>(apart.most.rank.value));
    if constexpr (Io::kReads) {
      if (rank >= static_cast<std::uint64_t>(trace_.header.ranks))
        io_.refuse(Column::header, "a rank that does not exist");
      apart.most.rank = Rank{static_cast<std::int32_t>(rank)};
    }
    if (apart.what == TimeApart::compensation) compensation();
  }

  void compensation() {
    if constexpr (Io::kReads) trace_.compensation.emplace();
    REPRISE_ASSERT(trace_.compensation.has_value(), "what was taken off has its curves");
    InOut<Io, Compensation>& all = *trace_.compensation;
    const std::uint64_t clamped = io_.number(Column::header, all.clamped_count);
    if constexpr (Io::kReads) all.clamped_count = clamped;
    io_.time(Column::header, all.clamped_time);
    for (auto& curve : all.curves) {
      Nanoseconds before{};
      io_.each(Column::header, Column::header, curve, "points of an overhead curve",
               [&](InOut<Io, OverheadPoint>& point) {
                 const std::uint64_t period =
                     io_.near(Column::header, static_cast<std::uint64_t>(point.period.value),
                              static_cast<std::uint64_t>(before.value));
                 if constexpr (Io::kReads)
                   point.period = Nanoseconds{static_cast<std::int64_t>(period)};
                 before = point.period;
                 io_.time(Column::header, point.overhead);
                 io_.time(Column::header, point.error);
               });
    }
  }

  void header(InOut<Io, Header>& header) {
    io_.text(header.program);
    io_.text(header.mpi_library);
    const std::uint64_t ranks =
        io_.number(Column::header, static_cast<std::uint32_t>(header.ranks));
    if constexpr (Io::kReads) take_rank_count(ranks);
    auto timing = static_cast<std::uint8_t>(static_cast<unsigned>(header.timing) +
                                            kTimings * static_cast<unsigned>(header.bin_rule));
    io_.choice(Column::header, timing, io_.version() > 1 ? kTimings * kBinRules : kTimings,
               "timing encoding");
    if constexpr (Io::kReads) {
      header.timing = static_cast<Timing>(timing % kTimings);
      header.bin_rule = static_cast<BinRule>(timing / kTimings);
    }
    io_.choice(Column::header, header.clock, 2, "clock");
    io_.u32(Column::header, header.bins, "bin count");
    auto complete = static_cast<std::uint8_t>(header.complete);
    io_.choice(Column::header, complete, 2, "completeness");
    if constexpr (Io::kReads) header.complete = complete == 1;
    io_.time(Column::header, header.elapsed);
    if (io_.version() >= 2) {
      io_.time(Column::header, header.merge_elapsed);
      io_.time(Column::header, header.merge_cpu);
    }
    if (io_.version() >= 3) {
      const std::uint64_t budget = io_.number(Column::header, header.order_budget.value);
      if constexpr (Io::kReads) header.order_budget = Bytes{budget};
    }
    io_.ranks(Column::header, header.recorded, RankList::all(header.ranks));
    io_.each(Column::header, Column::header, header.hosts, "hosts", [&](InOut<Io, Host>& host) {
      io_.text(host.name);
      io_.u32(Column::header, host.cores, "core count");
      io_.ranks(Column::header, host.ranks, header.recorded);
    });
  }

  void take_rank_count(std::uint64_t ranks) {
    if (ranks < 1 || ranks > static_cast<std::uint64_t>(kMaxRanks))
      io_.refuse(Column::header, std::to_string(ranks) + " ranks stated, 1 to " +
                                     std::to_string(kMaxRanks) + " can be");
    trace_.header.ranks = static_cast<std::int32_t>(ranks);
    io_.shared().set_rank_count(trace_.header.ranks);
  }

  void tables() {
    io_.each(Column::header, Column::text, trace_.procedures, "procedures",
             [&](InOut<Io, std::string>& name) {
               io_.text(name);
               // A writer that did not know the procedure wrote its calls without fields.
               if constexpr (Io::kReads)
                 if (procedure_named(name).since > io_.version()) name = time_only(name);
             });
    io_.each(Column::header, Column::text, trace_.modules, "modules",
             [&](InOut<Io, Module>& module) {
               io_.text(module.path);
               build_id(module.build_id);
             });
    call_paths();
    io_.each(Column::header, Column::call_paths, trace_.frame_names, "frame names",
             [&](InOut<Io, FrameName>& name) {
               frame(name.frame);
               io_.text(name.function);
               io_.text(name.file);
               io_.u32(Column::call_paths, name.line, "line");
             });
    std::uint64_t next_path = 0;
    io_.each(Column::sites, Column::sites, trace_.sites, "sites", [&](InOut<Io, Site>& site) {
      io_.index(Column::sites, site.procedure, trace_.procedures.size(), "procedure", "procedures");
      const std::uint64_t path = io_.near(Column::sites, site.call_path, next_path);
      if constexpr (Io::kReads) {
        if (path >= trace_.call_paths.size())
          io_.refuse(Column::sites, "a site's call path does not exist, there are " +
                                        std::to_string(trace_.call_paths.size()) + " call paths");
        site.call_path = static_cast<std::uint32_t>(path);
      }
      next_path = path + 1;
    });
  }

  // An even number of lower-case hexadecimal digits is packed, two to a byte; anything else is kept as it is.
  void build_id(InOut<Io, std::string>& id) {
    std::string packed;
    for (std::size_t i = 0; !Io::kReads && i + 1 < id.size(); i += 2) {
      const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
      packed += static_cast<char>(digit(id[i]) * 16 + digit(id[i + 1]));
    }
    std::uint8_t is_plain =
        id.size() % 2 != 0 || id.find_first_not_of("0123456789abcdef") != std::string::npos;
    io_.choice(Column::build_ids, is_plain, 2, "build id form");
    if (is_plain == 1) return io_.text(id, Column::build_ids);
    io_.text(packed, Column::build_ids);
    if constexpr (Io::kReads)
      for (const char c : packed) id += hexadecimal(static_cast<unsigned char>(c), 2);
  }

  void frame(InOut<Io, Frame>& frame) {
    io_.index(Column::call_paths, frame.module, trace_.modules.size(), "module", "modules");
    previous_offset_ = io_.near(Column::call_paths, frame.offset, previous_offset_);
    if constexpr (Io::kReads) frame.offset = previous_offset_;
  }

  // Call paths share their outer frames: a tree of (parent, frame), where a path is a number of frames new to the tree below a node
  // that is there already, counted back from the newest one. Node 0 is the empty path.
  void call_paths() {
    if constexpr (Io::kReads)
      take_call_paths();
    else
      put_call_paths();
  }

  void put_call_paths() {
    if (io_.coder() != nullptr) {
      const bool is_coded = are_short(trace_.call_paths);
      io_.number(Column::call_paths, is_coded ? 1 : 0);
      if (is_coded) return put_coded_paths(io_, trace_);
    }
    struct Child {
      std::uint64_t parent;
      Frame frame;
      std::uint64_t hash() const {
        return ((parent * 0x9e3779b97f4a7c15U ^ frame.module) * 0x9e3779b97f4a7c15U ^
                frame.offset) *
               0x9e3779b97f4a7c15U;
      }
      bool operator==(const Child&) const = default;
    };
    std::unordered_map<Child, std::uint64_t, ByHash> children;  // looked up only
    io_.number(Column::call_paths, trace_.call_paths.size());
    // Of the path before, from the outermost frame: most paths begin as it does.
    std::vector<std::pair<Frame, std::uint64_t>> before;
    for (const auto& path : trace_.call_paths) {
      refuse_beyond(path.frames.size(), kMaxFrames, "frames in a call path",
                    "record with a smaller --depth");
      std::uint64_t node = 0;
      std::size_t known = 0;
      auto inner = path.frames.rbegin();
      for (; inner != path.frames.rend() && known < before.size() && before[known].first == *inner;
           ++inner)
        node = before[known++].second;
      before.resize(known);
      for (; inner != path.frames.rend(); ++inner) {
        const auto child = children.find({node, *inner});
        if (child == children.end()) break;
        before.emplace_back(*inner, node = child->second);
      }
      io_.number(Column::call_paths, children.size() - node);
      io_.number(Column::call_paths, static_cast<std::uint64_t>(path.frames.rend() - inner));
      for (; inner != path.frames.rend(); ++inner) {
        frame(*inner);
        node = children.emplace(Child{node, *inner}, children.size() + 1).first->second;
        before.emplace_back(*inner, node);
      }
    }
  }

  void take_call_paths() {
    struct TreeNode {
      std::uint64_t parent = 0;
      std::size_t depth = 0;
      Frame frame;
    };
    ColumnReader& in = io_.in();
    if (io_.coder() != nullptr &&
        in.take_index(Column::call_paths, 2, "form of call paths", "forms") == 1)
      return take_coded_paths(io_, trace_);
    std::vector<TreeNode> nodes(1);
    for (std::uint64_t left = in.count(Column::call_paths, "call paths"); left > 0; --left) {
      std::uint64_t node =
          nodes.size() - 1 -
          in.take_index(Column::call_paths, nodes.size(), "frame", "frames so far");
      const std::uint64_t added = in.count(Column::call_paths, "frames");
      if (nodes[node].depth + added > kMaxFrames)
        io_.refuse(Column::call_paths,
                   "a call path of more than " + std::to_string(kMaxFrames) + " frames");
      for (std::uint64_t f = 0; f < added; ++f) {
        TreeNode child{node, nodes[node].depth + 1, {}};
        frame(child.frame);
        node = nodes.size();
        nodes.push_back(child);
      }
      CallPath& path = trace_.call_paths.emplace_back();
      path.frames.reserve(nodes[node].depth);
      for (; node != 0; node = nodes[node].parent) path.frames.push_back(nodes[node].frame);
    }
  }

  void communicators() {
    constexpr Column kColumn = Column::communicators;
    io_.each(kColumn, kColumn, trace_.communicators, "communicators",
             [&](InOut<Io, Communicator>& communicator) {
               io_.u32(kColumn, communicator.copy, "copy");
               const std::uint64_t groups = io_.number(kColumn, communicator.groups.size());
               if constexpr (Io::kReads) {
                 if (groups < 1 || groups > 2)
                   io_.refuse(kColumn, "a communicator of " + std::to_string(groups) +
                                           " groups, 1 or 2 can be");
                 communicator.groups.resize(groups);
               }
               for (auto& group : communicator.groups) io_.sequence(kColumn, group);
             });
    io_.each(kColumn, kColumn, trace_.communicator_indices, "communicator indices",
             [&](InOut<Io, std::vector<CommunicatorUse>>& uses) {
               io_.each(kColumn, kColumn, uses, "communicator uses",
                        [&](InOut<Io, CommunicatorUse>& use) { communicator_use(use); });
             });
  }

  void communicator_use(InOut<Io, CommunicatorUse>& use) {
    constexpr Column kColumn = Column::communicators;
    if (io_.version() == 1) io_.ranks(kColumn, use.ranks, trace_.header.recorded);
    io_.index(kColumn, use.communicator, trace_.communicators.size(), "communicator",
              "communicators");
    if (io_.version() == 1) return;
    const Communicator& communicator = trace_.communicators[use.communicator];
    if constexpr (Io::kReads) {  // the members cost something: only where they are meant
      auto given = io_.shared().ranks_if_given(kColumn);
      use.ranks = given ? std::move(*given) : members_of(communicator, trace_.header.recorded);
    } else {
      io_.ranks(kColumn, use.ranks, members_of(communicator, trace_.header.recorded));
    }
  }

  Io& io_;
  InOut<Io, Trace>& trace_;
  std::uint64_t previous_offset_ = 0;
};

}  // namespace reprise::trace_io
