// SPDX-License-Identifier: MIT
#include "tests/fuzz/random_call.hpp"

#include <array>

#include "trace-io/model/procedure.hpp"

namespace reprise::fuzz {
namespace {
using trace_io::Field;

template <std::size_t N>
std::string one_of(Random& random, const std::array<const char*, N>& words) {
  return words[random.below(N)];
}

std::string peer(Random& random, std::size_t ranks) {
  switch (random.below(8)) {
    case 0:
    case 1:
      return "+1";
    case 2:
      return "-1";
    case 3:
      return "^1";
    case 4:
      return one_of(random, std::array{"any", "null", "root", "none"});
    default:
      return std::to_string(random.below(ranks));
  }
}

std::string number(Random& random, Field field) {
  if (random.one_in(24)) return odd_number(random);
  switch (field) {
    case Field::comm:
      return one_of(random, std::array{"0", "0", "0", "0", "1", "2", "3"});
    case Field::new_comm:
      return one_of(random, std::array{"2", "2", "3", "4", "none"});
    case Field::tag:
    case Field::receive_tag:
      return one_of(random, std::array{"0", "0", "0", "1", "any"});
    case Field::matched_tag:
      return one_of(random, std::array{"none", "0", "1"});
    case Field::element_bytes:
      return one_of(random, std::array{"8", "1", "4", "0", "16"});
    case Field::commutes:
    case Field::in_place:
    case Field::exclusive:
    case Field::window:
    case Field::file:
    case Field::message:
      return std::to_string(random.below(2));
    case Field::assertion:
      return std::to_string(random.below(32));
    case Field::request:
      return one_of(random, std::array{"0", "0", "1", "2", "3", "-2", "-3"});
    default:  // sizes, around the limits of protocols too
      return one_of(random, std::array{"0", "1", "8", "1000", "8KiB", "65536", "65537", "1MiB"});
  }
}

std::string list(Random& random, const trace_io::FieldSpec& spec, std::size_t ranks) {
  if (random.one_in(16))
    return "[" + odd_number(random) + "*" + std::to_string(random.below(9)) + "]";
  switch (spec.field) {
    case Field::requests:
    case Field::completed:
      return one_of(random, std::array{"[0]", "[0, 1]", "[]", "[0, 1, 2]", "[1]", "[-2]",
                                       "[-2, -3]", "[0, 0]"});
    case Field::matched_peers:
      return one_of(random, std::array{"[none]", "[none, none]", "[]", "[0]", "[1, 0]", "[any]"});
    case Field::matched_tags:
      return one_of(random, std::array{"[none]", "[none, none]", "[]", "[0]", "[1, 0]"});
    case Field::sources:
    case Field::destinations:
    case Field::group:
      return one_of(random, std::array{"[]", "[0]", "[0, 1]", "[1, 0]", "[1]", "[+1]", "[-1, +1]"});
    default:  // sizes, one for each rank
      return "[" + number(random, Field::bytes) + "*" +
             std::to_string(random.one_in(4) ? random.below(6) : ranks) + "]";
  }
}

}  // namespace

std::string odd_number(Random& random) {
  return one_of(random, std::array{"-1",
                                   "-2",
                                   "-3",
                                   "0",
                                   "1",
                                   "2",
                                   "3",
                                   "7",
                                   "8",
                                   "100",
                                   "255",
                                   "256",
                                   "1000",
                                   "4095",
                                   "65535",
                                   "65536",
                                   "1048576",
                                   "2147483646",
                                   "2147483647",
                                   "2147483648",
                                   "-2147483648",
                                   "4294967295",
                                   "4294967296",
                                   "4503599627370495",
                                   "9007199254740993",
                                   "9223372036854775807"});
}

std::string random_call(Random& random, std::size_t ranks) {
  const auto known = trace_io::known_procedures();
  const trace_io::Procedure& procedure = known[random.below(known.size())];
  std::string call(procedure.name);
  const bool is_complete = !random.one_in(3);  // else what has a default is often left out
  for (const trace_io::FieldSpec& spec : trace_io::fields(procedure)) {
    const bool is_peer = spec.frame != trace_io::PeerFrame::not_a_peer;
    const bool has_default = spec.field == Field::comm || spec.field == Field::matched_peer ||
                             spec.field == Field::matched_tag ||
                             spec.field == Field::matched_peers ||
                             spec.field == Field::matched_tags || spec.field == Field::completed;
    if (has_default && (!is_complete || random.one_in(2))) continue;
    call += " " + std::string(trace_io::name_of(spec.field)) + "=" +
            (spec.is_vector ? list(random, spec, ranks)
             : is_peer      ? peer(random, ranks)
                            : number(random, spec.field));
  }
  if (random.one_in(8)) call += " polls=" + std::to_string(random.below(5));
  if (random.one_in(3)) call += " | compute " + std::to_string(random.below(1000)) + "us";
  if (random.one_in(4)) call += " | communicate " + std::to_string(random.below(1000)) + "ns";
  return call;
}

}  // namespace reprise::fuzz
