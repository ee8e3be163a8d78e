// SPDX-License-Identifier: MIT
#include "trace-io/base/error.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/communicator_members.hpp"
#include "trace-io/file/distribution_code.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/scale_factor_code.hpp"
#include "trace-io/file/shared_reader.hpp"

namespace reprise::trace_io {
namespace {

class Decoder {
 public:
  Decoder(std::span<const std::byte> payload, std::uint32_t version, const std::string& name)
      : in_(payload, name), version_(version) {}

  Trace decode() {
    decode_header();
    decode_tables();
    decode_communicators();
    decode_losses();
    for (const auto& name : trace_.procedures) specs_.push_back(fields(procedure_named(name)));
    const std::uint64_t threads = in_.count(Column::structure, "threads");
    for (std::uint64_t t = 0; t < threads; ++t)
      trace_.threads.push_back(decode_body(trace_.header.recorded, 0));
    in_.expect_end();
    return std::move(trace_);
  }

 private:
  std::string text() { return in_.take_text(Column::text); }

  // ------------------------------------------------------------------ header and tables
  void decode_header() {
    Header& header = trace_.header;
    header.program = text();
    header.mpi_library = text();
    const std::uint64_t ranks = in_.take(Column::header);
    if (ranks < 1 || ranks > static_cast<std::uint64_t>(kMaxRanks))
      in_.refuse(Column::header, std::to_string(ranks) + " ranks stated, 1 to " +
                                     std::to_string(kMaxRanks) + " can be");
    header.ranks = static_cast<std::int32_t>(ranks);
    shared_.set_rank_count(header.ranks);
    const auto timing = in_.take_enum<std::uint8_t>(
        Column::header, version_ > 1 ? kTimings * kBinRules : kTimings, "timing encoding");
    header.timing = static_cast<Timing>(timing % kTimings);
    header.bin_rule = static_cast<BinRule>(timing / kTimings);
    header.clock = in_.take_enum<Clock>(Column::header, 2, "clock");
    header.bins = in_.take_u32(Column::header, "bin count");
    durations_ = {header.bins, header.ranks, version_};
    header.complete = in_.take_enum<std::uint8_t>(Column::header, 2, "completeness") == 1;
    header.elapsed = Nanoseconds{in_.take_signed(Column::header)};
    if (version_ >= 2) {
      header.merge_elapsed = Nanoseconds{in_.take_signed(Column::header)};
      header.merge_cpu = Nanoseconds{in_.take_signed(Column::header)};
    }
    header.recorded = shared_.ranks(Column::header, RankList::all(header.ranks));
    const std::uint64_t hosts = in_.count(Column::header, "hosts");
    for (std::uint64_t i = 0; i < hosts; ++i) {
      Host host;
      host.name = text();
      host.cores = in_.take_u32(Column::header, "core count");
      host.ranks = shared_.ranks(Column::header, header.recorded);
      header.hosts.push_back(std::move(host));
    }
  }

  void decode_tables() {
    const std::uint64_t procedures = in_.count(Column::header, Column::text, "procedures");
    for (std::uint64_t i = 0; i < procedures; ++i) {
      std::string name = text();
      // A writer that did not know the procedure wrote its calls without fields.
      if (procedure_named(name).since > version_) name = time_only(name);
      trace_.procedures.push_back(std::move(name));
    }
    const std::uint64_t modules = in_.count(Column::header, Column::text, "modules");
    for (std::uint64_t i = 0; i < modules; ++i) {
      Module module;
      module.path = text();
      module.build_id = decode_build_id();
      trace_.modules.push_back(std::move(module));
    }
    decode_call_paths();
    const std::uint64_t names = in_.count(Column::header, Column::call_paths, "frame names");
    for (std::uint64_t i = 0; i < names; ++i) {
      FrameName name;
      name.frame = decode_frame();
      name.function = text();
      name.file = text();
      name.line = in_.take_u32(Column::call_paths, "line");
      trace_.frame_names.push_back(std::move(name));
    }
    const std::uint64_t sites = in_.count(Column::sites, "sites");
    std::uint64_t next_path = 0;
    for (std::uint64_t i = 0; i < sites; ++i) {
      Site site;
      site.procedure = static_cast<std::uint32_t>(
          in_.take_index(Column::sites, trace_.procedures.size(), "procedure", "procedures"));
      const std::uint64_t path =
          next_path + static_cast<std::uint64_t>(in_.take_signed(Column::sites));
      if (path >= trace_.call_paths.size())
        in_.refuse(Column::sites, "a site's call path does not exist, there are " +
                                      std::to_string(trace_.call_paths.size()) + " call paths");
      site.call_path = static_cast<std::uint32_t>(path);
      next_path = path + 1;
      trace_.sites.push_back(site);
    }
  }

