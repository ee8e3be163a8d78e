// SPDX-License-Identifier: MIT
#include "sim/cli/calls_text.hpp"

#include <algorithm>

#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/calls/call_reader.hpp"

namespace reprise::cli {
namespace {

using nlohmann::ordered_json;
using sim::CallPathNode;
using sim::CallProfile;
using sim::function_name;
using trace_io::CallFile;
using trace_io::CallStream;

double seconds(std::uint64_t ns) { return static_cast<double>(ns) * 1e-9; }

std::string times_text(std::uint64_t inclusive, std::uint64_t exclusive, bool is_timed) {
  return is_timed ? formatted("  %12.6f  %12.6f", seconds(inclusive), seconds(exclusive)) : "";
}

std::string head_text(bool is_timed) {
  return formatted("%14s", "calls") +
         (is_timed ? formatted("  %12s  %12s", "inclusive s", "exclusive s") : "") + "  function\n";
}

std::string rest_text(std::size_t all, std::size_t most) {
  return all > most ? "                " + grouped(all - most) + " more (--most)\n" : "";
}

ordered_json row_json(const std::string& name, std::uint64_t calls, std::uint64_t inclusive,
                      std::uint64_t exclusive, bool is_timed) {
  ordered_json row = {{"function", name}, {"calls", calls}};
  if (is_timed) {
    row["inclusive_s"] = seconds(inclusive);
    row["exclusive_s"] = seconds(exclusive);
  }
  return row;
}

// Children with most time, or most calls, first.
std::vector<std::size_t> sorted_children(const CallProfile& profile, std::size_t node) {
  std::vector<std::size_t> children;
  const auto& nodes = profile.nodes();
  for (const auto& [function, child] : nodes[node].children) children.push_back(child);
  std::stable_sort(children.begin(), children.end(), [&](std::size_t a, std::size_t b) {
    return nodes[a].inclusive_ns != nodes[b].inclusive_ns
               ? nodes[a].inclusive_ns > nodes[b].inclusive_ns
               : nodes[a].calls > nodes[b].calls;
  });
  return children;
}

// Depth first, without recursion: call paths may be long. visit(node, depth).
template <class Visit>
void walk(const CallProfile& profile, const Visit& visit) {
  std::vector<std::pair<std::size_t, std::size_t>> left = {{0, 0}};
  while (!left.empty()) {
    const auto [node, depth] = left.back();
    left.pop_back();
    if (node != 0) visit(node, depth - 1);
    const auto children = sorted_children(profile, node);
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      left.emplace_back(*child, depth + 1);
  }
}

}  // namespace

std::string streams_answer(const CallFile& file, const ChosenStreams& streams, bool as_json) {
  ordered_json rows = ordered_json::array(), losses = ordered_json::array();
  std::string text = counted(file.functions.size(), "function") + ", " +
                     counted(streams.size(), "stream") + "\n" +
                     formatted("%6s  %6s  %15s  %12s  %8s  %10s\n", "rank", "thread", "events",
                               "bytes", "ratio", "lost");
  for (const CallStream* stream : streams) {
    const double ratio = stream->bytes() == 0 ? 0
                                              : 2.0 * static_cast<double>(stream->symbols()) /
                                                    static_cast<double>(stream->bytes());
    text += formatted("%6d  %6u  %15s  %12s  %8.1f  %10s\n", stream->rank, stream->thread,
                      grouped(stream->symbols()).c_str(), grouped(stream->bytes()).c_str(), ratio,
                      grouped(stream->lost()).c_str());
    rows.push_back({{"rank", stream->rank},
                    {"thread", stream->thread},
                    {"events", stream->symbols()},
                    {"bytes", stream->bytes()},
                    {"lost", stream->lost()}});
  }
  for (const auto& loss : file.losses) {
    text +=
        "rank " + std::to_string(loss.rank) + ": " + loss.what + ": " + grouped(loss.count) + "\n";
    losses.push_back({{"rank", loss.rank}, {"what", loss.what}, {"count", loss.count}});
  }
  for (const auto& path : file.cut)
    text += path + " ends in the middle of a block: showing what comes before it\n";
  return as_json ? json_text({{"format", 1},
                              {"functions", file.functions.size()},
                              {"streams", rows},
                              {"losses", losses},
                              {"cut", file.cut}})
                 : text;
}

std::string flat_answer(const CallFile& file, const CallProfile& profile, std::size_t most,
                        bool as_json) {
  const auto rows = profile.rows();
  ordered_json list = ordered_json::array();
  std::string text = head_text(profile.is_timed());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string name = function_name(file, rows[i].function);
    if (i < most)
      text += formatted("%14s", grouped(rows[i].calls).c_str()) +
              times_text(rows[i].inclusive_ns, rows[i].exclusive_ns, profile.is_timed()) + "  " +
              name + "\n";
    list.push_back(row_json(name, rows[i].calls, rows[i].inclusive_ns, rows[i].exclusive_ns,
                            profile.is_timed()));
  }
  return as_json ? json_text({{"format", 1}, {"events", profile.events()}, {"functions", list}})
                 : text + rest_text(rows.size(), most);
}

