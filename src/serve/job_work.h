#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "headroom/engine.h"
#include "headroom/serve.h"
#include "serve/job.h"
#include "serve/metrics.h"
#include "serve/models.h"

namespace headroom::serve {

/// What all work is done with.
struct Tools {
  Engine& engine;
  const ServeRequest& request;
  const Models& models;
  Metrics& metrics;
  const std::atomic<bool>& is_ending;  ///< long loops over rows end soon then
};

/// Names the columns with outputs of the user's model, which are judged then.
void set_prediction_columns(const PredictionFields& fields, DomainRequest& request);

/// The work of a job: a block of an encoding at a time, everything else as one call of the engine, which
/// takes from the store what an earlier process has computed. Sets job->work.
void give_work(const std::shared_ptr<Job>& job, const Tools& tools);

/// The report of the engine's progress goes to the job that runs; to none outside of these.
void report_progress(const ProgressReport& progress);

/// The reason why each molecule failed. Empty if the molecule has features.
std::vector<std::string> reasons_of(const std::vector<ListedMolecule>& molecules,
                                    const std::vector<FailedMolecule>& failed);

/// {"row": 0, "line": 1, "name": ..., "features": [...]}; "features" is null if there is a reason, or if a
/// feature is not finite, which JSON cannot express.
std::string encoded_row(std::size_t row, const ListedMolecule& molecule, const std::string& reason,
                        std::span<const float> features);

}  // namespace headroom::serve
