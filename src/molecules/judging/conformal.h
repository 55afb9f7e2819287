#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace molgauge::domain {

/// The share of calibration scores that are at most `score`, in per cent.
double percentile(std::span<const float> calibration, float score);

/// The smallest false discovery rate at which each hypothesis is rejected (Benjamini and Hochberg 1995). For
/// m p-values, the result i is the minimum of m p_j / rank_j over all j with p_j >= p_i, and at most 1.
/// Conformal p-values from one calibration set are not independent, but the procedure remains valid for them
/// (Bates et al. 2023, arXiv:2104.08279, theorem 2). NaN stays NaN and is not counted.
std::vector<double> benjamini_hochberg(std::span<const double> p_values);

}  // namespace molgauge::domain
