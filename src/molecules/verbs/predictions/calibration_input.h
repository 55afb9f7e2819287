#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/memory/measure/phase.h"
#include "base/runtime/failure_log.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/judging/judge.h"
#include "molecules/judging/predictions/prediction_calibration.h"
#include "molecules/verbs/predictions/prediction_columns.h"
#include "molgauge/domain.h"

namespace molgauge::verbs {

/// The inputs for calibrating the predictions of a request.
struct CalibrationWork {
  const DomainRequest& request;
  const domain::SavedDomain& saved;  ///< the domain with its training molecules
  std::vector<MeasuredRow> rows;     ///< result of require_prediction_columns()
  domain::Levels levels;
  std::size_t threads = 1;
};

/// Encodes and describes the calibration molecules, compares them with the training molecules and calibrates
/// the predictions. `molecules`: the estimated sizes of the molecules. Unreadable molecules are appended to
/// `failed`. If the calibration molecules are the training molecules, they are not appended, because `failed`
/// already contains them. Rows of one molecule are merged
/// (molecules/judging/predictions/repeated_molecules.h). Without candidates, logs the warnings of the model
/// check (molecules/judging/predictions/model_check.h).
///
/// Throws InputError if the predictions are in-sample predictions
/// (molecules/judging/predictions/in_sample.h), and the errors of PredictionCalibration.
std::shared_ptr<const domain::PredictionCalibration> calibrate_predictions(const CalibrationWork& work,
                                                                           session::MoleculeList molecules,
                                                                           session::EncodingSession& session,
                                                                           memory::PhaseRecorder& phases,
                                                                           pipeline::FailureLog& failed);

/// Returns the stored calibration. If the request has --coverage or --interval-method, they replace the
/// stored values.
std::shared_ptr<const domain::PredictionCalibration> with_options(
    std::shared_ptr<const domain::PredictionCalibration> stored, const DomainRequest& request);

}  // namespace molgauge::verbs
