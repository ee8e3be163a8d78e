// SPDX-License-Identifier: MIT
#include "sim/experiment/details/window_calls.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kShownCalls = 40;

// By rank and thread; calls of zero length are at no moment.
std::vector<RankPlace> places_of(const TimelineWindow& window) {
  const double time = window.question().from;
  std::map<std::pair<std::int32_t, std::uint32_t>, RankPlace> places;
  for (const WindowCall& call : window.calls()) {
    RankPlace& one = places[{call.rank, call.thread}];
    one.rank = Rank{call.rank};
    one.thread = call.thread;
    one.ends = std::max(one.ends, call.end);
    const bool is_there = call.begin <= time && (time < call.end || call.is_open);
    if (!is_there) continue;
    RankPlace::Call place;
    place.site = call.site;
    place.begin = call.begin;
    place.enter = call.enter;
    place.end = call.end;
    place.is_computing = time < call.enter;
    place.never_ends = call.is_open;
    place.for_so_long = time - (place.is_computing ? call.begin : call.enter);
    for (const WindowLoop& loop : window.loops(call))
      place.loops.push_back({loop.loop, loop.iteration, loop.iterations});
    one.call = std::move(place);
  }
  std::vector<RankPlace> in_order;
  for (auto& [key, place] : places) in_order.push_back(std::move(place));
  return in_order;
}

ordered_json iteration_of(const WindowCall& call) {
  return call.iteration == WindowCall::kNoIteration ? ordered_json() : ordered_json(call.iteration);
}

std::vector<std::uint64_t> inner_iterations_of(const TimelineWindow& window,
                                               const WindowCall& call) {
  std::vector<std::uint64_t> iterations;
  for (const WindowLoop& loop : window.inner_loops(call)) iterations.push_back(loop.iteration);
  return iterations;
}

std::string side_by_side(const std::vector<std::uint64_t>& iterations) {
  std::string text;
  for (const std::uint64_t one : iterations)
    text += (text.empty() ? "" : " ") + std::to_string(one);
  return text;
}

// "1/0": iteration 1 of the main loop, 0 of the one within it; empty outside of the main loop.
std::string iterations_text(const WindowCall& call, const std::vector<std::uint64_t>& inner) {
  if (call.iteration == WindowCall::kNoIteration) return "";
  std::string text = std::to_string(call.iteration);
  for (const std::uint64_t one : inner) text += "/" + std::to_string(one);
  return text;
}

// Which calls a window of time has: those that it cuts are shown whole, so that they span more than was asked for.
std::string under_way_text(const WindowQuestion& question) {
  const bool has_begin = question.from > 0, has_end = std::isfinite(question.to);
  if (question.iterations || (!has_begin && !has_end)) return "";
  const std::string begin = formatted("%.9g s", question.from),
                    end = formatted("%.9g s", question.to);
  return " under way " +
         (!has_end     ? "after " + begin
          : !has_begin ? "before " + end
                       : "between " + begin + " and " + end) +
         ", shown whole";
}

ordered_json site_of(const PathStep& step) {
  return step.site == trace_io::kNoSite ? ordered_json() : ordered_json(step.site);
}

template <class Rows, class Number>
ordered_json column(const Rows& rows, const Number& number) {
  auto column = ordered_json::array();
  for (const auto& row : rows) column.push_back(number(row));
  return column;
}

}  // namespace

WindowCalls::WindowCalls(const trace_io::Trace& its_trace, const TimelineWindow& window,
                         const CriticalPath* its_path)
    : trace(its_trace), question(window.question()), is_moment(question.is_moment()) {
  window.check();
  if (is_moment) {
    from = to = window.question().from;
    places = places_of(window);
    return;
  }
  calls = window.calls();
  for (const WindowCall& call : calls)
    inner_iterations.push_back(inner_iterations_of(window, call));
  messages = window.messages();
  from = calls.front().begin;
  for (const WindowCall& call : calls) to = std::max(to, call.end);
  if (its_path != nullptr) path = its_path->steps();
}

