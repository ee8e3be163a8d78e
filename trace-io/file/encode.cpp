// SPDX-License-Identifier: MIT
#include <map>
#include <optional>
#include <span>

#include "trace-io/base/error.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/communicator_members.hpp"
#include "trace-io/file/distribution_code.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/scale_factor_code.hpp"
#include "trace-io/file/shared_writer.hpp"

namespace reprise::trace_io {
namespace {

// What the format has no room for. Thrown, not asserted: the writer runs inside traced programs, which must live on.
void refuse_beyond(std::size_t count, std::size_t most, const char* what, const char* remedy) {
  if (count > most)
    throw InputError(
        "the trace",
        std::to_string(count) + " " + what + " are more than the format's " + std::to_string(most),
        remedy);
}

class Encoder {
 public:
  explicit Encoder(const Trace& trace) : trace_(trace) {}

  std::vector<std::byte> encode() {
    encode_header();
    encode_tables();
    encode_communicators();
    encode_losses();
    out_.put(Column::structure, trace_.threads.size());
    for (const auto& program : trace_.threads) encode_body(program, trace_.header.recorded, 0);
    return out_.payload();
  }

 private:
  void text(const std::string& string) { out_.put_text(Column::text, string); }

  // ------------------------------------------------------------------ header and tables
  void encode_header() {
    const Header& header = trace_.header;
    text(header.program);
    text(header.mpi_library);
    out_.put(Column::header, static_cast<std::uint32_t>(header.ranks));
    out_.put(Column::header, static_cast<std::uint64_t>(header.timing) +
                                 kTimings * static_cast<std::uint64_t>(header.bin_rule));
    out_.put(Column::header, static_cast<std::uint64_t>(header.clock));
    out_.put(Column::header, header.bins);
    durations_.usual_bins = header.bins;
    out_.put(Column::header, header.complete ? 1 : 0);
    out_.put_signed(Column::header, header.elapsed.value);
    out_.put_signed(Column::header, header.merge_elapsed.value);
    out_.put_signed(Column::header, header.merge_cpu.value);
    const RankList all = RankList::all(header.ranks);
    shared_.ranks(Column::header, header.recorded, all);
    out_.put(Column::header, header.hosts.size());
    for (const auto& host : header.hosts) {
      text(host.name);
      out_.put(Column::header, host.cores);
      shared_.ranks(Column::header, host.ranks, header.recorded);
    }
  }

  void encode_tables() {
    out_.put(Column::header, trace_.procedures.size());
    for (const auto& name : trace_.procedures) text(name);
    out_.put(Column::header, trace_.modules.size());
    for (const auto& module : trace_.modules) {
      text(module.path);
      encode_build_id(module.build_id);
    }
    encode_call_paths();
    out_.put(Column::header, trace_.frame_names.size());
    for (const auto& name : trace_.frame_names) {
      encode_frame(name.frame);
      text(name.function);
      text(name.file);
      out_.put(Column::call_paths, name.line);
    }
    out_.put(Column::sites, trace_.sites.size());
    std::int64_t previous_path = -1;
    for (const auto& site : trace_.sites) {
      out_.put(Column::sites, site.procedure);
      out_.put_signed(Column::sites, site.call_path - previous_path - 1);
      previous_path = site.call_path;
    }
  }

  // An even number of lower-case hexadecimal digits is packed, two to a byte; anything else is kept as it is.
  void encode_build_id(const std::string& id) {
    const bool packs =
        id.size() % 2 == 0 && id.find_first_not_of("0123456789abcdef") == std::string::npos;
    std::string packed = id;
    if (packs) {
      packed.clear();
      const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
      for (std::size_t i = 0; i < id.size(); i += 2)
        packed += static_cast<char>(digit(id[i]) * 16 + digit(id[i + 1]));
    }
    out_.put(Column::build_ids, packs ? 0 : 1);
    out_.put_text(Column::build_ids, packed);
  }

  void encode_frame(const Frame& frame) {
    out_.put(Column::call_paths, frame.module);
    out_.put_signed(Column::call_paths, static_cast<std::int64_t>(frame.offset - previous_offset_));
    previous_offset_ = frame.offset;
  }

  // Call paths share their outer frames: a tree of (parent, frame), where a path is a number of frames new to the tree
  // below a node that is there already.
  void encode_call_paths() {
    std::map<std::pair<std::uint64_t, Frame>, std::uint64_t> children;  // node 0 is the empty path
    out_.put(Column::call_paths, trace_.call_paths.size());
    for (const auto& path : trace_.call_paths) {
      refuse_beyond(path.frames.size(), kMaxFrames, "frames in a call path",
                    "record with a smaller --depth");
      std::uint64_t node = 0;
      auto frame = path.frames.rbegin();
      for (; frame != path.frames.rend(); ++frame) {
        const auto child = children.find({node, *frame});
        if (child == children.end()) break;
        node = child->second;
      }
      out_.put(Column::call_paths, children.size() - node);  // counted back from the newest node
      out_.put(Column::call_paths, static_cast<std::uint64_t>(path.frames.rend() - frame));
      for (; frame != path.frames.rend(); ++frame) {
        encode_frame(*frame);
        node = children.emplace(std::pair{node, *frame}, children.size() + 1).first->second;
      }
    }
  }

