// SPDX-License-Identifier: MIT
#include "sim/export/timeline/otf2_writer.hpp"

#include <otf2/otf2.h>

#include <algorithm>
#include <map>

#include "sim/export/timeline/call_words.hpp"
#include "sim/export/timeline/otf2_definitions.hpp"
#include "sim/export/timeline/otf2_function_stack.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/import/ranks/collective_sizes.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::sim {
namespace {

using trace_io::Collective;
using trace_io::Field;
using trace_io::kFirstPeer;
using trace_io::Kind;
using trace_io::kNone;
using trace_io::kNoPeer;

OTF2_CollectiveOp operation_of(Collective collective) {
  switch (collective) {
    case Collective::bcast:
      return OTF2_COLLECTIVE_OP_BCAST;
    case Collective::reduce:
      return OTF2_COLLECTIVE_OP_REDUCE;
    case Collective::allreduce:
      return OTF2_COLLECTIVE_OP_ALLREDUCE;
    case Collective::scan:
      return OTF2_COLLECTIVE_OP_SCAN;
    case Collective::exscan:
      return OTF2_COLLECTIVE_OP_EXSCAN;
    case Collective::gather:
      return OTF2_COLLECTIVE_OP_GATHER;
    case Collective::gatherv:
      return OTF2_COLLECTIVE_OP_GATHERV;
    case Collective::scatter:
      return OTF2_COLLECTIVE_OP_SCATTER;
    case Collective::scatterv:
      return OTF2_COLLECTIVE_OP_SCATTERV;
    case Collective::allgather:
      return OTF2_COLLECTIVE_OP_ALLGATHER;
    case Collective::allgatherv:
      return OTF2_COLLECTIVE_OP_ALLGATHERV;
    case Collective::alltoall:
      return OTF2_COLLECTIVE_OP_ALLTOALL;
    case Collective::alltoallv:
      return OTF2_COLLECTIVE_OP_ALLTOALLV;
    case Collective::alltoallw:
      return OTF2_COLLECTIVE_OP_ALLTOALLW;
    case Collective::reduce_scatter:
      return OTF2_COLLECTIVE_OP_REDUCE_SCATTER;
    case Collective::reduce_scatter_block:
      return OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
    default:
      return OTF2_COLLECTIVE_OP_BARRIER;
  }
}

class Otf2Writer final : public TimelineWriter {
 public:
  Otf2Writer(const trace_io::Trace& trace, const std::string& folder)
      : trace_(trace),
        numbers_(trace),
        communicators_(trace),
        archive_(folder),
        definitions_(trace, communicators_),
        ranks_(static_cast<std::size_t>(trace.header.ranks)) {}
  ~Otf2Writer() override { OTF2_AttributeList_Delete(attached_); }
  Otf2Writer(const Otf2Writer&) = delete;
  Otf2Writer& operator=(const Otf2Writer&) = delete;

  CallOrder order() const override { return CallOrder::begin; }

  void call(Rank rank, const TimedCall& call) override {
    if (rank.value != current_) change_rank(rank);
    OfRank& of = ranks_[static_cast<std::size_t>(rank.value)];
    of.functions.go_to(events_, definitions_, call);
    const Messages messages = messages_of(rank, call);
    attach(rank, call, messages);
    put(OTF2_EvtWriter_Enter(events_, attached_, time(call.begin), region(call)));
    write_records(call, messages, of);
    put(OTF2_EvtWriter_Leave(events_, nullptr, time(call.end), region(call)));
    of.events += 2;
  }

  std::string finish() override {
    for (std::int32_t r = 0; r < trace_.header.ranks; ++r) {
      change_rank(Rank{r});
      ranks_[static_cast<std::size_t>(r)].functions.leave_all(events_);
    }
    std::vector<std::uint64_t> events;
    std::int64_t end = 0;
    for (const auto& of : ranks_) {
      events.push_back(of.events + of.functions.events());
      end = std::max(end, of.functions.end());
    }
    archive_.write_definitions(definitions_, events, end);
    return archive_.close();
  }

 private:
  struct OfRank {
    OTF2_EvtWriter* writer = nullptr;
    Otf2FunctionStack functions;
    std::uint64_t events = 0;  // besides those of functions
    struct Open {
      bool is_receive = false, is_collective = false;
      OTF2_CommRef comm = 0;
      std::uint32_t peer = 0, tag = 0, root = 0;
      std::uint64_t sent = 0, received = 0;
      Collective collective = Collective::none;
    };
    std::map<std::int64_t, Open> requests;  // those that OTF2's records tell of
  };
  // What of a call OTF2's records can say.
  struct Messages {
    bool sends = false, receives = false, is_told = false;
    OTF2_CommRef comm = 0;
    std::uint32_t to = 0, from = 0, sent_tag = 0, received_tag = 0;
    std::uint64_t sent = 0, received = 0;
    trace_io::CollectiveSums sums;
  };

  static void put(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS)
      throw RunError("the OTF2 archive",
                     std::string("could not be written: ") + OTF2_Error_GetDescription(code));
  }
  static std::uint64_t time(std::int64_t ns) { return static_cast<std::uint64_t>(ns); }

