#include "molecules/judging/predictions/model_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "base/core/text/counted.h"
#include "molecules/judging/predictions/class_calibration.h"
#include "molecules/judging/predictions/correlation.h"
#include "molecules/judging/predictions/non_negative_fit.h"

namespace molgauge::domain {
namespace {

/// The fewest molecules for a comparison of errors, and for a statement about correlation.
constexpr std::size_t kMinToCompare = 10, kMinToCorrelate = 20;
constexpr std::size_t kMostNamed = 3;
constexpr double kWildLimits = 3;
constexpr double kLeastCorrelation = 0.1, kOppositeCorrelation = -0.2, kLargestScale = 3;
constexpr double kOrdersOfMagnitude = 1.5, kShiftInDeviations = 1, kLargestBiasOfClasses = 0.2;
constexpr double kDeviationOfMad = 1.4826;

/// The compared molecules, without wild values.
struct Compared {
  std::vector<double> measured, predicted, simple;
  std::vector<std::size_t> clusters;
  bool has_simple = true;
};

/// Marks the molecules with wild errors.
std::vector<bool> wild_ones(const std::vector<CalibrationMolecule>& molecules) {
  std::vector<double> errors;
  for (const CalibrationMolecule& own : molecules) {
    errors.push_back(error_of(own));
  }
  const double limit = kWildLimits * winsor_limit(errors);
  std::vector<bool> wild;
  for (const double error : errors) {
    wild.push_back(error > limit);
  }
  return wild;
}

Compared compared_of(const std::vector<CalibrationMolecule>& molecules, const std::vector<bool>& wild) {
  Compared compared;
  std::map<std::string_view, std::size_t> clusters;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const CalibrationMolecule& own = molecules[i];
    if (wild[i]) {
      continue;
    }
    compared.measured.push_back(own.measured);
    compared.predicted.push_back(own.predicted.value);
    compared.simple.push_back(own.simple_prediction);
    compared.has_simple = compared.has_simple && std::isfinite(own.simple_prediction);
    compared.clusters.push_back(clusters.try_emplace(own.scaffold, clusters.size()).first->second);
  }
  return compared;
}

double mean_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double miss_of(double prediction, double measured, bool are_classes) {
  return are_classes ? static_cast<double>(predicts_one(prediction) != (measured == 1))
                     : std::abs(prediction - measured);
}

double mean_miss(std::span<const double> predicted, std::span<const double> measured, bool are_classes) {
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    sum += miss_of(predicted[i], measured[i], are_classes);
  }
  return sum / static_cast<double>(predicted.size());
}

/// The error of predicting each molecule by the mean of the other molecules. For classes, this is the error
/// of predicting the more frequent class of the others.
double constant_error_of(std::span<const double> measured, bool are_classes) {
  const double count = static_cast<double>(measured.size()), sum = mean_of(measured) * count;
  double error = 0;
  for (const double own : measured) {
    error += miss_of((sum - own) / (count - 1), own, are_classes) / count;
  }
  return error;
}

Estimate auroc_of(std::span<const double> predicted, const Compared& compared) {
  std::vector<ClassifiedMolecule> molecules;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    molecules.push_back({predicted[i], compared.measured[i] == 1, compared.clusters[i]});
  }
  return clustered_auroc(molecules);
}

ModelWarning wild_warning(const std::vector<CalibrationMolecule>& molecules, const std::vector<bool>& wild,
                          const std::string& file) {
  std::vector<const CalibrationMolecule*> found;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    if (wild[i]) {
      found.push_back(&molecules[i]);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const CalibrationMolecule* one, const CalibrationMolecule* other) {
                     return error_of(*one) > error_of(*other);
                   });
  std::string named;
  for (std::size_t i = 0; i < std::min(kMostNamed, found.size()); ++i) {
    const CalibrationMolecule& own = *found[i];
    named += fmt::format("{}{}{} (predicted {:.4g}, measured {:.4g}, error {:.4g})", i == 0 ? "" : ", ",
                         own.line > 0 ? fmt::format("{}:{}: ", file, own.line) : "", own.smiles,
                         own.predicted.value, own.measured, error_of(own));
  }
  return {ModelFault::wild,
          fmt::format("{} of {} calibration molecules {} a wild error: {}{}. Check {}. The comparisons below "
                      "leave {} out, and the widths of intervals count the error as a moderate one.",
                      found.size(), molecules.size(), found.size() == 1 ? "has" : "have", named,
                      found.size() > kMostNamed ? ", ..." : "",
                      found.size() == 1 ? "this value and prediction" : "these values and predictions",
                      found.size() == 1 ? "it" : "them")};
}

