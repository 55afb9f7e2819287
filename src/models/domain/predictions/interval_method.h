#pragma once

#include <string>

namespace headroom::domain {

/// How the width of prediction intervals varies.
enum class IntervalMethod {
  automatic,    ///< of distance, both and quantiles, the one with the lowest Winkler score in calibration
  constant,     ///< the same width everywhere
  distance,     ///< normalised by a difficulty that is linear in the distance
  uncertainty,  ///< ... in the user's uncertainty
  both,         ///< ... in both
  mondrian,     ///< the same width within each of up to five groups by distance
  quantiles     ///< conformalised quantile regression (Romano et al. 2019, arXiv:1905.03222)
};

std::string to_string(IntervalMethod method);
/// Throws UsageError naming --interval-method if there is no such method. "auto" is automatic.
IntervalMethod parse_interval_method(const std::string& name);

}  // namespace headroom::domain