  void change_rank(Rank rank) {
    // The library looks a rank's writer up among all.
    auto& events = ranks_[static_cast<std::size_t>(rank.value)].writer;
    if (events == nullptr) events = archive_.events(rank);
    events_ = events;
    current_ = rank.value;
  }

  OTF2_RegionRef region(const TimedCall& call) {
    return definitions_.procedure(trace_.procedures[trace_.sites[call.site].procedure]);
  }

  std::int64_t field(const TimedCall& call, Field wanted) const {
    std::size_t scalar = 0;
    for (const auto& spec : trace_io::fields(call.procedure)) {
      if (spec.is_vector) break;
      if (spec.field == wanted) return call.scalars[scalar];
      ++scalar;
    }
    return kNone;
  }

  Messages messages_of(Rank rank, const TimedCall& call) const {
    Messages messages;
    const Kind kind = call.procedure.kind;
    if (kind == Kind::init || kind == Kind::finalize || kind == Kind::buffer_detach ||
        kind == Kind::unmodelled) {
      messages.is_told = true;
      return messages;
    }
    const std::int64_t comm = numbers_.number(rank, field(call, Field::comm));
    messages.comm = static_cast<OTF2_CommRef>(comm);
    const auto is_real = [](std::int64_t peer, std::int64_t tag) {
      return peer >= kFirstPeer && tag >= 0;
    };
    const auto peer = field(call, Field::peer), tag = field(call, Field::tag);
    switch (kind) {
      case Kind::send:
      case Kind::start_send:
        messages.sends = messages.is_told = is_real(peer, tag);
        // One that nothing waits for has no number that its record could tell.
        if (kind == Kind::start_send && call.started < 0) messages.is_told = false;
        break;
      case Kind::receive:
      case Kind::start_receive:
        messages.receives = messages.is_told = is_real(peer, tag);
        messages.from = static_cast<std::uint32_t>(peer - kFirstPeer);
        messages.received_tag = static_cast<std::uint32_t>(tag);
        messages.received = static_cast<std::uint64_t>(field(call, Field::bytes));
        return messages;
      case Kind::sendrecv: {
        const auto from = field(call, Field::receive_peer),
                   from_tag = field(call, Field::receive_tag);
        messages.sends = messages.receives = messages.is_told =
            is_real(peer, tag) && is_real(from, from_tag);
        messages.from = static_cast<std::uint32_t>(from - kFirstPeer);
        messages.received_tag = static_cast<std::uint32_t>(from_tag);
        messages.received = static_cast<std::uint64_t>(field(call, Field::receive_bytes));
        break;
      }
      case Kind::collective:
      case Kind::start_collective:
        collective(rank, call, messages);
        return messages;
      case Kind::wait:
      case Kind::wait_all:
        messages.is_told = is_plain_wait(rank, call);
        return messages;
      default:
        return messages;
    }
    messages.to = static_cast<std::uint32_t>(peer - kFirstPeer);
    messages.sent_tag = static_cast<std::uint32_t>(tag);
    messages.sent = static_cast<std::uint64_t>(field(call, Field::bytes));
    return messages;
  }

  // Whether the completions alone tell the call: all of requests that records tell of, in the order of their starts.
  bool is_plain_wait(Rank rank, const TimedCall& call) const {
    const auto& known = ranks_[static_cast<std::size_t>(rank.value)].requests;
    if (call.procedure.is_test && call.ended.empty()) return false;
    std::int64_t before = -1;
    for (const auto number : call.named) {
      if (number <= before || !known.contains(number))
        return call.named.size() == 1 && call.scalars.size() == 3 && call.scalars[0] == kNone;
      before = number;
    }
    if (call.procedure.kind == Kind::wait)
      return call.scalars[1] == kNoPeer && call.scalars[2] == kNone;
    for (const auto peer : call.vectors[1])
      if (peer != kNoPeer) return false;
    for (const auto tag : call.vectors[2])
      if (tag != kNone) return false;
    return true;
  }

  void collective(Rank rank, const TimedCall& call, Messages& messages) const {
    const auto place = communicators_.place(rank, call.scalars[0]);
    if (!place || call.procedure.collective >= Collective::neighbor_allgather) return;
    messages.sums =
        trace_io::collective_sums(call.procedure.collective, call.scalars, call.vectors,
                                  place->is_inter() ? place->remote_size : place->size,
                                  place->local_rank, trace_io::CountedBytes::every_block);
    // What an import would make of the sums.
    trace_io::ImportedCall back;
    back.scalars.push_back(call.scalars[0]);
    trace_io::add_collective_fields(back, call.procedure.collective, messages.sums,
                                    trace_io::CountedBytes::every_block);
    if (call.procedure.kind == Kind::start_collective) back.scalars.push_back(call.scalars.back());
    messages.is_told = std::equal(back.scalars.begin(), back.scalars.end(), call.scalars.begin(),
                                  call.scalars.end()) &&
                       back.vector_count == call.vectors.size();
    for (std::size_t i = 0; messages.is_told && i < call.vectors.size(); ++i)
      messages.is_told = std::equal(back.vectors[i].begin(), back.vectors[i].end(),
                                    call.vectors[i].begin(), call.vectors[i].end());
  }

