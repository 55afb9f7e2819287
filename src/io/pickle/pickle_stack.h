#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "io/pickle/pickle_reader.h"
#include "io/pickle/pickle_value.h"

namespace headroom::io {

/// The memory of the pickle machine: values made so far, a stack of them with marks in it, and a memo by
/// number. Throws InputError with the reason alone when something is missing or a limit is passed.
class PickleStack {
 public:
  explicit PickleStack(const PickleLimits& limits) : limits_(limits) {}

  void push(PickleValue value);
  void push_again(PickleNode* node);
  void mark();

  PickleNode& top();
  /// The last `count` values, in the order in which they were pushed. Values below the last mark are out of
  /// reach: they belong to the object that set it.
  std::vector<PickleRef> pop(std::size_t count);
  /// Everything above the last mark, and the mark.
  std::vector<PickleRef> pop_to_mark();

  /// Notes the top value under a number, by default the next one.
  void remember(std::uint64_t number);
  void remember_next() { remember(memo_.size()); }
  void recall(std::uint64_t number);

  /// The values; they keep their addresses.
  std::deque<PickleNode> release() { return std::move(nodes_); }

 private:
  std::vector<PickleRef> pop_from(std::size_t start);
  std::size_t reachable() const { return stack_.size() - (marks_.empty() ? 0 : marks_.back()); }

  const PickleLimits& limits_;
  std::deque<PickleNode> nodes_;
  std::vector<PickleNode*> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleNode*> memo_;
};

}  // namespace headroom::io
