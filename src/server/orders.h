#pragma once

#include "server/exchange.h"
#include "server/job.h"
#include "server/models.h"
#include "server/molecule_lists.h"

namespace molgauge::serve {

/// The name of the uploaded file, from the parameter `name`. Keeps only the last part of a path, and only
/// characters that need no escapes in JSON and HTML.
std::string name_of_input(const Request& request);

/// Returns the order for the job that a request describes, without its input. `task`: the task of the route.
/// Throws UsageError.
JobOrder order_of(const Request& request, ListForm form, JobOrder::Task task, const Models& models);

}  // namespace molgauge::serve
