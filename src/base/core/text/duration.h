#pragma once

#include <chrono>
#include <string>

namespace molgauge {

/// Returns the seconds as HH:MM:SS, rounded down.
std::string format_duration(double seconds);

/// Wall-clock time since construction.
class Stopwatch {
 public:
  Stopwatch() : start_(std::chrono::steady_clock::now()) {}
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_;
};

}  // namespace molgauge
