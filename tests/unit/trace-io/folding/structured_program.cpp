// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/folding/structured_program.hpp"

#include <memory>
#include <vector>

namespace reprise::trace_io::testing {
namespace {

enum class Statement { call, loop, branch, breaking, noise };
enum class Count { fixed, random, growing, often_zero };

struct Code {
  Statement statement = Statement::call;
  Count count = Count::fixed;
  SiteId site = 0;
  bool irregular = false;    // calls: the fields change from call to call
  std::uint64_t number = 0;  // loops: iterations; branch, break: taken one time in `number`
  std::vector<Code> body, other;
};

class Writer {
 public:
  Writer(std::uint64_t seed, std::size_t limit)
      : random_(seed), limit_(limit), alphabet_(1 + below(12)) {}

  StructuredRun run() {
    const auto program = write_body(0);
    // Again and again, as a program with a time step; one that never communicates ends at once.
    for (std::size_t before = ~std::size_t{0}; before != stream_.size() && !full();) {
      before = stream_.size();
      execute(program);
    }
    return {std::move(stream_), alphabet_ + 1};
  }

 private:
  std::uint32_t below(std::uint64_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  std::vector<Code> write_body(int depth) {
    std::vector<Code> body(1 + below(5));
    for (Code& code : body) code = write(depth);
    return body;
  }

  Code write(int depth) {
    Code code;
    code.site = below(alphabet_ + 1);
    code.irregular = below(4) == 0;
    code.number = 1 + below(6);
    code.count = static_cast<Count>(below(4));
    const auto kind = below(12);
    if (depth < 4 && kind >= 6) {
      code.statement = kind < 9    ? Statement::loop
                       : kind < 11 ? Statement::branch
                                   : Statement::noise;
      code.body = write_body(depth + 1);
      code.other = write_body(depth + 1);
    } else if (kind == 5) {
      code.statement = Statement::breaking;
    }
    return code;
  }

  bool full() const { return stream_.size() >= limit_; }

  // Returns whether a break is under way.
  bool execute(const std::vector<Code>& body) {
    for (const Code& code : body) {
      if (full()) return true;
      switch (code.statement) {
        case Statement::call:
          stream_.push_back(event_at(code.site, code.irregular ? random_() : 0));
          break;
        case Statement::breaking:
          if (below(code.number + 1) == 0) return true;
          break;
        case Statement::branch:
          if (execute(below(code.number) == 0 ? code.body : code.other)) return true;
          break;
        case Statement::noise:
          stream_.push_back(event_at(below(alphabet_ + 1), random_()));
          break;
        case Statement::loop:
          for (auto left = iterations(code); left > 0 && !full(); --left)
            if (execute(code.body)) break;
          break;
      }
    }
    return false;
  }

  std::uint64_t iterations(const Code& code) {
    switch (code.count) {
      case Count::fixed:
        return code.number * 2;
      case Count::random:
        return below(code.number * 3);
      case Count::growing:
        return code.number + (growth_++ % 7);
      case Count::often_zero:
        return below(3) == 0 ? code.number : 0;
    }
    return 0;
  }

  std::mt19937_64 random_;
  std::size_t limit_;
  std::uint32_t alphabet_;
  std::uint64_t growth_ = 0;
  Stream stream_;
};

}  // namespace

StructuredRun run_of_random_program(std::uint64_t seed, std::size_t limit) {
  return Writer(seed, limit).run();
}

}  // namespace reprise::trace_io::testing
