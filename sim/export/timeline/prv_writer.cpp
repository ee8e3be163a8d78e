// SPDX-License-Identifier: MIT
#include "sim/export/timeline/prv_writer.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <unordered_map>
#include <utility>

#include "sim/export/timeline/call_messages.hpp"
#include "sim/export/timeline/call_words.hpp"
#include "sim/export/timeline/prv_labels.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/import/paraver/field_events.hpp"
#include "trace-io/import/ranks/collective_sizes.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::sim {
namespace {

using trace_io::Field;
using trace_io::kFirstPeer;
using trace_io::Kind;

class PrvWriter final : public TimelineWriter, CallMessages::Listener {
 public:
  PrvWriter(const trace_io::Trace& trace, const std::string& file, MessageSource source)
      : trace_(trace),
        numbers_(trace),
        communicators_(trace),
        labels_(trace),
        path_(file),
        matches_(trace),
        messages_are_told_(source == MessageSource::told) {
    if (!file.ends_with(".prv"))
      throw InputError(file, "is not a name for a Paraver trace",
                       "use a name that ends in .prv: -o NAME.prv");
    for (const auto& communicator : trace.communicators)
      if (communicator.groups.size() > 1)
        throw InputError(file, "a Paraver trace has no intercommunicators",
                         "export the trace as OTF2");
    out_ = std::fopen(file.c_str(), "w+");
    if (out_ == nullptr) throw RunError(file, "could not be opened for writing");
    write_header();
  }
  ~PrvWriter() override {
    if (out_ != nullptr) std::fclose(out_);
  }
  PrvWriter(const PrvWriter&) = delete;
  PrvWriter& operator=(const PrvWriter&) = delete;

  CallOrder order() const override { return CallOrder::computed_since; }

  void call(Rank rank, const TimedCall& call) override {
    give_out_before(call.computed_since);
    end_ = std::max(end_, call.end);
    begin_ = call.begin;
    put_state(rank, kRunning, call.computed_since, call.begin);
    const auto& name = trace_.procedures[trace_.sites[call.site].procedure];
    const auto [type, value] = labels_.event_of(name);
    std::string line = object(2, rank) + ":" + std::to_string(call.begin) + ":" +
                       std::to_string(type) + ":" + std::to_string(value);
    add_collective(line, rank, call);
    add_callers(line, call);
    add_fields(line, rank, call);
    if (call.never_ends) labels_.mark_deadlock();
    if (call.never_ends) line += ":" + std::to_string(PrvLabelTables::kDeadlockEvent) + ":1";
    put(call.begin, std::move(line));
    put_state(rank, state_of(call.procedure), call.begin, call.end);
    put(call.end,
        object(2, rank) + ":" + std::to_string(call.end) + ":" + std::to_string(type) + ":0");
    if (trace_io::fields(call.procedure).empty()) return;
    if (!messages_are_told_) matches_.call(rank, call, *this);
  }

  void message(const TimedMessage& message) override {
    put(message.sent, message_line(message.from.value, message.to.value, message.tag,
                                   {0, message.sent, message.sent, message.bytes},
                                   {message.posted, message.completed}));
    end_ = std::max(end_, message.completed);
  }

  // The line of a message stands where its send was: it is kept free until its receive is known.
  std::uint64_t on_send() override {
    open_.emplace(sends_, lines_.emplace(begin_, Line{"", true}));
    return sends_++;
  }
  void on_match(Rank from, Rank to, std::int64_t tag, const MessageMatches::Send& sent,
                const MessageMatches::Receive& received) override {
    const auto found = open_.find(sent.place);
    found->second->second = {message_line(from.value, to.value, tag, sent, received), false};
    open_.erase(found);
  }

  std::string finish() override {
    for (const auto& [time, line] : lines_)
      if (!line.is_open) std::fprintf(out_, "%s\n", line.text.c_str());
    std::rewind(out_);
    write_beginning();
    const bool failed = std::ferror(out_) != 0;
    if (std::fclose(std::exchange(out_, nullptr)) != 0 || failed)
      throw RunError(path_, "could not be written");
    labels_.write(path_);
    return path_;
  }

 private:
  struct Line {
    std::string text;
    bool is_open = false;  // a message whose receive is not known yet
  };

  static std::string object(int kind, Rank rank) {
    const std::string task = std::to_string(rank.value + 1);
    return std::to_string(kind) + ":" + task + ":1:" + task + ":1";
  }
  static constexpr int kRunning = 1;
  static int state_of(const trace_io::Procedure& procedure) {
    constexpr int kWaitMessage = 3, kSend = 4, kWait = 8, kIsend = 10, kIrecv = 11, kGroup = 13,
                  kOthers = 15;
    switch (procedure.kind) {
      case Kind::send:
        return kSend;
      case Kind::receive:
        return kWaitMessage;
      case Kind::start_send:
        return kIsend;
      case Kind::start_receive:
        return kIrecv;
      case Kind::wait:
      case Kind::wait_all:
        return kWait;
      case Kind::collective:
        return kGroup;
      default:
        return kOthers;
    }
  }

