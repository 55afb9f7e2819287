#pragma once

namespace molgauge::domain {

/// The default levels of the verdicts. A candidate with a p-value of at most the first level is `outside`,
/// and with at most the second level `borderline` (judge.h).
inline constexpr double kDefaultOutsideLevel = 0.01, kDefaultBorderlineLevel = 0.05;

}  // namespace molgauge::domain
