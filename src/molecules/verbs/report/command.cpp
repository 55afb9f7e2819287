#include "base/command_line/command.h"

#include <memory>
#include <string>

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/table_options.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"

namespace molgauge::cli {
namespace {

void run(const ReportRequest& request) {
  const ReportSummary summary = load_engine().run(request);
  for (const std::string& gap : summary.gaps) {
    print_info("missing: {}\n", gap);
  }
  for (const std::string& file : summary.files) {
    print_result("{}\n", file);
  }
  print_info("{} of {} finished, {} failed\n", summary.finished, counted(summary.planned, "run"),
             summary.failed);
}

void add_report(CLI::App& command, Verbs& verbs) {
  auto request = std::make_shared<ReportRequest>();
  add_options(command, *request);
  command
      .add_option_function<std::string>(
          "--score",
          [](const std::string& /*file*/) {
            throw CLI::ParseError(
                "report does not accept --score. For a page of scored molecules, use 'molgauge score DIR "
                "MOLECULES --page PAGE.html'",
                CLI::ExitCodes::ExtrasError);
          })
      ->group("");
  verbs.push_back({&command, [request] { run(*request); }});
}

}  // namespace

template <>
std::vector<Command> commands<ReportRequest>() {
  return {{.name = "report",
           .summary = "Write an HTML report of a matrix, a run or baselines",
           .add = add_report}};
}

}  // namespace molgauge::cli
