#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace molgauge::domain {

/// A circular environment (molecules/chem/description.h), and the number of times that it occurs in a
/// molecule.
struct Environment {
  std::uint32_t identifier = 0, count = 0;
};

/// The environments of many molecules, one after another.
class EnvironmentLists {
 public:
  std::size_t size() const { return ends_.size(); }
  /// The distinct environments of a molecule, ascending by identifier.
  std::span<const Environment> of(std::size_t molecule) const {
    const std::size_t first = molecule == 0 ? 0 : ends_[molecule - 1];
    return std::span(environments_).subspan(first, ends_[molecule] - first);
  }
  /// Pairs (identifier, count), ascending by identifier.
  void append(std::span<const std::pair<std::uint32_t, std::uint32_t>> environments) {
    for (const auto& [identifier, count] : environments) {
      environments_.push_back({identifier, count});
    }
    ends_.push_back(environments_.size());
  }
  void append(std::span<const Environment> environments) {
    environments_.insert(environments_.end(), environments.begin(), environments.end());
    ends_.push_back(environments_.size());
  }
  std::uint64_t bytes() const {
    return environments_.capacity() * sizeof(Environment) + ends_.capacity() * sizeof(std::size_t);
  }

 private:
  std::vector<Environment> environments_;
  std::vector<std::size_t> ends_;
};

/// Returns the Tanimoto similarity of the environment counts of two molecules. It is the sum of the smaller
/// counts divided by the sum of the larger counts (MinMax in Swamidass et al. 2005, DOI
/// 10.1093/bioinformatics/bti1002). Returns 1 if both molecules have no environments.
double tanimoto(std::span<const Environment> one, std::span<const Environment> other);

}  // namespace molgauge::domain
