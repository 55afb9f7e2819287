#include "molecules/encoders/chemprop/model.h"

#include <cstddef>

namespace molgauge::encoders::chemprop {

const char* to_string(HeadKind kind) {
  switch (kind) {
    case HeadKind::regression:
      return "regression";
    case HeadKind::mean_variance:
      return "regression-mve";
    case HeadKind::evidential:
      return "regression-evidential";
    case HeadKind::quantile:
      return "regression-quantile";
    case HeadKind::binary:
      return "classification";
    case HeadKind::binary_dirichlet:
      return "classification-dirichlet";
    case HeadKind::multiclass:
      return "multiclass";
    case HeadKind::multiclass_dirichlet:
      break;
  }
  return "multiclass-dirichlet";
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
