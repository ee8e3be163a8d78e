// SPDX-License-Identifier: MIT
// Whether what a call moves fits this machine's memory, and MPI's int where it takes one: a trace of a larger machine may say more.
//
// Cost    O(fields of the call), and the entries of its lists.
#include <unistd.h>

#include <algorithm>
#include <climits>

#include "recorder/live/player.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::live {
namespace {

using trace_io::Collective;
using trace_io::Field;
using trace_io::Kind;

bool is_size(Field field) {
  return field == Field::bytes || field == Field::receive_bytes || field == Field::send_bytes ||
         field == Field::receive_bytes_per_peer || field == Field::element_bytes;
}

bool is_list_of_sizes(Field field) {
  return field == Field::send_bytes_list || field == Field::receive_bytes_list;
}

// Of how many elements a count may be: accumulates count single bytes where they are no multiples of 8.
bool counts_elements(Kind kind) {
  return kind == Kind::accumulate || kind == Kind::start_accumulate || kind == Kind::fetch ||
         kind == Kind::start_fetch;
}

}  // namespace

std::int64_t bytes_of_this_machine() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

void Player::check_sizes() const {
  const trace_io::Procedure& procedure = cursor_.procedure();
  const auto refuse = [&](const std::string& what, std::int64_t most) {
    throw InputError("rank " + std::to_string(communicators().me().value) + " in " + name(),
                     "the call has " + what + ", more than the " + std::to_string(most) +
                         " that can be replayed here",
                     "replay the trace on machines like those of the recording");
  };
  std::int64_t largest = 0;
  std::size_t scalar = 0, vector = 0;
  for (const auto& spec : fields(procedure)) {
    if (!spec.is_vector) {
      const std::int64_t value = cursor_.scalars()[scalar++];
      if (is_size(spec.field)) largest = std::max(largest, value);
      continue;
    }
    const auto values = cursor_.vector(vector++);
    if (!is_list_of_sizes(spec.field)) continue;
    std::int64_t sum = 0;  // at most 2³¹ entries below 2³¹ each
    for (const std::int64_t bytes : values) {
      if (bytes > INT_MAX) refuse(std::to_string(bytes) + " bytes for one rank", INT_MAX);
      sum += bytes;
    }
    if (const std::int64_t most = std::min<std::int64_t>(INT_MAX, settings_.most_bytes); sum > most)
      refuse(std::to_string(sum) + " bytes for all ranks", most);
  }
  std::int64_t most = settings_.most_bytes;
  if (procedure.collective != Collective::none) most /= communicators().places(field(Field::comm));
  if (counts_elements(procedure.kind))
    most = std::min<std::int64_t>(most, largest % 8 == 0 ? std::int64_t{8} * INT_MAX : INT_MAX);
  if (largest > most) refuse(std::to_string(largest) + " bytes", most);
}

}  // namespace reprise::live
