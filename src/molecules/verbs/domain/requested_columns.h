#pragma once

#include <string>
#include <vector>

#include "molecules/judging/saved_domain.h"
#include "molgauge/domain.h"

namespace molgauge::verbs {

/// Checks every column that a request names before anything is encoded. Reads both files once. `saved`: the
/// domain of the request. Only a domain from a folder is already calibrated. A request without candidates
/// only calibrates a domain.
///
/// Throws the errors of require_columns(). Throws InputError if the label column has too few values, only one
/// distinct value or more than two classes, or if a column of the candidates has the name of a column of the
/// result.
void require_domain_columns(const DomainRequest& request, const domain::SavedDomain& saved);

/// Whether the label column of the training molecules gives an error curve. If predictions are judged, the
/// label column may belong to the calibration file. In this case, there is no curve if TRAIN has too few
/// labels.
bool has_error_curve(const DomainRequest& request);
/// Whether the values of the training molecules are read: for an error curve or for a second opinion.
bool reads_training_values(const DomainRequest& request);

/// Throws InputError if `file` has a column with the name of a column of the result. `added`: the columns of
/// the result.
void require_free_columns(const std::string& file, const std::vector<std::string>& columns,
                          const std::vector<std::string>& added);

}  // namespace molgauge::verbs
