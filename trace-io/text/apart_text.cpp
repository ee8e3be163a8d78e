// SPDX-License-Identifier: MIT
#include "trace-io/text/apart_text.hpp"

namespace reprise::trace_io {
namespace {

std::string time_of(Nanoseconds time) { return std::to_string(time.value) + "ns"; }

Nanoseconds read_time(Scanner& in, const char* what) {
  const bool is_negative = in.accept("-");
  const std::int64_t time = in.nanoseconds(what);
  return Nanoseconds{is_negative ? -time : time};
}

// "[0 3/12ns/50ns, 2 1/7ns/60ns]": a rank, its count and its times. "[3 2/12ns, 4 1/9ns]": an octave, its count and its time.
std::string text_of(const RankPreemptions& row) {
  return std::to_string(row.rank.value) + " " + std::to_string(row.count) + "/" +
         time_of(row.time) + "/" + time_of(row.compute);
}
std::string text_of(const PreemptionOctave& row) {
  return std::to_string(row.octave) + " " + std::to_string(row.count) + "/" + time_of(row.time);
}

template <class Row>
std::string rows_text(const std::vector<Row>& rows) {
  std::string out = "[";
  for (const Row& row : rows) out += (out.size() > 1 ? ", " : "") + text_of(row);
  return out + "]";
}

template <class Row, class Take>
std::vector<Row> read_rows(Scanner& in, const std::string& what, const Take& take) {
  std::vector<Row> rows;
  in.expect("[", "in front of counts and times");
  while (!in.accept("]")) {
    if (!rows.empty()) in.expect(",", "between two counts and times");
    Row& row = rows.emplace_back();
    constexpr std::uint64_t kMost = 0x7fffffff;
    const std::size_t at = in.position();
    const std::uint64_t number = in.unsigned_number(("a number of " + what).c_str());
    if (number > kMost) in.refuse(at, "there is no " + what + " " + std::to_string(number));
    row.count = in.unsigned_number("a count");
    in.expect("/", "between a count and its time");
    row.time = read_time(in, "a time");
    take(row, static_cast<std::int32_t>(number));
  }
  return rows;
}

OverheadCurve read_curve(Scanner& in) {
  OverheadCurve curve;
  in.expect("[", "in front of the points of a curve");
  while (!in.accept("]")) {
    if (!curve.empty()) in.expect(",", "between two points");
    OverheadPoint point;
    point.period = read_time(in, "a period");
    in.expect("/", "between a period and its overhead");
    point.overhead = read_time(in, "an overhead");
    in.expect("/", "between an overhead and its standard error");
    point.error = read_time(in, "a standard error");
    curve.push_back(point);
  }
  return curve;
}

}  // namespace

void read_apart(Scanner& in, Trace& trace) {
  ApartTime apart;
  const std::size_t at = in.position();
  const std::string_view name = in.word("what is kept apart");
  std::uint8_t what = 0;
  while (what < kTimesApart && name_of(static_cast<TimeApart>(what)) != name) ++what;
  if (what == kTimesApart)
    in.refuse(at, "nothing called \"" + std::string(name) + "\" is kept apart",
              "snapshots, calibration, folding, preemption, compensation");
  apart.what = static_cast<TimeApart>(what);
  in.expect("count", "after what is kept apart");
  apart.count = in.unsigned_number("a count");
  in.expect("time", "after the count");
  apart.time = read_time(in, "a time");
  in.expect("most", "after the time");
  apart.most.value = read_time(in, "a time");
  in.expect("@", "between the most and its rank");
  const std::size_t rank_at = in.position();
  const std::uint64_t rank = in.unsigned_number("a rank");
  if (rank >= static_cast<std::uint64_t>(trace.header.ranks))
    in.refuse(rank_at, "there is no rank " + std::to_string(rank));
  apart.most.rank = Rank{static_cast<std::int32_t>(rank)};
  trace.times_apart.push_back(apart);
}

std::string compensation_text(const Compensation& compensation) {
  std::string out = "compensation clamped " + std::to_string(compensation.clamped_count) +
                    " time " + time_of(compensation.clamped_time);
  for (std::size_t kind = 0; kind < kOverheadKinds; ++kind) {
    out += " " + std::string(name_of(static_cast<OverheadKind>(kind))) + " [";
    const char* separator = "";
    for (const OverheadPoint& point : compensation.curves[kind]) {
      out += separator + time_of(point.period) + "/" + time_of(point.overhead) + "/" +
             time_of(point.error);
      separator = ", ";
    }
    out += "]";
  }
  return out + "\n";
}

Compensation read_compensation(Scanner& in) {
  Compensation compensation;
  in.expect("clamped", "after \"compensation\"");
  compensation.clamped_count = in.unsigned_number("a count");
  in.expect("time", "after the count");
  compensation.clamped_time = read_time(in, "a time");
  for (std::size_t kind = 0; kind < kOverheadKinds; ++kind) {
    in.expect(name_of(static_cast<OverheadKind>(kind)), "in front of its curve");
    compensation.curves[kind] = read_curve(in);
  }
  return compensation;
}

std::string preemptions_text(const PreemptionRecord& record) {
  return "preempted ranks " + rows_text(record.ranks) + " octaves " + rows_text(record.durations) +
         "\n";
}

PreemptionRecord read_preemptions(Scanner& in) {
  PreemptionRecord record;
  in.expect("ranks", "after \"preempted\"");
  record.ranks =
      read_rows<RankPreemptions>(in, "rank", [&](RankPreemptions& row, std::int32_t rank) {
        row.rank = Rank{rank};
        in.expect("/", "in front of what the rank computed");
        row.compute = read_time(in, "a time");
      });
  in.expect("octaves", "after the preempted ranks");
  record.durations =
      read_rows<PreemptionOctave>(in, "octave", [](PreemptionOctave& row, std::int32_t octave) {
        row.octave = static_cast<std::uint32_t>(octave);
      });
  return record;
}

}  // namespace reprise::trace_io
