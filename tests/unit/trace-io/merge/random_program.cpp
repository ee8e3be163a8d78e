// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/merge/random_program.hpp"

#include "trace-io/model/procedure.hpp"

namespace reprise::trace_io::testing {
namespace {

class Writer {
 public:
  Writer(Random& random, std::vector<std::string>& procedures)
      : random_(random), procedures_(procedures) {}

  std::vector<Statement> body(std::size_t depth) {
    std::vector<Statement> statements(1 + random_.below(4));
    for (Statement& statement : statements) statement = one(depth);
    return statements;
  }

 private:
  Rule rule() { return {random_.below(64), random_.below(4), random_.next()}; }

  Statement one(std::size_t depth) {
    Statement statement;
    const std::size_t choice = depth == 0 ? 0 : random_.below(6);
    if (choice >= 4) {
      statement.kind = choice == 4 ? Statement::Kind::branch : Statement::Kind::loop;
      statement.control = rule();
      if (choice == 5) statement.control.amount += 1;
      statement.body = body(depth - 1);
      return statement;
    }
    // Often a place that was called before: loops are told apart by nothing but their sites.
    if (!procedures_.empty() && random_.below(4) == 0) {
      statement.place = static_cast<std::uint32_t>(random_.below(procedures_.size()));
    } else {
      statement.place = static_cast<std::uint32_t>(procedures_.size());
      const auto known = known_procedures();
      procedures_.emplace_back(random_.below(20) == 0 ? "MPI_Unheard_of"
                                                      : known[random_.below(known.size())].name);
    }
    const std::size_t fields_of_place =
        fields(procedure_named(procedures_[statement.place])).size();
    for (std::size_t i = 0; i < fields_of_place; ++i) {
      statement.rules.push_back(rule());
      statement.lengths.push_back(rule());
    }
    return statement;
  }

  Random& random_;
  std::vector<std::string>& procedures_;
};

}  // namespace

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

std::int64_t Rule::value(std::uint64_t rank, std::uint64_t time) const {
  switch (kind % 8) {
    case 0:
    case 1:
    case 2:
      return static_cast<std::int64_t>(amount);
    case 3:
      return static_cast<std::int64_t>(rank % (amount + 1));
    case 4:
      return static_cast<std::int64_t>(rank * 8 + amount);
    case 5:
      return static_cast<std::int64_t>(time % (amount + 1));
    case 6:
      return static_cast<std::int64_t>(time * amount);
    default:
      return static_cast<std::int64_t>(Random(salt + rank * 64 + time % 3).next() % (amount + 2));
  }
}

std::vector<Statement> random_program(Random& random, std::vector<std::string>& procedures) {
  constexpr std::size_t kDepth = 3;
  return Writer(random, procedures).body(kDepth);
}

}  // namespace reprise::trace_io::testing
