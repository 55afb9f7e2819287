#include "models/domain/predictions/error_terms.h"

#include <algorithm>
#include <cmath>

namespace headroom::domain {
namespace {

double value_of(ErrorTerm term, const UserPrediction& prediction, const PredictionPlace& place) {
  switch (term) {
    case ErrorTerm::distance:
      return place.distance;
    case ErrorTerm::uncertainty:
      return prediction.uncertainty;
    case ErrorTerm::quantile_range:
      return prediction.upper - prediction.lower;
  }
  return kNoNumber;
}

}  // namespace

std::vector<ErrorTerm> terms_of(IntervalMethod method) {
  switch (method) {
    case IntervalMethod::distance:
      return {ErrorTerm::distance};
    case IntervalMethod::uncertainty:
      return {ErrorTerm::uncertainty};
    case IntervalMethod::both:
      return {ErrorTerm::distance, ErrorTerm::uncertainty};
    case IntervalMethod::quantiles:
      return {ErrorTerm::quantile_range};
    default:
      return {};
  }
}

std::vector<ErrorTerm> terms_of_classes(const std::vector<CalibrationMolecule>& molecules) {
  const bool have_uncertainty =
      std::none_of(molecules.begin(), molecules.end(),
                   [](const CalibrationMolecule& own) { return std::isnan(own.predicted.uncertainty); });
  return have_uncertainty ? std::vector{ErrorTerm::distance, ErrorTerm::uncertainty}
                          : std::vector{ErrorTerm::distance};
}

std::vector<double> values_of(std::span<const ErrorTerm> terms, const UserPrediction& prediction,
                              const PredictionPlace& place) {
  std::vector<double> values;
  values.reserve(terms.size());
  for (const ErrorTerm term : terms) {
    values.push_back(value_of(term, prediction, place));
  }
  return values;
}

}  // namespace headroom::domain
