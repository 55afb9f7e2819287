#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "data/io/pickle/pickle_reader.h"
#include "data/io/pickle/pickle_value.h"

namespace headroom::io {

/// The memory of the pickle machine: the values so far, a stack of them with marks, and a memo by number.
/// Throws InputError with only the reason if a value is missing or a limit is exceeded.
class PickleStack {
 public:
  explicit PickleStack(const PickleLimits& limits) : limits_(limits) {}

  // The functions without a result return true, for decode_plain().
  bool push(PickleValue value);
  bool push_again(PickleNode* node);
  bool mark();

  PickleNode& top();
  /// The last `count` values, in the order in which they were pushed. Values below the last mark are out of
  /// reach: they belong to the object that set it.
  std::vector<PickleRef> pop(std::size_t count) { return pop_from(last(count)); }
  /// The position of the last `count` values, which are above the last mark.
  std::size_t last(std::size_t count) const;
  /// Removes the last mark and returns its position.
  std::size_t take_mark();
  /// Removes the values from a position on and returns them.
  std::vector<PickleRef> pop_from(std::size_t position);

  /// Notes the top value under a number, by default the next one.
  bool remember(std::uint64_t number);
  bool remember_next() { return remember(memo_.size()); }
  bool recall(std::uint64_t number);

  /// The values; they keep their addresses.
  std::deque<PickleNode> release() { return std::move(nodes_); }

 private:
  const PickleLimits& limits_;
  std::deque<PickleNode> nodes_;
  std::vector<PickleNode*> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, PickleNode*> memo_;
};

}  // namespace headroom::io
