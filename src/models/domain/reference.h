#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/progress.h"
#include "headroom/choices.h"
#include "models/domain/cosine_search.h"
#include "models/domain/environment_index.h"
#include "models/domain/mahalanobis_distance.h"
#include "models/domain/score_tail.h"

namespace headroom::domain {

/// Whether the method compares only atom environments and no features (tanimoto, rarity and coverage). For
/// such methods, the nearest training molecules are the nearest by Tanimoto similarity.
constexpr bool reads_environments_alone(DomainMethod method) {
  return method == DomainMethod::tanimoto || method == DomainMethod::rarity ||
         method == DomainMethod::coverage;
}

/// The compared properties of molecules: features [n, width], all finite, and environments.
struct Molecules {
  std::size_t width = 0;
  std::vector<float> features;
  EnvironmentLists environments;

  std::size_t size() const { return environments.size(); }
  std::span<const float> row(std::size_t molecule) const {
    return std::span(features).subspan(molecule * width, width);
  }
  void append(const Molecules& others, std::size_t molecule);
};

/// The number of neighbours k: the decimal logarithm of the number of reference molecules, rounded, at least
/// 1. Examples: 2 for 100, 3 for 1,000, 5 for 100,000. On five public sets, k + 1 and k - 1 made no
/// difference, and the best k grew slowly with the size of the set.
std::size_t neighbours_averaged(std::size_t reference);

struct ScoredMolecule {
  float score = 0;  ///< larger is farther
  std::array<Neighbour, kNearestShown> nearest{};
  std::size_t nearest_count = 0;
};

/// The reference molecules. score() compares other molecules with them.
///
/// The kernel density has the kernel exp(-d/h) of the cosine distance d, where h is the mean distance of the
/// reference molecules to their k nearest neighbours.
///
/// Memory: two and a half times the features, and the EnvironmentIndex. Thread safety: const methods may be
/// called from several threads at once.
class Reference {
 public:
  struct Settings {
    DomainMethod method = DomainMethod::combined;
    std::uint64_t seed = 0;  ///< seed of the choice of reference molecules for the scales
    std::size_t threads = 1;
    /// Whether to find the nearest among all molecules, also outside of the reference.
    bool shows_nearest = true;
    Progress* progress = nullptr;  ///< counts the comparisons in the constructor. May be null
  };
  /// The scales of scores. To determine them, up to 2,000 reference molecules are compared with the other
  /// reference molecules.
  struct Scales {
    ScoreTail knn, rarity, coverage;
    double bandwidth = 0;  ///< bandwidth of the density. 0 means not yet known
  };

  /// `in_reference` has one entry for each molecule of `all`. The entry is true if the molecule belongs to
  /// the reference. At least two molecules must belong to it. `all` must outlive the object.
  Reference(const Molecules& all, const std::vector<bool>& in_reference, const Settings& settings);
  /// Like the constructor above, but uses the given scales and does not compute them.
  Reference(const Molecules& all, const std::vector<bool>& in_reference, const Settings& settings,
            Scales scales);

  /// The number of molecules that the constructor without `scales` compares with the reference to determine
  /// the scales. `reference`: number of reference molecules.
  static std::size_t compared_for_scales(std::size_t reference, DomainMethod method);

  std::size_t size() const { return reference_.size(); }
  std::size_t neighbours() const { return k_; }
  const Scales& scales() const { return scales_; }

  /// Returns one result for each molecule, in order. A result does not depend on the other molecules or on
  /// the number of threads. The nearest molecules are found by cosine distance of the features, or by
  /// Tanimoto similarity if the method compares only environments. `progress` counts the molecules. It may be
  /// null.
  std::vector<ScoredMolecule> score(const Molecules& molecules, Progress* progress = nullptr) const;

 private:
  struct Parts;
  Reference(const Molecules& all, const std::vector<bool>& in_reference, const Settings& settings,
            std::optional<Scales> scales);
  Scales scales_of_members(const Molecules& all) const;
  std::vector<Parts> compare(const Molecules& molecules, const std::vector<std::size_t>& places,
                             bool without_themselves, Progress* progress) const;
  void compare_features(const Molecules& molecules, std::span<const std::size_t> places,
                        bool without_themselves, std::span<Parts> parts) const;
  void compare_environments(const Molecules& molecules, std::span<const std::size_t> places,
                            bool without_themselves, std::span<Parts> parts) const;
  float score_of(const Parts& parts) const;
  bool uses_features() const;
  bool uses_environments() const;

  Settings settings_;
  std::vector<std::uint32_t> reference_, others_;  ///< indices of the molecules
  std::size_t k_;
  std::unique_ptr<CosineSearch> search_, other_search_;
  std::unique_ptr<EnvironmentIndex> environments_;
  std::unique_ptr<MahalanobisDistance> mahalanobis_;
  Scales scales_;
};

}  // namespace headroom::domain
