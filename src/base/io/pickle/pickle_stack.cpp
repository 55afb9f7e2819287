#include "base/io/pickle/pickle_stack.h"

#include <string>
#include <utility>

#include "base/core/error.h"

namespace molgauge::io {
namespace {

/// Bytes of the texts of a value.
struct TextBytes {
  std::uint64_t operator()(const std::string& text) const { return text.size(); }
  std::uint64_t operator()(const PickleGlobal& global) const {
    return global.module.size() + global.name.size();
  }
  std::uint64_t operator()(const PickleLongInteger& number) const { return number.bytes.size(); }
  template <typename Other>
  std::uint64_t operator()(const Other& /*other*/) const {
    return 0;
  }
};

}  // namespace

void PickleStack::count(std::uint64_t bytes) {
  bytes_ += bytes;
  if (bytes_ > limits_.bytes) {
    throw InputError("its values need more memory than is allowed");
  }
}

bool PickleStack::push(PickleValue value) {
  if (nodes_.size() >= limits_.values) {
    throw InputError("more values than are allowed");
  }
  count(sizeof(PickleNode) + std::visit(TextBytes{}, value));
  nodes_.push_back({std::move(value)});
  return push_again(&nodes_.back());
}

bool PickleStack::push_again(PickleNode* node) {
  if (stack_.size() >= limits_.stack) {
    throw InputError("the stack is deeper than is allowed");
  }
  stack_.push_back(node);
  return true;
}

bool PickleStack::mark() {
  if (marks_.size() >= limits_.stack) {
    throw InputError("more marks are open than are allowed");
  }
  marks_.push_back(stack_.size());
  return true;
}

PickleNode& PickleStack::top() { return *stack_[last(1)]; }

std::size_t PickleStack::last(std::size_t count) const {
  const std::size_t reachable = stack_.size() - (marks_.empty() ? 0 : marks_.back());
  if (reachable < count) {
    throw InputError("a value is missing on the stack");
  }
  return stack_.size() - count;
}

std::size_t PickleStack::take_mark() {
  if (marks_.empty()) {
    throw InputError("a mark is missing on the stack");
  }
  const std::size_t position = marks_.back();
  marks_.pop_back();
  return position;
}

std::vector<PickleRef> PickleStack::pop_from(std::size_t position) {
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(position);
  count(2 * sizeof(PickleRef) * static_cast<std::uint64_t>(stack_.end() - first));  // vectors grow by factors
  std::vector<PickleRef> values(first, stack_.end());
  stack_.erase(first, stack_.end());
  return values;
}

bool PickleStack::remember(std::uint64_t number) {
  if (memo_.size() >= limits_.memo) {
    throw InputError("the memo is larger than is allowed");
  }
  constexpr std::uint64_t kBytesOfEntry = 48;
  PickleNode* const value = &top();
  if (memo_.insert_or_assign(number, value).second) {
    count(kBytesOfEntry);
  }
  return true;
}

bool PickleStack::recall(std::uint64_t number) {
  const auto found = memo_.find(number);
  if (found == memo_.end()) {
    throw InputError("value " + std::to_string(number) + " of the memo is missing");
  }
  return push_again(found->second);
}

}  // namespace molgauge::io