std::string tree_answer(const CallFile& file, const CallProfile& profile, std::size_t most,
                        bool as_json) {
  ordered_json list = ordered_json::array();
  std::string text = head_text(profile.is_timed());
  std::size_t shown = 0;
  walk(profile, [&](std::size_t node, std::size_t depth) {
    const CallPathNode& path = profile.nodes()[node];
    const std::string name = function_name(file, path.function);
    if (shown++ < most)
      text += formatted("%14s", grouped(path.calls).c_str()) +
              times_text(path.inclusive_ns, path.exclusive_ns, profile.is_timed()) + "  " +
              std::string(2 * std::min<std::size_t>(depth, 40), ' ') + name + "\n";
    auto row = row_json(name, path.calls, path.inclusive_ns, path.exclusive_ns, profile.is_timed());
    row["depth"] = depth;
    list.push_back(std::move(row));
  });
  if (profile.beyond() > 0)
    text += counted(profile.beyond(), "call") +
            " on further call paths are counted with their caller's path\n";
  return as_json ? json_text({{"format", 1},
                              {"events", profile.events()},
                              {"calls_beyond", profile.beyond()},
                              {"call_paths", list}})
                 : text + rest_text(shown, most);
}

std::string places_answer(const CallFile& file, const CallProfile& profile,
                          const std::vector<std::uint32_t>& functions, std::size_t most,
                          bool as_json) {
  ordered_json list = ordered_json::array();
  std::string text = formatted("%14s  %16s  call path\n", "calls", "first at event");
  std::size_t shown = 0;
  walk(profile, [&](std::size_t node, std::size_t) {
    const CallPathNode& path = profile.nodes()[node];
    if (path.calls == 0 || !std::binary_search(functions.begin(), functions.end(), path.function))
      return;
    if (shown++ < most)
      text += formatted("%14s  %16s  ", grouped(path.calls).c_str(), grouped(path.first).c_str()) +
              profile.path_text(node) + "\n";
    auto row = row_json(function_name(file, path.function), path.calls, path.inclusive_ns,
                        path.exclusive_ns, profile.is_timed());
    row["first_event"] = path.first;
    row["call_path"] = profile.path_text(node);
    list.push_back(std::move(row));
  });
  return as_json ? json_text({{"format", 1}, {"events", profile.events()}, {"call_paths", list}})
                 : text + rest_text(shown, most);
}

std::string stream_answer(const CallFile& file, const CallStream& stream, sim::CallRange range,
                          bool as_json) {
  trace_io::CallReader reader(file, stream);
  std::vector<std::uint32_t> stack;
  ordered_json before = ordered_json::array(), list = ordered_json::array();
  std::string text = "call stack before event " + grouped(range.from) + ":";
  std::optional<std::uint64_t> start;
  for (std::uint64_t done = 0; done < range.count;) {
    const auto event = reader.next();
    if (!event) break;
    if (event->ns && !start) start = event->ns;
    const bool is_leave = event->symbol == trace_io::kLeave;
    const auto function = is_leave ? (stack.empty() ? CallFile::kUnknownFunction : stack.back())
                                   : file.function_of(stream.rank, event->symbol);
    if (reader.number() >= range.from) {
      if (done++ == 0) {
        for (const auto one : stack) {
          text += " > " + function_name(file, one);
          before.push_back(function_name(file, one));
        }
        text += "\n";
      }
      const std::size_t depth = stack.size() - (is_leave && !stack.empty() ? 1 : 0);
      const std::string name =
          is_leave && stack.empty() ? "a function entered earlier" : function_name(file, function);
      const std::string time = event->ns ? formatted("  %14.9f", seconds(*event->ns - *start)) : "";
      text += formatted("%15s", grouped(reader.number()).c_str()) + time + "  " +
              std::string(2 * std::min<std::size_t>(depth, 40), ' ') +
              (is_leave ? "leave " : "enter ") + name + "\n";
      ordered_json row = {{"event", reader.number()},
                          {"what", is_leave ? "leave" : "enter"},
                          {"function", name},
                          {"depth", depth}};
      if (event->ns) row["time_s"] = seconds(*event->ns - *start);
      list.push_back(std::move(row));
    }
    if (!is_leave)
      stack.push_back(function);
    else if (!stack.empty())
      stack.pop_back();
  }
  return as_json ? json_text({{"format", 1},
                              {"rank", stream.rank},
                              {"thread", stream.thread},
                              {"call_stack", before},
                              {"events", list}})
                 : text;
}

}  // namespace reprise::cli
