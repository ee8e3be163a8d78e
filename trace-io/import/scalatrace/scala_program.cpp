// SPDX-License-Identifier: MIT
#include "trace-io/import/scalatrace/scala_program.hpp"

#include <algorithm>

#include "trace-io/base/error.hpp"
#include "trace-io/import/scalatrace/scala_communicators.hpp"
#include "trace-io/model/procedure.hpp"
#include "trace-io/model/request_order.hpp"

namespace reprise::trace_io {
namespace {

// The values behind the first `skipped` ones.
ValueSequence tail_of(const ValueSequence& sequence, std::uint64_t skipped) {
  ValueSequence tail;
  ValueSequence::Cursor at(sequence);
  at.skip(skipped);
  while (!at.at_end()) {
    const auto run = at.run();
    tail.append_run(run.start, run.stride, run.count);
    at.skip(run.count);
  }
  return tail;
}

const std::vector<std::int32_t>* list_for(const ScalaRecord& record, ScalaField field, Rank rank) {
  const auto found = record.parameters.find(static_cast<std::int32_t>(field));
  const ScalaValues* values =
      found == record.parameters.end() ? nullptr : values_for(found->second, rank);
  return values == nullptr || values->list.empty() ? nullptr : &values->list;
}

}  // namespace

ValueSequence repeated(const ValueSequence& sequence, std::uint64_t times) {
  if (times == 0 || sequence.empty()) return {};
  if (times == 1) return sequence;
  ValueSequence all;
  if (sequence.is_constant()) {
    all.append_run(sequence.front(), 0, sequence.size() * times);
    return all;
  }
  const auto body = sequence.terms();
  std::vector<ValueSequence::Term> terms = {
      {true, 0, 0, times, static_cast<std::uint32_t>(body.size())}};
  terms.insert(terms.end(), body.begin(), body.end());
  all.append(ValueSequence::from_terms(terms));
  return all;
}

struct ScalaProgram::Snapshot {
  struct Counts {
    std::uint64_t executed, turns, unknown, ages, lengths;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> predecessors;
  };
  std::uint64_t turn = 0;
  std::vector<std::uint64_t> state{};
  std::vector<Counts> counts{};  // of the body's steps
};

ScalaProgram::ScalaProgram(const ScalaTrace& trace, Rank rank, std::uint64_t& played)
    : trace_(trace), rank_(rank), played_(played) {
  std::vector<std::uint32_t> records;
  std::vector<Loops> loops;
  for (std::uint32_t r = 0; r < trace.records.size(); ++r) {
    const ScalaRecord& record = trace.records[r];
    if (!record.ranks.contains(rank)) continue;
    if (!records.empty() && trace.records[records.back()].file != record.file)
      throw InputError(trace.place(record),
                       "rank " + std::to_string(rank.value) + " is in " +
                           trace.files[trace.records[records.back()].file] + " as well",
                       "of traces that are not merged each file has the ranks of its own");
    records.push_back(r);
    Loops around;
    for (const auto& loop : record.loops) {
      const auto* iterations = values_for(loop.iterations, rank);
      const auto* length = values_for(loop.length, rank);
      if (iterations != nullptr && length != nullptr)
        around.emplace_back(&iterations->list, length->list.front());
    }
    loops.push_back(std::move(around));
  }
  build(records, loops, 0, records.size(), 0);
  makes_.assign(steps_.size(), false);
  for (std::uint32_t s = 0; s < steps_.size(); ++s)
    if (!steps_[s].is_loop())
      makes_[s] = makes_communicators(trace_.records[steps_[s].record].procedure);
  for (std::uint32_t s = 0; s < steps_.size(); ++s)
    if (steps_[s].is_loop())
      makes_[s] = std::find(makes_.begin() + s + 1, makes_.begin() + steps_[s].end, true) !=
                  makes_.begin() + steps_[s].end;
  play(0, static_cast<std::uint32_t>(steps_.size()));
}

void ScalaProgram::refuse(const Step& step, const std::string& problem,
                          const std::string& hint) const {
  throw InputError(trace_.place(trace_.records[step.record]),
                   "rank " + std::to_string(rank_.value) + ": " + problem, hint);
}

void ScalaProgram::build(const std::vector<std::uint32_t>& records, const std::vector<Loops>& loops,
                         std::size_t begin, std::size_t end, std::size_t depth) {
  for (std::size_t at = begin; at < end;) {
    const std::size_t around = at == begin ? depth : 0;
    Step step;
    step.record = records[at];
    if (loops[at].size() <= around) {
      prepare(step);
      steps_.push_back(step);
      ++at;
      continue;
    }
    const auto [iterations, length] = loops[at][around];
    if (static_cast<std::uint64_t>(length) > end - at)
      refuse(step,
             "a loop of " + std::to_string(length) + " records, of which there are " +
                 std::to_string(end - at),
             "is the file complete?");
    step.iterations = iterations;
    const std::size_t loop = steps_.size();
    steps_.push_back(step);
    build(records, loops, at, at + static_cast<std::size_t>(length), around + 1);
    steps_[loop].end = static_cast<std::uint32_t>(steps_.size());
    at += static_cast<std::size_t>(length);
  }
}

void ScalaProgram::prepare(Step& step) const {
  const ScalaRecord& record = trace_.records[step.record];
  const auto list = [&](ScalaField field, const char* what) {
    const auto* found = list_for(record, field, rank_);
    if (found == nullptr) refuse(step, record.procedure + " without " + what);
    return found;
  };
  if (record.procedure == "MPI_Wait") {
    step.offsets = list(ScalaField::request, "a request");
  } else if (record.procedure == "MPI_Waitall") {
    step.counts = list(ScalaField::count, "a number of requests");
    const auto [least, most] = std::minmax_element(step.counts->begin(), step.counts->end());
    if (*least < 0 || *most > kRing)
      refuse(step, "waits for " + std::to_string(*least < 0 ? *least : *most) + " requests");
    if (*most > 0) step.offsets = list(ScalaField::array_of_requests, "requests");
  }
}

void ScalaProgram::count(std::uint64_t played) {
  if ((played_ += played) > kMostPlayed)
    throw InputError(trace_.files.front(),
                     "its loops go on for more than 2^27 calls without repeating themselves",
                     "a trace as irregular as that is no smaller than one of all calls");
}

void ScalaProgram::play(std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t s = begin; s < end;) {
    if (!steps_[s].is_loop()) {
      play_call(s++);
      continue;
    }
    play_loop(s);
    s = steps_[s].end;
  }
}

