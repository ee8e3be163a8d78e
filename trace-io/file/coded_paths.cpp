// SPDX-License-Identifier: MIT
#include "trace-io/file/coded_paths.hpp"

#include <algorithm>
#include <bit>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {
namespace {

template <class Coder>
constexpr bool kIsWriter = std::is_same_v<Coder, ContextEncoder>;

std::uint64_t pair_of(std::uint64_t a, std::uint64_t b) { return a << 20U ^ b; }
std::uint64_t three_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return a << 40U ^ b << 20U ^ c;
}

void move_to_end(std::vector<std::uint32_t>& list, std::uint32_t number) {
  if (!list.empty() && list.back() == number) return;
  const auto found = std::find(list.rbegin(), list.rend(), number);
  if (found != list.rend()) list.erase(std::next(found).base());
  list.push_back(number);
}

}  // namespace

template <class Coder>
void CodedPaths::path(Coder& coder, std::vector<Frame>& path) {
  std::vector<std::uint32_t> chain;  // nodes of the path before, below the root
  for (std::uint32_t node = before_; node != 0; node = nodes_[node].parent) chain.push_back(node);
  std::reverse(chain.begin(), chain.end());
  std::size_t common = 0;
  if constexpr (kIsWriter<Coder>)
    while (common < std::min(chain.size(), path.size()) &&
           is(nodes_[chain[common]].frame, &path[common]))
      ++common;
  const std::uint64_t inner = frame_of(before_),
                      outer = before_ == 0 ? 0 : frame_of(nodes_[before_].parent);
  const std::uint64_t up =
      coder.number(Coded::path_up,
                   {0, pair_of(1, last_up_), three_of(2, last_up_, last_added_), pair_of(3, inner),
                    three_of(4, inner, outer), three_of(5, last_added_, chain.size())},
                   chain.size() - common);
  if (up > chain.size()) {
    problem_ = "a call path that leaves the one before above its outermost frame";
    return;
  }
  common = chain.size() - up;
  if constexpr (!kIsWriter<Coder>) {
    path.clear();
    for (std::size_t i = 0; i < common; ++i) path.push_back(known_[nodes_[chain[i]].frame].frame);
  }
  std::uint32_t node = common == 0 ? 0 : chain[common - 1];
  std::uint32_t left = common < chain.size() ? chain[common] : kNone;
  last_up_ = std::min<std::uint64_t>(up, 31);
  last_added_ = 0;
  bool is_new = false;
  for (std::size_t depth = common;; ++depth) {
    const bool ends = coder.decide(
        Coded::path_end,
        {std::uint64_t{is_new}, pair_of(1, frame_of(node)), three_of(2, frame_of(node), is_new),
         three_of(3, frame_of(node), frame_of(nodes_[node].parent)),
         three_of(4, last_up_, last_added_ << 1U | std::uint64_t{is_new}),
         three_of(5, std::min<std::size_t>(nodes_[node].children.size(), 3),
                  std::uint64_t{left != kNone} << 1U | std::uint64_t{is_new})},
        depth == path.size());
    if (ends) break;
    if (depth == kMaxFrames) {
      problem_ = "a call path of more than " + std::to_string(kMaxFrames) + " frames";
      return;
    }
    const Frame* wanted = kIsWriter<Coder> ? &path[depth] : nullptr;
    const std::uint32_t child =
        is_new ? kNone : existing_child(coder, node, std::exchange(left, kNone), wanted);
    is_new = child == kNone;
    if (!problem_.empty()) return;
    node = is_new ? new_child(coder, node, wanted) : child;
    if (!problem_.empty()) return;
    if (is_new) last_added_ = std::min<std::uint64_t>(last_added_ + 1, 31);
    if constexpr (!kIsWriter<Coder>) path.push_back(known_[nodes_[node].frame].frame);
  }
  before_ = node;
}

