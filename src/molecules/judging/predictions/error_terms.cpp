#include "molecules/judging/predictions/error_terms.h"

#include <algorithm>
#include <cmath>

namespace molgauge::domain {
namespace {

double value_of(ErrorTerm term, const UserPrediction& prediction, const PredictionPlace& place) {
  switch (term) {
    case ErrorTerm::distance:
      return place.distance;
    case ErrorTerm::uncertainty:
      return prediction.uncertainty;
    case ErrorTerm::quantile_range:
      return prediction.upper - prediction.lower;
    case ErrorTerm::disagreement_by_features:
      return std::abs(prediction.value - place.opinion.by_features);
    case ErrorTerm::disagreement_by_environments:
      return std::abs(prediction.value - place.opinion.by_environments);
    case ErrorTerm::neighbours_error:
      return place.opinion.neighbours_error;
    case ErrorTerm::neighbours_spread:
      return place.opinion.neighbours_spread;
  }
  return kNoNumber;
}

bool all_have(ErrorTerm term, const std::vector<CalibrationMolecule>& molecules) {
  return std::none_of(molecules.begin(), molecules.end(), [&](const CalibrationMolecule& own) {
    return std::isnan(value_of(term, own.predicted, own.place));
  });
}

}  // namespace

std::vector<ErrorTerm> terms_of(IntervalMethod method, const std::vector<CalibrationMolecule>& molecules) {
  switch (method) {
    case IntervalMethod::distance:
      return {ErrorTerm::distance};
    case IntervalMethod::uncertainty:
      return {ErrorTerm::uncertainty};
    case IntervalMethod::both:
      return {ErrorTerm::distance, ErrorTerm::uncertainty};
    case IntervalMethod::quantiles:
      return {ErrorTerm::quantile_range};
    case IntervalMethod::opinion:
      return terms_of_classes(molecules);
    default:
      return {};
  }
}

bool have_opinions(const std::vector<CalibrationMolecule>& molecules) {
  return all_have(ErrorTerm::neighbours_error, molecules);
}

std::vector<ErrorTerm> terms_of_classes(const std::vector<CalibrationMolecule>& molecules) {
  std::vector<ErrorTerm> terms = {ErrorTerm::distance};
  for (const ErrorTerm term :
       {ErrorTerm::uncertainty, ErrorTerm::disagreement_by_features, ErrorTerm::disagreement_by_environments,
        ErrorTerm::neighbours_error, ErrorTerm::neighbours_spread}) {
    if (all_have(term, molecules)) {
      terms.push_back(term);
    }
  }
  return terms;
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

}  // namespace molgauge::domain
