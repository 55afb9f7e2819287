#pragma once

#include <string>

namespace headroom::serve {

/// A moment, measured by the time since boot, which no change of the system time affects. The system time is
/// stored as well, for later boots.
struct Moment {
  std::string boot;            ///< identity of the boot; empty if it is unknown
  double since_boot = 0;       ///< seconds, sleep included
  double since_the_epoch = 0;  ///< seconds
};

Moment moment_now();

/// Seconds from `then` to `now`, at least 0.
double seconds_between(const Moment& then, const Moment& now);

}  // namespace headroom::serve
