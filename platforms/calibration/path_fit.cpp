// SPDX-License-Identifier: MIT
#include "platforms/calibration/path_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "platforms/calibration/cold_fit.hpp"
#include "platforms/calibration/piecewise.hpp"

namespace reprise::platforms {
namespace {

constexpr double kLeastLatencyShare = 0.1;  // of the smallest message's time
constexpr double kSmallestFactor = 0.01;    // of the latency
constexpr double kFastest = 1e12;  // bytes per second: where a piece does not grow with size
constexpr std::uint64_t kLarge = 256 << 10;  // from here on bandwidth is what is measured

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double seconds_for(const std::vector<Piece>& pieces, Bytes bytes) {
  double per_byte = pieces.front().per_byte_s;
  for (const Piece& piece : pieces)
    if (piece.from <= bytes) per_byte = piece.per_byte_s;
  return per_byte * static_cast<double>(bytes.value);
}

class PathFitter {
 public:
  PathFitter(const Measurements& measured, MeasuredPath path, const Series& one_way,
             Bytes assumed_eager_limit)
      : measured_(measured), path_(path), one_way_(one_way) {
    fit_.source = one_way.source;
    fit_.mpi.eager_limit = assumed_eager_limit;
    for (const EagerLimit& limit : measured.eager_limits) {
      if (limit.path != path) continue;
      fit_.has_eager_limit = true;
      fit_.tells_progress = limit.tells_progress;
      fit_.mpi.eager_limit = limit.bytes;
      fit_.mpi.progress = limit.is_asynchronous ? Progress::kAsynchronous : Progress::kInCalls;
    }
  }

  PathFit fit() {
    fit_overheads();
    fit_one_way();
    fit_capacity();
    ColdFit cold = fit_cold_caches(measured_, path_, fit_.mpi.eager_limit);
    fit_.mpi.cold_caches = std::move(cold.levels);
    fit_.cold_left_out = cold.left_out;
    fit_acknowledgements();
    tell_residuals();
    return std::move(fit_);
  }

 private:
  void fit_overheads() {
    const double smallest = one_way_.samples.front().time.value;
    const Series* send = find_series(measured_, Series::What::kSendOverhead, path_);
    const Series* receive = find_series(measured_, Series::What::kRecvOverhead, path_);
    double sending = smallest / 4, receiving = smallest / 4;
    if (send != nullptr && receive != nullptr) {
      fit_.has_own_overheads = true;
      sending = send->samples.front().time.value;
      receiving = receive->samples.front().time.value;
      const double most = (1 - kLeastLatencyShare) * smallest;
      if (sending + receiving > most) {
        const double scale = most / (sending + receiving);
        sending *= scale;
        receiving *= scale;
      }
    }
    fit_.mpi.send_overhead = Seconds{sending};
    fit_.mpi.recv_overhead = Seconds{receiving};
    fit_.latency = Seconds{smallest - sending - receiving};
  }

  double overheads() const { return fit_.mpi.send_overhead.value + fit_.mpi.recv_overhead.value; }

  void fit_one_way() {
    std::vector<Sample> eager, rendezvous;
    for (const Sample& sample : one_way_.samples)
      (fit_.has_eager_limit && sample.bytes > fit_.mpi.eager_limit ? rendezvous : eager)
          .push_back(sample);
    PiecewiseBounds bounds{overheads() + kSmallestFactor * fit_.latency.value, 1 / kFastest};
    if (!eager.empty()) pieces_ = fit_pieces(eager, bounds);
    fit_.mpi.rendezvous_handshake = false;
    if (!rendezvous.empty()) {
      auto above = fit_pieces(rendezvous, bounds);
      const double step = above.front().start_s - overheads();
      if (path_ == MeasuredPath::kInterNode && step >= (3 - 0.2) * fit_.latency.value) {
        fit_.mpi.rendezvous_handshake = true;
        bounds.least_start_s += 2 * fit_.latency.value;
        above = fit_pieces(rendezvous, bounds);
      }
      above.front().from = pieces_.empty() ? Bytes{} : fit_.mpi.eager_limit + Bytes{1};
      pieces_.insert(pieces_.end(), above.begin(), above.end());
    }
    fit_.per_message = fit_.in_all = {1 / pieces_.back().per_byte_s};
    set_factors();
  }

  // Of the pieces, to the latency and to one message's bandwidth.
  void set_factors() {
    fit_.mpi.latency_factors.clear();
    fit_.mpi.bandwidth_factors.clear();
    for (const Piece& piece : pieces_) {
      const bool has_handshake = fit_.mpi.rendezvous_handshake && piece.from > fit_.mpi.eager_limit;
      const double travelling =
          piece.start_s - overheads() - (has_handshake ? 2 * fit_.latency.value : 0);
      fit_.mpi.latency_factors.push_back({piece.from, travelling / fit_.latency.value});
      fit_.mpi.bandwidth_factors.push_back(
          {piece.from, 1 / (piece.per_byte_s * fit_.per_message.value)});
    }
  }

