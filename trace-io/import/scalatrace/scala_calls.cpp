// SPDX-License-Identifier: MIT
#include "trace-io/import/scalatrace/scala_calls.hpp"

#include <algorithm>

#include "trace-io/import/ranks/treatment.hpp"
#include "trace-io/import/scalatrace/scala_parameters.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/model/procedure.hpp"
#include "trace-io/model/request_order.hpp"

namespace reprise::trace_io {
namespace {

class Description {
 public:
  Description(const ScalaTrace& trace, const ScalaRecord& record,
              const std::vector<std::optional<std::uint32_t>>& made,
              const ScalaCommunicators& communicators, const ImportedJob& job, ImportedRank& rank,
              ScalaMessages& messages)
      : parameters_(trace, record, rank.rank()),
        made_(made),
        communicators_(communicators),
        job_(job),
        rank_(rank),
        messages_(messages),
        row_(procedure_named(record.procedure)) {}

  std::vector<FieldValues> calls(std::uint64_t executed) {
    const auto specs = fields(row_);
    struct Column {
      ValueSequence values, lengths;
    };
    std::vector<Column> columns(specs.size());
    const std::size_t scalars = scalar_count(row_);
    std::uint64_t described = 0, elements = 0;
    std::vector<std::pair<Message, Message>> messages;  // sent, received, of each call
    do {
      call_ = {};
      sent_ = received_ = {};
      describe();
      if (sent_.rank >= 0 || received_.rank >= 0) messages.emplace_back(sent_, received_);
      for (std::size_t f = 0; f < scalars; ++f) columns[f].values.append(call_.scalars[f]);
      for (std::size_t v = 0; v < call_.vector_count; ++v) {
        Column& column = columns[scalars + v];
        for (const std::int64_t value : call_.vectors[v]) column.values.append(value);
        column.lengths.append(static_cast<std::int64_t>(call_.vectors[v].size()));
        elements += call_.vectors[v].size();
      }
      ++described;
      if (described > kMostDescribed || elements > kMostDescribed)
        parameters_.refuse("parameters that do not begin anew within 2^22 values");
    } while (described < executed && (!parameters_.begins_anew() || !made_.empty()));
    if (!messages.empty()) count(messages, executed);
    // Whole rounds: what is too much of the last one is never read.
    const std::uint64_t rounds = (executed + described - 1) / described;
    std::vector<FieldValues> all;
    for (std::size_t f = 0; f < columns.size(); ++f) {
      if (!columns[f].values.empty() &&
          columns[f].values.size() > ScalaProgram::kMostCalls / rounds)
        parameters_.refuse("more than 2^60 values of a parameter");
      FieldEntry entry;
      entry.ranks = RankList::single(rank_.rank());
      entry.values = repeated(columns[f].values, rounds);
      if (specs[f].is_vector) entry.lengths = repeated(columns[f].lengths, rounds);
      all.push_back({std::move(entry)});
    }
    lose(executed);
    return all;
  }

 private:
  using F = ScalaField;

  void lose(std::uint64_t executed) {
    if (parameters_.uses_mean())
      rank_.lose("sizes of which ScalaTrace kept a histogram: their mean", Severity::partial,
                 executed);
    if (has_unknown_type_)
      rank_.lose("sizes of derived datatypes: as if of single bytes", Severity::partial, executed);
    if (has_own_operation_)
      rank_.lose("operations of the program's own: as if they commuted", Severity::notice,
                 executed);
    if (parameters_.uses_mean() || has_unknown_type_) messages_.is_unknown();
  }

  // Of the world's rank that gets it; −1 where there is none.
  struct Message {
    std::int32_t rank = -1;
    std::int64_t bytes = 0;
    bool is_from_anybody = false;
  };

  // `messages`: of the calls of a round, in their order.
  void count(const std::vector<std::pair<Message, Message>>& messages, std::uint64_t executed) {
    const std::uint64_t rounds = executed / messages.size(), rest = executed % messages.size();
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const std::uint64_t times = rounds + (i < rest ? 1 : 0);
      const auto& [sent, received] = messages[i];
      if (sent.rank >= 0) messages_.sent_to(sent.rank, sent.bytes, times);
      if (received.rank >= 0) messages_.received_by(received.rank, received.bytes, times);
      if (received.is_from_anybody) messages_.received_from_anybody(times);
    }
  }

