#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"

namespace molgauge::cli {
namespace {

void run(const DomainRequest& request) {
  const DomainReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  const std::string duplicates =
      report.training_duplicates > 0
          ? fmt::format(" ({} merged with them, {} of these drawn differently)",
                        counted(report.training_duplicates, "repetition"), report.training_redrawn)
          : "";
  print_info("compared with {}{}\n", counted(report.training_molecules, "training molecule"), duplicates);
  if (report.resumed > 0) {
    print_info("{} were already compared by an earlier call\n", counted(report.resumed, "candidate"));
  }
  print_result("inside {}, borderline {}, outside {}, unreadable {}\n", report.inside, report.borderline,
               report.outside, report.unreadable);
  for (const std::string& notice : report.notices) {
    print_result("{}\n", notice);
  }
  if (!report.error_summary.empty()) {
    print_result("{}\n", report.error_summary);
  }
  if (!report.prediction_summary.empty()) {
    print_result("{}\n", report.prediction_summary);
  }
  print_result("{}\n{}\n{}\n", report.csv, report.json, report.page);
  for (const std::string& file : {report.card, request.workbook, request.sdf}) {
    if (!file.empty()) {
      print_result("{}\n", file);
    }
  }
}

}  // namespace

template <>
std::vector<Command> commands<DomainRequest>() {
  return {{.name = "domain",
           .summary = "Flag candidates outside a model's training set, and say why",
           .add = runs<DomainRequest>(run),
           .has_encoders = true}};
}

}  // namespace molgauge::cli
