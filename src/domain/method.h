#pragma once

#include <string>
#include <vector>

namespace headroom::domain {

/// What a molecule's distance to a training set is.
enum class Method {
  combined,     ///< of knn, rarity and coverage the surprises (score_tail.h), added: Fisher's combination
  knn,          ///< mean cosine distance of the features to the k nearest
  tanimoto,     ///< 1 - Tanimoto similarity of counts to the nearest
  rarity,       ///< weighted Tanimoto (environment_index.h)
  coverage,     ///< share of the environments that near molecules lack (environment_index.h)
  mahalanobis,  ///< of the features to their mean (mahalanobis_distance.h)
  density,      ///< -ln of the kernel density of the features (reference.h)
};

std::string to_string(Method method);
/// Throws UsageError naming those that there are.
Method parse_method(const std::string& text);
/// In the order of the enumeration.
std::vector<std::string> method_names();

}  // namespace headroom::domain
