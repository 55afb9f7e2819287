#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "molgauge/engine.h"
#include "molgauge/serve.h"
#include "server/job.h"
#include "server/metrics.h"
#include "server/models.h"

namespace molgauge::serve {

/// The objects that all work needs.
struct Tools {
  Engine& engine;
  const ServeRequest& request;
  const Models& models;
  Metrics& metrics;
  const std::atomic<bool>& is_ending;  ///< whether long loops over rows must end soon
};

/// Sets the columns with predictions of the user's model, so that they are judged.
void set_prediction_columns(const PredictionFields& fields, DomainRequest& request);

/// Sets job->work. Encoding is done in blocks and continues after the rows that an earlier process has
/// written. Other work is one call of the engine, which reuses features from the store.
void give_work(const std::shared_ptr<Job>& job, const Tools& tools);

/// Passes progress of the engine to the running job, if there is one.
void report_progress(const ProgressReport& progress);

/// Returns the reason why each molecule failed. The reason of a molecule with features is empty.
std::vector<std::string> reasons_of(const std::vector<ListedMolecule>& molecules,
                                    const std::vector<FailedMolecule>& failed);

/// Returns {"row": 0, "line": 1, "name": ..., "features": [...]}. "features" is null if there is a reason, or
/// if a feature is not finite, because JSON cannot express such a number.
std::string encoded_row(std::size_t row, const ListedMolecule& molecule, const std::string& reason,
                        std::span<const float> features);

}  // namespace molgauge::serve
