#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"
#include "base/core/text/printable.h"
#include "molgauge/pocket_build.h"

namespace molgauge::cli {
namespace {

constexpr std::size_t kShown = 5;

void print_failed_pockets(const PocketBuildReport& report) {
  for (std::size_t i = 0; i < std::min(kShown, report.failed.size()); ++i) {
    print_error("{}: {}\n", printable(report.failed[i].complex_id), printable(report.failed[i].reason));
  }
  if (report.failed_pockets > kShown) {
    print_error("... and {} more. failed_graph_construction.csv lists all\n", report.failed_pockets - kShown);
  }
}

void run(const PocketBuildRequest& request) {
  const PocketBuildReport report = load_engine().run(request);
  print_failed_pockets(report);
  print_result("{}: {} built, {} taken over, {} too large, {} failed\n", counted(report.pockets, "pocket"),
               report.built, report.taken_over, report.too_large, report.failed_pockets);
  print_result("{}: {} with {}, {} bonds, {} angles, {} dihedrals, {} pairs\n", report.manifest,
               counted(report.built + report.taken_over, "graph"), counted(report.atoms, "atom"),
               report.bonds, report.angles, report.dihedrals, report.pairs);
}

}  // namespace

template <>
std::vector<Command> commands<PocketBuildRequest>() {
  return {
      {.name = "pocket build",
       .summary =
           "Build graphs of RNA pockets from AMBER topologies, structures or graphs of the Python project",
       .add = runs<PocketBuildRequest>(run),
       .ending = "If a pocket fails, failed_graph_construction.csv gives the reason and the build "
                 "continues.\nExample: molgauge pocket build amber/ --out graphs"}};
}

}  // namespace molgauge::cli
