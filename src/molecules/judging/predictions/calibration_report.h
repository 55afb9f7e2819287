#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "molecules/judging/predictions/calibration_molecule.h"
#include "molecules/judging/predictions/coverage.h"
#include "molecules/judging/predictions/model_check.h"

namespace molgauge::domain {

/// The result of a calibration molecule whose scaffold was left out of the calibration.
struct CrossValidated {
  const CalibrationMolecule* molecule = nullptr;
  bool is_covered = false;
  double lower = kNoNumber, upper = kNoNumber;  ///< regression
  double winkler = kNoNumber;                   ///< regression; wild errors are winsorised
  double expected_error = kNoNumber;
  std::size_t classes = 0;         ///< classification: classes in the set
  double probability = kNoNumber;  ///< classification: merged Venn-ABERS probability
};

/// Facts about a calibration, measured in cross-validation over five folds of whole scaffolds.
struct CalibrationReport {
  struct Bin {
    double low = 0, high = 0;  ///< distances
    Share coverage;
    /// Mean absolute error with its 95 % interval, clustered by scaffold (clustered_mean()). The limits are
    /// NaN if all molecules have the same scaffold.
    double error = 0, error_low = 0, error_high = 0;
    double width = 0;  ///< mean width of intervals, or mean number of classes
  };

  std::size_t molecules = 0, scaffolds = 0, in_training = 0, new_scaffolds = 0;
  std::size_t merged = 0;         ///< measurements that were merged with an earlier one of the same molecule
  std::size_t undecided = 0;      ///< classification: molecules that are left out, because half of their
                                  ///< measurements are of each class
  ModelCheck check;               ///< to read before any interval
  double error = 0;               ///< mean absolute error; classification: share of wrong classes at 0.5
  std::string why_not_validated;  ///< why there is no cross-validation, as a sentence. Otherwise empty
  // The following fields are empty without cross-validation.
  Share coverage;
  std::array<Share, 3> by_verdict;  ///< shares in the order of Verdict
  std::array<double, 3> error_by_verdict = {kNoNumber, kNoNumber,
                                            kNoNumber};  ///< as `error`. NaN if there are none
  std::array<Share, 2> by_class;                         ///< classification
  std::vector<Bin> by_distance;                          ///< five bins of equal count
  double width = 0;                                      ///< mean width, or mean number of classes
  double winkler = 0, constant_winkler = 0;  ///< regression: mean Winkler score of the method, and of
                                             ///< intervals of constant width. Wild errors are winsorised
  /// How well the expected error orders the true errors: Spearman's correlation with the absolute error. For
  /// classes, the AUROC for wrong classes. NaN if it cannot be computed.
  double order_of_errors = kNoNumber;
  std::vector<ReliabilityBin> predicted,
      calibrated;  ///< classification: reliability of the probabilities of the user, and of the merged
                   ///< probabilities

  bool is_validated() const { return why_not_validated.empty(); }
};

/// Adds the part of a report that comes from cross-validation. `results` is not empty.
void summarise(std::span<const CrossValidated> results, bool is_classification, CalibrationReport& report);

}  // namespace molgauge::domain
