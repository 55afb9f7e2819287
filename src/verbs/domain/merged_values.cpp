#include "verbs/domain/merged_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::session {

void MergedValues::add(std::size_t molecule, double value) {
  if (molecule >= values_.size()) {
    values_.resize(molecule + 1);
  }
  if (std::isnan(value)) {
    return;
  }
  Values& own = values_[molecule];
  own.low = own.known == 0 ? value : std::min(own.low, value);
  own.high = own.known == 0 ? value : std::max(own.high, value);
  own.sum += value;
  ++own.known;
}

std::vector<double> MergedValues::means() const {
  std::vector<double> means;
  means.reserve(values_.size());
  for (const Values& own : values_) {
    means.push_back(own.known == 0        ? std::numeric_limits<double>::quiet_NaN()
                    : own.low == own.high ? own.low  // exact, even if the sum is rounded
                                                     // errors
                                          : own.sum / static_cast<double>(own.known));
  }
  return means;
}

std::vector<double> MergedValues::ranges() const {
  std::vector<double> ranges;
  for (const Values& own : values_) {
    if (own.known > 1 && own.high > own.low) {
      ranges.push_back(own.high - own.low);
    }
  }
  return ranges;
}

double MergedValues::median_range() const {
  std::vector<double> sorted = ranges();
  if (sorted.empty()) {
    return 0;
  }
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

}  // namespace headroom::session