void ScalaProgram::play_loop(std::uint32_t loop) {
  const std::uint32_t end = steps_[loop].end;
  const auto& iterations = *steps_[loop].iterations;
  const auto turns =
      static_cast<std::uint64_t>(iterations[steps_[loop].executed % iterations.size()]);
  ++steps_[loop].executed;
  steps_[loop].turns += turns;
  count(1);
  // A few iterations are played sooner than compared.
  bool compares = turns > 3 && !makes_[loop], has_snapshot = false;
  Snapshot since;
  std::uint64_t next_snapshot = 1;
  for (std::uint64_t turn = 1; turn <= turns; ++turn) {
    play(loop + 1, end);
    if (!compares || turn == turns) continue;
    auto state = state_of(loop);
    if (has_snapshot && state == since.state) {
      const std::uint64_t period = turn - since.turn, times = (turns - turn) / period;
      multiply(loop, since, times);
      turn += times * period;
      compares = false;
    } else if (turn == next_snapshot) {
      since = snapshot_of(loop, turn, std::move(state));
      has_snapshot = true;
      next_snapshot *= 2;
    }
  }
}

std::vector<std::uint64_t> ScalaProgram::state_of(std::uint32_t loop) {
  std::vector<std::uint64_t> state = {before_};
  state.push_back(open_.size());
  for (const std::uint64_t number : open_) state.push_back(started_ - number);
  for (std::uint32_t s = loop + 1; s < steps_[loop].end; ++s) {
    const Step& step = steps_[s];
    const auto* list = step.is_loop() ? step.iterations : step.counts;
    if (list != nullptr) state.push_back(step.executed % list->size());
    if (step.offsets != nullptr) state.push_back(step.at);
  }
  count(state.size() / 16);
  return state;
}

ScalaProgram::Snapshot ScalaProgram::snapshot_of(std::uint32_t loop, std::uint64_t turn,
                                                 std::vector<std::uint64_t> state) const {
  Snapshot now{turn, std::move(state)};
  for (std::uint32_t s = loop + 1; s < steps_[loop].end; ++s) {
    const Step& step = steps_[s];
    now.counts.push_back({step.executed, step.turns, step.unknown, step.ages.size(),
                          step.lengths.size(), step.predecessors});
  }
  return now;
}

