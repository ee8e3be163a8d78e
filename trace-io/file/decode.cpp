// SPDX-License-Identifier: MIT
#include <limits>
#include <optional>

#include "trace-io/base/error.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/distribution_code.hpp"
#include "trace-io/file/payload.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kU32 = std::uint64_t{1} << 32;

class Decoder {
 public:
  Decoder(std::span<const std::byte> payload, const std::string& name) : in_(payload, name) {}

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
  // ------------------------------------------------------------------ shared pieces
  // What a field's entry holds; the ranks are none where they are the enclosing node's.
  struct StoredEntry {
    std::optional<RankList> ranks;
    PeerForm form = PeerForm::absolute;
    ValueSequence values, lengths;
  };
  struct StoredField {
    bool is_vector = false;
    std::vector<StoredEntry> entries;
  };

  std::uint32_t take_u32(Column column, const char* what) {
    const std::uint64_t number = in_.take(column);
    if (number >= kU32) in_.refuse(column, std::string(what) + " " + std::to_string(number) + " does not fit 32 bits");
    return static_cast<std::uint32_t>(number);
  }

  template <class Enum>
  Enum take_enum(Column column, std::uint64_t choices, const char* what) {
    const std::uint64_t number = in_.take(column);
    if (number >= choices) in_.refuse(column, std::string(what) + " " + std::to_string(number) + " does not exist");
    return static_cast<Enum>(number);
  }

