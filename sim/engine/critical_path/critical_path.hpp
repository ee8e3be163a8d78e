// SPDX-License-Identifier: MIT
// What the predicted time consists of: the longest path through the run, found in one pass while it is simulated.
//
// Model     every event's time is the maximum over its predecessors, plus an increment. What each time consists of is carried with it,
//           as a path in a tree (path_tree.hpp); the winner of a maximum hands its path on, at one moment the one that is there already.
//           The vector at the end adds up to the predicted time.
// Slopes    what each time grows by with each parameter goes along (slopes.hpp): what the path spends on the parameter, since a small
//           change moves the time by it (as in LLAMP, Shen et al., SC 2024, by linear programming), and, of messages that share
//           links, what the others' times are worth (flow_slopes.hpp).
// Holders   whatever has a time to hand on: actors, requests, messages, collectives under way … A holder's vector adds up to its time
//           by construction: advance() puts down what has passed since.
// Tied      two predecessors at one moment whose slopes differ: there the time has a kink, and the slopes are taken halfway.
// Jumps     of fast-forward are the same for all ranks: what they consist of is kept once, beside the tree (loop_paths.hpp).
// Cost      where somebody asks: some 100 ns a message, 180 bytes for each actor, request and message, and the tree. Else nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "platforms/platform.hpp"
#include "platforms/routes.hpp"
#include "sim/engine/critical_path/flow_slopes.hpp"
#include "sim/engine/critical_path/held_back.hpp"
#include "sim/engine/critical_path/path_parts.hpp"
#include "sim/engine/critical_path/path_tree.hpp"
#include "sim/engine/critical_path/slopes.hpp"
#include "sim/network/link_conditions.hpp"
#include "sim/network/network.hpp"
#include "sim/network/route_cache.hpp"

namespace reprise::sim {

class CriticalPath final : FlowObserver {
 public:
  enum class Of : std::uint8_t {
    actor,
    request,
    message,    // of point-to-point and collectives
    run,        // a collective under way
    operation,  // one-sided
    notice,     // a message of a window's synchronisation
    access,     // to a file
    cause,      // scratch: what is being handled
  };
  struct Name {
    Of of = Of::actor;
    std::uint32_t index = 0;
  };
  struct Ends {
    platforms::NodeIndex from = 0, to = 0;
  };

  // What is kept of paths beside the slopes: the parts and the map; who computed, for delays (delays.cpp).
  struct Kept {
    bool parts = true, delays = false;
    bool anything() const { return parts || delays; }
  };
  explicit CriticalPath(Kept kept) : kept_(kept) {}
  const Kept& kept() const { return kept_; }

  // RANKS: of the actors. NETWORK: whose messages have their events' numbers; with these CHANGES of links.
  void begin(const platforms::Platform&, const std::vector<std::int32_t>& ranks, Network& network,
             std::span<const LinkChange> changes);

  // The actor comes to a call, having SKIPPED seconds by jumps.
  void at_call(std::uint32_t actor, trace_io::SiteId site, double skipped);
  // TO has the path of FROM, its time included.
  void take_over(Name to, Name from);
  // The same where FROM, at DONE, is later than TO, which is at CLOCK. Notes a tie.
  void await(Name to, double clock, Name from, double done);
  // Nothing refers to it any more.
  void drop(Name name);
  // Time has gone on to TO, spent on PART.
  void advance(Name name, double to, PathPart part, std::uint16_t where = 0);
  // A part of it was spent on FIRST, the rest on SECOND.
  void advance(Name name, double to, PathPart first, double seconds, PathPart second,
               std::uint16_t where = 0);
  // … on the latency of a route: of a message's head of so many bytes; of a handshake.
  void head(Name name, double to, Ends, Bytes);
  void delay(Name name, double to, Ends, PathPart part = PathPart::latency);
  // … on the body of a message whose head is there; on all of it.
  void body(Name name, double to, Ends, Bytes);
  void travel(Name name, double to, Ends, Bytes);

