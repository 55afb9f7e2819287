#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"

namespace molgauge::cli {
namespace {

/// Prints the test AUROC. The validation AUROC alone would be too optimistic, because the validation OOD
/// molecules come from the training domains.
void print_test_auroc(const TrainReport& report) {
  if (report.validation_test_gap) {
    print_result("test AUROC {:.4f}{}\n", report.validation_test_gap->test_auroc,
                 report.seeds.empty() ? "" : ", mean of the seeds");
  } else {
    print_result("test AUROC unknown: the test molecules were not scored\n");
  }
}

void run(const TrainRequest& request) {
  const TrainReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  if (report.oom_recoveries > 0) {
    print_info("recovered {} from running out of memory. The batch size was {} instead of {}\n",
               counted(report.oom_recoveries, "time"), report.batch_size_used, report.batch_size_planned);
  }
  if (!report.seeds.empty()) {
    for (const SeedReport& seed : report.seeds) {
      print_result("seed {}: best validation AUROC {:.4f} in epoch {} of {}\n", seed.seed, seed.best_auroc,
                   seed.best_epoch + 1, seed.epochs_run);
    }
    print_result("{}: validation AUROC {:.4f} of the mean energy of {}{}\n", request.run, report.best_auroc,
                 counted(report.seeds.size(), "seed"), report.resumed ? " (resumed)" : "");
    print_test_auroc(report);
    return;
  }
  print_result("{}: best validation AUROC {:.4f} in epoch {} of {}{}{}\n", request.run, report.best_auroc,
               report.best_epoch + 1, report.epochs_run, report.stopped_early ? " (stopped early)" : "",
               report.resumed ? " (resumed)" : "");
  print_test_auroc(report);
}

}  // namespace

template <>
std::vector<Command> commands<TrainRequest>() {
  return {{.name = "train",
           .summary = "Train an energy head to detect out-of-distribution molecules",
           .add = runs<TrainRequest>(run),
           .has_encoders = true}};
}

}  // namespace molgauge::cli
