#pragma once

namespace molgauge::ops {

enum class Activation {
  none,
  relu,
  gelu,  ///< exact: x/2 (1 + erf(x / sqrt 2)) (Hendrycks and Gimpel 2016, arXiv:1606.08415)
};

}  // namespace molgauge::ops