  // What messages have together that pass each other: a share of the bandwidth that each has alone, as much less at every size, or one
  // capacity that does not depend on size. Inside a node, the latter where it is clearly what was measured.
  void fit_capacity() {
    const double alone = fit_.per_message.value;
    if (const Series* exchange = find_series(measured_, Series::What::kExchange, path_)) {
      std::vector<double> ratios;
      for (const Sample& sample : exchange->samples)
        if (sample.bytes.value >= kLarge)
          ratios.push_back(1 + (sample.time - time_of(pieces_, sample.bytes)).value /
                                   seconds_for(pieces_, sample.bytes));
      if (ratios.empty()) return;
      fit_.has_capacity = true;
      fit_.at_once = 2 * exchange->pairs;
      fit_.in_all = {fit_.at_once * alone / std::max(1.0, median(ratios))};
      if (path_ == MeasuredPath::kIntraNode) try_one_capacity(*exchange);
      return;
    }
    // The rate of all together is clear of start-ups, one message's is not: it bounds neither from above where there are many.
    if (const auto rate = rate_at_once(Series::What::kPairs, alone)) {
      fit_.in_all = {*rate};
    } else if (const auto both = rate_at_once(Series::What::kBothWays, alone)) {
      fit_.in_all = {std::min(*both, 2 * alone)};
    }
  }

  void try_one_capacity(const Series& exchange) {
    constexpr double kClearly = 0.5;
    const PathFit with_share = fit_;
    const std::vector<Piece> pieces = pieces_;
    std::optional<double> best;
    double error = kClearly * error_of_large(exchange);
    for (const Sample& candidate : exchange.samples) {
      if (candidate.bytes.value < kLarge) continue;
      const double rate = fit_.at_once * static_cast<double>(candidate.bytes.value) /
                          (candidate.time.value - overheads());
      set_capacity({rate});
      if (const double one = error_of_large(exchange); one < error) {
        error = one;
        best = rate;
      }
      fit_ = with_share;
      pieces_ = pieces;
    }
    if (best) set_capacity({*best});
  }

  // No large message is faster alone than all of them together may be.
  void set_capacity(BytesPerSecond in_all) {
    fit_.in_all = in_all;
    fit_.per_message = std::min(fit_.per_message, in_all);
    fit_.mpi.factors_apply_to = FactorsApplyTo::kMessages;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      Piece& piece = pieces_[i];
      if (piece.from.value < kLarge || piece.per_byte_s >= 1 / in_all.value) continue;
      std::vector<double> starts;
      for (const Sample& sample : one_way_.samples)
        if (sample.bytes >= piece.from &&
            (i + 1 == pieces_.size() || sample.bytes < pieces_[i + 1].from))
          starts.push_back(sample.time.value -
                           static_cast<double>(sample.bytes.value) / in_all.value);
      piece = {piece.from,
               std::max(median(starts), overheads() + kSmallestFactor * fit_.latency.value),
               1 / in_all.value};
    }
    set_factors();
  }

  // Sum of squares of ln(fitted / measured), of large messages, alone and in exchanges.
  double error_of_large(const Series& exchange) const {
    double squares = 0;
    const auto add = [&](const Sample& sample, double fitted) {
      if (sample.bytes.value >= kLarge)
        squares += std::pow(std::log(fitted / sample.time.value), 2);
    };
    for (const Sample& sample : one_way_.samples) add(sample, time_of(pieces_, sample.bytes).value);
    for (const Sample& sample : exchange.samples)
      add(sample, exchange_time(sample.bytes, exchange.pairs));
    return squares;
  }

  // Of `at_once` large messages, at least one's; nothing where they were not measured.
  std::optional<double> rate_at_once(Series::What what, double alone) {
    const Series* series = find_series(measured_, what, path_);
    if (series == nullptr) return std::nullopt;
    const unsigned at_once = what == Series::What::kBothWays ? 2 : series->pairs;
    std::vector<double> rates;
    for (const Sample& sample : series->samples)
      if (sample.bytes.value >= kLarge)
        rates.push_back(at_once * static_cast<double>(sample.bytes.value) / sample.time.value);
    if (rates.empty()) return std::nullopt;
    fit_.has_capacity = true;
    fit_.at_once = at_once;
    return std::max(median(rates), alone);
  }

