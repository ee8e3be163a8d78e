// SPDX-License-Identifier: MIT
// Samples of functions in the payload (FORMAT.md, section 9), for both directions: behind what else may follow the order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trace-io/file/path_ends_codec.hpp"
#include "trace-io/model/function_samples.hpp"

namespace reprise::trace_io {

template <class Io>
class FunctionSamplesCodec {
 public:
  static constexpr std::uint64_t kPart = 3;

  FunctionSamplesCodec(Io& io, InOut<Io, Trace>& trace) : io_(io), trace_(trace) {}

  void all() {
    if constexpr (Io::kReads) {
      auto samples = std::make_shared<FunctionSamples>();
      describe(*samples);
      trace_.functions = std::move(samples);
    } else {
      describe(*trace_.functions);
    }
  }

 private:
  static constexpr Column kColumn = Column::order;

  void describe(InOut<Io, FunctionSamples>& samples) {
    io_.u32(kColumn, samples.rate, "rate of sampling");
    const std::uint64_t are_precise = io_.number(kColumn, samples.are_precise ? 1 : 0);
    if constexpr (Io::kReads) {
      if (are_precise > 1)
        io_.refuse(kColumn, "kind of sampling " + std::to_string(are_precise) + " does not exist");
      samples.are_precise = are_precise == 1;
    }
    number(samples.own);
    number(samples.left_out);
    io_.each(kColumn, kColumn, samples.classes, "classes of sampled ranks",
             [&](InOut<Io, SampledRanks>& one) {
               io_.ranks(kColumn, one.ranks, trace_.header.recorded);
               paths(one.compute);
               paths(one.communicate);
             });
  }

  void paths(InOut<Io, std::vector<PathSamples>>& all) {
    std::uint64_t before = 0;
    io_.each(kColumn, kColumn, all, "sampled paths", [&](InOut<Io, PathSamples>& path) {
      describe_path_ends(io_, kColumn, trace_, path, before);
      std::uint64_t next = 0;
      io_.each(
          kColumn, kColumn, path.stacks, "sampled call paths", [&](InOut<Io, StackSamples>& one) {
            const std::uint64_t stack = next + io_.number(kColumn, std::uint64_t{one.stack} - next);
            next = stack + 1;
            if constexpr (Io::kReads) {
              if (stack >= trace_.call_paths.size())
                io_.refuse(kColumn, "a call path that does not exist, there are " +
                                        std::to_string(trace_.call_paths.size()));
              one.stack = static_cast<std::uint32_t>(stack);
            }
            number(one.count);
          });
    });
  }

  void number(InOut<Io, std::uint64_t>& value) {
    const std::uint64_t number = io_.number(kColumn, value);
    if constexpr (Io::kReads) {
      if (number >= kMostSamples)
        io_.refuse(kColumn, "more samples than a run can have: " + std::to_string(number));
      value = number;
    }
  }

  Io& io_;
  InOut<Io, Trace>& trace_;
};

}  // namespace reprise::trace_io