template <class Coder>
std::uint32_t CodedPaths::existing_child(Coder& coder, std::uint32_t node, std::uint32_t left,
                                         const Frame* wanted) {
  auto& children = nodes_[node].children;
  const std::uint64_t choices = children.size() - (left == kNone ? 0 : 1);
  if (choices == 0) return kNone;
  std::uint64_t back = 0;
  bool is_existing = false;
  if (wanted != nullptr && (!has_many_children(node) || has_child(node, *wanted)))
    for (auto child = children.rbegin(); child != children.rend() && !is_existing; ++child) {
      if (*child == left) continue;
      is_existing = is(nodes_[*child].frame, wanted);
      if (!is_existing) ++back;
    }
  const std::uint64_t few = std::min<std::uint64_t>(choices, 7), own = frame_of(node);
  is_existing = coder.decide(
      Coded::path_known_child,
      {std::uint64_t{left == kNone}, pair_of(1, few), pair_of(2, own), three_of(3, own, few),
       three_of(4, own, last_child_of(node)), three_of(5, few, last_up_)},
      is_existing);
  if (!is_existing) return kNone;
  back = coder.number(Coded::path_child,
                      {0, pair_of(1, few), pair_of(2, own), three_of(3, own, choices),
                       three_of(4, own, last_child_of(node)), pair_of(5, choices)},
                      back);
  if (back >= choices) {
    problem_ = "a frame of a call path that is not in the tree";
    return kNone;
  }
  auto child = children.rbegin();
  for (;; ++child) {
    if (*child == left) continue;
    if (back-- == 0) break;
  }
  const std::uint32_t found = *child;
  move_to_end(children, found);
  return found;
}

template <class Coder>
std::uint32_t CodedPaths::new_child(Coder& coder, std::uint32_t node, const Frame* wanted) {
  std::uint32_t frame = callee(coder, node, wanted);
  if (frame == kNone) frame = known_frame(coder, node, wanted);
  if (frame == kNone) frame = new_frame(coder, node, wanted);
  if (!problem_.empty()) return kNone;
  const std::uint64_t last = last_child_of(node);
  followers_[{frame_of(node), last}] = frame;
  auto& callees = callees_of(node);
  move_to_end(callees, frame);
  if (callees.size() > kMostCallees) callees.erase(callees.begin());
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  Node added;
  added.frame = frame;
  added.parent = node;
  nodes_.push_back(std::move(added));
  add_child(node, number);
  return number;
}

void CodedPaths::add_child(std::uint32_t node, std::uint32_t child) {
  auto& children = nodes_[node].children;
  children.push_back(child);
  if (!has_many_children(node)) return;
  const auto note = [&](std::uint32_t one) {
    calls_.insert(std::uint64_t{node} << 32U | nodes_[one].frame);
  };
  if (children.size() == kFewChildren + 1)
    std::for_each(children.begin(), children.end(), note);
  else
    note(child);
}

bool CodedPaths::has_child(std::uint32_t node, const Frame& frame) const {
  const auto known = numbers_.find({frame.module, frame.offset});
  return known != numbers_.end() && has_child(node, known->second);
}

// One that the frame of the node calls elsewhere in the tree, but not yet here: the one that followed the last one here elsewhere, too, is asked for first.
template <class Coder>
std::uint32_t CodedPaths::callee(Coder& coder, std::uint32_t node, const Frame* wanted) {
  ++search_;
  const bool has_many = has_many_children(node);
  if (!has_many)
    for (const std::uint32_t child : nodes_[node].children)
      known_[nodes_[child].frame].marked = search_;
  const auto is_here = [&](std::uint32_t frame) {
    return known_[frame].marked == search_ || (has_many && has_child(node, frame));
  };
  const std::uint64_t own = frame_of(node), last = last_child_of(node),
                      outer = frame_of(nodes_[node].parent);
  std::vector<std::uint32_t> choices;
  const auto& callees = callees_of(node);
  if (const auto follower = followers_.find({own, last});
      follower != followers_.end() && !is_here(follower->second)) {
    choices.push_back(follower->second);
    known_[follower->second].marked = search_;
  }
  for (auto frame = callees.rbegin(); frame != callees.rend(); ++frame)
    if (!is_here(*frame)) choices.push_back(*frame);
  if (choices.empty()) return kNone;
  std::size_t place = 0;
  while (place < choices.size() && !is(choices[place], wanted)) ++place;
  const std::uint64_t few = std::min<std::uint64_t>(choices.size(), 7),
                      children = std::min<std::uint64_t>(nodes_[node].children.size(), 7);
  const bool is_one =
      coder.decide(Coded::path_known_successor,
                   {pair_of(0, few), pair_of(1, own), three_of(2, few, children),
                    three_of(3, own, children), three_of(4, own, last), three_of(5, own, outer)},
                   place < choices.size());
  if (!is_one) return kNone;
  for (std::size_t i = 0; i + 1 < choices.size(); ++i) {
    const std::uint64_t choice = choices[i] + 1U, where = std::min<std::uint64_t>(i, 7);
    if (coder.decide(Coded::path_successor,
                     {three_of(0, where, few), three_of(1, own, choice), three_of(2, last, choice),
                      three_of(3, own, choice) * 1021 + last,
                      three_of(4, own, choice) * 1021 + outer, three_of(5, own, where)},
                     i == place))
      return choices[i];
  }
  return choices.back();
}

