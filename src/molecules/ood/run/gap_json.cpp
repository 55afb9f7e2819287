#include "molecules/ood/run/gap_json.h"

#include <cmath>

namespace molgauge::ood {

using nlohmann::ordered_json;

ordered_json gap_json(const ValidationTestGap& gap) {
  const auto known = [](double number) {
    return std::isnan(number) ? ordered_json(nullptr) : ordered_json(number);
  };
  return {{"validation_auroc", known(gap.validation_auroc)},
          {"test_auroc", known(gap.test_auroc)},
          {"difference", known(gap.validation_auroc - gap.test_auroc)},
          {"difference_low", known(gap.difference_low)},
          {"difference_high", known(gap.difference_high)},
          {"is_large", gap.is_large}};
}

}  // namespace molgauge::ood
