#include "pockets/training/rate_schedule.h"

#include <cmath>
#include <limits>

namespace molgauge::pocket {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kPlateauFactor = 0.5, kPlateauThreshold = 1e-4, kCosineEnd = 0.01;
constexpr std::size_t kPlateauPatience = 5;

}  // namespace

double rate_factor(RateSchedule schedule, const std::vector<EpochRecord>& history, std::size_t epochs) {
  if (schedule == RateSchedule::cosine) {
    const double part = static_cast<double>(history.size()) / static_cast<double>(epochs);
    return kCosineEnd + (1 - kCosineEnd) * (1 + std::cos(kPi * part)) / 2;
  }
  double factor = 1, best = std::numeric_limits<double>::infinity();
  std::size_t without_gain = 0;
  for (const EpochRecord& record : history) {
    if (record.validation_loss < best * (best < 0 ? 1 + kPlateauThreshold : 1 - kPlateauThreshold)) {
      best = record.validation_loss;
      without_gain = 0;
    } else if (++without_gain > kPlateauPatience) {
      factor *= schedule == RateSchedule::plateau ? kPlateauFactor : 1;
      without_gain = 0;
    }
  }
  return factor;
}

}  // namespace molgauge::pocket
