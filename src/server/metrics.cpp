#include "server/metrics.h"

#include <algorithm>

#include <fmt/format.h>

namespace molgauge::serve {
namespace {

std::string gauge(const char* name, const char* help, const char* type, double value) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type, value);
}

/// Returns the resident bytes of this process, or 0 if the system does not report them.
double resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  long pages = 0, resident = 0;
  if (file != nullptr) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) {  // NOLINT(cert-err34-c)
      resident = 0;
    }
    std::fclose(file);
  }
  return static_cast<double>(resident) * 4096;
}

}  // namespace

void Metrics::answered(const std::string& route, unsigned status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++answers_[{route, status}];
  Times& times = times_[route];
  const auto place = std::lower_bound(kBounds.begin(), kBounds.end(), seconds) - kBounds.begin();
  ++times.at_most.at(static_cast<std::size_t>(place));
  times.sum += seconds;
  ++times.count;
}

void Metrics::judged(std::uint64_t molecules) {
  const std::lock_guard lock(mutex_);
  molecules_ += molecules;
}

void Metrics::connected(int change) {
  const std::lock_guard lock(mutex_);
  connections_ += change;
}

void Metrics::refused_connection() {
  const std::lock_guard lock(mutex_);
  ++refused_;
}

std::string Metrics::text(const WorkQueue::Counts& queue, double uptime_seconds) const {
  const std::lock_guard lock(mutex_);
  std::string text =
      gauge("molgauge_uptime_seconds", "Seconds since the start.", "gauge", uptime_seconds) +
      gauge("molgauge_resident_bytes", "Resident memory of the process.", "gauge", resident_bytes()) +
      gauge("molgauge_queue_running", "Requests that are being computed.", "gauge",
            static_cast<double>(queue.running)) +
      gauge("molgauge_queue_waiting", "Requests and jobs that wait.", "gauge",
            static_cast<double>(queue.waiting)) +
      gauge("molgauge_queue_limit", "Maximum number of waiting requests and jobs.", "gauge",
            static_cast<double>(queue.limit)) +
      gauge("molgauge_connections", "Open connections.", "gauge", static_cast<double>(connections_)) +
      gauge("molgauge_connections_refused_total", "Connections beyond the limit.", "counter",
            static_cast<double>(refused_)) +
      gauge("molgauge_molecules_total", "Molecules that were encoded or judged.", "counter",
            static_cast<double>(molecules_));
  text +=
      "# HELP molgauge_requests_total Answers by route and status.\n# TYPE molgauge_requests_total counter\n";
  for (const auto& [key, count] : answers_) {
    text += fmt::format("molgauge_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first, key.second,
                        count);
  }
  text +=
      "# HELP molgauge_request_seconds Time from the whole request to its answer.\n"
      "# TYPE molgauge_request_seconds histogram\n";
  for (const auto& [route, times] : times_) {
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      below += times.at_most[i];
      text += fmt::format("molgauge_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route, kBounds[i],
                          below);
    }
    text += fmt::format(
        "molgauge_request_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} {1}\n"
        "molgauge_request_seconds_sum{{route=\"{0}\"}} {2}\nmolgauge_request_seconds_count{{route=\"{0}\"}} "
        "{1}\n",
        route, times.count, times.sum);
  }
  return text;
}

}  // namespace molgauge::serve