/// The decimal logarithms of positive numbers that span several orders of magnitude. Otherwise empty.
std::vector<double> logarithms(std::span<const double> numbers) {
  std::vector<double> logarithms;
  for (const double number : numbers) {
    if (!(number > 0)) {
      return {};
    }
    logarithms.push_back(std::log10(number));
  }
  if (quantile_of(logarithms, 0.95) - quantile_of(logarithms, 0.05) < kOrdersOfMagnitude) {
    return {};
  }
  return logarithms;
}

/// Finds a logarithm that is missing on one side.
bool warn_about_logarithm(const Compared& compared, ModelCheck& check) {
  const std::vector<double> predicted = logarithms(compared.predicted),
                            measured = logarithms(compared.measured);
  if (predicted.empty() == measured.empty()) {
    return false;
  }
  const double with_logarithm = predicted.empty() ? pearson_correlation(compared.predicted, measured)
                                                  : pearson_correlation(predicted, compared.measured);
  if (!(std::abs(with_logarithm) > std::abs(check.pearson)) ||
      std::abs(with_logarithm) * std::sqrt(static_cast<double>(check.molecules) - 1) < 3) {
    return false;
  }
  const std::vector<double>& found = predicted.empty() ? measured : predicted;
  const char* const own = predicted.empty() ? "measured values" : "predictions";
  check.warnings.push_back(
      {ModelFault::units,
       fmt::format(
           "Your {} span {:.1f} orders of magnitude, but the {} do not. The correlation is {:.2f}, and "
           "{:.2f} with the logarithm of the {}. The units differ: one column seems to contain "
           "concentrations (such as nM) and the other one logarithms (such as pIC50). Convert the {}, "
           "for example with pIC50 = 9 - log10(IC50 in nM).",
           own, quantile_of(found, 0.95) - quantile_of(found, 0.05),
           predicted.empty() ? "predictions" : "measured values", check.pearson, with_logarithm, own, own)});
  return true;
}

/// Finds predictions on another linear scale than the measured values.
bool warn_about_scale(const Compared& compared, ModelCheck& check) {
  const auto spread = [](std::span<const double> numbers) {
    return quantile_of(numbers, 0.9) - quantile_of(numbers, 0.1);
  };
  const double ratio = spread(compared.predicted) / spread(compared.measured);
  const bool is_wide = ratio > kLargestScale, is_narrow = ratio < check.spearman / kLargestScale;
  if (!std::isfinite(ratio) || !(is_wide || is_narrow)) {
    return false;
  }
  check.warnings.push_back(
      {ModelFault::units,
       fmt::format(
           "Your predictions are on another scale than the measured values: they spread {:.3g} times as "
           "widely (slope {:.3g}), although the order of the molecules is similar (Spearman "
           "correlation {:.2f}). Check the units of the two columns.",
           ratio, ratio / check.spearman, check.spearman)});
  return true;
}

void warn_about_shift(const Compared& compared, ModelCheck& check) {
  std::vector<double> differences, deviations;
  for (std::size_t i = 0; i < compared.measured.size(); ++i) {
    differences.push_back(compared.predicted[i] - compared.measured[i]);
  }
  const double middle = quantile_of(differences, 0.5);
  for (const double own : differences) {
    deviations.push_back(std::abs(own - middle));
  }
  const double deviation = kDeviationOfMad * quantile_of(deviations, 0.5);
  if (std::abs(middle) > kShiftInDeviations * deviation &&
      std::abs(check.bias) > kShiftInDeviations * deviation) {
    check.warnings.push_back(
        {ModelFault::shift,
         fmt::format("Your predictions are shifted: they are {:.3g} too {} on average. Check the units, and "
                     "whether both columns contain the same quantity.",
                     std::abs(check.bias), check.bias > 0 ? "high" : "low")});
  }
}