ordered_json WindowCalls::json() const {
  if (is_moment) return {{"at_s", from}, {"ranks", places_json(trace, places, from)}};
  ordered_json sites = ordered_json::object();
  for (const WindowCall& call : calls) {
    auto& name = sites[std::to_string(call.site)];
    if (name.is_null()) name = site_text(trace, call.site);
  }
  for (const PathStep& step : path)
    if (step.site != trace_io::kNoSite)
      sites[std::to_string(step.site)] = site_text(trace, step.site);
  return {{"from_s", from},
          {"to_s", to},
          {"sites", std::move(sites)},
          {"calls",
           {{"rank", column(calls, [](const auto& call) { return call.rank; })},
            {"thread", column(calls, [](const auto& call) { return call.thread; })},
            {"site", column(calls, [](const auto& call) { return call.site; })},
            {"begin_s", column(calls, [](const auto& call) { return call.begin; })},
            {"enter_s", column(calls, [](const auto& call) { return call.enter; })},
            {"end_s", column(calls, [](const auto& call) { return call.end; })},
            {"wait_s", column(calls, [](const auto& call) { return call.wait; })},
            {"iteration", column(calls, iteration_of)},
            {"inner_iterations", inner_iterations},
            {"never_ends", column(calls, [](const auto& call) { return call.is_open; })}}},
          {"messages",
           {{"from", column(messages, [](const auto& one) { return one.from; })},
            {"to", column(messages, [](const auto& one) { return one.to; })},
            {"tag", column(messages, [](const auto& one) { return one.tag; })},
            {"bytes", column(messages, [](const auto& one) { return one.bytes.value; })},
            {"sent_s", column(messages, [](const auto& one) { return one.sent; })},
            {"received_s", column(messages, [](const auto& one) { return one.received; })}}},
          {"path",
           {{"rank", column(path, [](const auto& step) { return step.rank; })},
            {"part", column(path, [](const auto& step) { return name_of(step.part); })},
            {"between_ranks", column(path, [](const auto& step) { return is_travel(step.part); })},
            {"site", column(path, site_of)},
            {"from_s", column(path, [](const auto& step) { return step.from; })},
            {"to_s", column(path, [](const auto& step) { return step.to; })}}}};
}

std::string WindowCalls::text() const {
  if (is_moment)
    return formatted("\nat %.9g s of the predicted run; iterations are counted from 0\n", from) +
           places_text(trace, places, from);
  const bool is_nested =
      std::ranges::any_of(inner_iterations, [](const auto& inner) { return !inner.empty(); });
  std::string text =
      "\n" + counted(calls.size(), "call") + under_way_text(question) +
      formatted(", from %.9g s to %.9g s; ", from, to) + counted(messages.size(), "message") +
      " besides those within collectives" +
      (is_nested ? "; iteration 1/0: iteration 1 of the main loop, 0 of the loop within it" : "") +
      "\n\n" +
      formatted("%6s  %13s  %13s  %13s  %11s  %9s  call\n", "rank", "computes from s",
                "called at s", "ends at s", "waits s", "iteration");
  for (std::size_t i = 0; i < std::min(calls.size(), kShownCalls); ++i) {
    const WindowCall& call = calls[i];
    const std::string iteration = iterations_text(call, inner_iterations[i]);
    text += formatted("%6d  %15.9f  %13.9f  %13.9f  %11.9f  %9s  ", call.rank, call.begin,
                      call.enter, call.end, call.wait, iteration.c_str()) +
            site_text(trace, call.site) + (call.is_open ? " (never ends: a deadlock)" : "") + "\n";
  }
  if (calls.size() > kShownCalls)
    text += "        and " + counted(calls.size() - kShownCalls, "call") +
            " more (--format csv, json, html)\n";
  return text;
}

ordered_json WindowCalls::rows() const {
  if (is_moment) return places_rows(trace, places, from);
  auto rows = ordered_json::array();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const WindowCall& call = calls[i];
    rows.push_back({{"rank", call.rank},
                    {"thread", call.thread},
                    {"call", site_text(trace, call.site)},
                    {"begin_s", call.begin},
                    {"enter_s", call.enter},
                    {"end_s", call.end},
                    {"wait_s", call.wait},
                    {"iteration", iteration_of(call)},
                    {"inner_iterations", side_by_side(inner_iterations[i])},
                    {"never_ends", call.is_open}});
  }
  return rows;
}

}  // namespace reprise::sim