  // From now on steps of which a part lies between these times are kept; of a message that is under way at the end all of them.
  void keep_steps(double from, double to) {
    steps_from_ = from;
    steps_to_ = to;
  }
  // Those kept of the path to the last rank's last event, in their order.
  std::vector<PathStep> steps() const;
  std::size_t kept_steps() const { return tree_.step_count(); }
  // Who has computed more on the way to CAUSE than was on the way to WAITER, since where both parted: by rank and site, seconds that add up
  // to at most SECONDS, which the waiter waits. REQUIRES: delays are kept.
  struct Delayer {
    PathDelay by;
    double seconds = 0;
  };
  void find_delayers(Name waiter, Name cause, double seconds, std::vector<Delayer>& found) {
    find_delayers(at(waiter).place, at(cause).place, seconds, found);
  }
  void find_delayers(PathTree::Place waiter, PathTree::Place cause, double seconds,
                     std::vector<Delayer>& found);
  // Where its path ends now, kept until it is released. REQUIRES: paths are kept, or it is nowhere.
  PathTree::Place hold(Name name) {
    const PathTree::Place place = at(name).place;
    return place == PathTree::kNowhere ? place : tree_.hold(place);
  }
  void release(PathTree::Place place) {
    if (place != PathTree::kNowhere) tree_.release(place);
  }

  // loop_paths.hpp
  enum class Mark : std::uint8_t { entered, begun };  // of a loop; of a watched period
  // The actor is there: paths that lead on from here have the number that is returned. 0: none.
  std::uint32_t mark(std::uint32_t actor, Mark mark) {
    return actors_[actor].marks[static_cast<std::size_t>(mark)] = ++marks_;
  }
  std::uint32_t marked(std::uint32_t actor, Mark mark) const {
    return actors_[actor].marks[static_cast<std::size_t>(mark)];
  }
  PathTree& tree() { return tree_; }
  PathTree::Place place(std::uint32_t actor) const { return actors_[actor].place; }
  double time(std::uint32_t actor) const { return actors_[actor].time + actors_[actor].shift; }
  const Slopes& slopes(std::uint32_t actor) const { return actors_[actor].slopes; }
  // All ranks have jumped SPAN seconds at FROM, which consist of what WAY does and grow as SLOPES do.
  void jump(PathVector way, const Slopes& slopes, double from, double span);

  // The path to the last rank's last event.
  struct Result {
    std::int32_t rank = 0;
    double time = 0;
    Slopes slopes;
    std::vector<PathVector::Entry> entries;  // parts, then cells, by key
    double bin = 0;                          // seconds of a cell
    std::uint32_t rows = 0, bins = 0;
    std::vector<std::int32_t> first_ranks;  // of the rows, and at the end the number of ranks
  };
  Result result() const;
  // Whether any time at all, on the path or not, was spent on it.
  bool has_spent_on(Parameter parameter) const {
    return spent_[static_cast<std::size_t>(parameter)];
  }
  const platforms::RouteTable& routes() const { return *routes_; }
  // What PathKey::where says of a message: a class of links; and which of them, where it has a bandwidth of its own.
  std::uint32_t link_class_at(std::uint16_t where) const;
  std::optional<platforms::LinkIndex> link_at(std::uint16_t where) const;
  std::size_t places() const { return tree_.size(); }