/// Finds the cause of wrong predictions of values: the sign, the order of the rows, the units or a shift.
void warn_about_values(const Compared& compared, ModelCheck& check) {
  if (compared.measured.size() < kMinToCorrelate) {
    return;
  }
  if (warn_about_logarithm(compared, check)) {
    return;
  }
  const double by_chance = 1 / std::sqrt(static_cast<double>(check.molecules) - 1);
  if (check.spearman < std::min(kOppositeCorrelation, -3 * by_chance)) {
    check.warnings.push_back(
        {ModelFault::sign,
         fmt::format(
             "Your predictions correlate with {:.2f} with the measured values (Spearman: {:.2f}): high "
             "predictions belong to low values. Check the sign, for example pIC50 and log IC50.",
             check.pearson, check.spearman)});
    return;
  }
  if (check.spearman < std::max(kLeastCorrelation, 2 * by_chance)) {
    check.warnings.push_back(
        {ModelFault::order,
         fmt::format(
             "The correlation of your predictions with the measured values is {:.2f} (Spearman: {:.2f}), "
             "which is hardly more than chance. Check that the rows of both columns are in the same "
             "order, and that both columns contain the same quantity.",
             check.pearson, check.spearman)});
  } else if (warn_about_scale(compared, check)) {
    return;
  }
  warn_about_shift(compared, check);
}

/// Finds the cause of wrong probabilities.
void warn_about_probabilities(const Compared& compared, ModelCheck& check) {
  if (compared.measured.size() < kMinToCorrelate || std::isnan(check.auroc.value)) {
    return;
  }
  const bool is_known = std::isfinite(check.auroc.low);
  if (check.auroc.value < 0.4 && (!is_known || check.auroc.high < 0.5)) {
    check.warnings.push_back(
        {ModelFault::sign,
         fmt::format(
             "The AUROC of your predictions is {:.2f}: high probabilities belong to class 0. Check that "
             "the column contains the probability of class 1.",
             check.auroc.value)});
  } else if (check.auroc.value < 0.55 || (is_known && check.auroc.low < 0.5)) {
    check.warnings.push_back(
        {ModelFault::order,
         fmt::format("The AUROC of your predictions is {:.2f}, which is hardly more than chance (0.5). Check "
                     "that the rows of both columns are in the same order, and that both columns contain the "
                     "same class.",
                     check.auroc.value)});
  }
  const double predicted = mean_of(compared.predicted), observed = mean_of(compared.measured);
  if (std::abs(predicted - observed) > kLargestBiasOfClasses) {
    check.warnings.push_back(
        {ModelFault::shift,
         fmt::format(
             "Your predictions are shifted: the mean probability of class 1 is {:.2f}, but {:.2f} of the "
             "molecules are of class 1. Use the calibrated probabilities.",
             predicted, observed)});
  }
}

void warn_about_errors(ModelCheck& check) {
  const char* const error = check.are_classes ? "error rate" : "mean absolute error";
  const auto shown = [&](double number) {
    return check.are_classes ? fmt::format("{:.1f} %", 100 * number) : fmt::format("{:.3g}", number);
  };
  const bool is_as_constant =
      check.are_classes ? check.error > check.constant_error : check.error >= check.constant_error;
  if (check.molecules >= kMinToCompare && is_as_constant) {
    check.warnings.push_back(
        {ModelFault::mean,
         fmt::format(
             "Your model is not better than {}: its {} is {}, and {} without any model.",
             check.are_classes ? "always predicting the more frequent class" : "the mean of the values",
             error, shown(check.error), shown(check.constant_error))});
  }
  if (check.molecules < kMinToCompare || check.simple_model.empty()) {
    return;
  }
  const bool is_as_simple =
      check.are_classes ? check.auroc.value <= check.simple_auroc : check.error >= check.simple_error;
  if (is_as_simple) {
    check.warnings.push_back(
        {ModelFault::simple,
         check.are_classes
             ? fmt::format(
                   "Your model is not better than Molgauge's own model ({}): its AUROC is {:.3f}, and "
                   "{:.3f} for Molgauge's model.",
                   check.simple_model, check.auroc.value, check.simple_auroc)
             : fmt::format(
                   "Your model is not better than Molgauge's own model ({}): its {} is {}, and {} for "
                   "Molgauge's model.",
                   check.simple_model, error, shown(check.error), shown(check.simple_error))});
  }
}

}  // namespace

