#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "base/io/pickle/pickle_reader.h"
#include "base/io/pickle/pickle_value.h"

namespace molgauge::io {

/// The memory of the pickle machine: all values, a stack of values with marks, and a memo of numbered values.
/// Throws InputError with only the reason if a value is missing or a limit is exceeded.
class PickleStack {
 public:
  explicit PickleStack(const PickleLimits& limits) : limits_(limits) {}

  // decode_plain() requires that functions without a result return true.
  bool push(PickleValue value);
  bool push_again(PickleNode* node);
  bool mark();

  PickleNode& top();
  /// Removes and returns the last `count` values, in the order in which they were pushed. Values below the
  /// last mark cannot be removed, because they belong to the object that set the mark.
  std::vector<PickleRef> pop(std::size_t count) { return pop_from(last(count)); }
  /// Returns the position of the first of the last `count` values. All these values must be above the last
  /// mark.
  std::size_t last(std::size_t count) const;
  /// Removes the last mark and returns its position.
  std::size_t take_mark();
  /// Removes the values from a position on and returns them.
  std::vector<PickleRef> pop_from(std::size_t position);

  /// Stores the top value in the memo under a number. Without an argument, the next free number is used.
  bool remember(std::uint64_t number);
  bool remember_next() { return remember(memo_.size()); }
  bool recall(std::uint64_t number);

  /// Counts bytes that a value takes in addition to its node.
  void count(std::uint64_t bytes);

  /// All values. Their addresses do not change.
  std::deque<PickleNode> release() { return std::move(nodes_); }

 private:
  const PickleLimits& limits_;
  std::deque<PickleNode> nodes_;
  std::vector<PickleNode*> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleNode*> memo_;
  std::uint64_t bytes_ = 0;
};

}  // namespace molgauge::io
