#include "molecules/verbs/domain/fit_domain.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/store/weights/sha256.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/domain/domain_needs.h"
#include "molecules/verbs/domain/requested_columns.h"
#include "molecules/verbs/predictions/calibration_input.h"

namespace molgauge::verbs {
namespace {

/// Measures the error curve. If predictions are judged, the curve is optional, so too few labels only cause a
/// warning.
domain::LabelCurve measured_errors(const DomainRequest& request, const domain::SavedDomain& fitted) {
  try {
    return domain::measure_errors(*fitted.domain, fitted.notes.scaffolds, fitted.values, fitted.settings,
                                  fitted.labels.are_classes ? domain::LabelCurve::Task::classification
                                                            : domain::LabelCurve::Task::regression);
  } catch (const InputError& problem) {
    if (!judges_predictions(request)) {
      throw;
    }
    log_warning("the error of a simple predictor is not shown: {}", problem.what());
    return {};
  }
}

}  // namespace

domain::SavedDomain unfitted_domain(const DomainRequest& request, domain::FeatureSource source,
                                    std::size_t threads) {
  domain::SavedDomain unfitted;
  unfitted.source = std::move(source);
  unfitted.standardize = standardize_of(request);
  unfitted.predicts_drawing = request.as_drawn;
  unfitted.settings = {request.method.value_or(DomainMethod::combined),
                       request.level.value_or(domain::kDefaultOutsideLevel), threads, request.compute.quiet};
  return unfitted;
}

domain::SavedDomain with_training(const DomainWork& work, domain::SavedDomain unfitted,
                                  session::MoleculeList molecules) {
  DomainRequest training = work.request;
  if (!reads_training_values(training)) {
    training.label_column.clear();
  }
  domain::TrainingSet set = read_training(training, unfitted.standardize, std::move(molecules), work.encoding,
                                          work.threads, work.memory.phases(), work.failed);
  const memory::Phase phase = work.memory.phases().begin("calibration");
  domain::SavedDomain fitted = std::move(unfitted);
  fitted.training_file = training.training;
  fitted.training_sha256 = store::sha256_if_file(training.training);
  fitted.duplicates = set.duplicates;
  fitted.failed = set.failed;
  fitted.merged = set.merged;
  fitted.labels = std::move(set.labels);
  fitted.notes = std::move(set.notes);
  std::vector<Hash128> flat;
  for (const domain::FormKeys& keys : fitted.notes.keys) {
    flat.push_back(keys.flat);
  }
  fitted.domain = std::make_shared<const domain::CalibratedDomain>(
      std::move(set.molecules), fitted.notes.scaffolds, flat, fitted.settings);
  fitted.values = std::move(set.values);
  if (!fitted.values.empty()) {
    fitted.value_name = training.label_column;
    if (has_error_curve(training)) {
      fitted.curve = measured_errors(training, fitted);
    }
  }
  return fitted;
}

domain::SavedDomain with_predictions(const DomainWork& work, domain::SavedDomain fitted,
                                     const domain::Levels& levels, MeasuredRows measured) {
  const DomainRequest& request = work.request;
  if (calibrates_predictions(request)) {
    fitted.labels.censored_in_calibration = measured.censored;
    if (fitted.opinion == nullptr) {
      const memory::Phase phase = work.memory.phases().begin("second opinion");
      fitted.opinion = domain::SecondOpinion::fit(domain::training_of_opinion(fitted), work.threads);
    }
    fitted.predictions = calibrate_predictions(
        {request, fitted, std::move(measured.rows), levels, work.threads},
        session::list_molecules(calibration_file(request), request.training_smiles_column), work.encoding,
        work.memory.phases(), work.failed);
  } else if (judges_predictions(request)) {
    fitted.predictions = with_options(fitted.predictions, request);
  }
  return fitted;
}

}  // namespace molgauge::verbs
