#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

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
};

/// The work of a job: a block of an encoding at a time, everything else as one call of the engine, which
/// takes from the store what an earlier process has computed. Sets job->work.
void give_work(const std::shared_ptr<Job>& job, const Tools& tools);

/// The report of the engine's progress goes to the job that runs; to none outside of these.
void report_progress(const ProgressReport& progress);

/// {"row": 0, "line": 1, "name": ..., "features": [...]} or, with a reason, "features": null.
std::string encoded_row(std::size_t row, const ListedMolecule& molecule, const std::string* reason,
                        std::span<const float> features);

/// The answer of a finished job in the form `as`: json, ndjson, csv, sdf, html. Throws UsageError where the
/// job has no such form.
Answer result_of(const std::shared_ptr<Job>& job, const std::string& as, const Tools& tools);

/// The form that a request asks for: by `as`, else by Accept; json otherwise.
std::string wanted_form(const Request& request);

/// Content types of the forms.
std::string content_type_of_form(const std::string& as);

}  // namespace headroom::serve