  std::int64_t element(F type) {
    const std::int64_t number = parameters_.next(type), known = scala_type_bytes(number);
    if (known > 0 || number == kEndOfStructures || number == kEndOfStructures + 1) return known;
    has_unknown_type_ = true;
    return 1;
  }
  std::int64_t bytes(F count, F type) {
    const std::int64_t elements = parameters_.next(count);
    if (elements < 0) parameters_.refuse("a count is " + std::to_string(elements));
    return elements * element(type);
  }
  std::vector<std::int64_t>& list(F counts, std::int64_t element_bytes) {
    auto& all = call_.add_vector();
    for (std::int32_t i = 0; i < size_; ++i) {
      const std::int64_t elements = parameters_.next(counts);
      if (elements < 0) parameters_.refuse("a count is " + std::to_string(elements));
      all.push_back(elements * element_bytes);
    }
    return all;
  }

  void communicator() {
    const auto number = static_cast<std::int32_t>(parameters_.next(F::comm));
    const auto known = communicators_.named(rank_.rank(), number);
    if (!known) parameters_.refuse("there is no communicator " + std::to_string(number));
    communicator_ = *known;
    size_ = job_.communicator(*known).size(job_.ranks);
    place_ = job_.communicator(*known).place_of(rank_.rank().value);
    call_.scalars.push_back(rank_.communicator(*known));
  }

  std::int64_t peer(F field) {
    const std::int64_t apart = parameters_.next(field);
    if (field == F::source && apart == kAnySourceNumber) return kAnySource;
    const std::int64_t n = job_.ranks, rank = ((apart + rank_.rank().value) % n + n) % n;
    return rank < size_ ? kFirstPeer + rank : kProcNull;
  }
  std::int64_t tag(F field, bool is_receive) {
    const std::int64_t value = parameters_.next(field);
    if (value != 0) messages_.has_tags();
    if (value >= 0) return value;
    if (!is_receive) parameters_.refuse("a tag is " + std::to_string(value));
    return kAnyTag;
  }

  // Peer, tag and size of a send or a receive. A call has a message for MPI_PROC_NULL as well, which is nobody's.
  void half(bool receives, F peer_field, F tag_field, F count, F type) {
    const std::int64_t other = peer(peer_field), number = tag(tag_field, receives),
                       size = bytes(count, type);
    call_.scalars.insert(call_.scalars.end(), {other, number, size});
    if (other == kProcNull)
      messages_.is_unknown();
    else if (receives)
      received_ = {rank_.rank().value, size, other == kAnySource};
    else
      sent_ = {job_.communicator(communicator_)
                   .world_rank(static_cast<std::int32_t>(other - kFirstPeer), rank_.rank().value),
               size};
  }

  void describe() {
    auto& out = call_.scalars;
    switch (row_.kind) {
      case Kind::send:
      case Kind::start_send:
      case Kind::receive:
      case Kind::start_receive: {
        communicator();
        const bool receives = row_.kind == Kind::receive || row_.kind == Kind::start_receive;
        half(receives, receives ? F::source : F::dest, F::tag, F::count, F::datatype);
        if (row_.kind == Kind::receive) out.insert(out.end(), {kNoPeer, kNone});
        if (row_.kind == Kind::start_send || row_.kind == Kind::start_receive)
          out.push_back(RequestOrder::kNewest);
        return;
      }
      case Kind::sendrecv:
        communicator();
        half(false, F::dest, F::tag, F::count, F::datatype);
        half(true, F::source, F::recvtag, F::recvcount, F::recvtype);
        out.insert(out.end(), {kNoPeer, kNone});
        return;
      case Kind::comm_create: {
        communicator();
        const auto made = made_[next_made_++];
        out.push_back(made ? rank_.communicator(*made) : kNone);
        call_.add_vector();
        call_.add_vector();
        return;
      }
      case Kind::comm_free:
        return communicator();
      case Kind::collective:
        communicator();
        return collective();
      default:
        return;
    }
  }

  void reduction(std::int64_t element_bytes) {
    const std::int64_t operation = parameters_.next(F::operation);
    has_own_operation_ = has_own_operation_ || operation < 0 || operation >= kKnownOperations;
    call_.scalars.insert(call_.scalars.end(), {element_bytes, 1});
  }

