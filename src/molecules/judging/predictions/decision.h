#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "molecules/judging/predictions/prediction_calibration.h"
#include "molgauge/choices.h"
#include "molgauge/decision.h"

namespace molgauge::domain {

/// Why a prediction is dropped or checked.
enum class DecisionReason : std::uint8_t {
  // drop
  unreadable,
  outside,
  incomplete,  ///< the prediction has no interval or set, for example because it is missing
  // check
  borderline,
  new_scaffold,   ///< too few calibration molecules have a new scaffold like this candidate
  large_error,    ///< the expected error is above DecisionRules::largest_error()
  wide_interval,  ///< the interval is wider than DecisionRules::largest_width()
  undecided,      ///< the set contains both classes or no class
  contradiction   ///< the only class of the set is not the more probable or not the predicted one
};
inline constexpr std::size_t kDecisionReasons = 9;

/// Returns `drop` or `check`.
Decision decision_of(DecisionReason reason);

/// A decision about one candidate and all its reasons. `use` has no reasons.
struct Advice {
  Decision decision = Decision::use;
  std::vector<DecisionReason> reasons;
};

/// The rules that decide which predictions to use, to check and to drop.
///
/// Without predictions, the verdict decides: `use` for inside, `check` for borderline, `drop` for outside and
/// unreadable. With predictions, a prediction is
///
/// - dropped if its molecule is unreadable or outside, or if it has no interval or set,
/// - checked if its molecule is borderline, if its new scaffold is not calibrated, if its expected error or
///   the width of its interval is above a limit, if the set of classes does not decide, if the only class of
///   the set is not the more probable or not the predicted one,
/// - used otherwise. The conditions of the coverage are then met.
///
/// The limit of the expected error is sqrt(1/2) of ModelCheck::constant_error, the error of predicting the
/// mean of the measured values of the calibration molecules. Errors of this size leave about half of the
/// variance of the measured values unexplained. The limit of the width is the width of the central range of
/// the measured values that contains the share `coverage`. A wider interval says less than these values
/// alone. Classes have neither limit.
class DecisionRules {
 public:
  /// The rules without predictions.
  DecisionRules() = default;
  explicit DecisionRules(const PredictionCalibration& calibration);

  bool has_predictions() const { return has_predictions_; }
  bool are_classes() const { return are_classes_; }
  double coverage() const { return coverage_; }
  /// Infinite for classes and without predictions.
  double largest_error() const { return largest_error_; }
  double largest_width() const { return largest_width_; }
  /// ModelCheck::constant_error. NaN for classes and without predictions.
  double constant_error() const { return constant_error_; }

  /// `outcome`: the result for the prediction. It is null without predictions or for an unreadable candidate.
  Advice decide(Verdict verdict, const PredictionOutcome* outcome) const;

  /// Returns the reason in words, with the limit that it refers to.
  std::string words(DecisionReason reason) const;
  /// Returns all reasons, separated by "; ". Empty without reasons.
  std::string words(const Advice& advice) const;

 private:
  void check_classes(const PredictionOutcome& outcome, Advice& advice) const;

  bool has_predictions_ = false, are_classes_ = false;
  double coverage_ = 0;
  double largest_error_ = std::numeric_limits<double>::infinity();
  double largest_width_ = std::numeric_limits<double>::infinity();
  double constant_error_ = kNoNumber;
};

/// Counts candidates by decision and by reason. A candidate can have several reasons.
struct DecisionCounts {
  std::array<std::size_t, 3> decisions{};
  std::array<std::size_t, kDecisionReasons> reasons{};
  std::size_t new_scaffolds_to_use = 0;  ///< candidates to use whose scaffold is new

  void add(const Advice& advice, bool has_new_scaffold);
  std::size_t of(Decision decision) const { return decisions[static_cast<std::size_t>(decision)]; }
  std::size_t of(DecisionReason reason) const { return reasons[static_cast<std::size_t>(reason)]; }
};

}  // namespace molgauge::domain
