#include "base/core/text/duration.h"

#include <fmt/format.h>

namespace molgauge {

std::string format_duration(double seconds) {
  const auto whole = static_cast<long long>(seconds);
  return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace molgauge
