#include "molecules/judging/environment_lists.h"

#include <algorithm>

namespace molgauge::domain {

double tanimoto(std::span<const Environment> one, std::span<const Environment> other) {
  std::uint64_t smaller = 0, larger = 0;
  std::size_t i = 0, j = 0;
  while (i < one.size() || j < other.size()) {
    if (j == other.size() || (i < one.size() && one[i].identifier < other[j].identifier)) {
      larger += one[i++].count;
    } else if (i == one.size() || other[j].identifier < one[i].identifier) {
      larger += other[j++].count;
    } else {
      smaller += std::min(one[i].count, other[j].count);
      larger += std::max(one[i++].count, other[j++].count);
    }
  }
  return larger == 0 ? 1.0 : static_cast<double>(smaller) / static_cast<double>(larger);
}

}  // namespace molgauge::domain