  void attach(Rank rank, const TimedCall& call, const Messages& messages) {
    if (call.never_ends) {
      OTF2_AttributeValue yes;
      yes.uint8 = 1;
      put(OTF2_AttributeList_AddAttribute(attached_, definitions_.deadlock(), OTF2_TYPE_UINT8,
                                          yes));
    }
    if (const auto path = definitions_.call_path(call.site))
      put(OTF2_AttributeList_AddCallingContextRef(attached_,
                                                  Otf2DefinitionTables::kCallPathAttribute, *path));
    if (messages.is_told) return;
    const auto text = definitions_.string(words_as_text(call_words(call, rank, numbers_)));
    OTF2_AttributeValue value;
    value.stringRef = text;
    put(OTF2_AttributeList_AddAttribute(attached_, 0, OTF2_TYPE_STRING, value));
  }

  static std::uint32_t root_of(const trace_io::CollectiveSums& sums) {
    if (sums.root == kNoPeer) return OTF2_COLLECTIVE_ROOT_NONE;
    if (sums.root == trace_io::kRoot) return OTF2_COLLECTIVE_ROOT_SELF;
    if (sums.root == trace_io::kProcNull) return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
    return static_cast<std::uint32_t>(sums.root - kFirstPeer);
  }

  void write_records(const TimedCall& call, const Messages& messages, OfRank& of) {
    const std::uint64_t begin = time(call.begin), end = time(call.end);
    const auto request = static_cast<std::uint64_t>(call.started);
    if (messages.sends && call.started >= 0) {
      put(OTF2_EvtWriter_MpiIsend(events_, nullptr, begin, messages.to, messages.comm,
                                  messages.sent_tag, messages.sent, request));
      of.requests[call.started] = {};
      ++of.events;
    } else if (messages.sends) {
      put(OTF2_EvtWriter_MpiSend(events_, nullptr, begin, messages.to, messages.comm,
                                 messages.sent_tag, messages.sent));
      ++of.events;
    }
    if (messages.receives && call.started >= 0) {
      put(OTF2_EvtWriter_MpiIrecvRequest(events_, nullptr, begin, request));
      of.requests[call.started] = {
          true, false, messages.comm,     messages.from,   messages.received_tag,
          0,    0,     messages.received, Collective::none};
      ++of.events;
    } else if (messages.receives) {
      put(OTF2_EvtWriter_MpiRecv(events_, nullptr, end, messages.from, messages.comm,
                                 messages.received_tag, messages.received));
      ++of.events;
    }
    if (call.procedure.kind == Kind::collective &&
        call.procedure.collective < Collective::neighbor_allgather) {
      put(OTF2_EvtWriter_MpiCollectiveBegin(events_, nullptr, begin));
      put(OTF2_EvtWriter_MpiCollectiveEnd(
          events_, nullptr, end, operation_of(call.procedure.collective), messages.comm,
          root_of(messages.sums), messages.sums.sent, messages.sums.received));
      of.events += 2;
    } else if (call.procedure.kind == Kind::start_collective && messages.is_told) {
      put(OTF2_EvtWriter_NonBlockingCollectiveRequest(events_, nullptr, begin, request));
      of.requests[call.started] = {false,
                                   true,
                                   messages.comm,
                                   0,
                                   0,
                                   root_of(messages.sums),
                                   messages.sums.sent,
                                   messages.sums.received,
                                   call.procedure.collective};
      ++of.events;
    }
    for (const auto number : call.ended) complete(of, number, end);
  }

  void complete(OfRank& of, std::int64_t number, std::uint64_t end) {
    const auto found = of.requests.find(number);
    if (found == of.requests.end()) return;
    const auto& open = found->second;
    const auto id = static_cast<std::uint64_t>(number);
    if (open.is_receive)
      put(OTF2_EvtWriter_MpiIrecv(events_, nullptr, end, open.peer, open.comm, open.tag,
                                  open.received, id));
    else if (open.is_collective)
      put(OTF2_EvtWriter_NonBlockingCollectiveComplete(events_, nullptr, end,
                                                       operation_of(open.collective), open.comm,
                                                       open.root, open.sent, open.received, id));
    else
      put(OTF2_EvtWriter_MpiIsendComplete(events_, nullptr, end, id));
    ++of.events;
    of.requests.erase(found);
  }

  const trace_io::Trace& trace_;
  FileCommunicators numbers_;
  trace_io::CommunicatorTable communicators_;
  Otf2Archive archive_;
  Otf2DefinitionTables definitions_;
  std::vector<OfRank> ranks_;
  OTF2_EvtWriter* events_ = nullptr;
  OTF2_AttributeList* attached_ = OTF2_AttributeList_New();
  std::int32_t current_ = -1;
};

}  // namespace

std::unique_ptr<TimelineWriter> otf2_writer(const trace_io::Trace& trace,
                                            const std::string& folder) {
  return std::make_unique<Otf2Writer>(trace, folder);
}

}  // namespace reprise::sim
