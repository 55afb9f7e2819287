#include "molecules/judging/scaffold_folds.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/core/hash.h"

namespace molgauge::domain {

std::vector<std::size_t> scaffold_folds(const std::vector<std::string>& scaffolds, std::size_t folds) {
  struct Group {
    std::vector<std::size_t> molecules;
    Hash128 order{};
  };
  std::map<std::string_view, std::vector<std::size_t>> by_scaffold;
  for (std::size_t i = 0; i < scaffolds.size(); ++i) {
    by_scaffold[scaffolds[i]].push_back(i);
  }
  std::vector<Group> groups;
  groups.reserve(by_scaffold.size());
  for (auto& [scaffold, molecules] : by_scaffold) {
    groups.push_back({std::move(molecules), hash128(scaffold)});
  }
  std::sort(groups.begin(), groups.end(), [](const Group& one, const Group& other) {
    return one.molecules.size() != other.molecules.size() ? one.molecules.size() > other.molecules.size()
                                                          : one.order < other.order;
  });
  std::vector<std::size_t> sizes(folds), fold_of(scaffolds.size());
  for (const Group& group : groups) {
    const auto fold = static_cast<std::size_t>(std::min_element(sizes.begin(), sizes.end()) - sizes.begin());
    sizes[fold] += group.molecules.size();
    for (const std::size_t i : group.molecules) {
      fold_of[i] = fold;
    }
  }
  return fold_of;
}

}  // namespace molgauge::domain
