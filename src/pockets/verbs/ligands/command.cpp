#include "base/command_line/command.h"

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"
#include "molgauge/pocket_ligands.h"

namespace molgauge::cli {
namespace {

void run(const PocketLigandsRequest& request) {
  const PocketLigandsReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  if (report.missing_complexes > 0) {
    print_info("{} without a row, the first {}\n", counted(report.missing_complexes, "key"),
               report.missing.front());
  }
  print_result("{}: {} with {} features, from {}\n", request.out, counted(report.keys, "row"), report.width,
               counted(report.compounds, "compound"));
}

}  // namespace

template <>
std::vector<Command> commands<PocketLigandsRequest>() {
  return {{.name = "pocket ligands",
           .summary = "Encode ligands from their SMILES as training targets for pockets",
           .add = runs<PocketLigandsRequest>(run),
           .ending = "Example: molgauge pocket ligands compounds.csv --out ligands.h5",
           .has_encoders = true}};
}

}  // namespace molgauge::cli
