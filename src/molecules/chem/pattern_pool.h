#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace molgauge::chem {

/// Lends each caller its own copy of substructure patterns, because RDKit locks a recursive pattern during a
/// search. Copies stay in memory for later calls. Thread safety: any number of calls at once.
template <typename Patterns>
class PatternPool {
 public:
  /// Calls a function with the patterns.
  template <typename Function>
  auto lend(const Function& call) {
    std::unique_ptr<Patterns> patterns = take();
    auto result = call(std::as_const(*patterns));
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(patterns));
    return result;
  }

 private:
  std::unique_ptr<Patterns> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Patterns> patterns = std::move(idle_.back());
        idle_.pop_back();
        return patterns;
      }
    }
    return std::make_unique<Patterns>();
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Patterns>> idle_;
};

}  // namespace molgauge::chem
