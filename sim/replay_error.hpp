// SPDX-License-Identifier: MIT
// Why a replay came to no end, as a type: callers decide by kind(), people read what().
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "trace-io/base/error.hpp"

namespace reprise::sim {

class ReplayError : public RunError {
 public:
  enum class Kind : std::uint8_t {
    deadlock,               // some ranks wait for what nobody will do
    collective_mismatch,    // members of a communicator disagree in operation, root or operator
    collective_incomplete,  // some members never enter a collective that others have left
    truncation,    // a message is longer than the receive that it matches (MPI_ERR_TRUNCATE)
    invalid_call,  // a call that makes no sense: a request, communicator or rank that is not there
  };

  ReplayError(Kind kind, std::string where, std::string problem, std::string hint = "")
      : RunError(std::move(where), std::move(problem), std::move(hint)), kind_(kind) {}
  Kind kind() const noexcept { return kind_; }

 private:
  Kind kind_;
};

}  // namespace reprise::sim
