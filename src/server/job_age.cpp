#include "server/job_age.h"

#include <algorithm>
#include <ctime>
#include <fstream>

namespace molgauge::serve {
namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

const std::string& this_boot() {
  static const std::string boot = [] {
    std::string line;
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::getline(file, line);
    return line;
  }();
  return boot;
}

}  // namespace

Moment moment_now() { return {this_boot(), seconds_of(CLOCK_BOOTTIME), seconds_of(CLOCK_REALTIME)}; }

double seconds_between(const Moment& then, const Moment& now) {
  const bool is_same_boot = !then.boot.empty() && then.boot == now.boot;
  return std::max(
      0.0, is_same_boot ? now.since_boot - then.since_boot : now.since_the_epoch - then.since_the_epoch);
}

}  // namespace molgauge::serve
