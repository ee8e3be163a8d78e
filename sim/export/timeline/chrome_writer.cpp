// SPDX-License-Identifier: MIT
#include "sim/export/timeline/chrome_writer.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sim/export/timeline/call_messages.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

class Writer final : public TimelineWriter, CallMessages::Listener {
 public:
  Writer(const trace_io::Trace& trace, std::string file, MessageSource source)
      : trace_(trace),
        path_(std::move(file)),
        matches_(trace),
        messages_are_told_(source == MessageSource::told),
        stretches_(static_cast<std::size_t>(trace.header.ranks)) {
    out_ = std::fopen(path_.c_str(), "w");
    if (out_ == nullptr) throw RunError(path_, "could not be opened for writing");
    std::fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", out_);
    put({{"ph", "M"},
         {"name", "process_name"},
         {"pid", 0},
         {"args", {{"name", trace.header.program.empty() ? "ranks" : trace.header.program}}}});
  }
  ~Writer() override {
    if (out_ != nullptr) std::fclose(out_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  bool needs_order() const override { return true; }

  void call(Rank rank, const TimedCall& call) override {
    auto& stretches = stretches_[static_cast<std::size_t>(rank.value)];
    if (stretches.empty()) name_thread(rank);
    stretches.emplace_back(call.begin, call.end);
    std::string event = R"({"ph":"X","pid":0,"tid":)" + std::to_string(rank.value) +
                        ",\"ts\":" + microseconds(call.begin) +
                        ",\"dur\":" + microseconds(call.end - call.begin) + ",\"cat\":\"" +
                        (call.never_ends ? "deadlock" : "MPI") +
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
      const auto begin = place_in(message.from, message.sent, false),
                 end = place_in(message.to, message.received, true);
      if (begin < 0 || end < 0) continue;
      const auto end_of_flow = [&](const char* kind, Rank rank, std::int64_t at,
                                   const std::string& more) {
        line(std::string(R"({"ph":")") + kind + R"(","cat":"message","name":"message","id":)" +
             std::to_string(number) + ",\"pid\":0,\"tid\":" + std::to_string(rank.value) +
             ",\"ts\":" + microseconds(at) + more + "}");
      };
      end_of_flow("s", message.from, begin,
                  ",\"args\":{\"bytes\":" + std::to_string(message.bytes) +
                      ",\"tag\":" + std::to_string(message.tag) + "}");
      end_of_flow("f", message.to, end, ",\"bp\":\"e\"");
      ++number;
    }
    std::fputs("\n]}\n", out_);
    const bool failed = std::ferror(out_) != 0;
    if (std::fclose(std::exchange(out_, nullptr)) != 0 || failed)
      throw RunError(path_, "could not be written");
    return path_;
  }

 private:
  static std::string microseconds(std::int64_t ns) {
    char text[32];
    std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(ns / 1000),
                  static_cast<long long>(ns % 1000));
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

  // Flows begin and end inside slices: that of the call at the time, or, for what comes between calls, of the next one; −1: there is none.
  std::int64_t place_in(Rank rank, std::int64_t time, bool or_next) const {
    const auto& stretches = stretches_[static_cast<std::size_t>(rank.value)];
    const auto found = std::ranges::lower_bound(
        stretches, time, {},
        [](const std::pair<std::int64_t, std::int64_t>& one) { return one.second; });
    if (found == stretches.end() || (!or_next && found->first > time)) return -1;
    return std::clamp(time, found->first, std::max(found->first, found->second - 1));
  }

  const trace_io::Trace& trace_;
  std::string path_;
  std::FILE* out_ = nullptr;
  bool has_events_ = false;
  CallMessages matches_;
  const bool messages_are_told_;
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> stretches_;  // of calls, by rank
  std::vector<TimedMessage> messages_;
};

}  // namespace

std::unique_ptr<TimelineWriter> chrome_writer(const trace_io::Trace& trace, const std::string& file,
                                              MessageSource source) {
  return std::make_unique<Writer>(trace, file, source);
}

}  // namespace reprise::sim
