// SPDX-License-Identifier: MIT
// reprise trace messages: how long sampled messages took, by ranks, call sites and size, and how often which time.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/report/latency_picture.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/model/message_times.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using nlohmann::ordered_json;
using trace_io::LatencyStat;
using trace_io::MessageDistance;
using trace_io::MessageRow;
using trace_io::MessageTimes;

constexpr const char* kMessagesFormats = "text|csv|json|svg";
constexpr std::size_t kBarWidth = 50, kMostBars = 32;

struct Question {
  std::optional<std::int32_t> sender, receiver;
  std::string site;                                   // a part of either call site's text
  std::uint64_t least = 0, most = ~std::uint64_t{0};  // bytes
  std::size_t rows = 0;
};

std::string site_of(const trace_io::Trace& trace, std::uint32_t site) {
  return site == MessageRow::kAnySite ? "an unknown call" : site_text(trace, site);
}

// "1024-2047 B"
std::string size_text(std::uint32_t size_class) {
  if (size_class == 0) return "0 B";
  const std::uint64_t from = std::uint64_t{1} << (size_class - 1);
  return size_class == 1 ? "1 B" : std::to_string(from) + "-" + std::to_string(2 * from - 1) + " B";
}

bool is_asked_for(const trace_io::Trace& trace, const MessageRow& row, const Question& question) {
  const std::uint64_t mean = row.bytes / row.latency.count;
  return (!question.sender || row.sender == *question.sender) &&
         (!question.receiver || row.receiver == *question.receiver) && mean >= question.least &&
         mean <= question.most &&
         (question.site.empty() ||
          site_of(trace, row.send_site).find(question.site) != std::string::npos ||
          site_of(trace, row.receive_site).find(question.site) != std::string::npos);
}

std::optional<std::int32_t> rank_of(const po::variables_map& values, const char* option,
                                    const trace_io::Trace& trace) {
  if (!values.count(option)) return std::nullopt;
  return static_cast<std::int32_t>(
      whole_number(values, option, 0, static_cast<std::uint64_t>(trace.header.ranks - 1)));
}

Question question_of(const po::variables_map& values, const trace_io::Trace& trace) {
  Question question;
  question.sender = rank_of(values, "sender", trace);
  question.receiver = rank_of(values, "receiver", trace);
  if (values.count("site")) question.site = values["site"].as<std::string>();
  question.rows = whole_number(values, "most", 1, 1'000'000);
  if (!values.count("size")) return question;
  const auto text = values["size"].as<std::string>();
  const auto dots = text.find("..");
  if (dots == std::string::npos)
    throw InputError("--size", "\"" + text + "\" is not a range of sizes",
                     "write it such as 1KiB..64KiB, or 1KiB..");
  if (dots > 0) question.least = parse_bytes(text.substr(0, dots), "--size").value;
  if (dots + 2 < text.size()) question.most = parse_bytes(text.substr(dots + 2), "--size").value;
  return question;
}

double us(Nanoseconds time) { return static_cast<double>(time.value) * 1e-3; }

std::string how_chosen(const MessageTimes& times) {
  std::string text;
  switch (times.mode) {
    case trace_io::MessageMode::random:
      text = formatted("%.4g%% of them at random", 100 * static_cast<double>(times.asked) /
                                                       static_cast<double>(trace_io::kWholeShare));
      break;
    case trace_io::MessageMode::counter:
      text =
          "one in " + grouped(times.period) + " of each stream (biased: fewer from short streams)";
      break;
    case trace_io::MessageMode::timer:
      text = "the first send after " +
             to_text(Nanoseconds{static_cast<std::int64_t>(times.period)}) +
             " (biased: prefers messages that follow computing)";
      break;
  }
  if (times.kept < times.asked)
    text += formatted(
        ", reduced to %.4g%% by the memory limit",
        100 * static_cast<double>(times.kept) / static_cast<double>(trace_io::kWholeShare));
  return text;
}

std::string bars(const LatencyStat& latency) {
  // As many buckets a bar as make the bars few.
  std::uint32_t together = 1;
  const auto& all = latency.buckets;
  while ((all.back().code - all.front().code) / together + 1 > kMostBars) together *= 2;
  std::map<std::uint32_t, std::uint64_t> counts;
  for (const auto& bucket : all) counts[bucket.code / together] += bucket.count;
  std::uint64_t most = 0;
  for (const auto& [place, count] : counts) most = std::max(most, count);
  std::string text;
  for (std::uint32_t place = counts.begin()->first; place <= counts.rbegin()->first; ++place) {
    const auto found = counts.find(place);
    const std::uint64_t count = found == counts.end() ? 0 : found->second;
    text += formatted("%12.3f us %10s |",
                      static_cast<double>(trace_io::bucket_start(place * together)) * 1e-3,
                      grouped(count).c_str()) +
            std::string(static_cast<std::size_t>((count * kBarWidth + most - 1) / most), '#') +
            "\n";
  }
  return text;
}

