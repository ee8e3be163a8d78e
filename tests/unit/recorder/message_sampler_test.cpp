// SPDX-License-Identifier: MIT
// Messages numbered by sender and receiver alike: against a library that matches as MPI does, in random programs.
#include "recorder/capture/message_sampler.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <random>
#include <utility>
#include <vector>

using namespace reprise::recorder;

namespace {

constexpr int kAny = MessageSampler::kAny;
constexpr int kReceiver = 0, kSenders = 3, kTags = 3, kCommunicators = 2;

MessageChoice all_of_them() {
  MessageChoice choice;
  choice.wanted = true;
  return choice;
}

struct Message {
  int comm, source, tag;
  std::uint64_t id;
};
struct Posted {
  int comm, source, tag;
  std::uint32_t ticket;
};
struct Matched {
  std::uint32_t ticket;
  Message message;
};

bool fits(const Posted& posted, const Message& message) {
  return posted.comm == message.comm &&
         (posted.source == kAny || posted.source == message.source) &&
         (posted.tag == kAny || posted.tag == message.tag);
}

struct Odds {
  int wildcards = 30, cancels = 0, probes = 10;  // percent
};

// One receiver and its senders; messages of one sender and communicator arrive in order.
class Job {
 public:
  Job(std::uint64_t seed, Odds odds) : odds_(odds), random_(seed) {
    for (int i = 0; i < kCommunicators; ++i) {
      comms_[i].context = 1000 + static_cast<std::uint64_t>(i);
      comms_[i].peers = kSenders + 1;
    }
    for (int s = 0; s < kSenders; ++s) senders_.emplace_back(all_of_them(), s + 1, false);
  }

  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      const int what = below(100);
      if (what < 35)
        send();
      else if (what < 60)
        arrive();
      else if (what < 80)
        post();
      else
        complete();
    }
    while (std::any_of(std::begin(flying_), std::end(flying_),
                       [](const auto& one) { return !one.empty(); }))
      arrive();
    while (!unexpected_.empty()) post({unexpected_.front().comm, kAny, kAny, 0});
    for (const Posted& left : posted_) receiver_.cancelled(left.ticket);
    posted_.clear();
    while (!matched_.empty()) complete();
  }

  // Messages of streams that are not lost whose two sides agree, and all that the receiver has told of.
  std::pair<std::size_t, std::size_t> agreeing() const {
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> sent;
    for (const MessageSampler& sender : senders_)
      for (const MessageSample& one : sender.sends(reprise::trace_io::kWholeShare))
        sent[{one.stream, one.number}] = one.bytes;
    std::size_t agreeing = 0, told = 0;
    for (const MessageSample& one : receiver_.receives(reprise::trace_io::kWholeShare)) {
      const auto found = sent.find({one.stream, one.number});
      agreeing += found != sent.end() && found->second == one.bytes ? 1 : 0;
      ++told;
    }
    return {agreeing, told};
  }
  std::uint64_t messages() const { return next_id_; }
  const MessageSampler& receiver() const { return receiver_; }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  void send() {
    const Message message{below(kCommunicators), 1 + below(kSenders), below(kTags), next_id_++};
    std::vector<MessageNote> notes;
    MessageSampler& sender = senders_[static_cast<std::size_t>(message.source - 1)];
    sender.send(comms_[message.comm], kReceiver, message.tag, message.id, nullptr, notes);
    sender.commit(notes, {1, 2, 1, 3, true, true});
    flying_[message.source - 1].push_back(message);
  }
  void arrive() {
    auto& queue = flying_[below(kSenders)];
    if (queue.empty()) return;
    const Message message = queue.front();
    queue.pop_front();
    const auto found = std::find_if(posted_.begin(), posted_.end(),
                                    [&](const Posted& posted) { return fits(posted, message); });
    if (found == posted_.end()) return unexpected_.push_back(message);
    matched_.push_back({found->ticket, message});
    posted_.erase(found);
  }
  void post() {
    Posted posted{below(kCommunicators), 1 + below(kSenders), below(kTags), 0};
    if (below(100) < odds_.wildcards) posted.source = kAny;
    if (below(100) < odds_.wildcards) posted.tag = kAny;
    post(posted);
  }
  void post(Posted posted) {
    const auto found = std::find_if(unexpected_.begin(), unexpected_.end(),
                                    [&](const Message& message) { return fits(posted, message); });
    if (found != unexpected_.end() && below(100) < odds_.probes) {  // matched by a probe
      matched_.push_back(
          {receiver_.post(comms_[posted.comm], found->source, found->tag, nullptr), *found});
      unexpected_.erase(found);
      return;
    }
    posted.ticket = receiver_.post(comms_[posted.comm], posted.source, posted.tag, nullptr);
    if (found == unexpected_.end()) return posted_.push_back(posted);
    matched_.push_back({posted.ticket, *found});
    unexpected_.erase(found);
  }
  void complete() {
    if (!posted_.empty() && below(100) < odds_.cancels) {
      const auto at = posted_.begin() + below(static_cast<int>(posted_.size()));
      receiver_.cancelled(at->ticket);
      posted_.erase(at);
      return;
    }
    if (matched_.empty()) return;
    const auto at = matched_.begin() + below(static_cast<int>(matched_.size()));
    std::vector<MessageNote> notes;
    receiver_.complete(at->ticket, at->message.source, at->message.tag, at->message.id, notes);
    matched_.erase(at);
    receiver_.commit(notes, {1, 2, 1, 3, false, true});
  }

  Odds odds_;
  std::mt19937_64 random_;
  CommunicatorInfo comms_[kCommunicators];
  std::deque<MessageSampler> senders_;
  MessageSampler receiver_{all_of_them(), kReceiver, false};
  std::deque<Message> flying_[kSenders];
  std::vector<Message> unexpected_;
  std::vector<Posted> posted_;
  std::vector<Matched> matched_;
  std::uint64_t next_id_ = 0;
};

}  // namespace