  void collective() {
    auto& out = call_.scalars;
    std::int64_t root = kNoPeer;
    if (is_rooted(row_.collective)) {
      root = parameters_.next(F::root);
      if (root < 0 || root >= size_)
        parameters_.refuse("the root is " + std::to_string(root) + " of " + std::to_string(size_) +
                           " ranks");
      out.push_back(kFirstPeer + root);
    }
    const bool is_root = root == place_;
    switch (row_.collective) {
      case Collective::bcast:
        out.push_back(bytes(F::count, F::datatype));
        return;
      case Collective::reduce:
      case Collective::allreduce: {
        const std::int64_t size = element(F::datatype), count = parameters_.next(F::count);
        if (count < 0) parameters_.refuse("a count is " + std::to_string(count));
        out.insert(out.end(), {count * size, 0});
        return reduction(size);
      }
      case Collective::gather:
      case Collective::scatter: {
        const bool gathers = row_.collective == Collective::gather;
        const std::int64_t sent = bytes(F::count, F::datatype),
                           received = bytes(F::recvcount, F::recvtype);
        out.insert(out.end(),
                   {gathers || is_root ? sent : 0, !gathers || is_root ? received : 0, 0});
        return;
      }
      case Collective::allgather:
      case Collective::alltoall:
        out.push_back(bytes(F::count, F::datatype));
        out.push_back(bytes(F::recvcount, F::recvtype));
        out.push_back(0);
        return;
      case Collective::gatherv: {
        out.insert(out.end(), {bytes(F::count, F::datatype), 0});
        auto& all = list(F::recvcounts, element(F::recvtype));
        if (!is_root) all.clear();
        return;
      }
      case Collective::scatterv: {
        out.insert(out.end(), {bytes(F::recvcount, F::recvtype), 0});
        auto& all = list(F::counts, element(F::datatype));
        if (!is_root) all.clear();
        return;
      }
      case Collective::allgatherv:
        out.insert(out.end(), {bytes(F::count, F::datatype), 0});
        list(F::recvcounts, element(F::recvtype));
        return;
      case Collective::alltoallv:
        out.push_back(0);
        list(F::counts, element(F::datatype));
        list(F::recvcounts, element(F::recvtype));
        return;
      case Collective::reduce_scatter: {
        out.push_back(0);
        const std::int64_t size = element(F::datatype);
        reduction(size);
        list(F::recvcounts, size);
        return;
      }
      default:
        return;
    }
  }

  ScalaParameters parameters_;
  const std::vector<std::optional<std::uint32_t>>& made_;
  std::size_t next_made_ = 0;
  const ScalaCommunicators& communicators_;
  const ImportedJob& job_;
  ImportedRank& rank_;
  ScalaMessages& messages_;
  Procedure row_;
  ImportedCall call_;
  std::uint32_t communicator_ = 0;     // of the call
  std::int32_t size_ = 1, place_ = 0;  // of it, the rank in it
  Message sent_, received_;
  bool has_unknown_type_ = false, has_own_operation_ = false;
};

}  // namespace

std::vector<FieldValues> described_calls(const ScalaTrace& trace, const ScalaProgram& program,
                                         std::uint32_t number,
                                         const ScalaCommunicators& communicators,
                                         const ImportedJob& job, ImportedRank& rank,
                                         ScalaMessages& messages) {
  const ScalaProgram::Step& step = program.steps()[number];
  const ScalaRecord& record = trace.records[step.record];
  const std::string& name = record.imported;
  const Procedure row = procedure_named(name);
  if (row.kind == Kind::unmodelled) {
    if (treatment_of(name) != Treatment::compute) {
      rank.lose(record.procedure == name ? "unmodelled " + name : name, Severity::partial,
                step.executed);
      messages.is_unknown();  // it may be one
    }
    return {};
  }
  if (step.unknown > 0)
    rank.lose("completions of requests that no call has started", Severity::partial, step.unknown);
  if (row.kind != Kind::wait && row.kind != Kind::wait_all)
    return Description(trace, record, communicators.made_by(rank.rank(), number), communicators,
                       job, rank, messages)
        .calls(step.executed);
  std::vector<FieldValues> all(3);
  const std::int64_t unknown[] = {kNone, kNoPeer, kNone};
  for (std::size_t f = 0; f < all.size(); ++f) {
    FieldEntry entry;
    entry.ranks = RankList::single(rank.rank());
    if (f == 0)
      entry.values = step.ages;
    else if (!step.ages.empty())
      entry.values.append_run(unknown[f], 0, step.ages.size());
    entry.lengths = step.lengths;
    all[f].push_back(std::move(entry));
  }
  return all;
}

}  // namespace reprise::trace_io
