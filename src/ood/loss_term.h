#pragma once

#include <span>
#include <vector>

namespace headroom::ood {

/// Value of one objective, without the penalty, and its derivatives.
struct LossTerm {
  double value = 0;
  std::vector<double> id_gradient, ood_gradient;
};

}  // namespace headroom::ood
