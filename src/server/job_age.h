#pragma once

#include <string>

namespace molgauge::serve {

/// A moment. It is measured by the time since boot, because changes of the system time do not affect that
/// time. The system time is stored as well, to compare moments of different boots.
struct Moment {
  std::string boot;            ///< identity of the boot; empty if it is unknown
  double since_boot = 0;       ///< seconds, including sleep
  double since_the_epoch = 0;  ///< seconds
};

Moment moment_now();

/// Seconds from `then` to `now`, at least 0.
double seconds_between(const Moment& then, const Moment& now);

}  // namespace molgauge::serve
