#include "io/pickle/pickle_stack.h"

#include <string>

#include "core/error.h"

namespace headroom::io {

void PickleStack::push(PickleValue value) {
  if (nodes_.size() >= limits_.values) {
    throw InputError("more values than are allowed");
  }
  nodes_.push_back({std::move(value)});
  push_again(&nodes_.back());
}

void PickleStack::push_again(PickleNode* node) {
  if (stack_.size() >= limits_.stack) {
    throw InputError("the stack is deeper than is allowed");
  }
  stack_.push_back(node);
}

void PickleStack::mark() {
  if (marks_.size() >= limits_.stack) {
    throw InputError("more marks are open than are allowed");
  }
  marks_.push_back(stack_.size());
}

PickleNode& PickleStack::top() {
  if (reachable() == 0) {
    throw InputError("a value is missing on the stack");
  }
  return *stack_.back();
}

std::vector<PickleRef> PickleStack::pop(std::size_t count) {
  if (reachable() < count) {
    throw InputError("a value is missing on the stack");
  }
  return pop_from(stack_.size() - count);
}

std::vector<PickleRef> PickleStack::pop_to_mark() {
  if (marks_.empty()) {
    throw InputError("a mark is missing on the stack");
  }
  const std::size_t start = marks_.back();
  marks_.pop_back();
  return pop_from(start);
}

std::vector<PickleRef> PickleStack::pop_from(std::size_t start) {
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(start);
  std::vector<PickleRef> values(first, stack_.end());
  stack_.erase(first, stack_.end());
  return values;
}

void PickleStack::remember(std::uint64_t number) {
  if (memo_.size() >= limits_.memo) {
    throw InputError("the memo is larger than is allowed");
  }
  memo_[number] = &top();
}

void PickleStack::recall(std::uint64_t number) {
  const auto found = memo_.find(number);
  if (found == memo_.end()) {
    throw InputError("value " + std::to_string(number) + " of the memo is missing");
  }
  push_again(found->second);
}

}  // namespace headroom::io
