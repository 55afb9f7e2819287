#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"
#include "molgauge/pocket_train.h"

namespace molgauge::cli {
namespace {

void run(const PocketTrainRequest& request) {
  const PocketTrainReport report = load_engine().run(request);
  if (report.rank > 0) {
    return;  // only rank 0 of several processes prints
  }
  print_phases(report.phases);
  if (report.oom_recoveries > 0) {
    print_info("recovered {} from running out of memory\n", counted(report.oom_recoveries, "time"));
  }
  print_result("{}: {} for training, {} for validation, {} for test, {} left out\n", request.run,
               counted(report.train, "pocket"), report.validation, report.test, report.left_out);
  print_result("best validation loss {:.6f} (cosine {:.4f}) in epoch {} of {}{}\n",
               report.best_validation_loss, report.best_validation_cosine, report.best_epoch + 1,
               report.epochs_run, report.stopped_early ? " (stopped early)" : "");
}

}  // namespace

template <>
std::vector<Command> commands<PocketTrainRequest>() {
  return {{.name = "pocket train",
           .summary = "Train an encoder that maps pockets close to their ligands",
           .add = runs<PocketTrainRequest>(run),
           .ending = "Example: molgauge pocket train graphs --ligands ligands.h5 --run runs/pocket"}};
}

}  // namespace molgauge::cli