const char* word_of(ModelFault fault) {
  constexpr std::array<const char*, 8> kWordsOfFaults = {"wild_value", "constant", "units", "sign",
                                                         "order",      "shift",    "mean",  "simple_model"};
  return kWordsOfFaults.at(static_cast<std::size_t>(fault));
}

bool ModelCheck::has(ModelFault fault) const {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const ModelWarning& own) { return own.fault == fault; });
}

bool ModelCheck::is_broken() const {
  return has(ModelFault::wild) || has(ModelFault::constant) || has(ModelFault::units) ||
         has(ModelFault::sign) || has(ModelFault::order) || has(ModelFault::shift);
}

std::string ModelCheck::summary() const {
  const auto shown = [&](double number) {
    return are_classes ? fmt::format("{:.1f} %", 100 * number) : fmt::format("{:.3g}", number);
  };
  std::string text =
      fmt::format("{} of your model for {}: {}", are_classes ? "error rate" : "mean absolute error",
                  counted(molecules, "calibration molecule"), shown(error));
  if (!simple_model.empty()) {
    text += fmt::format("; of Molgauge's own model ({}): {}", simple_model, shown(simple_error));
  }
  if (std::isfinite(constant_error)) {
    text += fmt::format("; of {}: {}", are_classes ? "the more frequent class" : "the mean",
                        shown(constant_error));
  }
  if (are_classes && std::isfinite(auroc.value)) {
    text += fmt::format("; AUROC of your model: {:.3f}", auroc.value);
    if (std::isfinite(simple_auroc)) {
      text += fmt::format(", of Molgauge's: {:.3f}", simple_auroc);
    }
  } else if (std::isfinite(spearman)) {
    text +=
        fmt::format("; correlation of your predictions with the measured values: {:.2f} (Spearman: {:.2f})",
                    pearson, spearman);
  }
  return text;
}

ModelCheck check_model(const std::vector<CalibrationMolecule>& molecules, bool are_classes,
                       const std::string& file, const std::string& simple_model) {
  ModelCheck check;
  check.are_classes = are_classes;
  const std::vector<bool> wild =
      are_classes ? std::vector<bool>(molecules.size(), false) : wild_ones(molecules);
  const Compared compared = compared_of(molecules, wild);
  check.molecules = compared.measured.size();
  check.wild = molecules.size() - check.molecules;
  check.error = mean_miss(compared.predicted, compared.measured, are_classes);
  if (check.molecules > 1) {
    check.constant_error = constant_error_of(compared.measured, are_classes);
  }
  if (are_classes) {
    check.auroc = auroc_of(compared.predicted, compared);
  } else {
    check.pearson = pearson_correlation(compared.predicted, compared.measured);
    check.spearman = spearman_correlation(compared.predicted, compared.measured);
    check.bias = mean_of(compared.predicted) - mean_of(compared.measured);
  }
  if (compared.has_simple && !simple_model.empty()) {
    check.simple_model = simple_model;
    check.simple_error = mean_miss(compared.simple, compared.measured, are_classes);
    check.simple_auroc = are_classes ? auroc_of(compared.simple, compared).value : kNoNumber;
  }
  const auto& predicted = compared.predicted;
  if (predicted.size() > 1 &&
      std::adjacent_find(predicted.begin(), predicted.end(), std::not_equal_to<>()) == predicted.end()) {
    check.warnings.push_back(
        {ModelFault::constant,
         fmt::format(
             "All predictions are {:.4g}, so your model does not distinguish the molecules. Check the "
             "column of the predictions.",
             predicted.front())});
  } else if (are_classes) {
    warn_about_probabilities(compared, check);
  } else {
    warn_about_values(compared, check);
  }
  warn_about_errors(check);
  if (check.wild > 0 && !check.has(ModelFault::units)) {
    check.warnings.insert(check.warnings.begin(), wild_warning(molecules, wild, file));
  }
  return check;
}

}  // namespace molgauge::domain
