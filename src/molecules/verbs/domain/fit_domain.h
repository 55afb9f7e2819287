#pragma once

#include "molecules/encoding/session/molecule_input.h"
#include "molecules/judging/judge.h"
#include "molecules/judging/saved_domain.h"
#include "molecules/verbs/domain/domain_work.h"
#include "molecules/verbs/predictions/prediction_columns.h"

/// The first step of `molgauge domain`: calibrates a domain.
namespace molgauge::verbs {

/// Returns a domain with the settings of the request and without training molecules. `source`: the requested
/// features.
domain::SavedDomain unfitted_domain(const DomainRequest& request, domain::FeatureSource source,
                                    std::size_t threads);

/// Encodes the training molecules, and calibrates distances, ranges and, with labels, the error curve.
/// `molecules`: the estimated sizes of the training molecules. Throws InputError if the labels are invalid or
/// too few.
domain::SavedDomain with_training(const DomainWork& work, domain::SavedDomain unfitted,
                                  session::MoleculeList molecules);

/// Calibrates the predictions of a calibration file, or applies the options of the request to the stored
/// calibration. Without either, returns the domain unchanged.
domain::SavedDomain with_predictions(const DomainWork& work, domain::SavedDomain fitted,
                                     const domain::Levels& levels, MeasuredRows measured);

}  // namespace molgauge::verbs
