// SPDX-License-Identifier: MIT
#include "trace-io/import/otf2/event_callbacks.hpp"

namespace reprise::trace_io {
namespace {

using Location = OTF2_LocationRef;
using Time = OTF2_TimeStamp;
using Attributes = OTF2_AttributeList;
using Message = CallRecords::Message;
using Rma = CallRecords::Rma;

RankTarget& to(void* data) { return *static_cast<RankTarget*>(data); }

template <class Tell>
OTF2_CallbackCode tell(void* data, const Tell& what) {
  return to(data).errors.guarded([&] { what(to(data).events); });
}

// Adds a record to those of the call under way; WHAT names them where there is none.
template <class Record>
OTF2_CallbackCode keep(void* data, const char* what, std::vector<Record> CallRecords::*to_which,
                       const Record& record) {
  return tell(data, [&](auto& events) {
    if (auto* records = events.records(what)) (records->*to_which).push_back(record);
  });
}

// What an export of ours has attached to the call, if anything.
const std::string* attached(const Otf2Definitions& definitions, Attributes* attributes) {
  if (!definitions.fields_attribute || OTF2_AttributeList_GetNumberOfElements(attributes) == 0)
    return nullptr;
  OTF2_StringRef text = OTF2_UNDEFINED_STRING;
  if (OTF2_AttributeList_GetStringRef(attributes, *definitions.fields_attribute, &text) !=
      OTF2_SUCCESS)
    return nullptr;
  const auto found = definitions.strings.find(text);
  return found == definitions.strings.end() ? nullptr : &found->second;
}

OTF2_CallingContextRef call_path(const Otf2Definitions& definitions, Attributes* attributes) {
  OTF2_CallingContextRef path = OTF2_UNDEFINED_CALLING_CONTEXT;
  if (!definitions.call_path_attribute || OTF2_AttributeList_GetNumberOfElements(attributes) == 0 ||
      OTF2_AttributeList_GetCallingContextRef(attributes, *definitions.call_path_attribute,
                                              &path) != OTF2_SUCCESS)
    return OTF2_UNDEFINED_CALLING_CONTEXT;
  return path;
}

OTF2_CallbackCode on_enter(Location, Time time, uint64_t, void* data, Attributes* attributes,
                           OTF2_RegionRef region) {
  return tell(data, [&](auto& events) {
    const Otf2Definitions& definitions = to(data).definitions;
    events.enter(time, region, attached(definitions, attributes),
                 call_path(definitions, attributes));
  });
}
OTF2_CallbackCode on_leave(Location, Time time, uint64_t, void* data, Attributes*,
                           OTF2_RegionRef region) {
  return tell(data, [&](auto& events) { events.leave(time, region); });
}
OTF2_CallbackCode on_measurement(Location, Time time, uint64_t, void* data, Attributes*,
                                 OTF2_MeasurementMode mode) {
  return tell(data, [&](auto& events) { events.measurement(time, mode == OTF2_MEASUREMENT_ON); });
}
OTF2_CallbackCode on_send(Location, Time, uint64_t, void* data, Attributes*, uint32_t peer,
                          OTF2_CommRef comm, uint32_t tag, uint64_t bytes) {
  return keep(data, "messages", &CallRecords::sent, Message{peer, tag, comm, bytes, 0, false});
}
OTF2_CallbackCode on_isend(Location, Time, uint64_t, void* data, Attributes*, uint32_t peer,
                           OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request) {
  return keep(data, "messages", &CallRecords::sent, Message{peer, tag, comm, bytes, request, true});
}
OTF2_CallbackCode on_completion(Location, Time, uint64_t, void* data, Attributes*,
                                uint64_t request) {
  return keep(data, "completions", &CallRecords::completed, request);
}
OTF2_CallbackCode on_irecv_request(Location, Time, uint64_t, void* data, Attributes*,
                                   uint64_t request) {
  return keep(data, "requests", &CallRecords::requested, request);
}
OTF2_CallbackCode on_receive(Location, Time, uint64_t, void* data, Attributes*, uint32_t peer,
                             OTF2_CommRef comm, uint32_t tag, uint64_t bytes) {
  return keep(data, "messages", &CallRecords::received, Message{peer, tag, comm, bytes, 0, false});
}
OTF2_CallbackCode on_irecv(Location, Time, uint64_t, void* data, Attributes*, uint32_t peer,
                           OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request) {
  return tell(data, [&](auto& events) {
    events.receive_completed({peer, tag, comm, bytes, request, true});
  });
}
OTF2_CallbackCode on_test(Location, Time, uint64_t, void* data, Attributes*, uint64_t) {
  return tell(data, [&](auto& events) {
    if (auto* records = events.records("tests")) ++records->tested;
  });
}
OTF2_CallbackCode on_cancelled(Location, Time, uint64_t, void* data, Attributes*,
                               uint64_t request) {
  return keep(data, "completions", &CallRecords::cancelled, request);
}
OTF2_CallbackCode on_collective(Location, Time, uint64_t, void* data, Attributes*,
                                OTF2_CollectiveOp, OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                uint64_t received) {
  return tell(data, [&](auto& events) {
    auto* records = events.records("collectives");
    if (records == nullptr) return;
    records->is_collective = true;
    records->comm = comm;
    records->root = root;
    records->bytes_sent = sent;
    records->bytes_received = received;
  });
}
OTF2_CallbackCode on_collective_request(Location, Time, uint64_t, void* data, Attributes*,
                                        uint64_t request) {
  return keep(data, "requests", &CallRecords::started, request);
}
OTF2_CallbackCode on_collective_completion(Location, Time, uint64_t, void* data, Attributes*,
                                           OTF2_CollectiveOp, OTF2_CommRef comm, uint32_t root,
                                           uint64_t sent, uint64_t received, uint64_t request) {
  return tell(data, [&](auto& events) {
    events.collective_completed(request, comm, root, sent, received);
  });
}

OTF2_CallbackCode note(void* data, const Rma& record) {
  return tell(data, [&](auto& events) {
    if (auto* records = events.records("one-sided operations")) records->rma.push_back(record);
  });
}
OTF2_CallbackCode on_put(Location, Time, uint64_t, void* data, Attributes*, OTF2_RmaWinRef window,
                         uint32_t remote, uint64_t bytes, uint64_t matching) {
  return note(data, {Rma::What::put, window, remote, bytes, 0, matching});
}
OTF2_CallbackCode on_get(Location, Time, uint64_t, void* data, Attributes*, OTF2_RmaWinRef window,
                         uint32_t remote, uint64_t bytes, uint64_t matching) {
  return note(data, {Rma::What::get, window, remote, bytes, 0, matching});
}
OTF2_CallbackCode on_atomic(Location, Time, uint64_t, void* data, Attributes*,
                            OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType,
                            uint64_t sent, uint64_t received, uint64_t matching) {
  return note(data, {Rma::What::atomic, window, remote, sent, received, matching});
}
OTF2_CallbackCode on_window(Location, Time, uint64_t, void* data, Attributes*,
                            OTF2_RmaWinRef window) {
  return note(data, {Rma::What::create, window});
}
OTF2_CallbackCode on_window_end(Location, Time, uint64_t, void* data, Attributes*,
                                OTF2_RmaWinRef window) {
  return note(data, {Rma::What::free, window});
}
OTF2_CallbackCode on_lock(Location, Time, uint64_t, void* data, Attributes*, OTF2_RmaWinRef window,
                          uint32_t remote, uint64_t, OTF2_LockType type) {
  Rma record{Rma::What::lock, window, remote};
  record.is_exclusive = type == OTF2_LOCK_EXCLUSIVE;
  return note(data, record);
}
OTF2_CallbackCode on_unlock(Location, Time, uint64_t, void* data, Attributes*,
                            OTF2_RmaWinRef window, uint32_t remote, uint64_t) {
  return note(data, {Rma::What::unlock, window, remote});
}
OTF2_CallbackCode on_sync(Location, Time, uint64_t, void* data, Attributes*, OTF2_RmaWinRef window,
                          uint32_t remote, OTF2_RmaSyncType) {
  return note(data, {Rma::What::sync, window, remote});
}
OTF2_CallbackCode on_group_sync(Location, Time, uint64_t, void* data, Attributes*,
                                OTF2_RmaSyncLevel, OTF2_RmaWinRef window, OTF2_GroupRef group) {
  Rma record{Rma::What::group, window};
  record.group = group;
  return note(data, record);
}
OTF2_CallbackCode on_window_collective(Location, Time, uint64_t, void* data, Attributes*,
                                       OTF2_CollectiveOp, OTF2_RmaSyncLevel, OTF2_RmaWinRef window,
                                       uint32_t, uint64_t, uint64_t) {
  return note(data, {Rma::What::sync, window});
}
OTF2_CallbackCode on_transfer_end(Location, Time, uint64_t, void* data, Attributes*, OTF2_RmaWinRef,
                                  uint64_t matching) {
  return tell(data, [&](auto& events) { events.transfer_completed(matching); });
}

OTF2_CallbackCode on_enter_of_thread(Location, Time, uint64_t, void* data, Attributes*,
                                     OTF2_RegionRef ref) {
  auto& threads = *static_cast<ThreadCalls*>(data);
  const Otf2Region* region = threads.definitions.region(ref);
  if (region != nullptr && !region->procedure.empty()) ++threads.calls;
  return OTF2_CALLBACK_SUCCESS;
}

}  // namespace

#define SET(record, callback) OTF2_EvtReaderCallbacks_Set##record##Callback(ranks_, &(callback))
Otf2EventCallbacks::Otf2EventCallbacks()
    : ranks_(OTF2_EvtReaderCallbacks_New()), threads_(OTF2_EvtReaderCallbacks_New()) {
  SET(Enter, on_enter);
  SET(Leave, on_leave);
  SET(MeasurementOnOff, on_measurement);
  SET(MpiSend, on_send);
  SET(MpiIsend, on_isend);
  SET(MpiIsendComplete, on_completion);
  SET(MpiIrecvRequest, on_irecv_request);
  SET(MpiRecv, on_receive);
  SET(MpiIrecv, on_irecv);
  SET(MpiRequestTest, on_test);
  SET(MpiRequestCancelled, on_cancelled);
  SET(MpiCollectiveEnd, on_collective);
  SET(NonBlockingCollectiveRequest, on_collective_request);
  SET(NonBlockingCollectiveComplete, on_collective_completion);
  SET(RmaPut, on_put);
  SET(RmaGet, on_get);
  SET(RmaAtomic, on_atomic);
  SET(RmaWinCreate, on_window);
  SET(RmaWinDestroy, on_window_end);
  SET(RmaRequestLock, on_lock);
  SET(RmaAcquireLock, on_lock);
  SET(RmaReleaseLock, on_unlock);
  SET(RmaSync, on_sync);
  SET(RmaGroupSync, on_group_sync);
  SET(RmaCollectiveEnd, on_window_collective);
  SET(RmaOpCompleteNonBlocking, on_transfer_end);
  OTF2_EvtReaderCallbacks_SetEnterCallback(threads_, &on_enter_of_thread);
}
#undef SET

Otf2EventCallbacks::~Otf2EventCallbacks() {
  OTF2_EvtReaderCallbacks_Delete(ranks_);
  OTF2_EvtReaderCallbacks_Delete(threads_);
}

}  // namespace reprise::trace_io