template <class Coder>
std::uint32_t CodedPaths::known_frame(Coder& coder, std::uint32_t node, const Frame* wanted) {
  if (recent_.empty()) return kNone;
  std::uint64_t back = recent_.size();
  if constexpr (kIsWriter<Coder>)
    if (const auto found = numbers_.find({wanted->module, wanted->offset}); found != numbers_.end())
      back = static_cast<std::uint64_t>(std::find(recent_.rbegin(), recent_.rend(), found->second) -
                                        recent_.rbegin());
  const std::uint64_t own = frame_of(node);
  const bool is_known =
      coder.decide(Coded::path_known_frame,
                   {0, pair_of(1, own), pair_of(2, last_added_), three_of(3, last_added_, last_up_),
                    pair_of(4, last_child_of(node)),
                    pair_of(5, std::min<std::size_t>(callees_of(node).size(), 3))},
                   back < recent_.size());
  if (!is_known) return kNone;
  back = coder.number(Coded::path_frame,
                      {0, pair_of(1, own), pair_of(2, last_added_), pair_of(3, last_frame_back_),
                       pair_of(4, frame_of(nodes_[node].parent)), 5},
                      back);
  if (back >= recent_.size()) {
    problem_ = "a frame of a call path that none before has";
    return kNone;
  }
  last_frame_back_ = back;
  const std::uint32_t frame = recent_[recent_.size() - 1 - back];
  move_to_end(recent_, frame);
  return frame;
}

template <class Coder>
std::uint32_t CodedPaths::new_frame(Coder& coder, std::uint32_t node, const Frame* wanted) {
  const auto& callees = callees_of(node);
  Frame near;  // what the distance is from
  const bool has_callee = !callees.empty();
  if (has_callee)
    near = known_[callees.back()].frame;
  else if (!known_.empty())
    near = known_.back().frame;
  Frame frame;
  if constexpr (kIsWriter<Coder>) frame = *wanted;
  const auto width = static_cast<unsigned>(std::bit_width(modules_));
  frame.module = static_cast<std::uint32_t>(
      coder.symbol(Coded::path_module,
                   {0, pair_of(1, near.module), three_of(2, near.module, has_callee),
                    pair_of(3, frame_of(node)), pair_of(4, known_.size() / 64), 5},
                   width, frame.module));
  if (frame.module >= modules_) {
    problem_ = "module " + std::to_string(frame.module) + " does not exist, there are " +
               std::to_string(modules_) + " modules";
    return kNone;
  }
  const bool is_near = has_callee && near.module == frame.module;
  std::uint64_t base = near.offset;
  if (near.module != frame.module) {
    const auto latest = std::find_if(known_.rbegin(), known_.rend(), [&](const Known& known) {
      return known.frame.module == frame.module;
    });
    base = latest == known_.rend() ? 0 : latest->frame.offset;
  }
  const auto apart = static_cast<std::int64_t>(frame.offset - base);
  const bool is_below =
      coder.decide(Coded::path_side, {is_near, 1, frame.module, 2, 3, 4}, apart < 0);
  const std::uint64_t distance =
      coder.number(Coded::path_distance,
                   {is_near, three_of(1, is_near, is_below), three_of(2, is_near, frame.module),
                    pair_of(3, callees.size()), three_of(4, is_near, last_added_), 5},
                   static_cast<std::uint64_t>(is_below ? ~apart : apart));
  frame.offset = base + (is_below ? ~distance : distance);
  const auto number = static_cast<std::uint32_t>(known_.size());
  known_.push_back({frame, {}, 0});
  numbers_.emplace(std::pair(frame.module, frame.offset), number);
  recent_.push_back(number);
  return number;
}

template void CodedPaths::path(ContextEncoder&, std::vector<Frame>&);
template void CodedPaths::path(ContextDecoder&, std::vector<Frame>&);

}  // namespace reprise::trace_io