  // What the model says of an exchange without acknowledgements.
  double exchange_time(Bytes bytes, unsigned pairs) const {
    if (fit_.mpi.factors_apply_to == FactorsApplyTo::kMessages) {
      const Passage passage = fit_.mpi.passage(bytes, fit_.latency, fit_.per_message);
      const double rate = std::min(fit_.per_message.value, fit_.in_all.value / (2.0 * pairs));
      return overheads() + fit_.latency.value * passage.latency_factor +
             passage.wire_bytes / std::min(passage.own_rate, rate);
    }
    const double sharing = std::max(1.0, 2.0 * pairs * fit_.per_message.value / fit_.in_all.value);
    const double shared = path_ == MeasuredPath::kInterNode
                              ? 1
                              : sharing;  // cables between nodes carry both directions
    return time_of(pieces_, bytes).value + (shared - 1) * seconds_for(pieces_, bytes);
  }

  void fit_acknowledgements() {
    const Series* exchange = find_series(measured_, Series::What::kExchange, path_);
    if (exchange == nullptr) return;
    std::vector<LevelSample> late;
    for (const Sample& sample : exchange->samples)
      if (sample.bytes.value > 0 &&
          sample.bytes.value < kLarge)  // messages without data go a shorter way
        late.push_back({sample.bytes,
                        sample.time.value - exchange_time(sample.bytes, exchange->pairs),
                        sample.time.value});
    if (late.empty()) return;
    for (Level level : fit_levels(late)) {
      level.from = std::max(level.from, late.front().bytes);
      // The model has the partner's next message wait for the acknowledgement, which must not come after it in a ping-pong.
      const double most = 0.9 * (time_of(pieces_, level.from).value - fit_.mpi.recv_overhead.value);
      const double value = std::clamp(level.value, 0.0, most);
      const double time = value > 0.02 * time_of(pieces_, level.from).value
                              ? value + fit_.mpi.recv_overhead.value
                              : 0;
      if (time > 0 || !fit_.mpi.acknowledgements.empty())
        fit_.mpi.acknowledgements.push_back({level.from, Seconds{time}});
    }
  }

  void tell_residuals() {
    Uncertainty uncertainty;
    double squares = 0;
    const auto tell = [&](const char* series, const Sample& sample, double fitted) {
      const double relative = fitted / sample.time.value - 1;
      squares += relative * relative;
      uncertainty.largest = std::max(uncertainty.largest, std::abs(relative));
      fit_.times.push_back({series, sample.bytes, sample.time, Seconds{fitted}, sample.count});
      return relative;
    };
    for (const Sample& sample : one_way_.samples)
      if (!sample.is_of_base)
        uncertainty.residuals.push_back(
            {sample.bytes, tell("one way", sample, time_of(pieces_, sample.bytes).value)});
    if (const Series* exchange = find_series(measured_, Series::What::kExchange, path_))
      for (const Sample& sample : exchange->samples) {
        const double late =
            fit_.mpi.acknowledgement(sample.bytes).value - fit_.mpi.recv_overhead.value;
        tell("exchange", sample,
             exchange_time(sample.bytes, exchange->pairs) + std::max(0.0, late));
      }
    uncertainty.typical = std::sqrt(squares / static_cast<double>(fit_.times.size()));
    fit_.mpi.uncertainty = std::move(uncertainty);
  }

  const Measurements& measured_;
  const MeasuredPath path_;
  const Series& one_way_;
  std::vector<Piece> pieces_;
  PathFit fit_;
};

}  // namespace

std::optional<PathFit> fit_path(const Measurements& measured, MeasuredPath path,
                                Bytes assumed_eager_limit) {
  const Series* one_way = find_series(measured, Series::What::kOneWay, path);
  if (one_way == nullptr) return std::nullopt;
  return PathFitter(measured, path, *one_way, assumed_eager_limit).fit();
}

std::optional<RateFit> fit_rate(const Measurements& measured, Series::What what) {
  const Series* series = find_series(measured, what, MeasuredPath::kIntraNode);
  if (series == nullptr) return std::nullopt;
  std::vector<LevelSample> rates;
  for (const Sample& sample : series->samples) {
    if (sample.bytes.value == 0 || sample.time.value <= 0) continue;
    const double rate = static_cast<double>(sample.bytes.value) / sample.time.value;
    rates.push_back({sample.bytes, rate, rate});
  }
  if (rates.empty()) return std::nullopt;
  const auto levels = fit_levels(rates);
  RateFit fit{{levels.back().value}, {}, series->source};
  if (levels.size() > 1)
    for (const Level& level : levels)
      fit.factors.push_back({level.from, level.value / fit.rate.value});
  return fit;
}

}  // namespace reprise::platforms
