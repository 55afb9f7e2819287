#include "molecules/judging/relatives.h"

#include <cstddef>
#include <map>
#include <numeric>

namespace molgauge::domain {
namespace {

/// Groups of molecules that grow when two of them are joined.
class Groups {
 public:
  explicit Groups(std::size_t molecules) : parents_(molecules) {
    std::iota(parents_.begin(), parents_.end(), std::uint32_t{0});
  }

  /// Joins all molecules that have the same key.
  template <typename Key, typename KeyOf>
  void join_equal(const KeyOf& key_of) {
    std::map<Key, std::uint32_t> first;
    for (std::uint32_t i = 0; i < parents_.size(); ++i) {
      parents_[root(i)] = root(first.try_emplace(key_of(i), i).first->second);
    }
  }

  GroupLabels labels() {
    GroupLabels labels(parents_.size());
    for (std::uint32_t i = 0; i < parents_.size(); ++i) {
      labels[i] = root(i);
    }
    return labels;
  }

 private:
  std::uint32_t root(std::uint32_t molecule) {
    while (parents_[molecule] != molecule) {
      molecule = parents_[molecule] = parents_[parents_[molecule]];
    }
    return molecule;
  }

  std::vector<std::uint32_t> parents_;
};

/// Makes each molecule of a group its own group if the group has more than half of the molecules. Too few
/// molecules would remain for a comparison.
void split_large_groups(GroupLabels& labels) {
  std::map<std::uint32_t, std::size_t> sizes;
  for (const std::uint32_t label : labels) {
    ++sizes[label];
  }
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    if (2 * sizes[labels[i]] > labels.size()) {
      labels[i] = i;
    }
  }
}

}  // namespace

LeftOutGroups left_out_groups(const EnvironmentLists& environments, std::span<const Hash128> flat,
                              std::span<const std::string> scaffolds) {
  Groups groups(environments.size());
  groups.join_equal<Hash128>([&](std::size_t i) {
    const auto own = std::as_bytes(environments.of(i));
    return hash128({reinterpret_cast<const char*>(own.data()), own.size()});
  });
  if (!flat.empty()) {
    groups.join_equal<Hash128>([&](std::size_t i) { return flat[i]; });
  }
  LeftOutGroups left_out;
  left_out.relatives = groups.labels();
  split_large_groups(left_out.relatives);
  groups.join_equal<Hash128>([&](std::size_t i) { return hash128(scaffolds[i]); });
  left_out.scaffolds = groups.labels();
  return left_out;
}

}  // namespace molgauge::domain
