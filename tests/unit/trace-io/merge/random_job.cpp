// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/merge/random_job.hpp"

#include <algorithm>

#include "tests/unit/trace-io/merge/random_program.hpp"

namespace reprise::trace_io::testing {
namespace {

struct Place {
  std::int64_t me = 0, size = 1;
};

std::int64_t peer_code(const Rule& rule, Place place, std::uint64_t rank, std::uint64_t time) {
  const std::int64_t n = place.size, amount = static_cast<std::int64_t>(rule.amount);
  const std::int64_t shift = (rule.salt & 1U) != 0 ? amount : -amount;
  const std::int64_t bordered = place.me + shift;
  switch (rule.kind % 9) {
    case 0:
    case 1:
      return kFirstPeer + ((place.me + shift) % n + n) % n;
    case 2:
      return (place.me ^ amount) < n ? kFirstPeer + (place.me ^ amount) : kProcNull;
    case 3:
      return kFirstPeer + amount % n;
    case 4:
      return kAnySource;
    case 5:
      return bordered >= 0 && bordered < n ? kFirstPeer + bordered : kProcNull;
    case 6:
      return kFirstPeer + static_cast<std::int64_t>(time) % n;
    case 7:
      return kFirstPeer + (place.me + static_cast<std::int64_t>(time)) % n;
    default:
      return kFirstPeer + static_cast<std::int64_t>(Random(rule.salt + rank).next() %
                                                    static_cast<std::uint64_t>(n));
  }
}

// Rows of a grid of that width, columns of it, and the halves as an intercommunicator.
std::vector<Communicator> communicators_of(std::int32_t rank, std::int32_t ranks,
                                           std::int32_t width) {
  Communicator row, column, halves;
  row.groups.resize(1);
  column.groups.resize(1);
  for (std::int32_t other = 0; other < ranks; ++other) {
    if (other / width == rank / width) row.groups[0].append(other);
    if (other % width == rank % width) column.groups[0].append(other);
  }
  column.copy = 1;
  // Every third rank numbers them the other way round.
  std::vector<Communicator> own =
      rank % 3 == 2 ? std::vector{column, row} : std::vector{row, column};
  if (ranks < 2) return own;
  halves.groups.resize(2);
  for (std::int32_t other = 0; other < ranks; ++other)
    halves.groups[other < ranks / 2 ? 0 : 1].append(other);
  own.push_back(halves);
  return own;
}

class Execution {
 public:
  Execution(Job& job, std::int32_t rank, Random timing) : job_(job), rank_(rank), timing_(timing) {}

  void run(const std::vector<Statement>& statements, std::uint64_t time) {
    for (const Statement& statement : statements) {
      if (job_.calls[me()].size() > kMostCalls) return;
      const std::int64_t control = statement.control.value(me(), time);
      if (statement.kind == Statement::Kind::branch && control % 2 == 0) run(statement.body, time);
      if (statement.kind == Statement::Kind::loop)
        for (std::int64_t i = 0; i < control % 6; ++i)
          run(statement.body, static_cast<std::uint64_t>(i));
      if (statement.kind == Statement::Kind::call) call(statement, time);
    }
  }

 private:
  static constexpr std::size_t kMostCalls = 300;

  std::size_t me() const { return static_cast<std::size_t>(rank_); }

  Place place_in(std::int64_t comm) const {
    if (comm <= 0) return {rank_, job_.ranks};
    if (comm == 1) return {0, 1};
    const Communicator& communicator = job_.communicators[me()][static_cast<std::size_t>(comm) - 2];
    for (std::size_t group = 0; group < communicator.groups.size(); ++group) {
      ValueSequence::Cursor members(communicator.groups[group]);
      for (std::int64_t i = 0; !members.at_end(); ++i)
        if (members.next() == rank_)
          return {i, static_cast<std::int64_t>(
                         communicator.groups[communicator.groups.size() - 1 - group].size())};
    }
    return {};
  }

  // Only receives and probes may name any source.
  static bool may_be_any(Kind kind, Field field) {
    if (field != Field::peer) return true;
    return kind == Kind::receive || kind == Kind::start_receive || kind == Kind::init_receive ||
           kind == Kind::probe || kind == Kind::matched_probe;
  }

  std::int64_t value(Kind kind, const FieldSpec& spec, const Rule& rule, Place in_comm,
                     Place in_new_comm, std::uint64_t time) {
    const std::int64_t drawn = value(spec, rule, in_comm, in_new_comm, time);
    const bool is_peer = spec.frame != PeerFrame::not_a_peer;
    return is_peer && drawn == kAnySource && !may_be_any(kind, spec.field) ? kProcNull : drawn;
  }

  std::int64_t value(const FieldSpec& spec, const Rule& rule, Place in_comm, Place in_new_comm,
                     std::uint64_t time) {
    switch (spec.frame) {
      case PeerFrame::comm:
        return peer_code(rule, in_comm, me(), time);
      case PeerFrame::new_comm:
        return peer_code(rule, in_new_comm, me(), time);
      case PeerFrame::world:
        return peer_code(rule, {rank_, job_.ranks}, me(), time);
      case PeerFrame::not_a_peer:
        break;
    }
    const std::int64_t plain = rule.value(me(), time);
    const auto known = static_cast<std::int64_t>(job_.communicators[me()].size()) + 2;
    if (spec.field == Field::comm) return plain % known;
    if (spec.field == Field::new_comm) return plain % known == 1 ? kNone : plain % known;
    return plain;
  }

  void call(const Statement& statement, std::uint64_t time) {
    const Procedure& procedure = procedure_named(job_.procedures[statement.place]);
    const auto specs = fields(procedure);
    Call call;
    call.place = statement.place;
    Place in_comm{rank_, job_.ranks}, in_new_comm = in_comm;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const Rule& rule = statement.rules[i];
      if (specs[i].is_vector) {
        auto& elements = call.vectors.emplace_back(
            static_cast<std::size_t>(statement.lengths[i].value(me(), time) % 5));
        for (std::size_t k = 0; k < elements.size(); ++k)
          elements[k] = value(procedure.kind, specs[i], rule, in_comm, in_new_comm, time + k);
        continue;
      }
      call.scalars.push_back(value(procedure.kind, specs[i], rule, in_comm, in_new_comm, time));
      if (specs[i].field == Field::comm) in_comm = place_in(call.scalars.back());
      if (specs[i].field == Field::new_comm) in_new_comm = place_in(call.scalars.back());
    }
    call.compute =
        Nanoseconds{static_cast<std::int64_t>(1000 * (1 + me() % 3) + timing_.below(20))};
    call.communicate = Nanoseconds{static_cast<std::int64_t>(timing_.below(500))};
    job_.calls[me()].push_back(std::move(call));
  }

  Job& job_;
  std::int32_t rank_;
  Random timing_;
};

}  // namespace

Job random_job(std::uint64_t seed) {
  Random random(seed);
  Job job;
  job.ranks = 1 + static_cast<std::int32_t>(random.below(16));
  job.timing = static_cast<Timing>(random.below(3));
  const auto width = 1 + static_cast<std::int32_t>(random.below(4));
  for (std::int32_t rank = 0; rank < job.ranks; ++rank)
    job.communicators.push_back(communicators_of(rank, job.ranks, width));
  const std::vector<Statement> program = random_program(random, job.procedures);
  job.calls.resize(static_cast<std::size_t>(job.ranks));
  for (std::int32_t rank = 0; rank < job.ranks; ++rank)
    Execution(job, rank, Random(random.next())).run(program, 0);
  return job;
}

}  // namespace reprise::trace_io::testing
