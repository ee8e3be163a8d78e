// SPDX-License-Identifier: MIT
// What reprise-probe writes (recorder/probe/measurement.hpp).
#include <array>
#include <cmath>
#include <filesystem>

#include "platforms/calibration/measurements.hpp"
#include "platforms/json/document.hpp"
#include "platforms/json/document_kind.hpp"
#include "platforms/json/object_reader.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;
using What = Series::What;

constexpr std::array<std::string_view, 12> kFileKeys{
    "format", "measured_by", "date",   "host",         "mpi_library", "ranks",
    "nodes",  "cores",       "series", "eager_limits", "references",  "not_measured"};
constexpr std::array<std::string_view, 7> kReferenceKeys{"path",   "bytes", "time_s",    "low_s",
                                                         "high_s", "share", "other_rows"};
constexpr std::array<std::string_view, 4> kLimitKeys{"path", "bytes", "is_bound",
                                                     "is_asynchronous"};
constexpr std::array<std::string_view, 5> kSeriesKeys{"what", "path", "pairs", "rows", "after_s"};
constexpr std::array<std::string_view, 5> kRowKeys{"bytes", "median_s", "low_s", "high_s",
                                                   "samples"};
constexpr std::array<std::string_view, 14> kNames{
    "pingpong",  "exchange",        "send_overhead", "recv_overhead", "cold_send",
    "cold_recv", "cold_round_trip", "cold_copy",     "copy",          "reduce",
    "barrier",   "bcast",           "allreduce",     "alltoall"};
constexpr std::array<What, 14> kWhats{What::kOneWay,        What::kExchange, What::kSendOverhead,
                                      What::kRecvOverhead,  What::kColdSend, What::kColdReceive,
                                      What::kColdRoundTrip, What::kColdCopy, What::kCopy,
                                      What::kReduce,        What::kOther,    What::kOther,
                                      What::kOther,         What::kOther};
constexpr std::array<std::string_view, 4> kPaths{"intra_node", "inter_node", "rank", "world"};
// A median that is so much above the 10 % quantile holds time slices of other processes: schedulers give them in milliseconds, and
// nothing that the probe does takes three times as long by itself.
constexpr double kSlice = 0.5e-3, kDisturbedRatio = 3;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40, kMostCount = 100'000'000;

MeasuredPath path_of(std::size_t choice) {
  return choice == 1 ? MeasuredPath::kInterNode : MeasuredPath::kIntraNode;
}

double time(ObjectReader& reader, std::string_view key) {
  const json& value = reader.any(key);
  if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0)
    reader.refuse(key, "expected a time in seconds, found " + describe_value(value));
  return value.get<double>();
}

double share(ObjectReader& reader) {
  const json& value = reader.any("share");
  if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= 1))
    reader.refuse("share", "expected a number from 0 to 1, found " + describe_value(value));
  return value.get<double>();
}

Series read_series(const json& value, JsonPlace place, const std::string& source) {
  ObjectReader reader(value, std::move(place), kSeriesKeys);
  Series series;
  const std::size_t what = reader.choice("what", kNames);
  series.what = kWhats[what];
  series.name = kNames[what];
  series.path = path_of(reader.choice("path", kPaths));
  series.pairs = static_cast<unsigned>(reader.count("pairs", 1, kMostCount));
  series.source = source;
  const bool is_cold = series.name.starts_with("cold_");
  if (is_cold) series.after = Seconds{time(reader, "after_s")};
  if (!is_cold && reader.has("after_s"))
    reader.refuse("after_s", "is not of \"" + series.name + '"');
  const json& rows = reader.list("rows", 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ObjectReader row(rows[i], reader.place().child("rows").child(i), kRowKeys);
    Sample sample{Bytes{row.count("bytes", 0, kMostBytes)}, Seconds{time(row, "median_s")}};
    const double low = time(row, "low_s"), high = time(row, "high_s");
    if (low > sample.time.value || sample.time.value > high)
      row.refuse("median_s", "is not between low_s and high_s");
    row.count("samples", 1, kMostCount);
    if (!series.samples.empty() && sample.bytes <= series.samples.back().bytes)
      row.refuse("bytes", "not above the size before it",
                 "the probe writes each size once, in ascending order");
    row.finish();
    const double median = sample.time.value;
    if (median - low > kSlice && median > kDisturbedRatio * low)
      sample = {sample.bytes, Seconds{low}, true};
    series.samples.push_back(sample);
  }
  reader.finish();
  return series;
}

void read_limits(ObjectReader& reader, const std::string& source, Measurements& measured) {
  const json& limits = reader.list("eager_limits", 0);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    ObjectReader limit(limits[i], reader.place().child("eager_limits").child(i), kLimitKeys);
    EagerLimit read{path_of(limit.choice("path", kPaths)),
                    Bytes{limit.count("bytes", 0, kMostBytes)}, limit.flag("is_asynchronous"),
                    source};
    limit.flag("is_bound");
    limit.finish();
    measured.eager_limits.push_back(std::move(read));
  }
}

void read_references(ObjectReader& reader, Measurements& measured) {
  const json& references = reader.list("references", 0);
  for (std::size_t i = 0; i < references.size(); ++i) {
    ObjectReader one(references[i], reader.place().child("references").child(i), kReferenceKeys);
    Reference read{path_of(one.choice("path", kPaths)),   Bytes{one.count("bytes", 0, kMostBytes)},
                   Seconds{time(one, "time_s")},          Seconds{time(one, "low_s")},
                   Seconds{time(one, "high_s")},          share(one),
                   one.count("other_rows", 0, kMostCount)};
    one.finish();
    if (read.least > read.usual || read.usual > read.most)
      one.refuse("time_s", "is not between low_s and high_s");
    measured.references.push_back(read);
  }
}

}  // namespace

Measurements read_probe_file(const std::string& path) {
  const Document document = load_json(path);
  refuse_other_kind(document, DocumentKind::probe);
  ObjectReader reader(document.value, {document.file, ""}, kFileKeys);
  reader.expect_format_1();
  if (const auto by = reader.text("measured_by"); by != "reprise-probe")
    reader.refuse("measured_by", "\"" + by + "\" is not the probe",
                  "measure with: mpirun -n 2 reprise-probe -o FILE");
  const std::string source = std::filesystem::path(path).filename().string() + ", " +
                             reader.text("date").substr(0, 10) + ", " + reader.text("mpi_library") +
                             " on " + reader.text("host");
  Measurements measured;
  reader.count("ranks", 2, kMostCount);
  measured.nodes = static_cast<unsigned>(reader.count("nodes", 1, kMostCount));
  measured.cores = static_cast<unsigned>(reader.count("cores", 1, kMostCount));
  if (reader.has("not_measured"))
    measured.not_measured = reader.count("not_measured", 0, kMostCount);
  if (reader.has("eager_limits")) read_limits(reader, source, measured);
  if (reader.has("references")) read_references(reader, measured);
  const json& list = reader.list("series", 1);
  for (std::size_t i = 0; i < list.size(); ++i)
    measured.series.push_back(
        read_series(list[i], reader.place().child("series").child(i), source));
  reader.finish();
  return measured;
}

const Series* find_series(const Measurements& measured, Series::What what, MeasuredPath path) {
  const Series* found = nullptr;
  for (const Series& series : measured.series)
    if (series.what == what && series.path == path &&
        (found == nullptr || series.pairs > found->pairs))
      found = &series;
  return found;
}

}  // namespace reprise::platforms