TEST_CASE(
    "messages have the same numbers on both sides, however receives are posted and completed") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Job job(seed, {static_cast<int>(seed % 5) * 25, 0, static_cast<int>(seed % 3) * 20});
    job.run(600);
    const auto [agreeing, told] = job.agreeing();
    INFO("seed " << seed);
    REQUIRE(told == agreeing);
    REQUIRE(!job.receiver().is_lost());
    // Receives that were left over and cancelled may have lost their streams.
    if (job.receiver().lost_streams() == 0) REQUIRE(agreeing == job.messages());
  }
}

TEST_CASE("a stream of which a numbered receive was cancelled is lost, and never told wrongly") {
  std::size_t all = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Job job(seed, {20, 15, 10});
    job.run(600);
    const auto [agreeing, told] = job.agreeing();
    INFO("seed " << seed);
    REQUIRE(told == agreeing);
    all += told;
  }
  REQUIRE(all > 1000);
}

TEST_CASE("two threads on one stream lose it, on streams of their own they do not") {
  CommunicatorInfo comm;
  comm.peers = 2;
  MessageSampler sampler(all_of_them(), 0, true);
  const int threads[2] = {};
  std::vector<MessageNote> notes;
  sampler.send(comm, 1, 5, 10, &threads[0], notes);
  sampler.send(comm, 1, 6, 10, &threads[1], notes);
  sampler.send(comm, 1, 5, 10, &threads[0], notes);
  sampler.commit(notes, {});
  REQUIRE(sampler.sends(reprise::trace_io::kWholeShare).size() == 3);
  notes.clear();
  sampler.send(comm, 1, 6, 10, &threads[0], notes);
  REQUIRE(notes.empty());
  REQUIRE(sampler.lost_streams() == 1);
  REQUIRE(sampler.sends(reprise::trace_io::kWholeShare).size() == 2);
}

TEST_CASE("a wildcard receive that is freed loses all messages of the rank") {
  CommunicatorInfo comm;
  comm.peers = 2;
  MessageSampler sampler(all_of_them(), 0, false);
  sampler.drop(sampler.post(comm, 1, 3, nullptr));
  REQUIRE(!sampler.is_lost());
  sampler.drop(sampler.post(comm, kAny, 3, nullptr));
  REQUIRE(sampler.is_lost());
}

