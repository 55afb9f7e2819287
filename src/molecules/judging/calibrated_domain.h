#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "molecules/judging/reference.h"

namespace molgauge::domain {

/// The default levels of the verdicts. A candidate with a p-value of at most the first level is `outside`,
/// and with at most the second level `borderline` (judge.h).
inline constexpr double kDefaultOutsideLevel = 0.01, kDefaultBorderlineLevel = 0.05;

/// The fewest training molecules: a p-value of 0.05 needs 19 left-out distances.
inline constexpr std::size_t kMinTraining = 20;
/// The largest number of training molecules that are left out one by one. In a larger training set, every
/// k-th molecule is left out.
inline constexpr std::size_t kMaxLeftOut = 10000;
/// With fewer scaffolds, there is no calibration for new scaffolds, because the molecules of one scaffold are
/// similar.
inline constexpr std::size_t kMinScaffolds = 10;

/// Throws InputError if there are fewer than kMinTraining molecules.
void require_enough_training(std::size_t molecules);

/// The distances of training molecules to the rest of the training set, ascending.
struct Calibration {
  /// Each molecule is left out together with its relatives (relatives.h).
  std::vector<float> left_out;
  /// Each molecule is left out together with all molecules of its scaffold. The list is empty if there are
  /// too few scaffolds. Scaffolds with more than a fifth of the molecules do not count.
  std::vector<float> scaffold;
  std::vector<float> range;          ///< PropertySurprise::value of the left-out molecules
  std::size_t scaffolds = 0;         ///< scaffolds behind `scaffold`
  std::size_t largest_scaffold = 0;  ///< molecules in `scaffold` of the most frequent scaffold
};

/// A training set with its calibration by leaving out molecules.
///
/// The p-value of a new molecule compares its distance to all training molecules with the left-out distances.
/// If the new molecule and the training molecules are exchangeable, left-out distances are slightly larger
/// than the distance of the new molecule, because they come from a training set with fewer molecules.
/// p-values are then slightly too large. The calibration does not depend on a seed or on the order of the
/// molecules. Const methods may be called from several threads at once.
class CalibratedDomain {
 public:
  struct Settings {
    DomainMethod method = DomainMethod::combined;
    double level = kDefaultOutsideLevel;  ///< default level of `outside` for candidates
    std::size_t threads = 1;
    bool quiet = true;  ///< no progress display of the calibration
  };

  /// `scaffolds`: the scaffold of each molecule. `flat`: as in left_out_groups(). Throws InputError if there
  /// are too few molecules.
  CalibratedDomain(Molecules training, const std::vector<std::string>& scaffolds,
                   const std::vector<Hash128>& flat, const Settings& settings);
  /// Restores a domain that was calibrated before.
  CalibratedDomain(Molecules training, Reference::Scales scales, Calibration calibration,
                   const Settings& settings);
  CalibratedDomain(const CalibratedDomain&) = delete;
  CalibratedDomain& operator=(const CalibratedDomain&) = delete;

  const Molecules& training() const { return training_; }
  const Reference& reference() const { return reference_; }
  const Calibration& calibration() const { return calibration_; }
  std::vector<ScoredMolecule> score(const Molecules& molecules) const { return reference_.score(molecules); }

 private:
  void calibrate(const std::vector<std::string>& scaffolds, const std::vector<Hash128>& flat,
                 const Settings& settings);

  Molecules training_;
  Reference reference_;
  Calibration calibration_;
};

}  // namespace molgauge::domain
