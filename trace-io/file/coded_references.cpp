// SPDX-License-Identifier: MIT
#include "trace-io/file/coded_references.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {
namespace {

std::uint64_t key(std::uint64_t kind, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
  return mixed_bits(((kind * kHashMultiplier ^ a) * kHashMultiplier + b) * kHashMultiplier ^ c);
}

}  // namespace

CallPlace place_of(const Trace& trace, SiteId site, std::uint64_t loop) {
  CallPlace place;
  place.procedure = trace.sites[site].procedure;
  place.loop = loop;
  const auto& frames = trace.call_paths[trace.sites[site].call_path].frames;
  for (std::size_t i = 0; i < std::min<std::size_t>(frames.size(), 2); ++i) {
    place.outer = key(place.outer, frames[i].module, frames[i].offset);
    if (i == 0) place.inner = place.outer;
  }
  return place;
}

template <class Coder>
std::uint64_t CodedReferences::reference(Coder& coder, Referred referred, const CallPlace& place,
                                         std::uint64_t detail,
                                         std::initializer_list<std::uint64_t> guesses,
                                         std::uint64_t number) {
  const std::uint64_t what = (detail << 8U | static_cast<std::uint64_t>(referred)) + 1;
  Stream& stream = stream_of(key(what, place.procedure));
  const auto& latest = stream.latest;
  const std::array<std::uint64_t, kPlaces> places = {
      key(8 * what, place.outer, place.procedure),
      key(8 * what + 1, place.inner, place.procedure),
      key(8 * what + 2, place.loop, place.procedure),
      key(8 * what + 3, key(latest[0], latest[1], latest[2]), place.procedure),
      key(8 * what + 4, latest[0], place.procedure),
      key(8 * what + 5, neighbours_[0], place.procedure),
      key(8 * what + 6, neighbours_[0], neighbours_[1], place.procedure)};
  const std::size_t used_places = has_neighbours_ ? kPlaces : kPlaces - kNeighbours;
  std::array<std::uint64_t, kSources> guess{};
  std::array<std::uint64_t*, kPlaces> here{};
  unsigned known = 0;  // sources that have a guess, a bit each
  for (const std::uint64_t given : guesses) {
    guess[static_cast<std::size_t>(std::popcount(known))] = given;
    known = known << 1U | 1U;
  }
  last_.make_room(used_places);
  for (std::size_t i = 0; i < used_places; ++i) {
    bool is_new = false;
    here[i] = &last_.at(places[i], is_new).number;
    guess[kGiven + i] = *here[i];
    if (!is_new) known |= 1U << (kGiven + i);
  }
  // The sources that were right most often lately come first.
  const std::size_t sources = kGiven + used_places;
  const unsigned bits_of_source = has_neighbours_ ? 4 : 3;
  const std::uint64_t last_right = stream.history & ((1U << bits_of_source) - 1),
                      last_two_right = stream.history & ((1U << 2 * bits_of_source) - 1);
  unsigned left = known;
  auto right = static_cast<unsigned>(sources);
  while (left != 0) {
    auto source = static_cast<std::size_t>(std::countr_zero(left));
    for (std::size_t i = source + 1; i < sources; ++i)
      if ((left >> i & 1U) != 0 && stream.trust[i] > stream.trust[source]) source = i;
    unsigned agree = 0;
    for (std::size_t i = 0; i < sources; ++i)
      agree |= static_cast<unsigned>(guess[i] == guess[source]) << i;
    agree &= left;
    left &= ~agree;
    const bool is_right =
        coder.decide(Coded::reference_guess,
                     {key(what, agree, known), key(what, agree, left, last_right),
                      key(what, agree, place.procedure, last_two_right),
                      key(what, source, place.inner, last_right),
                      key(what, guess[source], source, place.procedure),
                      has_neighbours_ ? key(what, guess[source], neighbours_[0], agree)
                                      : key(what, guess[source], place.outer)},
                     number == guess[source]);
    if (!is_right) continue;
    number = guess[source];
    right = static_cast<unsigned>(source);
    break;
  }
  if (right == sources)
    number = coder.number(
        Coded::reference,
        {what, key(what, place.procedure), key(what, place.inner), key(what, latest[0]),
         key(what, place.outer),
         has_neighbours_ ? key(what, neighbours_[0], place.procedure) : key(what, known)},
        number, kWholeNumber);
  for (std::size_t i = 0; i < sources; ++i) {
    if ((known >> i & 1U) == 0) continue;
    std::uint8_t& trust = stream.trust[i];
    trust = static_cast<std::uint8_t>(guess[i] == number ? trust + ((255 - trust) >> 4U)
                                                         : trust - (trust >> 4U));
  }
  stream.history = stream.history << bits_of_source | right;
  stream.latest = {number, latest[0], latest[1]};
  for (std::size_t i = 0; i < used_places; ++i) *here[i] = number;
  neighbours_ = {number, neighbours_[0]};
  return number;
}

template std::uint64_t CodedReferences::reference(ContextEncoder&, Referred, const CallPlace&,
                                                  std::uint64_t,
                                                  std::initializer_list<std::uint64_t>,
                                                  std::uint64_t);
template std::uint64_t CodedReferences::reference(ContextDecoder&, Referred, const CallPlace&,
                                                  std::uint64_t,
                                                  std::initializer_list<std::uint64_t>,
                                                  std::uint64_t);

}  // namespace reprise::trace_io