  std::optional<RankList> decode_ranks(Column column) {  // none: those of the context
    const std::uint64_t reference = in_.take_reference(column, rank_lists_.size() + 2, "rank list");
    if (reference == 0) return std::nullopt;
    if (reference >= 2) return rank_lists_[reference - 2];
    const std::uint64_t count = in_.count(Column::rank_lists, "rank list terms");
    const std::string place = in_.place(Column::rank_lists);
    std::vector<RankList::Term> terms;
    std::int64_t start = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      RankList::Term term;
      const std::int64_t step = in_.take_signed(Column::rank_lists);
      if (step < -trace_.header.ranks || step > trace_.header.ranks || start + step < 0 ||
          start + step >= trace_.header.ranks)
        in_.refuse(Column::rank_lists, "a rank list starts outside ranks 0 to " + std::to_string(trace_.header.ranks - 1));
      start += step;
      term.start = Rank{static_cast<std::int32_t>(start)};
      const std::uint64_t depth = in_.count(Column::rank_lists, "rank list dimensions");
      for (std::uint64_t d = 0; d < depth; ++d) {
        RankList::Dimension dimension{};
        dimension.count = take_u32(Column::rank_lists, "rank count");
        const std::uint64_t stride = in_.take(Column::rank_lists);
        if (dimension.count < 2 || stride < 1 || stride > static_cast<std::uint64_t>(kMaxRanks))
          in_.refuse(Column::rank_lists, "a rank list repeats " + std::to_string(dimension.count) +
                                             " times with stride " + std::to_string(stride));
        dimension.stride = static_cast<std::int32_t>(stride);
        term.dimensions.push_back(dimension);
      }
      terms.push_back(std::move(term));
    }
    rank_lists_.push_back(RankList::from_terms(terms, trace_.header.ranks, place));
    return rank_lists_.back();
  }

  RankList decode_ranks(Column column, const RankList& context) {
    auto ranks = decode_ranks(column);
    return ranks ? std::move(*ranks) : context;
  }

  // is_shared: whether the sequence has a number, so that what holds it may have one too.
  ValueSequence decode_sequence(Column column, bool& is_shared) {
    const std::uint64_t reference = in_.take_reference(column, sequences_.size() + 1, "sequence");
    if (reference > 0) return sequences_[reference - 1];
    const std::uint64_t count = in_.count(Column::sequences, "sequence terms");
    std::vector<ValueSequence::Term> terms;
    for (std::uint64_t i = 0; i < count; ++i) {
      ValueSequence::Term term;
      const std::uint64_t kind = in_.take(Column::sequences);
      if (kind > 2) in_.refuse(Column::sequences, "sequence term kind " + std::to_string(kind) + " does not exist");
      term.is_loop = kind == 2;
      term.count = in_.take(Column::sequences);
      if (term.is_loop) {
        term.body_terms = take_u32(Column::sequences, "a loop of sequence terms,");
      } else {
        term.start = in_.take_signed(Column::sequences);
        if (kind == 1) term.stride = in_.take_signed(Column::sequences);
      }
      terms.push_back(term);
    }
    if (!ValueSequence::well_formed(terms))
      in_.refuse(Column::sequences, "a sequence's terms do not nest, or count more than 63 bits hold");
    auto sequence = ValueSequence::from_terms(terms);
    if (count <= kSharedTerms)
      sequences_.push_back(sequence);
    else
      is_shared = false;
    return sequence;
  }

  StoredField decode_new_field(bool is_vector, bool& is_shared) {
    StoredField field;
    field.is_vector = is_vector;
    const std::uint64_t count = in_.count(Column::fields, "field entries");
    is_shared = count <= kSharedEntries;
    for (std::uint64_t i = 0; i < count; ++i) {
      StoredEntry entry;
      entry.ranks = decode_ranks(Column::fields);
      entry.form = take_enum<PeerForm>(Column::fields, 3, "peer form");
      entry.values = decode_sequence(Column::fields, is_shared);
      if (is_vector) entry.lengths = decode_sequence(Column::fields, is_shared);
      field.entries.push_back(std::move(entry));
    }
    return field;
  }

  static FieldValues in_context(const StoredField& field, const RankList& context) {
    FieldValues values;
    values.reserve(field.entries.size());
    for (const auto& entry : field.entries)
      values.push_back({entry.ranks.value_or(context), entry.form, entry.values, entry.lengths});
    return values;
  }

  FieldValues decode_field(bool is_vector, const RankList& context) {
    const std::uint64_t reference = in_.take_reference(Column::fields, fields_.size() + 1, "field");
    if (reference > 0) {
      if (fields_[reference - 1].is_vector != is_vector)
        in_.refuse(Column::fields, "field " + std::to_string(reference - 1) + " is " +
                                       (is_vector ? "a number per call, lists are needed" : "a list per call, numbers are needed"));
      return in_context(fields_[reference - 1], context);
    }
    bool is_shared = true;
    StoredField field = decode_new_field(is_vector, is_shared);
    FieldValues values = in_context(field, context);
    if (is_shared) fields_.push_back(std::move(field));
    return values;
  }

  std::string text() { return in_.take_text(Column::text); }

  // ------------------------------------------------------------------ header and tables
  void decode_header() {
    Header& header = trace_.header;
    header.program = text();
    header.mpi_library = text();
    const std::uint64_t ranks = in_.take(Column::header);
    if (ranks < 1 || ranks > static_cast<std::uint64_t>(kMaxRanks))
      in_.refuse(Column::header, std::to_string(ranks) + " ranks stated, 1 to " + std::to_string(kMaxRanks) + " can be");
    header.ranks = static_cast<std::int32_t>(ranks);
    header.timing = take_enum<Timing>(Column::header, 3, "timing encoding");
    header.clock = take_enum<Clock>(Column::header, 2, "clock");
    header.bins = take_u32(Column::header, "bin count");
    header.complete = take_enum<std::uint8_t>(Column::header, 2, "completeness") == 1;
    header.elapsed = Nanoseconds{in_.take_signed(Column::header)};
    header.recorded = decode_ranks(Column::header, RankList::all(header.ranks));
    const std::uint64_t hosts = in_.count(Column::header, "hosts");
    for (std::uint64_t i = 0; i < hosts; ++i) {
      Host host;
      host.name = text();
      host.cores = take_u32(Column::header, "core count");
      host.ranks = decode_ranks(Column::header, header.recorded);
      header.hosts.push_back(std::move(host));
    }
  }

  void decode_tables() {
    const std::uint64_t procedures = in_.count(Column::header, Column::text, "procedures");
    for (std::uint64_t i = 0; i < procedures; ++i) trace_.procedures.push_back(text());
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
      name.line = take_u32(Column::call_paths, "line");
      trace_.frame_names.push_back(std::move(name));
    }
    const std::uint64_t sites = in_.count(Column::sites, "sites");
    std::uint64_t next_path = 0;
    for (std::uint64_t i = 0; i < sites; ++i) {
      Site site;
      site.procedure = static_cast<std::uint32_t>(
          in_.take_index(Column::sites, trace_.procedures.size(), "procedure", "procedures"));
      const std::uint64_t path = next_path + static_cast<std::uint64_t>(in_.take_signed(Column::sites));
      if (path >= trace_.call_paths.size())
        in_.refuse(Column::sites, "a site's call path does not exist, there are " +
                                      std::to_string(trace_.call_paths.size()) + " call paths");
      site.call_path = static_cast<std::uint32_t>(path);
      next_path = path + 1;
      trace_.sites.push_back(site);
    }
  }

  std::string decode_build_id() {
    const bool packed = take_enum<std::uint8_t>(Column::build_ids, 2, "build id form") == 0;
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
      std::uint64_t node = nodes.size() - 1 - in_.take_index(Column::call_paths, nodes.size(), "frame", "frames so far");
      const std::uint64_t added = in_.count(Column::call_paths, "frames");
      if (nodes[node].depth + added > kMaxFrames)
        in_.refuse(Column::call_paths, "a call path of more than " + std::to_string(kMaxFrames) + " frames");
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
      communicator.copy = take_u32(Column::communicators, "copy");
      const std::uint64_t groups = in_.take(Column::communicators);
      if (groups < 1 || groups > 2)
        in_.refuse(Column::communicators, "a communicator of " + std::to_string(groups) + " groups, 1 or 2 can be");
      for (std::uint64_t g = 0; g < groups; ++g)
        communicator.groups.push_back(decode_sequence(Column::communicators, is_shared));
      trace_.communicators.push_back(std::move(communicator));
    }
    const std::uint64_t indices = in_.count(Column::communicators, "communicator indices");
    for (std::uint64_t i = 0; i < indices; ++i) {
      std::vector<CommunicatorUse> uses;
      const std::uint64_t use_count = in_.count(Column::communicators, "communicator uses");
      for (std::uint64_t u = 0; u < use_count; ++u) {
        CommunicatorUse use;
        use.ranks = decode_ranks(Column::communicators, trace_.header.recorded);
        use.communicator = static_cast<std::uint32_t>(in_.take_index(
            Column::communicators, trace_.communicators.size(), "communicator", "communicators"));
        uses.push_back(std::move(use));
      }
      trace_.communicator_indices.push_back(std::move(uses));
    }
  }

  void decode_losses() {
    const std::uint64_t count = in_.count(Column::header, "losses");
    for (std::uint64_t i = 0; i < count; ++i) {
      Loss loss;
      loss.name = text();
      loss.severity = take_enum<Severity>(Column::header, 3, "severity");
      loss.count = in_.take(Column::header);
      loss.time = Nanoseconds{in_.take_signed(Column::header)};
      trace_.losses.push_back(std::move(loss));
    }
  }

  // ------------------------------------------------------------------ programs
  std::vector<Node> decode_body(const RankList& context, int depth) {
    const std::uint64_t count = in_.count(Column::structure, "nodes");
    if (depth > kMaxNesting)
      in_.refuse(Column::structure, "loops nest more than " + std::to_string(kMaxNesting) + " deep");
    std::vector<Node> body;
    for (std::uint64_t i = 0; i < count; ++i) {
      Node node;
      node.ranks = decode_ranks(Column::structure, context);
      const std::uint64_t head = in_.take(Column::structure);
      if (head == 0) {
        Loop loop;
        loop.iterations = decode_field(false, node.ranks);
        loop.exits = decode_field(false, node.ranks);
        loop.body = decode_body(node.ranks, depth + 1);
        node.content = std::move(loop);
      } else {
        node.content = decode_leaf(head - 1, node.ranks);
      }
      body.push_back(std::move(node));
    }
    return body;
  }

  static std::uint64_t unzigzag(std::uint64_t bits) { return (bits >> 1) ^ ((bits & 1) != 0 ? ~std::uint64_t{0} : 0); }

  SiteId site_at(std::uint64_t site, Column column) const {
    if (site >= trace_.sites.size())
      in_.refuse(column, "a site that does not exist, there are " + std::to_string(trace_.sites.size()) + " sites");
    return static_cast<SiteId>(site);
  }

  Leaf decode_leaf(std::uint64_t step, const RankList& context) {
    Leaf leaf;
    leaf.site = site_at(next_site_ + unzigzag(step), Column::structure);
    next_site_ = std::uint64_t{leaf.site} + 1;
    for (const auto& spec : specs_[trace_.sites[leaf.site].procedure])
      leaf.fields.push_back(decode_field(spec.is_vector, context));
    leaf.polls = in_.take(Column::deltas);
    const std::uint64_t ways = in_.count(Column::deltas, "ways into a call");
    for (std::uint64_t i = 0; i < ways; ++i) {
      PathDeltas way;
      const std::uint64_t predecessor = in_.take(Column::deltas);
      if (predecessor > 0) way.predecessor = site_at(leaf.site + unzigzag(predecessor - 1), Column::deltas);
      way.classes = decode_classes(context);
      leaf.compute.push_back(std::move(way));
    }
    leaf.communicate = decode_classes(context);
    return leaf;
  }

  std::vector<DeltaClass> decode_classes(const RankList& context) {
    const std::uint64_t count = in_.count(Column::deltas, "delta classes");
    std::vector<DeltaClass> classes;
    for (std::uint64_t i = 0; i < count; ++i) {
      DeltaClass delta;
      delta.ranks = decode_ranks(Column::deltas, context);
      delta.durations = take_distribution(in_, trace_.header.bins, trace_.header.ranks);
      classes.push_back(std::move(delta));
    }
    return classes;
  }

  ColumnReader in_;
  Trace trace_;
  std::vector<std::span<const FieldSpec>> specs_;  // per procedure
  std::vector<RankList> rank_lists_;
  std::vector<ValueSequence> sequences_;
  std::vector<StoredField> fields_;
  std::uint64_t previous_offset_ = 0;
  std::uint64_t next_site_ = 0;
};

}  // namespace

Trace decode_payload(std::span<const std::byte> payload, const std::string& name) {
  return Decoder(payload, name).decode();
}

}  // namespace reprise::trace_io
