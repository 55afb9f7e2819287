#include "models/encoders/chemprop/model.h"

namespace headroom::encoders::chemprop {

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

}  // namespace headroom::encoders::chemprop
