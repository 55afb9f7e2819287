#include "molecules/judging/predictions/decision.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace molgauge::domain {
namespace {

/// Returns the width of the central range that contains this share of the values.
double central_width(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto value_at = [&](double position) {
    return values[static_cast<std::size_t>(std::lround(position * static_cast<double>(values.size() - 1)))];
  };
  return value_at((1 + share) / 2) - value_at((1 - share) / 2);
}

bool has_result(const PredictionOutcome& outcome) {
  return outcome.set.has_value() || std::isfinite(outcome.interval.lower);
}

}  // namespace

Decision decision_of(DecisionReason reason) {
  return reason < DecisionReason::borderline ? Decision::drop : Decision::check;
}

DecisionRules::DecisionRules(const PredictionCalibration& calibration)
    : has_predictions_(true),
      are_classes_(calibration.is_classification()),
      coverage_(calibration.settings().coverage) {
  if (are_classes_) {
    return;
  }
  std::vector<double> measured;
  measured.reserve(calibration.molecules().size());
  for (const CalibrationMolecule& molecule : calibration.molecules()) {
    measured.push_back(molecule.measured);
  }
  constant_error_ = calibration.report().check.constant_error;
  largest_error_ = constant_error_ / std::numbers::sqrt2;
  largest_width_ = central_width(std::move(measured), coverage_);
}

Advice DecisionRules::decide(Verdict verdict, const PredictionOutcome* outcome) const {
  Advice advice;
  const auto add_if = [&](bool applies, DecisionReason reason) {
    if (applies) {
      advice.reasons.push_back(reason);
    }
  };
  add_if(verdict == Verdict::unreadable, DecisionReason::unreadable);
  add_if(verdict == Verdict::outside, DecisionReason::outside);
  add_if(outcome != nullptr && !has_result(*outcome), DecisionReason::incomplete);
  if (!advice.reasons.empty()) {
    advice.decision = Decision::drop;
    return advice;
  }
  add_if(verdict == Verdict::borderline, DecisionReason::borderline);
  if (outcome != nullptr) {
    // An unmet condition of a candidate that is not outside and has a result is a new scaffold.
    add_if(!outcome->meets_conditions, DecisionReason::new_scaffold);
    add_if(!are_classes_ && !(outcome->expected_error <= largest_error_), DecisionReason::large_error);
    add_if(!are_classes_ && outcome->interval.upper - outcome->interval.lower > largest_width_,
           DecisionReason::wide_interval);
    if (are_classes_) {
      check_classes(*outcome, advice);
    }
  }
  advice.decision = advice.reasons.empty() ? Decision::use : Decision::check;
  return advice;
}

void DecisionRules::check_classes(const PredictionOutcome& outcome, Advice& advice) const {
  const auto [zero, one] = outcome.set->contains;
  if (zero == one) {
    advice.reasons.push_back(DecisionReason::undecided);
  } else if (outcome.expected_error > 0.5 ||
             (outcome.probability && (outcome.probability->merged() >= 0.5) != one)) {
    advice.reasons.push_back(DecisionReason::contradiction);
  }
}

std::string DecisionRules::words(DecisionReason reason) const {
  switch (reason) {
    case DecisionReason::unreadable:
      return "unreadable";
    case DecisionReason::outside:
      return "outside the applicability domain";
    case DecisionReason::incomplete:
      return are_classes_ ? "no prediction set" : "no prediction interval";
    case DecisionReason::borderline:
      return "borderline";
    case DecisionReason::new_scaffold:
      return "new scaffold, and too few calibration molecules with new scaffolds";
    case DecisionReason::large_error:
      return fmt::format("expected error above {:.3g}", largest_error_);
    case DecisionReason::wide_interval:
      return fmt::format("interval wider than {:.3g}", largest_width_);
    case DecisionReason::undecided:
      return "the prediction does not decide between the classes";
    case DecisionReason::contradiction:
      return "the possible class, the calibrated probability and the prediction disagree";
  }
  return {};
}

std::string DecisionRules::words(const Advice& advice) const {
  std::string text;
  for (const DecisionReason reason : advice.reasons) {
    text += (text.empty() ? "" : "; ") + words(reason);
  }
  return text;
}

void DecisionCounts::add(const Advice& advice, bool has_new_scaffold) {
  ++decisions[static_cast<std::size_t>(advice.decision)];
  for (const DecisionReason reason : advice.reasons) {
    ++reasons[static_cast<std::size_t>(reason)];
  }
  new_scaffolds_to_use += advice.decision == Decision::use && has_new_scaffold ? 1 : 0;
}

}  // namespace molgauge::domain