void ScalaProgram::multiply(std::uint32_t loop, const Snapshot& since, std::uint64_t times) {
  if (times == 0) return;
  for (std::uint32_t s = loop + 1; s < steps_[loop].end; ++s) {
    Step& step = steps_[s];
    const auto& then = since.counts[s - loop - 1];
    const auto grow = [&](std::uint64_t& number, std::uint64_t before) {
      const Wide grown = Wide{number} + Wide{number - before} * times;
      if (grown > kMostCalls) refuse(step, "more than 2^60 calls");
      number = static_cast<std::uint64_t>(grown);
    };
    grow(step.executed, then.executed);
    grow(step.turns, then.turns);
    grow(step.unknown, then.unknown);
    for (std::size_t p = 0; p < step.predecessors.size(); ++p)
      grow(step.predecessors[p].second,
           p < then.predecessors.size() ? then.predecessors[p].second : 0);
    if (step.ages.size() > kMostCalls / times) refuse(step, "more than 2^60 requests");
    step.ages.append(repeated(tail_of(step.ages, then.ages), times));
    step.lengths.append(repeated(tail_of(step.lengths, then.lengths), times));
  }
}

void ScalaProgram::play_call(std::uint32_t s) {
  Step& step = steps_[s];
  count(1);
  ++step.executed;
  auto found = std::find_if(step.predecessors.begin(), step.predecessors.end(),
                            [&](const auto& one) { return one.first == before_; });
  if (found == step.predecessors.end()) found = step.predecessors.insert(found, {before_, 0});
  ++found->second;
  before_ = step.record;
  if (makes_[s]) makings_.push_back(s);
  if (step.offsets != nullptr || step.counts != nullptr) return complete(step);
  const ScalaRecord& record = trace_.records[step.record];
  const Kind kind = procedure_named(record.procedure).kind;
  if (kind != Kind::start_send && kind != Kind::start_receive && kind != Kind::init_send &&
      kind != Kind::init_receive)
    return;
  // Requests of calls that are kept as time only, and persistent ones, have their places in the ring as well.
  const bool is_known =
      record.imported == record.procedure && kind != Kind::init_send && kind != Kind::init_receive;
  if (is_known) open_.push_back(started_);
  ++started_;
}

// The age of a request, which stays among those under way until all that the call names are known.
std::int64_t ScalaProgram::take_request(Step& step, std::int64_t offset,
                                        std::vector<std::uint64_t>& taken) {
  if (offset == -1) return -1;  // MPI_REQUEST_NULL
  const auto age = static_cast<std::uint64_t>(kRing - offset);
  const auto place = offset < 0 || offset >= kRing || age > started_
                         ? open_.end()
                         : std::lower_bound(open_.begin(), open_.end(), started_ - age);
  if (place == open_.end() || *place != started_ - age ||
      std::find(taken.begin(), taken.end(), *place) != taken.end()) {
    ++step.unknown;
    return -1;
  }
  taken.push_back(*place);
  return RequestOrder::kNewest - (open_.end() - place - 1);
}

void ScalaProgram::complete(Step& step) {
  const std::int64_t count =
      step.counts == nullptr ? 1 : (*step.counts)[(step.executed - 1) % step.counts->size()];
  std::vector<std::uint64_t> taken;
  std::vector<std::int64_t> ages;
  for (std::int64_t i = 0; i < count; ++i) {
    ages.push_back(take_request(step, (*step.offsets)[step.at], taken));
    step.at = (step.at + 1) % step.offsets->size();
  }
  this->count(static_cast<std::uint64_t>(count));
  if (step.counts != nullptr) {
    std::erase(ages, -1);
    std::sort(ages.begin(), ages.end());
    step.lengths.append(static_cast<std::int64_t>(ages.size()));
  }
  for (const std::int64_t age : ages) step.ages.append(age);
  std::sort(taken.begin(), taken.end());
  std::erase_if(open_, [&](std::uint64_t number) {
    return std::binary_search(taken.begin(), taken.end(), number);
  });
}

}  // namespace reprise::trace_io