  std::string decode_build_id() {
    const bool packed = in_.take_enum<std::uint8_t>(Column::build_ids, 2, "build id form") == 0;
    const std::string bytes = in_.take_text(Column::build_ids);
    if (!packed) return bytes;
    std::string id;
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      id += "0123456789abcdef"[byte >> 4];
      id += "0123456789abcdef"[byte & 15];
    }
    return id;
  }

  Frame decode_frame() {
    Frame frame;
    frame.module = static_cast<std::uint32_t>(
        in_.take_index(Column::call_paths, trace_.modules.size(), "module", "modules"));
    previous_offset_ += static_cast<std::uint64_t>(in_.take_signed(Column::call_paths));
    frame.offset = previous_offset_;
    return frame;
  }

  void decode_call_paths() {
    struct TreeNode {
      std::uint64_t parent = 0;
      std::size_t depth = 0;
      Frame frame;
    };
    std::vector<TreeNode> nodes(1);  // node 0 is the empty path
    const std::uint64_t count = in_.count(Column::call_paths, "call paths");
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t node =
          nodes.size() - 1 -
          in_.take_index(Column::call_paths, nodes.size(), "frame", "frames so far");
      const std::uint64_t added = in_.count(Column::call_paths, "frames");
      if (nodes[node].depth + added > kMaxFrames)
        in_.refuse(Column::call_paths,
                   "a call path of more than " + std::to_string(kMaxFrames) + " frames");
      for (std::uint64_t f = 0; f < added; ++f) {
        nodes.push_back({node, nodes[node].depth + 1, decode_frame()});
        node = nodes.size() - 1;
      }
      CallPath path;
      path.frames.reserve(nodes[node].depth);
      for (; node != 0; node = nodes[node].parent) path.frames.push_back(nodes[node].frame);
      trace_.call_paths.push_back(std::move(path));
    }
  }

  void decode_communicators() {
    bool is_shared = true;
    const std::uint64_t count = in_.count(Column::communicators, "communicators");
    for (std::uint64_t i = 0; i < count; ++i) {
      Communicator communicator;
      communicator.copy = in_.take_u32(Column::communicators, "copy");
      const std::uint64_t groups = in_.take(Column::communicators);
      if (groups < 1 || groups > 2)
        in_.refuse(Column::communicators,
                   "a communicator of " + std::to_string(groups) + " groups, 1 or 2 can be");
      for (std::uint64_t g = 0; g < groups; ++g)
        communicator.groups.push_back(shared_.sequence(Column::communicators, is_shared));
      trace_.communicators.push_back(std::move(communicator));
    }
    const std::uint64_t indices = in_.count(Column::communicators, "communicator indices");
    for (std::uint64_t i = 0; i < indices; ++i) {
      std::vector<CommunicatorUse> uses;
      const std::uint64_t use_count = in_.count(Column::communicators, "communicator uses");
      for (std::uint64_t u = 0; u < use_count; ++u) {
        CommunicatorUse use;
        if (version_ == 1) use.ranks = shared_.ranks(Column::communicators, trace_.header.recorded);
        use.communicator = static_cast<std::uint32_t>(in_.take_index(
            Column::communicators, trace_.communicators.size(), "communicator", "communicators"));
        if (version_ > 1) use.ranks = decode_users(trace_.communicators[use.communicator]);
        uses.push_back(std::move(use));
      }
      trace_.communicator_indices.push_back(std::move(uses));
    }
  }

  RankList decode_users(const Communicator& communicator) {
    auto ranks = shared_.ranks_if_given(Column::communicators);
    return ranks ? std::move(*ranks) : members_of(communicator, trace_.header.recorded);
  }

  void decode_losses() {
    const std::uint64_t count = in_.count(Column::header, "losses");
    for (std::uint64_t i = 0; i < count; ++i) {
      Loss loss;
      loss.name = text();
      loss.severity = in_.take_enum<Severity>(Column::header, 3, "severity");
      loss.count = in_.take(Column::header);
      loss.time = Nanoseconds{in_.take_signed(Column::header)};
      trace_.losses.push_back(std::move(loss));
    }
  }

