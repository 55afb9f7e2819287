#include "models/domain/predictions/scaffold_clusters.h"

#include <map>
#include <string_view>

namespace headroom::domain {

std::vector<std::string> scaffold_clusters(const std::vector<std::string>& scaffolds) {
  std::map<std::string_view, std::size_t> counts;
  for (const std::string& scaffold : scaffolds) {
    ++counts[scaffold];
  }
  std::vector<std::string> clusters;
  clusters.reserve(scaffolds.size());
  for (std::size_t i = 0; i < scaffolds.size(); ++i) {
    const bool is_split = counts[scaffolds[i]] * kFoldsOfPredictions > scaffolds.size();
    clusters.push_back(is_split ? scaffolds[i] + " " + std::to_string(i) : scaffolds[i]);
  }
  return clusters;
}

}  // namespace headroom::domain
