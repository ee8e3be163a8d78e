// SPDX-License-Identifier: MIT
#include "sim/study/one_currency.hpp"

#include "platforms/costs.hpp"
#include "sim/experiment/experiment.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {

std::string one_currency(const Study& study, const StudyInputs& inputs,
                         std::span<const Point> points) {
  std::string first, first_place;
  const auto add = [&](const std::string& where, const std::string& currency) {
    if (first.empty()) {
      first = currency;
      first_place = where;
    }
    if (currency != first)
      throw InputError(where, "prices in " + currency + ", but in " + first + " at " + first_place,
                       "give all prices in one currency: there are no exchange rates");
  };
  if (study.electricity) add(study.file + " at /electricity/price", study.electricity->currency);
  for (const Point& point : points) {
    const auto* recording = inputs.recording(study, point);
    if (recording == nullptr) continue;
    const Prepared prepared = prepare(experiment_of(study, point, inputs, *recording));
    const platforms::Costs costs = platforms::read_costs(prepared.document);
    if (costs.price) add(prepared.platform.file + " at /price", costs.price->currency);
  }
  return first;
}

}  // namespace reprise::sim
