// SPDX-License-Identifier: MIT
// The HANDWRITTEN procedures, each once for C and Fortran: completion, persistent requests, matched receives, release of handles,
// files whose names are not recorded.
//
// on_NAME(frame, forward, arguments...)  `arguments` are the program's own, typed in C and void* in Fortran; forward(arguments...)
// makes the call. The handle that a call releases is read before the call.
#pragma once

#include "recorder/wrappers/completion.hpp"
#include "recorder/wrappers/describe_windows_and_files.hpp"
#include "recorder/wrappers/fortran.hpp"

namespace reprise::recorder {

// An argument as the C binding has it.
template <class C>
C as(C argument) {
  return argument;
}
template <class C>
auto as(void* argument) {
  return FromFortran<C>::convert(argument);
}
// The handle in the program's variable.
template <class Handle>
Handle handle_in(const Handle* variable) {
  return *variable;
}
template <class Handle>
Handle handle_in(void* variable) {
  return FromFortran<Handle>::convert(variable);
}
inline RequestArray requests_in(const MPI_Request* requests) { return requests; }
inline RequestArray requests_in(const void* requests) {
  return RequestArray::of_fortran(static_cast<const MPI_Fint*>(requests));
}
inline StatusArgument status_in(MPI_Status* status) { return status; }
inline StatusArgument status_in(void* status) {
  return {static_cast<MPI_Fint*>(status), is_ignored_status(status), kStatusSize, kStatusSource,
          kStatusTag};
}

inline std::int64_t count_in(std::int64_t count) { return count; }
inline std::int64_t count_in(const void* count) { return integer_at(count); }

inline constexpr int kOne = 1;
template <class Index>
CompletedList completed_in(const int* count, Index* indices) {
  return {count, as<const int*>(indices), std::is_void_v<Index> ? 1 : 0};
}

// ------------------------------------------------------------------ completion
template <class Forward, class Request, class Status>
int on_Wait(Frame frame, const Forward& forward, Request* request, Status* status) {
  return record_wait(CallId::Wait, frame, requests_in(request), status_in(status), nullptr,
                     [&](void* passed) { return forward(request, static_cast<Status*>(passed)); });
}
template <class Forward, class Request, class Flag, class Status>
int on_Test(Frame frame, const Forward& forward, Request* request, Flag* flag, Status* status) {
  return record_wait(
      CallId::Test, frame, requests_in(request), status_in(status), as<const int*>(flag),
      [&](void* passed) { return forward(request, flag, static_cast<Status*>(passed)); });
}
template <class Forward, class Count, class Request, class Status>
int on_Waitall(Frame frame, const Forward& forward, Count count, Request* requests,
               Status* statuses) {
  return record_completion(CallId::Waitall, frame, requests_in(requests), as<int>(count),
                           status_in(statuses), kAll, nullptr, nullptr, [&](void* passed) {
                             return forward(count, requests, static_cast<Status*>(passed));
                           });
}
template <class Forward, class Count, class Request, class Flag, class Status>
int on_Testall(Frame frame, const Forward& forward, Count count, Request* requests, Flag* flag,
               Status* statuses) {
  return record_completion(
      CallId::Testall, frame, requests_in(requests), as<int>(count), status_in(statuses), kAll,
      nullptr, as<const int*>(flag),
      [&](void* passed) { return forward(count, requests, flag, static_cast<Status*>(passed)); });
}
template <class Forward, class Count, class Request, class Index, class Status>
int on_Waitany(Frame frame, const Forward& forward, Count count, Request* requests, Index* index,
               Status* status) {
  const CompletedList completed = completed_in(&kOne, index);
  return record_completion(CallId::Waitany, frame, requests_in(requests), as<int>(count),
                           status_in(status), 1, &completed, nullptr, [&](void* passed) {
                             return forward(count, requests, index, static_cast<Status*>(passed));
                           });
}
template <class Forward, class Count, class Request, class Index, class Status>
int on_Testany(Frame frame, const Forward& forward, Count count, Request* requests, Index* index,
               Index* flag, Status* status) {
  const CompletedList completed = completed_in(&kOne, index);
  return record_completion(
      CallId::Testany, frame, requests_in(requests), as<int>(count), status_in(status), 1,
      &completed, as<const int*>(flag), [&](void* passed) {
        return forward(count, requests, index, flag, static_cast<Status*>(passed));
      });
}
template <class Forward, class Count, class Request, class Index, class Status>
int record_some(CallId id, Frame frame, const Forward& forward, Count count, Request* requests,
                Index* outcount, Index* indices, Status* statuses) {
  const CompletedList completed = completed_in(as<const int*>(outcount), indices);
  return record_completion(id, frame, requests_in(requests), as<int>(count), status_in(statuses),
                           kAll, &completed, nullptr, [&](void* passed) {
                             return forward(count, requests, outcount, indices,
                                            static_cast<Status*>(passed));
                           });
}
template <class... Arguments>
int on_Waitsome(Frame frame, const Arguments&... arguments) {
  return record_some(CallId::Waitsome, frame, arguments...);
}
template <class... Arguments>
int on_Testsome(Frame frame, const Arguments&... arguments) {
  return record_some(CallId::Testsome, frame, arguments...);
}

// ------------------------------------------------------------------ requests
template <class Forward, class Request>
int on_Start(Frame frame, const Forward& forward, Request* request) {
  return record_start(CallId::Start, frame, requests_in(request), 1, true,
                      [&] { return forward(request); });
}
template <class Forward, class Count, class Request>
int on_Startall(Frame frame, const Forward& forward, Count count, Request* requests) {
  return record_start(CallId::Startall, frame, requests_in(requests), as<int>(count), false,
                      [&] { return forward(count, requests); });
}
template <class Forward, class Request>
int on_Cancel(Frame frame, const Forward& forward, Request* request) {
  return record_use(CallId::Cancel, frame, requests_in(request), [&] { return forward(request); });
}
template <class Forward, class Request>
int on_Request_free(Frame frame, const Forward& forward, Request* request) {
  return record_use(CallId::Request_free, frame, requests_in(request),
                    [&] { return forward(request); });
}

// ------------------------------------------------------------------ matched messages
// describe_request(Description&, Request) adds the request that the call made; for a blocking call it does nothing.
template <class Forward, class Describe>
int record_matched(CallId id, Frame frame, MPI_Message message, const void* where,
                   std::int64_t count, MPI_Datatype type, const Forward& forward,
                   const Describe& describe_request) {
  std::uint32_t slot = RequestTable::kUnknown;
  bool known = false;
  return record_request_call(
      id, frame, 1,
      [&](ThreadRecorder&) {
        const HandlesLock lock;
        handles().messages.begin_claims();
        slot = handles().messages.claim(key_of(message), where);
        known = slot != RequestTable::kUnknown;
        return true;
      },
      forward, [&] { return known ? Presence::necessary : Presence::normal; },
      [&](ThreadRecorder&, Description& d) {
        if (!known && message != MPI_MESSAGE_NO_PROC) return Outcome::unmodelled;
        d.scalar(known ? static_cast<std::int64_t>(slot) : trace_io::kNone);
        d.scalar(payload(count, type));
        Request request;
        request.active = true;
        if (known) request.comm = handles().messages[slot].comm;
        if (known) request.message = handles().messages[slot].message;
        describe_request(d, request);
        if (known) handles().messages.remove(slot);
        return Outcome::event;
      });
}
template <CallId id = CallId::Mrecv, class Forward, class Buffer, class Count, class Type,
          class Message, class Status>
int on_Mrecv(Frame frame, const Forward& forward, Buffer* buffer, Count count, Type type,
             Message* message, Status* status) {
  return record_matched(
      id, frame, handle_in<MPI_Message>(message), message, count_in(count), as<MPI_Datatype>(type),
      [&] { return forward(buffer, count, type, message, status); },
      [](Description& d, const Request& matched) {
        if (samples_messages()) [[unlikely]]
          sampled::matched_receive(d, matched);
      });
}
template <CallId id = CallId::Imrecv, class Forward, class Buffer, class Count, class Type,
          class Message, class Handle>
int on_Imrecv(Frame frame, const Forward& forward, Buffer* buffer, Count count, Type type,
              Message* message, Handle* request) {
  return record_matched(
      id, frame, handle_in<MPI_Message>(message), message, count_in(count), as<MPI_Datatype>(type),
      [&] { return forward(buffer, count, type, message, request); },
      [&](Description& d, const Request& made) {
        d.started(made, RequestRef(handle_in<MPI_Request>(request), request));
      });
}
#if MPI_VERSION >= 4
template <class... Arguments>
int on_Mrecv_c(Frame frame, const Arguments&... arguments) {
  return on_Mrecv<CallId::Mrecv_c>(frame, arguments...);
}
template <class... Arguments>
int on_Imrecv_c(Frame frame, const Arguments&... arguments) {
  return on_Imrecv<CallId::Imrecv_c>(frame, arguments...);
}
#endif

// ------------------------------------------------------------------ communicators, windows, files
// A call that frees what `handle` stands for in `table`. describe(Description&, number in the table) → Outcome.
template <class Table, class Forward, class Describe>
int record_release(CallId id, Frame frame, Table Handles::*table, HandleKey handle,
                   const Forward& forward, const Describe& describe) {
  std::uint32_t number = HandleMap::kAbsent;
  const auto forward_or_attach = [&] {
    const int result = forward();
    if (result != MPI_SUCCESS && number != HandleMap::kAbsent) {
      const HandlesLock lock;
      (handles().*table).attach(handle, number);
    }
    return result;
  };
  return record_request_call(
      id, frame, 1,
      [&](ThreadRecorder&) {
        const HandlesLock lock;
        number = (handles().*table).detach(handle);
        return true;
      },
      forward_or_attach, [] { return Presence::necessary; },
      [&](ThreadRecorder&, Description& d) {
        if (number == HandleMap::kAbsent) return Outcome::unmodelled;
        const Outcome outcome = describe(d, number);
        (handles().*table).freed(number);
        return outcome;
      });
}
template <class Forward>
int record_release(CallId id, Frame frame, MPI_Comm comm, const Forward& forward) {
  return record_release(id, frame, &Handles::communicators, key_of(comm), forward,
                        [](Description& d, std::uint32_t number) {
                          const CommunicatorInfo& info = handles().communicators.at(number);
                          if (!info.modelled) return Outcome::unmodelled;
                          d.comm(info);
                          return Outcome::event;
                        });
}
template <class Forward>
int record_release(CallId id, Frame frame, ObjectTable Handles::*objects, HandleKey object,
                   const Forward& forward) {
  return record_release(id, frame, objects, object, forward,
                        [&](Description& d, std::uint32_t number) {
                          const ObjectTable::Object& found = (handles().*objects).at(number);
                          d.comm(*found.comm);
                          d.scalar(found.slot);
                          return Outcome::event;
                        });
}
template <class Forward, class Comm>
int on_Comm_free(Frame frame, const Forward& forward, Comm* comm) {
  return record_release(CallId::Comm_free, frame, handle_in<MPI_Comm>(comm),
                        [&] { return forward(comm); });
}
template <class Forward, class Comm>
int on_Comm_disconnect(Frame frame, const Forward& forward, Comm* comm) {
  return record_release(CallId::Comm_disconnect, frame, handle_in<MPI_Comm>(comm),
                        [&] { return forward(comm); });
}
template <class Forward, class Win>
int on_Win_free(Frame frame, const Forward& forward, Win* win) {
  return record_release(CallId::Win_free, frame, &Handles::windows, key_of(handle_in<MPI_Win>(win)),
                        [&] { return forward(win); });
}
template <class Forward, class File>
int on_File_close(Frame frame, const Forward& forward, File* file) {
  return record_release(CallId::File_close, frame, &Handles::files,
                        key_of(handle_in<MPI_File>(file)), [&] { return forward(file); });
}
template <class Forward, class Comm, class Name, class Mode, class Info, class File>
int on_File_open(Frame frame, const Forward& forward, Comm comm, Name* name, Mode mode, Info info,
                 File* file) {
  return record_call(
      CallId::File_open, frame, Presence::necessary,
      [&] { return forward(comm, name, mode, info, file); },
      [&](Description& d) {
        return describe_file_open(d, as<MPI_Comm>(comm), handle_in<MPI_File>(file));
      });
}
template <class Forward, class Name, class Info>
int on_File_delete(Frame frame, const Forward& forward, Name* name, Info info) {
  return record_call(
      CallId::File_delete, frame, Presence::normal, [&] { return forward(name, info); },
      [](Description&) { return Outcome::event; });
}
template <class Forward, class File, class... Rest>
int on_File_set_view(Frame frame, const Forward& forward, File file, Rest... rest) {
  return record_call(
      CallId::File_set_view, frame, Presence::normal, [&] { return forward(file, rest...); },
      [&](Description& d) { return describe_on_file(d, as<MPI_File>(file)); });
}

}  // namespace reprise::recorder
