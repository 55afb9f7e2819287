#pragma once

#include <string>
#include <vector>

namespace headroom::domain {

/// The ways to measure a molecule's distance to a training set.
enum class Method {
  combined,     ///< sum of the surprises (score_tail.h) of knn, rarity and coverage: Fisher's combination
  knn,          ///< mean cosine distance of the features to the k nearest
  tanimoto,     ///< 1 - Tanimoto similarity of counts to the nearest
  rarity,       ///< weighted Tanimoto (environment_index.h)
  coverage,     ///< share of the environments that near molecules lack (environment_index.h)
  mahalanobis,  ///< distance of the features to their mean (mahalanobis_distance.h)
  density,      ///< -ln of the kernel density of the features (reference.h)
};

std::string to_string(Method method);
/// Whether the method compares atom environments and no features: tanimoto, rarity and coverage. The nearest
/// training molecules are then the nearest by Tanimoto similarity.
bool reads_environments_alone(Method method);
/// Throws UsageError naming the existing methods.
Method parse_method(const std::string& text);
/// All names, in the order of the enumeration.
std::vector<std::string> method_names();

}  // namespace headroom::domain
