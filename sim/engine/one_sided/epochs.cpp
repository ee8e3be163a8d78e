// SPDX-License-Identifier: MIT
// Epochs of groups (post, start, complete, wait) and of locks.
#include <algorithm>
#include <utility>

#include "sim/engine/one_sided/one_sided.hpp"

namespace reprise::sim {

using trace_io::Field;

namespace {
constexpr CriticalPath::Name kCause{CriticalPath::Of::cause, 0};
}  // namespace

void OneSided::send(Message message, double at, CriticalPath::Name cause) {
  message.issued = at;
  const std::uint32_t made = messages_.take();
  messages_[made] = message;
  if (CriticalPath* const path = runtime_.path(); path != nullptr)
    path->take_over({CriticalPath::Of::notice, made}, cause);
  runtime_.post((Seconds{at} + runtime_.latency(message.from, message.to, at)).value,
                NetworkEvent::one_sided, made);
}

OneSided::Message OneSided::to(const Call& call, std::int32_t rank, Message::Kind kind) const {
  Message message;
  message.kind = kind;
  message.window = call.handle.object;
  message.generation = windows_.generation(call.handle.object);
  message.from = runtime_.actor(call.index).rank;
  message.to = rank;
  return message;
}

OneSided::Message OneSided::on_lock(const Call& call, std::int32_t target, bool exclusive,
                                    Message::Kind kind) const {
  const bool is_all = target == kEveryTarget;
  const std::int32_t me = runtime_.actor(call.index).rank;
  Message message =
      to(call, is_all ? runtime_.communicators().member(me, call.handle.view, 0) : target, kind);
  message.member = is_all ? WindowLocks::kAll : target;
  message.exclusive = exclusive;
  return message;
}

Progress OneSided::post(const Call& call) {
  const Actor& target = actor(call);
  std::vector<std::int32_t> group;
  if (!members(call, group)) return Progress::blocked;
  call.side.exposure_group = group;
  if ((call.fields.scalar(Field::assertion) & trace_io::kNoCheck) != 0) return Progress::done;
  for (const std::int32_t origin : group)
    send(to(call, origin, Message::Kind::post), target.clock, runtime_.name_of(target));
  return Progress::done;
}

Progress OneSided::start(const Call& call) {
  Actor& origin = actor(call);
  Side& side = call.side;
  if (!members(call, side.access_group)) return Progress::blocked;
  if ((call.fields.scalar(Field::assertion) & trace_io::kNoCheck) != 0) return Progress::done;
  side.missing_posts.clear();
  for (const std::int32_t target : side.access_group) {
    const auto found = std::find_if(side.posts.begin(), side.posts.end(),
                                    [&](const Post& post) { return post.from == target; });
    if (found == side.posts.end())
      side.missing_posts.push_back(target);
    else
      side.posts.erase(found);
  }
  if (side.missing_posts.empty()) return Progress::done;
  side.start_request = make_request(call, side.missing_posts.front());
  origin.awaited.push_back({side.start_request, -1});
  return runtime_.await(call.index);
}

Progress OneSided::complete_accesses(const Call& call) {
  const Actor& origin = actor(call);
  if (finish(call, kEveryTarget, true) == Progress::blocked) return Progress::blocked;
  for (const std::int32_t target : call.side.access_group)
    send(to(call, target, Message::Kind::complete), origin.clock, runtime_.name_of(origin));
  call.side.access_group.clear();
  return Progress::done;
}

// Also the Win_test that succeeded.
Progress OneSided::wait(const Call& call) {
  Actor& target = actor(call);
  Side& side = call.side;
  std::erase_if(side.exposure_group, [&](std::int32_t origin) {
    const auto found =
        std::find_if(side.completions.begin(), side.completions.end(),
                     [&](const Post& completion) { return completion.from == origin; });
    if (found == side.completions.end()) return false;
    side.completions.erase(found);
    return true;
  });
  if (side.exposure_group.empty()) return Progress::done;
  side.wait_request = make_request(call, side.exposure_group.front());
  target.awaited.push_back({side.wait_request, -1});
  return runtime_.await(call.index);
}

// A lock of every target is handed out by the first member; it excludes all exclusive locks all the same.
Progress OneSided::lock(const Call& call, std::int32_t target, bool exclusive) {
  Actor& origin = actor(call);
  if (runtime_.error()) return Progress::blocked;
  if (target == kNobody) return Progress::done;
  const bool is_checked = (call.fields.scalar(Field::assertion) & trace_io::kNoCheck) == 0;
  call.side.locks.push_back({target, exclusive, is_checked});
  if (!is_checked) return Progress::done;
  Message message = on_lock(call, target, exclusive, Message::Kind::claim);
  message.request = make_request(call, message.to);
  send(message, origin.clock, runtime_.name_of(origin));
  origin.awaited.push_back({message.request, -1});
  return runtime_.await(call.index);
}

Progress OneSided::unlock(const Call& call, std::int32_t target) {
  const Actor& origin = actor(call);
  if (runtime_.error()) return Progress::blocked;
  if (target == kNobody) return Progress::done;
  auto& locks = call.side.locks;
  const auto held = std::find_if(locks.begin(), locks.end(),
                                 [&](const Lock& lock) { return lock.target == target; });
  if (held == locks.end()) return runtime_.fail(origin, "unlocks what it has not locked");
  if (finish(call, target, true) == Progress::blocked) return Progress::blocked;
  const Lock lock = *held;
  locks.erase(held);
  if (!lock.is_checked) return Progress::done;
  send(on_lock(call, target, lock.exclusive, Message::Kind::release), origin.clock,
       runtime_.name_of(origin));
  return Progress::done;
}

// Grants travel back to those who asked.
void OneSided::grant(const std::vector<std::uint32_t>& granted) {
  const double now = runtime_.now();
  for (const std::uint32_t index : granted) {
    Message grant = messages_[index];
    messages_.give_back(index);
    grant.kind = Message::Kind::grant;
    grant.has_waited = now > grant.issued;
    std::swap(grant.from, grant.to);
    send(grant, now, kCause);
  }
}

void OneSided::complete(std::uint32_t request, double done, double partner_ready) {
  if (CriticalPath* const path = runtime_.path(); path != nullptr)
    path->take_over({CriticalPath::Of::request, request}, kCause);
  runtime_.complete(request, done, partner_ready);
}

void OneSided::on_message(std::uint32_t index) {
  Message message = messages_[index];
  const double now = runtime_.now();
  std::vector<std::uint32_t> granted;
  if (CriticalPath* const path = runtime_.path(); path != nullptr) {
    const CriticalPath::Name notice{CriticalPath::Of::notice, index};
    path->delay(notice, now, runtime_.ends(message.from, message.to));
    path->take_over(kCause, notice);
    path->drop(notice);
  }
  if (message.kind == Message::Kind::claim) {
    messages_[index].issued = now;  // from here on: when it came
    locks_[message.window].of.claim({index, message.member, message.exclusive}, granted);
    return grant(granted);
  }
  messages_.give_back(index);
  if (message.kind == Message::Kind::grant)
    return complete(
        message.request, now,
        message.has_waited ? message.issued : runtime_.requests()[message.request].posted);
  if (message.generation != windows_.generation(message.window))
    return;  // of a window that is no more
  if (message.kind == Message::Kind::release) {
    locks_[message.window].of.release(message.member, message.exclusive, granted);
    return grant(granted);
  }
  const auto slot = windows_.slot_of(message.to, message.window);
  if (!slot) return;
  Side& side = side_of(message.to, *slot);
  if (message.kind == Message::Kind::post) {
    const auto missing =
        std::find(side.missing_posts.begin(), side.missing_posts.end(), message.from);
    if (side.start_request == kNothing || missing == side.missing_posts.end()) {
      side.posts.push_back({message.from, message.issued});
      return;
    }
    side.missing_posts.erase(missing);
    if (!side.missing_posts.empty()) {
      runtime_.requests()[side.start_request].peer = side.missing_posts.front();
      return;
    }
    complete(std::exchange(side.start_request, kNothing), now, message.issued);
    return;
  }
  const auto expected =
      std::find(side.exposure_group.begin(), side.exposure_group.end(), message.from);
  if (side.wait_request == kNothing || expected == side.exposure_group.end()) {
    side.completions.push_back({message.from, message.issued});
    return;
  }
  side.exposure_group.erase(expected);
  if (!side.exposure_group.empty()) {
    runtime_.requests()[side.wait_request].peer = side.exposure_group.front();
    return;
  }
  complete(std::exchange(side.wait_request, kNothing), now, message.issued);
}

}  // namespace reprise::sim