TEST_CASE("persistent requests count each start") {
  CommunicatorInfo comm;
  comm.peers = 2;
  MessageSampler sampler(all_of_them(), 0, false);
  std::vector<MessageNote> notes;
  const auto request = sampler.keep({&comm, true, 1, 4, 100, MessageSampler::kNone});
  for (int i = 0; i < 3; ++i) sampler.start(request, nullptr, notes);
  REQUIRE(notes.size() == 3);
  REQUIRE(notes[2].sample.number == 2);
  REQUIRE(notes[2].sample.bytes == 100);
  sampler.forget(request);
}

namespace {

// Of so many messages on each of so many streams: those chosen by the sender.
std::vector<MessageNote> chosen(const MessageChoice& choice, int tags, int messages) {
  CommunicatorInfo comm;
  comm.peers = 2;
  MessageSampler sampler(choice, 0, false);
  std::vector<MessageNote> notes;
  for (int tag = 0; tag < tags; ++tag)
    for (int i = 0; i < messages; ++i) sampler.send(comm, 1, tag, 8, nullptr, notes);
  return notes;
}

}  // namespace

TEST_CASE("random messages are within the binomial 99 % interval of their share") {
  for (const double share : {0.01, 0.1, 0.5, 0.9}) {
    MessageChoice choice = all_of_them();
    choice.share = static_cast<std::uint64_t>(share * static_cast<double>(choice.share));
    const double messages = 20 * 5000.0, expected = share * messages,
                 reach = 2.576 * std::sqrt(messages * share * (1 - share));
    const auto found = static_cast<double>(chosen(choice, 20, 5000).size());
    INFO("share " << share << ", " << found << " chosen");
    REQUIRE(std::abs(found - expected) <= reach);
  }
}

TEST_CASE("the counter chooses one message of each period, at most its variance from the middle") {
  MessageChoice choice = all_of_them();
  choice.mode = reprise::trace_io::MessageMode::counter;
  choice.period = 64;
  choice.variance = 8;
  const auto notes = chosen(choice, 1, 640);
  REQUIRE(notes.size() == 10);
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const auto place = static_cast<int>(notes[i].sample.number) - static_cast<int>(64 * i);
    REQUIRE(std::abs(place - 31) <= 8);
  }
}

TEST_CASE("the timer chooses the first send after its period") {
  CommunicatorInfo comm;
  comm.peers = 2;
  MessageChoice choice = all_of_them();
  choice.mode = reprise::trace_io::MessageMode::timer;
  choice.period = 1000;
  MessageSampler sampler(choice, 0, false);
  for (std::uint64_t step = 0; step < 10; ++step)
    for (std::uint64_t i = 0; i < 5; ++i) {  // five messages 10 apart, then computing
      std::vector<MessageNote> notes;
      sampler.send(comm, 1, static_cast<int>(i), 8, nullptr, notes);
      const std::uint64_t begin = 1000 + 1500 * step + 10 * i;
      sampler.commit(notes, {begin, begin + 5, begin, 0, true, true});
    }
  const auto samples = sampler.sends(reprise::trace_io::kWholeShare);
  REQUIRE(samples.size() == 10);
  for (const auto& sample : samples) REQUIRE((sample.begin - 1000) % 1500 == 0);
}

TEST_CASE(
    "where there is no room the share is halved, and what is left is what it would have been") {
  CommunicatorInfo comm;
  comm.peers = 2;
  MessageSampler sampler(all_of_them(), 0, false);
  std::vector<MessageNote> notes;
  for (std::size_t i = 0; i < MessageSampler::kMostSamples + 1000; ++i) {
    notes.clear();
    sampler.send(comm, 1, 0, 8, nullptr, notes);
    sampler.commit(notes, {});
  }
  REQUIRE(sampler.share() == reprise::trace_io::kWholeShare / 2);
  const auto samples = sampler.sends(sampler.share());
  REQUIRE(samples.size() < MessageSampler::kMostSamples);
  const auto stream = samples.front().stream;
  std::size_t expected = 0;
  for (std::uint32_t i = 0; i < MessageSampler::kMostSamples + 1000; ++i)
    expected += message_hash(stream, i) < sampler.share() ? 1 : 0;
  REQUIRE(samples.size() == expected);
}