// What was asked for, the largest rows first, and by distance.
struct Found {
  std::vector<const MessageRow*> rows;
  std::map<MessageDistance, LatencyStat> distances;
  std::map<MessageDistance, std::uint64_t> bytes;
};

Found find(const trace_io::Trace& trace, const Question& question) {
  Found found;
  for (const MessageRow& row : trace.messages->rows) {
    if (!is_asked_for(trace, row, question)) continue;
    found.rows.push_back(&row);
    found.distances[row.distance].unite(row.latency);
    found.bytes[row.distance] += row.bytes;
  }
  std::ranges::stable_sort(found.rows, std::ranges::greater{},
                           [](const MessageRow* row) { return row->latency.count; });
  return found;
}

std::string ranks_text(const MessageRow& row) {
  if (row.sender == MessageRow::kAnyRank) return "others";
  return std::to_string(row.sender) + " > " + std::to_string(row.receiver);
}

std::string as_text(const trace_io::Trace& trace, const Found& found, const Question& question) {
  const MessageTimes& times = *trace.messages;
  std::string text = "times of " + counted(times.joined, "message") + ", " + how_chosen(times) +
                     ", of " + grouped(times.messages) + " sent\n";
  if (times.chosen > times.joined)
    text += counted(times.chosen - times.joined, "message") +
            " more were selected, but their receives are unknown\n";
  if (times.clock_error.value > 0)
    text += formatted("clocks of nodes agree to %.3f us or better\n", us(times.clock_error));
  text += formatted("\n%-11s %12s  %10s %10s %10s %10s %10s\n", "distance", "messages", "least us",
                    "median us", "mean us", "99% us", "longest us");
  for (const auto& [distance, stat] : found.distances)
    text += formatted("%-11s %12s  %10.3f %10.3f %10.3f %10.3f %10.3f\n", name_of(distance),
                      grouped(stat.count).c_str(), us(stat.min), us(stat.quantile(0.5)),
                      us(stat.mean()), us(stat.quantile(0.99)), us(stat.max));
  for (const auto& [distance, stat] : found.distances)
    text += std::string("\ndistribution of times, ") + name_of(distance) + ":\n" + bars(stat);
  text += formatted("\n%13s  %17s %10s %10s %10s %10s  sent by; received by\n", "ranks", "size",
                    "messages", "least us", "median us", "mean us");
  const std::size_t shown = std::min(found.rows.size(), question.rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const MessageRow& row = *found.rows[i];
    text += formatted("%13s  %17s %10s %10.3f %10.3f %10.3f  ", ranks_text(row).c_str(),
                      size_text(row.size_class).c_str(), grouped(row.latency.count).c_str(),
                      us(row.latency.min), us(row.latency.quantile(0.5)), us(row.latency.mean())) +
            site_of(trace, row.send_site) + "; " + site_of(trace, row.receive_site) + "\n";
  }
  if (shown < found.rows.size())
    text += "and " + counted(found.rows.size() - shown, "row") + " more (--most)\n";
  return text;
}

ordered_json site_json(std::uint32_t site) {
  return site == MessageRow::kAnySite ? ordered_json() : ordered_json(site);
}
ordered_json rank_json(std::int32_t rank) {
  return rank == MessageRow::kAnyRank ? ordered_json() : ordered_json(rank);
}
double seconds(Nanoseconds time) { return time.seconds().value; }

ordered_json stat_json(const LatencyStat& stat) {
  return {{"messages", stat.count},
          {"min_s", seconds(stat.min)},
          {"median_s", seconds(stat.quantile(0.5))},
          {"mean_s", seconds(stat.mean())},
          {"p99_s", seconds(stat.quantile(0.99))},
          {"max_s", seconds(stat.max)}};
}

