#pragma once

#include <algorithm>
#include <chrono>

namespace molgauge::train {

/// Measures the seconds for which a thread has waited. If seconds() is called every second, time in which the
/// process was stopped does not count.
class Waiting {
 public:
  double seconds() {
    const auto now = std::chrono::steady_clock::now();
    seconds_ += std::min(std::chrono::duration<double>(now - last_).count(), kLongestBetweenLooks);
    last_ = now;
    return seconds_;
  }

 private:
  static constexpr double kLongestBetweenLooks = 1;

  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  double seconds_ = 0;
};

}  // namespace molgauge::train
