// SPDX-License-Identifier: MIT
#include "sim/export/timeline/chrome_writer.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sim/export/timeline/call_messages.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

class ChromeWriter final : public TimelineWriter, CallMessages::Listener {
 public:
  ChromeWriter(const trace_io::Trace& trace, std::string file, MessageSource source)
      : trace_(trace),
        path_(std::move(file)),
        matches_(trace),
        messages_are_told_(source == MessageSource::told),
        slices_(static_cast<std::size_t>(trace.header.ranks)) {
    out_ = std::fopen(path_.c_str(), "w");
    if (out_ == nullptr) throw RunError(path_, "could not be opened for writing");
    std::fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", out_);
    put({{"ph", "M"},
         {"name", "process_name"},
         {"pid", 0},
         {"args", {{"name", trace.header.program.empty() ? "ranks" : trace.header.program}}}});
  }
  ~ChromeWriter() override {
    if (out_ != nullptr) std::fclose(out_);
  }
  ChromeWriter(const ChromeWriter&) = delete;
  ChromeWriter& operator=(const ChromeWriter&) = delete;

  CallOrder order() const override { return CallOrder::begin; }

  void call(Rank rank, const TimedCall& call) override {
    auto& slices = slices_[static_cast<std::size_t>(rank.value)];
    if (slices.empty()) name_thread(rank);
    // Viewers take slices that touch, or have no length, for nested ones: each ends a tenth of a nanosecond before the next begins.
    const std::int64_t called = call.begin * kTenths, returned = call.end * kTenths,
                       begin = slices.empty() ? called : std::max(called, slices.back().end + 1),
                       end = std::max(returned - 1, begin + 1);
    slices.push_back({begin, end, called, returned, sends(call.procedure.kind)});
    std::string event = R"({"ph":"X","pid":0,"tid":)" + std::to_string(rank.value) +
                        ",\"ts\":" + microseconds(begin) + ",\"dur\":" + microseconds(end - begin) +
                        ",\"cat\":\"" + (call.never_ends ? "deadlock" : "MPI") +
                        "\",\"name\":" + quoted(std::string(call.procedure.name)) +
                        ",\"args\":{\"call\":" + quoted(site_text(trace_, call.site));
    if (call.never_ends) event += ",\"never_ends\":true";
    std::size_t scalar = 0;
    for (const auto& spec : trace_io::fields(call.procedure)) {
      if (spec.is_vector) break;
      const std::int64_t value = call.scalars[scalar++];
      const bool is_peer = spec.frame != trace_io::PeerFrame::not_a_peer;
      if (value < (is_peer ? trace_io::kFirstPeer : 0)) continue;
      event += ",\"" + std::string(name_of(spec.field)) +
               "\":" + std::to_string(is_peer ? value - trace_io::kFirstPeer : value);
    }
    line(event + "}}");
    if (!messages_are_told_) matches_.call(rank, call, *this);
  }

  void message(const TimedMessage& message) override { messages_.push_back(message); }

  std::uint64_t on_send() override { return 0; }
  void on_match(Rank from, Rank to, std::int64_t tag, const MessageMatches::Send& sent,
                const MessageMatches::Receive& received) override {
    messages_.push_back(
        {from, to, tag, sent.bytes, sent.begin, received.posted, received.completed});
  }

  std::string finish() override {
    std::uint64_t number = 0;
    for (const TimedMessage& message : messages_) {
      const auto begin = begin_of_flow(message.from, message.sent * kTenths),
                 end = end_of_flow(message.to, message.received * kTenths);
      if (begin < 0 || end < 0) continue;
      const auto tell = [&](const char* kind, Rank rank, std::int64_t at, const std::string& more) {
        line(std::string(R"({"ph":")") + kind + R"(","cat":"message","name":"message","id":)" +
             std::to_string(number) + ",\"pid\":0,\"tid\":" + std::to_string(rank.value) +
             ",\"ts\":" + microseconds(at) + more + "}");
      };
      tell("s", message.from, begin,
           ",\"args\":{\"bytes\":" + std::to_string(message.bytes) +
               ",\"tag\":" + std::to_string(message.tag) + "}");
      tell("f", message.to, end, ",\"bp\":\"e\"");
      ++number;
    }
    std::fputs("\n]}\n", out_);
    const bool failed = std::ferror(out_) != 0;
    if (std::fclose(std::exchange(out_, nullptr)) != 0 || failed)
      throw RunError(path_, "could not be written");
    return path_;
  }

 private:
  static constexpr std::int64_t kTenths = 10;  // of a nanosecond
  static std::string microseconds(std::int64_t tenths) {
    constexpr std::int64_t kMicrosecond = 1000 * kTenths;
    char text[32];
    std::snprintf(text, sizeof text, "%lld.%04lld", static_cast<long long>(tenths / kMicrosecond),
                  static_cast<long long>(tenths % kMicrosecond));
    return text;
  }
  static std::string quoted(const std::string& text) {
    return ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  }
  void line(const std::string& event) {
    std::fprintf(out_, "%s%s", has_events_ ? ",\n" : "", event.c_str());
    has_events_ = true;
  }
  void put(const ordered_json& event) {
    line(event.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  }
  void name_thread(Rank rank) {
    put({{"ph", "M"},
         {"name", "thread_name"},
         {"pid", 0},
         {"tid", rank.value},
         {"args", {{"name", "rank " + std::to_string(rank.value)}}}});
    put({{"ph", "M"},
         {"name", "thread_sort_index"},
         {"pid", 0},
         {"tid", rank.value},
         {"args", {{"sort_index", rank.value}}}});
  }

  static bool sends(trace_io::Kind kind) {
    using trace_io::Kind;
    return kind == Kind::send || kind == Kind::sendrecv || kind == Kind::start_send ||
           kind == Kind::start || kind == Kind::start_all;
  }
  // Flows begin in the slice of the call at that time, of several that one that sends, and end in it or, where they come between calls, in the next one; −1: there is none.
  std::int64_t begin_of_flow(Rank rank, std::int64_t time) const {
    const auto& slices = slices_[static_cast<std::size_t>(rank.value)];
    const auto next = std::ranges::upper_bound(slices, time, {}, &Slice::called);
    if (next == slices.begin()) return -1;
    auto of = std::prev(next);
    for (auto at = next; at != slices.begin() && std::prev(at)->called == time; --at)
      if (std::prev(at)->sends) of = std::prev(at);
    const Slice& slice = *of;
    return slice.returned < time ? -1 : std::clamp(time, slice.begin, slice.end);
  }
  std::int64_t end_of_flow(Rank rank, std::int64_t time) const {
    const auto& slices = slices_[static_cast<std::size_t>(rank.value)];
    const auto found = std::ranges::lower_bound(slices, time, {}, &Slice::returned);
    return found == slices.end() ? -1 : std::clamp(time, found->begin, found->end);
  }

  struct Slice {  // of a call, in tenths of a nanosecond
    std::int64_t begin = 0, end = 0, called = 0, returned = 0;
    bool sends = false;
  };

  const trace_io::Trace& trace_;
  std::string path_;
  std::FILE* out_ = nullptr;
  bool has_events_ = false;
  CallMessages matches_;
  const bool messages_are_told_;
  std::vector<std::vector<Slice>> slices_;  // by rank
  std::vector<TimedMessage> messages_;
};

}  // namespace

std::unique_ptr<TimelineWriter> chrome_writer(const trace_io::Trace& trace, const std::string& file,
                                              MessageSource source) {
  return std::make_unique<ChromeWriter>(trace, file, source);
}

}  // namespace reprise::sim