 private:
  struct Holder {
    PathTree::Place place = PathTree::kNowhere;
    trace_io::SiteId site = trace_io::kNoSite;
    std::uint16_t row = 0;
    bool travels = false;
    std::int32_t rank = 0;        // whose
    std::uint32_t marks[2] = {};  // by Mark: the last that the path has passed
    double time = 0, shift = 0;   // shift: what jumps have added
    Slopes slopes;
  };
  Holder& at(Name name) {
    if (name.of == Of::actor) return actors_[name.index];
    auto& holders = others_[static_cast<std::size_t>(name.of)];
    if (holders.size() <= name.index)
      holders.resize(std::max<std::size_t>(name.index + std::size_t{1}, 2 * holders.size()));
    return holders[name.index];
  }
  // What is known of a kind of routes. While the run goes on, latencies are put down by kinds; result() tells their links' classes.
  struct RouteKind {
    double latency = 0, bandwidth = 0;
    double inside = 0;  // share of the latency that is of links inside nodes
    std::vector<std::pair<std::uint16_t, double>> latencies;  // by class of links
    std::uint16_t narrowest = 0;
    bool is_inside = false;    // a node
    bool is_windowed = false;  // a TCP window lets less through than its links
    bool varies =
        false;  // links change while the program runs; the others' changes are in these figures
    friend bool operator==(const RouteKind&, const RouteKind&) = default;
  };
  // A message's body if nothing else were on its way.
  struct Alone {
    double seconds = 0;
    std::uint16_t narrowest = 0;
    bool meets_turn = false;  // the narrowest bandwidth changes meanwhile
  };
  struct KnownRoute {
    platforms::NodeIndex to = kNoPartner;
    std::uint32_t kind = 0;
  };
  std::uint16_t kind_of(Ends);
  std::uint16_t learn(Ends);
  const platforms::Mpi& mpi(const RouteKind& kind) const {
    return kind.is_inside ? platform_.intra_node_mpi : platform_.mpi;
  }
  void spend(Holder&, PathPart part, std::uint16_t where, double seconds);
  void keep(Holder&, PathPart part, std::uint16_t where, double seconds);
  static void add_flaw(Holder&, PathPart part, double seconds);
  void add_slope(Slopes&, PathPart part, std::uint16_t where, double seconds);
  double latency_of(const RouteKind&, Ends, double at, Bytes);
  Alone body_alone(const RouteKind&, Ends, double from, Bytes);
  double spend_body(Holder&, const Alone&, double to, Name);
  void spend_sharing(Holder&, std::uint16_t narrowest, double seconds, Name);
  std::uint16_t place_of(platforms::LinkIndex);
  void weigh(const platforms::Route&, bool is_inside);
  void split_latencies(PathVector&) const;
  void fill(PathVector&, std::uint32_t row, bool is_computing, double from, double seconds);
  // SECONDS of the row evenly over the bins of FROM … FROM + SPAN.
  void spread(PathVector&, std::uint32_t row, bool is_computing, double from, double span,
              double seconds) const;
  void widen();
  std::size_t last_actor() const;
  void find_classes_inside();
  static void halve(Slopes& slopes, const Slopes& other, double time);
  const Holder* sharing_message(std::uint64_t flow, double now);
  void on_flow_begin(std::uint64_t flow, double now, Links) override;
  void on_flow_end(std::uint64_t flow, double now, Links, Link held_by) override;
  void follow_flow(std::uint32_t message, Links);
  void note_holder(std::uint32_t message, double now, double rate, Links, Link held_by);
  void on_rate(std::uint64_t flow, double now, double before, double after, double left, Links,
               Link held_by) override;
  void on_wait(std::uint64_t flow, Link, double seconds) override;
  void on_crowd(double now, bool is_over) override;

  static constexpr PathTree::Place kKnown = 0;  // of all holders, where no tree is kept

  const Kept kept_;
  platforms::Platform platform_;
  std::unique_ptr<platforms::RouteTable> routes_;
  std::unique_ptr<PartnerTable<KnownRoute>> partners_;
  std::unique_ptr<LinkConditions> conditions_;
  std::vector<bool> stand_out_;                  // by link; empty where no links change
  std::vector<platforms::LinkIndex> own_links_;  // those of them that messages have met
  platforms::Route route_;                       // scratch
  std::vector<RouteKind> kinds_;
  std::array<double, 2> first_penalty_{};  // between nodes, and inside one: of the first route met
  bool shares_move_ = false;  // with latency, as messages weigh differently by more than that
  bool heads_wait_ = false;
  PathTree tree_;
  std::vector<Holder> actors_;
  std::array<std::vector<Holder>, 8> others_;  // by kind
  std::vector<std::int32_t> rank_of_;          // by actor
  std::size_t ranks_ = 0, rows_ = 0;
  std::vector<bool> class_is_inside_;                // a node; by class of links
  double width_ = 0x1p-30, bins_a_second_ = 0x1p30;  // of a bin, and its inverse
  PathVector jumped_;
  double steps_from_ = 0, steps_to_ = -1;  // none
  Slopes jumped_slopes_;
  std::array<bool, kParameters> spent_{};
  std::uint32_t marks_ = 0;
  std::vector<std::uint32_t> passed_;  // by place: in which search, and on whose way
  std::uint32_t searches_ = 0;
  bool is_observing_ = false;  // what messages share, in the network
  double crowded_until_ = -1;
  FlowSlopes flows_;
  HeldBack held_back_;
  std::uint32_t ending_ = kNoMessage;  // its links below
  std::vector<platforms::LinkIndex> ending_links_;
  static constexpr std::uint32_t kNoMessage = ~std::uint32_t{0};
};

}  // namespace reprise::sim
