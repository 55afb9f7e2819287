#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "molecules/judging/predictions/calibration_molecule.h"
#include "molecules/judging/predictions/environment_kernel.h"
#include "molecules/judging/reference.h"

namespace molgauge::domain {

/// Molgauge's own predictors of the measured values, which judge the predictions of the user's model:
///
/// - a ridge regression on the standardised features,
/// - a kernel ridge regression with the Tanimoto similarity of environment counts.
///
/// Both are fitted to the training molecules with values, and again without each of five folds of whole
/// scaffolds. A molecule that is not in the training set is predicted by the fit to all molecules. A training
/// molecule is predicted by the fit without its fold, and its fold is left out of its neighbours. Calibration
/// molecules and candidates are treated equally. An opinion depends only on the molecule and the training
/// set. It does not depend on the order of the training set.
///
/// Memory: 8 bytes for each environment of each training molecule. The fit needs 4 n^2 bytes for n molecules.
/// Thread safety: const methods may be called from several threads at once.
class SecondOpinion {
 public:
  /// The most training molecules that are used. If more have values, they are selected by a hash of their
  /// SMILES.
  static constexpr std::size_t kMaxMolecules = 5000;
  /// The number of nearest training molecules whose errors and values describe the surroundings of a
  /// molecule. They are weighted by the square of the Tanimoto similarity.
  static constexpr std::size_t kNeighbours = 8;

  struct Training {
    const Molecules& molecules;
    const std::vector<std::string>& canonical_smiles;
    const std::vector<std::string>& scaffolds;
    std::span<const double> values;  ///< NaN if missing. May be empty
    /// False if the features were learned from the values, as in a trained chemprop model. Then only the
    /// environments are used.
    bool uses_features = true;
  };

  /// The numbers that a saved domain stores. The molecules are sorted by SMILES.
  struct State {
    std::vector<std::int64_t> molecules;       ///< index of each molecule in the training set
    std::vector<std::uint8_t> folds;           ///< fold of each molecule
    std::vector<double> by_features;           ///< intercept and weights. Empty without features
    std::vector<double> by_environments;       ///< mean, and coefficient of each molecule
    std::vector<double> features_out_of_fold;  ///< predictions of the molecules. Empty without features
    std::vector<double> environments_out_of_fold;
  };

  /// Returns null if fewer than kMinLabelled training molecules (label_curve.h) have values, if they have
  /// fewer than five scaffolds, or if all values are equal.
  static std::shared_ptr<const SecondOpinion> fit(const Training& training, std::size_t threads);
  /// Restores a second opinion. Throws InputError if the numbers do not fit the training set.
  SecondOpinion(const Training& training, State state);

  const State& state() const { return state_; }

  /// The opinion on each molecule. `canonical_smiles` [molecules.size()].
  std::vector<Opinion> of(const Molecules& molecules, const std::vector<std::string>& canonical_smiles,
                          std::size_t threads) const;

  /// Bytes of the fit and of the stored numbers, for `molecules` training molecules.
  static std::uint64_t bytes(std::size_t molecules, std::size_t width);

 private:
  Opinion opinion(std::span<const float> features, std::span<const Environment> environments,
                  const std::string& canonical_smiles) const;

  State state_;
  EnvironmentKernel kernel_;
  std::vector<double> values_, errors_;  ///< measured values, and mean out-of-fold errors of the predictors
  std::unordered_map<std::string, std::size_t> known_;  ///< index of each molecule by canonical SMILES
};

}  // namespace molgauge::domain
