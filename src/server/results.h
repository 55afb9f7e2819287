#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "server/job.h"
#include "server/job_work.h"

/// Results of finished jobs in the forms that requests ask for.
namespace molgauge::serve {

/// Returns the answer of a finished job. `as`: the form of the answer, which is json, ndjson, csv, sdf or
/// html. Every file is checked before it is sent. Throws UsageError if the job has no such form, Refused with
/// status 500 if the result is damaged, and Error if a form cannot be written. Only one thread may call it at
/// a time.
Answer result_of(const std::shared_ptr<Job>& job, const std::string& as, const Tools& tools);

/// These functions return a file with the rows of a finished job, as one JSON document and as an SDF. The
/// file is written atomically at the first request, and again if it is damaged. They throw the errors of
/// result_of().
std::filesystem::path json_of(const Job& job, const Tools& tools);
std::filesystem::path sdf_of(const Job& job, const Tools& tools);

/// Returns the form that a request asks for: the value of `as`. If `as` is missing, returns the first form
/// whose content type is in the field Accept, or json if there is none.
std::string wanted_form(const Request& request);

/// Content types of the forms. Throws UsageError if there is no such form.
std::string content_type_of_form(const std::string& as);

}  // namespace molgauge::serve
