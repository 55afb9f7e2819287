#include "molecules/judging/predictions/doubt.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace molgauge::domain {
namespace {

std::string doubt_words(ErrorTerm term, double value) {
  switch (term) {
    case ErrorTerm::distance:
      return "far from the training set";
    case ErrorTerm::uncertainty:
      return fmt::format("your model is uncertain: {:.3g}", value);
    case ErrorTerm::quantile_range:
      return fmt::format("the quantiles of your model are {:.3g} apart", value);
    case ErrorTerm::disagreement_by_features:
      return fmt::format("disagrees with Molgauge's model on the features by {:.2g}", value);
    case ErrorTerm::disagreement_by_environments:
      return fmt::format("disagrees with Molgauge's model on atom environments by {:.2g}", value);
    case ErrorTerm::neighbours_error:
      return fmt::format("similar training molecules are predicted badly: mean error {:.2g}", value);
    case ErrorTerm::neighbours_spread:
      return fmt::format("similar training molecules have different values: standard deviation {:.2g}",
                         value);
  }
  return "";
}

/// The median. 0 if there are no numbers.
double usual_value(std::vector<double> numbers) {
  if (numbers.empty()) {
    return 0;
  }
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

}  // namespace

Doubt::Doubt(std::vector<ErrorTerm> terms, std::span<const double> gradients,
             const std::vector<CalibrationMolecule>& molecules)
    : terms_(std::move(terms)), gradients_(gradients.begin(), gradients.end()) {
  for (const ErrorTerm term : terms_) {
    std::vector<double> values;
    values.reserve(molecules.size());
    for (const CalibrationMolecule& own : molecules) {
      const double value = values_of({&term, 1}, own.predicted, own.place).front();
      if (!std::isnan(value)) {
        values.push_back(value);
      }
    }
    medians_.push_back(usual_value(std::move(values)));
  }
}

std::string Doubt::of(const UserPrediction& prediction, const PredictionPlace& place) const {
  const std::vector<double> values = values_of(terms_, prediction, place);
  double most = 0;
  std::string words;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double share = gradients_[i] * (values[i] - medians_[i]);
    if (share > most) {
      most = share;
      words = doubt_words(terms_[i], values[i]);
    }
  }
  return words;
}

}  // namespace molgauge::domain
