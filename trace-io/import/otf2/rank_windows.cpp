// SPDX-License-Identifier: MIT
// One-sided calls, as far as an archive tells them: which window, whom, how many bytes.
#include <algorithm>

#include "trace-io/import/otf2/rank_events.hpp"

namespace reprise::trace_io {
namespace {

// Numbers that tell transfers apart are counted by themselves, not with the requests of messages.
constexpr std::uint64_t kTransfers = std::uint64_t{1} << 63;

bool names_peer(const Procedure& procedure) {
  return std::ranges::any_of(fields(procedure),
                             [](const FieldSpec& spec) { return spec.field == Field::peer; });
}

}  // namespace

void Otf2RankEvents::transfer_completed(std::uint64_t matching) {
  // Blocking transfers have such records as well; only those with a request complete one.
  if (call_.region != nullptr && rank_.is_started(matching | kTransfers))
    records_.completed.push_back(matching | kTransfers);
}

bool Otf2RankEvents::describe_window(ImportedCall& call, const Procedure& row) {
  using What = CallRecords::Rma::What;
  if (row.kind < Kind::window_create || row.kind >= Kind::file_open || records_.rma.empty())
    return false;
  const CallRecords::Rma& record = records_.rma.front();
  const auto window = definitions_.windows.find(record.window);
  const Place* at = window == definitions_.windows.end() ? nullptr : place(window->second);
  if (at == nullptr) return false;
  auto slot = windows_.find(record.window);
  if (row.kind == Kind::window_create) {
    if (slot != windows_.end() || record.what != What::create) return false;
    slot = windows_.emplace(record.window, window_slots_.take()).first;
    call.scalars.assign({at->index, slot->second, 0});
    rank_.lose("sizes of windows", Severity::notice);
    return true;
  }
  if (slot == windows_.end()) return false;
  call.scalars.assign({at->index, slot->second});
  if (names_peer(row)) {
    if (record.remote >= static_cast<std::uint32_t>(at->size)) return false;
    call.scalars.push_back(kFirstPeer + static_cast<std::int64_t>(record.remote));
  }
  switch (row.kind) {
    case Kind::window_free:
      if (record.what != What::free) return false;
      window_slots_.release(static_cast<std::uint32_t>(slot->second));
      windows_.erase(slot);
      return true;
    case Kind::put:
    case Kind::get:
    case Kind::accumulate:
    case Kind::fetch:
    case Kind::start_put:
    case Kind::start_get:
    case Kind::start_accumulate:
    case Kind::start_fetch:
      call.scalars.push_back(static_cast<std::int64_t>(record.bytes));
      if (row.kind == Kind::fetch || row.kind == Kind::start_fetch)
        call.scalars.push_back(static_cast<std::int64_t>(record.bytes_back));
      if (row.kind >= Kind::start_put)
        call.scalars.push_back(rank_.start_request(record.matching | kTransfers));
      return true;
    case Kind::post:
    case Kind::access_start: {
      const auto group = definitions_.groups.find(record.group);
      if (group == definitions_.groups.end()) return false;
      call.scalars.push_back(0);
      auto& members = call.add_vector();
      const auto& communicator =
          definitions_.job.communicator(definitions_.communicators.at(window->second));
      for (const auto rank : group->second) {
        if (!communicator.has(rank)) return false;
        members.push_back(kFirstPeer + communicator.place_of(rank));
      }
      rank_.lose("assertions of synchronisations of windows", Severity::notice);
      return true;
    }
    case Kind::fence:
    case Kind::lock_all:
      call.scalars.push_back(0);
      rank_.lose("assertions of synchronisations of windows", Severity::notice);
      return true;
    case Kind::lock:
      call.scalars.insert(call.scalars.end(), {0, record.is_exclusive ? 1 : 0});
      rank_.lose("assertions of synchronisations of windows", Severity::notice);
      return true;
    default:
      return true;
  }
}

}  // namespace reprise::trace_io
