#include <fmt/format.h>

#include "engine_loader.h"
#include "print.h"
#include "verb.h"

namespace molgauge::cli {
void run(const EvaluateRequest& request) {
  const EvaluateReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  print_evaluation(report);
}

}  // namespace molgauge::cli
