#include "molecules/encoders/chemprop/model.h"

#include <array>
#include <cstddef>

namespace molgauge::encoders::chemprop {

const char* to_string(HeadKind kind) {
  // In the order of the enum.
  static constexpr std::array<const char*, 8> kNames = {
      "regression",          "regression-mve",      "regression-evidential",
      "regression-quantile", "classification",      "classification-dirichlet",
      "multiclass",          "multiclass-dirichlet"};
  return kNames.at(static_cast<std::size_t>(kind));
}

void Descriptors::scale_into(std::span<const double> numbers, std::span<float> scaled) const {
  for (std::size_t i = 0; i < count; ++i) {
    if (mean.empty()) {
      scaled[i] = static_cast<float>(numbers[i]);
    } else if (scales_in_single) {
      scaled[i] =
          (static_cast<float>(numbers[i]) - static_cast<float>(mean[i])) / static_cast<float>(scale[i]);
    } else {
      scaled[i] = static_cast<float>((numbers[i] - mean[i]) / scale[i]);
    }
  }
}

std::size_t Head::targets() const {
  switch (kind) {
    case HeadKind::regression:
    case HeadKind::binary:
      return 1;
    case HeadKind::mean_variance:
    case HeadKind::quantile:
    case HeadKind::binary_dirichlet:
      return 2;
    case HeadKind::evidential:
      return 4;
    case HeadKind::multiclass:
    case HeadKind::multiclass_dirichlet:
      break;
  }
  return classes;
}

}  // namespace molgauge::encoders::chemprop
