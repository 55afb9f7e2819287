#include "api/registry.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/nearest_name.h"
#include "base/options/report_fields.h"
#include "molecules/pages/report.h"
#include "pockets/verbs/report/pocket_report.h"

namespace molgauge {
namespace {

/// A run folder belongs to the product that wrote it.
ReportSummary write_report(const ReportRequest& request) {
  return verbs::is_pocket_run(request.folder) ? verbs::write_pocket_report(request)
                                              : report::write_report(request);
}

}  // namespace

MOLGAUGE_REPORT_FIELDS(ReportSummary, planned, finished, failed, files, gaps)

template <>
verbs::Verb verbs::verb<ReportRequest>() {
  return row<ReportRequest>("report", write_report);
}

}  // namespace molgauge

namespace molgauge::verbs {
namespace {

std::span<const Verb> registry() {
  static const std::vector<Verb> verbs = {
#define MOLGAUGE_REQUEST(Request) verb<Request>(),
#define MOLGAUGE_PROGRAM_REQUEST(Request)
#define MOLGAUGE_REQUEST_WITHOUT_OPTIONS(Request) MOLGAUGE_REQUEST(Request)
#include "base/options/requests.def"
#undef MOLGAUGE_REQUEST
  };
  return verbs;
}

}  // namespace

const Verb& find_verb(const std::type_info& request_type) {
  const auto verbs = registry();
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const Verb& verb) { return verb.request_type == request_type; });
  if (found == verbs.end()) {
    throw std::logic_error(std::string("no verb has the request type ") + request_type.name());
  }
  return *found;
}

std::vector<std::string> json_verbs() {
  std::vector<std::string> names;
  for (const Verb& verb : registry()) {
    if (verb.run_json) {
      names.push_back(verb.name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

const Verb& find_verb(const std::string& name) {
  const auto verbs = registry();
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const Verb& verb) { return verb.run_json && verb.name == name; });
  if (found == verbs.end()) {
    const std::vector<std::string> names = json_verbs();
    throw UsageError(fmt::format("no verb '{}'. Available: {}{}", name, fmt::join(names, ", "),
                                 did_you_mean(name, names)));
  }
  return *found;
}

}  // namespace molgauge::verbs