  void encode_communicators() {
    out_.put(Column::communicators, trace_.communicators.size());
    for (const auto& communicator : trace_.communicators) {
      out_.put(Column::communicators, communicator.copy);
      out_.put(Column::communicators, communicator.groups.size());
      for (const auto& group : communicator.groups) shared_.sequence(Column::communicators, group);
    }
    out_.put(Column::communicators, trace_.communicator_indices.size());
    for (const auto& uses : trace_.communicator_indices) {
      out_.put(Column::communicators, uses.size());
      for (const auto& use : uses) {
        out_.put(Column::communicators, use.communicator);
        const RankList members =
            members_of(trace_.communicators[use.communicator], trace_.header.recorded);
        shared_.ranks(Column::communicators, use.ranks, members);
      }
    }
  }

  void encode_losses() {
    out_.put(Column::header, trace_.losses.size());
    for (const auto& loss : trace_.losses) {
      text(loss.name);
      out_.put(Column::header, static_cast<std::uint64_t>(loss.severity));
      out_.put(Column::header, loss.count);
      out_.put_signed(Column::header, loss.time.value);
    }
  }

  // ------------------------------------------------------------------ programs
  void encode_body(const std::vector<Node>& body, const RankList& context, int depth) {
    refuse_beyond(static_cast<std::size_t>(depth), kMaxNesting, "loops nested in each other", "");
    out_.put(Column::structure, body.size());
    for (const auto& node : body) {
      shared_.ranks(Column::structure, node.ranks, context);
      if (const auto* loop = std::get_if<Loop>(&node.content)) {
        out_.put(Column::structure, 0);
        shared_.field(loop->iterations, false, node.ranks);
        shared_.field(loop->exits, false, node.ranks);
        encode_body(loop->body, node.ranks, depth + 1);
      } else {
        encode_leaf(std::get<Leaf>(node.content), node.ranks);
      }
    }
  }

  void encode_leaf(const Leaf& leaf, const RankList& context) {
    out_.put(Column::structure, 1 + zigzag(static_cast<std::int64_t>(leaf.site) - next_site_));
    next_site_ = static_cast<std::int64_t>(leaf.site) + 1;
    const auto specs =
        fields(procedure_named(trace_.procedures[trace_.sites[leaf.site].procedure]));
    REPRISE_ASSERT(specs.size() == leaf.fields.size(),
                   "a leaf has one value list per field of its procedure");
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const LeafPeers peers(std::span(leaf.fields).first(i), specs,
                            [this]() -> const CommunicatorTable& { return communicators(); });
      shared_.field(leaf.fields[i], specs[i].is_vector, context, &peers);
    }
    out_.put(Column::deltas, leaf.polls);
    out_.put(Column::deltas, leaf.compute.size());
    for (const auto& path : leaf.compute) {
      const bool named = path.predecessor != kNoSite;
      out_.put(Column::deltas, named ? 1 + distance(path.predecessor, leaf.site) : 0);
      encode_classes(path.classes, context);
    }
    encode_classes(leaf.communicate, context);
  }

  const CommunicatorTable& communicators() {
    if (!communicators_) communicators_.emplace(trace_);
    return *communicators_;
  }

  static std::uint64_t distance(SiteId to, SiteId from) {
    const std::int64_t step = static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from);
    return (static_cast<std::uint64_t>(step) << 1) ^ (step < 0 ? ~std::uint64_t{0} : 0);
  }

  void encode_classes(const std::vector<DeltaClass>& classes, const RankList& context) {
    out_.put(Column::deltas, classes.size());
    for (const auto& delta : classes) {
      shared_.ranks(Column::deltas, delta.ranks, context);
      put_distribution(out_, delta.durations, delta.is_scaled(), durations_);
      encode_ranks_apart(delta);
    }
  }

  // What tells the ranks of a class apart.
  void encode_ranks_apart(const DeltaClass& delta) {
    if (!delta.totals.empty()) {
      out_.put(Column::deltas, kRankTotals);
      put_totals(out_, delta.totals);
    } else if (delta.scale_factors == nullptr) {
      out_.put(Column::deltas, kAllAlike);
    } else {
      if (const auto number = scale_factors_.number_of(*delta.scale_factors)) {
        out_.put(Column::deltas, kFirstScaleFactors + *number);
      } else {
        out_.put(Column::deltas, kNewScaleFactors);
        put_scale_factors(out_, shared_, *delta.scale_factors, trace_.header.recorded);
        scale_factors_.add(*delta.scale_factors);
      }
      out_.put_signed(Column::deltas,
                      static_cast<std::int64_t>(delta.scaled_count - usual_scaled_count(delta)));
    }
  }

  const Trace& trace_;
  ColumnWriter out_;
  SharedWriter shared_{out_};
  DistributionSetting durations_;
  Numbering<RankScaleFactors> scale_factors_;
  std::optional<CommunicatorTable> communicators_;  // made when first needed
  std::uint64_t previous_offset_ = 0;
  std::int64_t next_site_ = 0;
};

}  // namespace

std::vector<std::byte> encode_payload(const Trace& trace) { return Encoder(trace).encode(); }

}  // namespace reprise::trace_io
