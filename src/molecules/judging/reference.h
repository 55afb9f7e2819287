#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/core/session/progress.h"
#include "molecules/judging/cosine_search.h"
#include "molecules/judging/environment_index.h"
#include "molecules/judging/mahalanobis_distance.h"
#include "molecules/judging/property_ranges.h"
#include "molecules/judging/relatives.h"
#include "molecules/judging/score_tail.h"
#include "molgauge/choices.h"

namespace molgauge::domain {

/// Whether the method compares only atom environments and no features (tanimoto, rarity and coverage). For
/// such methods, the nearest training molecules are the nearest by Tanimoto similarity.
constexpr bool reads_environments_alone(DomainMethod method) {
  return method == DomainMethod::tanimoto || method == DomainMethod::rarity ||
         method == DomainMethod::coverage;
}

/// The compared properties of molecules: features [n, width], all finite, environments, and numbers.
struct Molecules {
  std::size_t width = 0;
  std::vector<float> features;
  EnvironmentLists environments;
  std::vector<MoleculeProperties> properties;  ///< [n]

  std::size_t size() const { return environments.size(); }
  std::span<const float> row(std::size_t molecule) const {
    return std::span(features).subspan(molecule * width, width);
  }
  void append(const Molecules& others, std::size_t molecule);
};

/// The number of neighbours k of the methods knn, rarity and coverage: the decimal logarithm of the number of
/// training molecules, rounded, at least 1. Examples: 2 for 100, 3 for 1,000, 5 for 100,000. On five public
/// sets, k + 1 and k - 1 made no difference, and the best k grew slowly with the size of the set.
std::size_t neighbours_averaged(std::size_t training);

struct ScoredMolecule {
  float score = 0;            ///< larger is farther
  PropertySurprise property;  ///< how unusual the size, log P, charge and elements are
  std::array<Neighbour, kNearestShown> nearest{};
  std::size_t nearest_count = 0;
};

/// The training molecules. Compares other molecules with them, or each training molecule with the rest.
///
/// DomainMethod::combined adds up how rare distances are among the left-out distances of training molecules.
/// s(d) is -ln of the share of training molecules that are at least as far (score_tail.h). The nearest
/// distance is cos, and the distance 1 - weighted Tanimoto similarity to the most similar molecule is rar.
///
///     score = min(s(cos) + 2 s(coverage of two) + 2/3 (s(Mahalanobis) + s(density)), 3 (s(cos) + s(rar)))
///             + 1/3 surprise of the properties
///
/// The second argument of the minimum keeps close analogues of isolated training molecules near.
///
/// Features are scaled to length 1. The kernel density has the kernel exp(-d/h) of the cosine distance d
/// (at least exp(-86)), where h is twice the mean distance of training molecules to their nearest neighbours.
///
/// Memory: twice the features, and the EnvironmentIndex. Thread safety: const methods may be called from
/// several threads at once.
class Reference {
 public:
  struct Settings {
    DomainMethod method = DomainMethod::combined;
    std::size_t threads = 1;
  };
  /// The left-out distances of training molecules.
  struct Scales {
    ScoreTail nearest, rarity, coverage, mahalanobis, density;
    double bandwidth = 0;  ///< h
  };

  /// `all` has at least two molecules, and must outlive the object.
  Reference(const Molecules& all, const Settings& settings);

  /// The left-out results of training molecules.
  struct LeftOut {
    std::vector<ScoredMolecule> without_relatives, without_scaffold;  ///< [members]
  };
  /// Compares each molecule of `members` with the training molecules without its relatives, and without its
  /// scaffold. Sets the scales. `progress` counts compared_to_calibrate() molecules. It may be null.
  LeftOut calibrate(std::span<const std::uint32_t> members, const LeftOutGroups& groups, Progress* progress);
  static std::size_t compared_to_calibrate(std::size_t members, DomainMethod method);
  /// Uses scales that were found before.
  void set_scales(Scales scales) { scales_ = std::move(scales); }

  const Scales& scales() const { return scales_; }
  std::size_t neighbours() const { return k_; }
  const PropertyRanges& ranges() const { return ranges_; }

  /// Returns one result for each molecule, in order. A result does not depend on the other molecules or on
  /// the number of threads. The nearest molecules are found by cosine distance of the features, or by
  /// Tanimoto similarity if the method compares only environments. `progress` counts the molecules. It may be
  /// null.
  std::vector<ScoredMolecule> score(const Molecules& molecules, Progress* progress = nullptr) const;

  /// Compares the training molecules `members` with the training molecules that have another label. Weights
  /// of environments, scales and shrinkage are the same as for score(). Returns one result for each member.
  std::vector<ScoredMolecule> score_left_out(std::span<const std::uint32_t> members,
                                             const GroupLabels& labels, Progress* progress = nullptr) const;

 private:
  struct Parts;
  struct Queries;
  /// Training molecules that are left out together.
  struct Group {
    std::vector<std::uint32_t> members;
    /// The queries about members: (index of the Parts, index in `members`).
    std::vector<std::pair<std::size_t, std::size_t>> asked;
  };
  bool uses_features() const;
  bool uses_environments() const;
  bool uses(DomainMethod part) const;
  std::vector<Parts> compare(const Queries& queries, Progress* progress) const;
  void compare_features(const Queries& queries, std::size_t first, std::span<Parts> parts) const;
  void compare_environments(const Queries& queries, std::size_t first, std::span<Parts> parts) const;
  void add_left_out_mahalanobis(const Queries& queries, std::size_t exclusion,
                                std::vector<Parts>& parts) const;
  /// The groups with queries. Groups of one member come first.
  std::vector<Group> asked_groups(const Queries& queries, std::size_t exclusion) const;
  double bandwidth_of(std::span<const std::uint32_t> members, const GroupLabels& relatives,
                      Progress* progress) const;
  ScoredMolecule scored(const Parts& parts) const;
  float score_of(const Parts& parts) const;

  const Molecules& all_;
  Settings settings_;
  std::size_t k_;
  PropertyRanges ranges_;
  std::unique_ptr<CosineSearch> search_;
  std::unique_ptr<EnvironmentIndex> environments_;
  std::unique_ptr<MahalanobisDistance> mahalanobis_;
  Scales scales_;
};

}  // namespace molgauge::domain