ordered_json rows_json(const trace_io::Trace& trace, const Found& found) {
  auto rows = ordered_json::array();
  for (const MessageRow* row : found.rows) {
    ordered_json one = {
        {"sender", rank_json(row->sender)},
        {"receiver", rank_json(row->receiver)},
        {"distance", name_of(row->distance)},
        {"least_bytes", row->size_class == 0 ? 0 : std::uint64_t{1} << (row->size_class - 1)},
        {"bytes", row->bytes}};
    one.update(stat_json(row->latency));
    one["send_call_path"] = site_json(row->send_site);
    one["receive_call_path"] = site_json(row->receive_site);
    one["sent_by"] = site_of(trace, row->send_site);
    one["received_by"] = site_of(trace, row->receive_site);
    rows.push_back(std::move(one));
  }
  return rows;
}

ordered_json frequencies_json(const LatencyStat& stat) {
  auto all = ordered_json::array();
  for (const auto& bucket : stat.buckets)
    all.push_back({{"from_s", static_cast<double>(trace_io::bucket_start(bucket.code)) * 1e-9},
                   {"to_s", static_cast<double>(trace_io::bucket_start(bucket.code + 1)) * 1e-9},
                   {"messages", bucket.count}});
  return all;
}

std::string as_json(const trace_io::Trace& trace, const Found& found) {
  const MessageTimes& times = *trace.messages;
  const auto share = [](std::uint64_t of) {
    return static_cast<double>(of) / static_cast<double>(trace_io::kWholeShare);
  };
  ordered_json answer = {{"format", 1},
                         {"mode", name_of(times.mode)},
                         {"share_asked", share(times.asked)},
                         {"share_kept", share(times.kept)},
                         {"period", times.period},
                         {"variance", times.variance},
                         {"messages_sent", times.messages},
                         {"messages_chosen", times.chosen},
                         {"messages_joined", times.joined},
                         {"clock_error_s", seconds(times.clock_error)},
                         {"distances", ordered_json::array()},
                         {"rows", rows_json(trace, found)}};
  for (const auto& [distance, stat] : found.distances) {
    ordered_json one = {{"distance", name_of(distance)}, {"bytes", found.bytes.at(distance)}};
    one.update(stat_json(stat));
    one["frequencies"] = frequencies_json(stat);
    answer["distances"].push_back(std::move(one));
  }
  return json_text(answer);
}

std::string as_svg(const Found& found) {
  std::vector<sim::report::LatencyPanel> panels;
  for (const auto& [distance, stat] : found.distances)
    panels.push_back(
        {std::string(name_of(distance)) + ": " + counted(stat.count, "message"), stat});
  return sim::report::latencies_svg(panels, "distribution of message times").written();
}

}  // namespace

int trace_messages(const Arguments& arguments) {
  Syntax syntax{"trace messages",
                "reprise trace messages FILE [OPTIONS]",
                "Shows how long sampled messages took, from the start of the send to the end "
                "of the receive: by distance, as a\ndistribution, and by ranks, call sites and "
                "size. Needs a trace recorded with --messages.",
                po::options_description("options"),
                {"FILE"}};
  syntax.options.add_options()("sender", po::value<std::string>()->value_name("RANK"),
                               "this sender only")(
      "receiver", po::value<std::string>()->value_name("RANK"), "this receiver only")(
      "site", po::value<std::string>()->value_name("TEXT"),
      "calls whose name, function, file or line contains TEXT")(
      "size", po::value<std::string>()->value_name("FROM..TO"),
      "sizes such as 1KiB..64KiB, by the mean of a row")(
      "most", po::value<std::string>()->value_name("N")->default_value("20"),
      "number of rows to show, those with most messages first");
  add_output_options(syntax.options, kMessagesFormats);
  const auto values = parse(syntax, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, syntax.verb, kMessagesFormats);
  const auto path = required(*values, syntax.verb, "FILE");
  const auto trace = trace_io::load(path);
  if (!trace.messages)
    throw InputError(path, "no message times were sampled",
                     "record the program with --messages sample:1%");
  const Question question = question_of(*values, trace);
  const Found found = find(trace, question);
  if (found.rows.empty())
    throw InputError(
        path,
        trace.messages->rows.empty() ? "no message was sampled" : "no sampled message matches",
        trace.messages->rows.empty()
            ? "sample more: --messages sample:100%"
            : "leave out --sender, --receiver, --site and --size to show all");
  if (format == "csv")
    write_output(*values, csv_text(rows_json(trace, found)));
  else if (format == "json")
    write_output(*values, as_json(trace, found));
  else if (format == "svg")
    write_output(*values, as_svg(found));
  else
    write_output(*values, as_text(trace, found, question));
  return kDone;
}

}  // namespace reprise::cli