  // The duration has a fixed width: it is written anew at the end.
  void write_beginning() {
    std::fprintf(out_, "#Paraver (01/01/2000 at 00:00):%019lld_ns:", static_cast<long long>(end_));
  }
  void write_header() {
    write_beginning();
    const auto ranks = static_cast<std::size_t>(trace_.header.ranks);
    std::string nodes = std::to_string(std::max<std::size_t>(1, trace_.header.hosts.size())) + "(";
    std::vector<std::size_t> node_of(ranks, 1);
    std::size_t node = 0;
    for (const auto& host : trace_.header.hosts) {
      nodes += (node == 0 ? "" : ",") + std::to_string(host.ranks.size());
      ++node;
      for (const Rank rank : host.ranks.ranks())
        node_of[static_cast<std::size_t>(rank.value)] = node;
    }
    if (node == 0) nodes += std::to_string(ranks);
    std::string tasks = std::to_string(ranks) + "(";
    for (std::size_t r = 0; r < ranks; ++r)
      tasks += (r == 0 ? "1:" : ",1:") + std::to_string(node_of[r]);
    std::fprintf(out_, "%s):1:%s),%zu\n", nodes.c_str(), tasks.c_str(),
                 trace_.communicators.size() + 2);
    std::string all;
    for (std::size_t r = 0; r < ranks; ++r) all += ":" + std::to_string(r + 1);
    std::fprintf(out_, "c:1:1:%zu%s\nc:1:2:1:1\n", ranks, all.c_str());
    for (std::uint32_t d = 0; d < trace_.communicators.size(); ++d) {
      const auto size = communicators_.group_size(d, 0);
      std::fprintf(out_, "c:1:%u:%d", d + 3, size);
      for (std::int32_t m = 0; m < size; ++m)
        std::fprintf(out_, ":%d", communicators_.member(d, 0, m)->value + 1);
      std::fputc('\n', out_);
    }
  }

  // No line of an earlier time comes any more.
  void give_out_before(std::int64_t time) {
    while (!lines_.empty() && lines_.begin()->first < time && !lines_.begin()->second.is_open) {
      std::fprintf(out_, "%s\n", lines_.begin()->second.text.c_str());
      lines_.erase(lines_.begin());
    }
  }
  void put(std::int64_t time, std::string line) {
    lines_.emplace(time, Line{std::move(line), false});
  }
  void put_state(Rank rank, int state, std::int64_t begin, std::int64_t end) {
    if (state == kRunning && begin >= end) return;
    put(begin, object(1, rank) + ":" + std::to_string(begin) + ":" + std::to_string(end) + ":" +
                   std::to_string(state));
  }

  void add_collective(std::string& line, Rank rank, const TimedCall& call) {
    if (call.procedure.kind != Kind::collective && call.procedure.kind != Kind::start_collective)
      return;
    const auto place = communicators_.place(rank, call.scalars[0]);
    if (!place || call.procedure.collective >= trace_io::Collective::neighbor_allgather) return;
    const auto sums = trace_io::collective_sums(call.procedure.collective, call.scalars,
                                                call.vectors, place->size, place->local_rank,
                                                trace_io::CountedBytes::own_arguments);
    line += ":50100001:" + std::to_string(sums.sent) + ":50100002:" + std::to_string(sums.received);
    if (sums.is_root) line += ":50100003:1";
    line += ":50100004:" + std::to_string(numbers_.number(rank, call.scalars[0]) + 1);
  }
  void add_callers(std::string& line, const TimedCall& call) {
    std::int64_t level = 1;
    for (const auto& frame : trace_.call_paths[trace_.sites[call.site].call_path].frames) {
      const auto [function, place] = labels_.caller_of(frame);
      line += ":" + std::to_string(70000000 + level) + ":" + std::to_string(function) + ":" +
              std::to_string(80000000 + level) + ":" + std::to_string(place);
      if (++level > PrvLabelTables::kMostLevels) break;
    }
  }
  void add_fields(std::string& line, Rank rank, const TimedCall& call) {
    const auto add = [&](trace_io::FieldEvent kind, std::int64_t value) {
      line += ":" + std::to_string(trace_io::kFieldEvents + static_cast<std::int64_t>(kind)) + ":" +
              std::to_string(value);
    };
    if (trace_io::fields(call.procedure).empty()) return;
    add(trace_io::FieldEvent::none, 0);
    for (const CallWord& word : call_words(call, rank, numbers_))
      add(word.kind == CallWord::Kind::number    ? trace_io::FieldEvent::number
          : word.kind == CallWord::Kind::request ? trace_io::FieldEvent::request
                                                 : trace_io::FieldEvent::vector,
          word.value);
  }

  static std::string message_line(std::int32_t from, std::int32_t to, std::int64_t tag,
                                  const MessageMatches::Send& sent,
                                  const MessageMatches::Receive& received) {
    // What has come has been sent, even if the call that sends it takes longer.
    const std::int64_t left = std::min(sent.end, std::max(sent.begin, received.completed));
    return object(3, Rank{from}) + ":" + std::to_string(sent.begin) + ":" + std::to_string(left) +
           object(0, Rank{to}).substr(1) + ":" + std::to_string(received.posted) + ":" +
           std::to_string(received.completed) + ":" + std::to_string(sent.bytes) + ":" +
           std::to_string(tag);
  }

  const trace_io::Trace& trace_;
  FileCommunicators numbers_;
  trace_io::CommunicatorTable communicators_;
  PrvLabelTables labels_;
  std::string path_;
  std::FILE* out_ = nullptr;
  std::multimap<std::int64_t, Line> lines_;  // by their time, those of one time as they were put
  std::unordered_map<std::uint64_t, std::multimap<std::int64_t, Line>::iterator> open_;
  std::uint64_t sends_ = 0;
  std::int64_t begin_ = 0;  // of the call at hand
  CallMessages matches_;
  const bool messages_are_told_;
  std::int64_t end_ = 0;
};

}  // namespace

std::unique_ptr<TimelineWriter> prv_writer(const trace_io::Trace& trace, const std::string& file,
                                           MessageSource source) {
  return std::make_unique<PrvWriter>(trace, file, source);
}

}  // namespace reprise::sim
