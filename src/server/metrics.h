#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "server/work_queue.h"

namespace molgauge::serve {

/// Counts for Prometheus. Thread safe.
class Metrics {
 public:
  /// `route`: the result of Api::route_of(). The path of the request would cause a time series for each job.
  void answered(const std::string& route, unsigned status, double seconds);
  void judged(std::uint64_t molecules);
  void connected(int change);
  void refused_connection();

  /// The text format of Prometheus, version 0.0.4.
  std::string text(const WorkQueue::Counts& queue, double uptime_seconds) const;

 private:
  static constexpr std::array kBounds{0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0};
  struct Times {
    std::array<std::uint64_t, kBounds.size() + 1>
        at_most{};  ///< number of requests in each interval, not cumulative. The last element counts the
                    ///< requests that took longer
    double sum = 0;
    std::uint64_t count = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, unsigned>, std::uint64_t> answers_;
  std::map<std::string, Times> times_;
  std::uint64_t molecules_ = 0, refused_ = 0;
  std::int64_t connections_ = 0;
};

}  // namespace molgauge::serve