  // ------------------------------------------------------------------ programs
  std::vector<Node> decode_body(const RankList& context, int depth) {
    const std::uint64_t count = in_.count(Column::structure, "nodes");
    if (depth > kMaxNesting)
      in_.refuse(Column::structure,
                 "loops nest more than " + std::to_string(kMaxNesting) + " deep");
    std::vector<Node> body;
    for (std::uint64_t i = 0; i < count; ++i) {
      Node node;
      node.ranks = shared_.ranks(Column::structure, context);
      const std::uint64_t head = in_.take(Column::structure);
      if (head == 0) {
        Loop loop;
        loop.iterations = shared_.field(false, node.ranks);
        loop.exits = shared_.field(false, node.ranks);
        loop.body = decode_body(node.ranks, depth + 1);
        node.content = std::move(loop);
      } else {
        node.content = decode_leaf(head - 1, node.ranks);
      }
      body.push_back(std::move(node));
    }
    return body;
  }

  const CommunicatorTable& communicators() {
    if (!communicators_) {
      check_communicators(trace_, in_.name() + ": communicators");
      communicators_.emplace(trace_);
    }
    return *communicators_;
  }

  static std::uint64_t unzigzag(std::uint64_t bits) {
    return (bits >> 1) ^ ((bits & 1) != 0 ? ~std::uint64_t{0} : 0);
  }

  SiteId site_at(std::uint64_t site, Column column) const {
    if (site >= trace_.sites.size())
      in_.refuse(column, "a site that does not exist, there are " +
                             std::to_string(trace_.sites.size()) + " sites");
    return static_cast<SiteId>(site);
  }

  Leaf decode_leaf(std::uint64_t step, const RankList& context) {
    Leaf leaf;
    leaf.site = site_at(next_site_ + unzigzag(step), Column::structure);
    next_site_ = std::uint64_t{leaf.site} + 1;
    const auto specs = specs_[trace_.sites[leaf.site].procedure];
    for (const auto& spec : specs) {
      const LeafPeers peers(leaf.fields, specs,
                            [this]() -> const CommunicatorTable& { return communicators(); });
      leaf.fields.push_back(shared_.field(spec.is_vector, context, &peers));
    }
    leaf.polls = in_.take(Column::deltas);
    const std::uint64_t paths = in_.count(Column::deltas, "paths into a call");
    for (std::uint64_t i = 0; i < paths; ++i) {
      PathDeltas path;
      const std::uint64_t predecessor = in_.take(Column::deltas);
      if (predecessor > 0)
        path.predecessor = site_at(leaf.site + unzigzag(predecessor - 1), Column::deltas);
      path.classes = decode_classes(context);
      leaf.compute.push_back(std::move(path));
    }
    leaf.communicate = decode_classes(context);
    return leaf;
  }

  std::vector<DeltaClass> decode_classes(const RankList& context) {
    const std::uint64_t count = in_.count(Column::deltas, "delta classes");
    std::vector<DeltaClass> classes;
    for (std::uint64_t i = 0; i < count; ++i) {
      DeltaClass delta;
      delta.ranks = shared_.ranks(Column::deltas, context);
      delta.durations = take_distribution(in_, durations_);
      if (version_ >= 2) decode_ranks_apart(delta);
      if (!delta.durations.consistent(delta.is_scaled()))
        in_.refuse(Column::bin_counts,
                   "a distribution's counts, sums and extremes contradict each other");
      delta.durations.follow(trace_.header.bin_rule);
      classes.push_back(std::move(delta));
    }
    return classes;
  }

  void decode_ranks_apart(DeltaClass& delta) {
    const std::uint64_t reference = in_.take_reference(
        Column::deltas, scale_factors_.size() + kFirstScaleFactors, "set of scale factors");
    if (reference == kAllAlike) return;
    if (reference == kRankTotals) {
      delta.totals = take_totals(in_, delta);
      return;
    }
    if (reference == kNewScaleFactors)
      scale_factors_.push_back(std::make_shared<const RankScaleFactors>(
          take_scale_factors(in_, shared_, trace_.header.recorded)));
    delta.scale_factors = reference == kNewScaleFactors
                              ? scale_factors_.back()
                              : scale_factors_[reference - kFirstScaleFactors];
    delta.scaled_count =
        usual_scaled_count(delta) + static_cast<std::uint64_t>(in_.take_signed(Column::deltas));
  }

  ColumnReader in_;
  const std::uint32_t version_;
  SharedReader shared_{in_, version_};
  DistributionSetting durations_;
  Trace trace_;
  std::vector<std::span<const FieldSpec>> specs_;  // per procedure
  std::vector<std::shared_ptr<const RankScaleFactors>> scale_factors_;
  std::optional<CommunicatorTable> communicators_;  // made when first needed
  std::uint64_t previous_offset_ = 0;
  std::uint64_t next_site_ = 0;
};

}  // namespace

Trace decode_payload(std::span<const std::byte> payload, std::uint32_t version,
                     const std::string& name) {
  return Decoder(payload, version, name).decode();
}

}  // namespace reprise::trace_io
