#include "base/command_line/command.h"

#include <fmt/format.h>

#include "base/command_line/engine_loader.h"
#include "base/command_line/print.h"
#include "base/core/session/standard_streams.h"
#include "base/core/text/counted.h"
#include "molgauge/conformers.h"

namespace molgauge::cli {
namespace {

void print_count(std::size_t count, const char* what) {
  if (count > 0) {
    print_info("{}: {}\n", counted(count, "molecule"), what);
  }
}

void run(const ConformersRequest& request) {
  const ConformersReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  const std::string rate =
      report.made > 0 && report.seconds > 0
          ? fmt::format(" ({:.1f} molecules/s)", static_cast<double>(report.made) / report.seconds)
          : "";
  print_result(
      "{}: {} embedded now{}, {} found in the store, {} with 3D coordinates in the input, {} failed\n",
      counted(report.rows, "record"), report.made, rate, report.from_store, report.own,
      report.failed_records);
  print_count(report.flat, "3D embedding failed, 2D coordinates are used");
  print_count(report.not_converged, "the force field did not converge in 200 steps");
  print_count(report.from_exact, "the fast engine failed, RDKit generated the conformer");
  print_count(report.unrefined,
              "the force field has no parameters for some atoms. The embedded coordinates are used");
  if (report.processes_replaced > 0) {
    print_info("{} replaced\n", counted(report.processes_replaced, "process"));
  }
  print_result("{}: {}\n", request.out, counted(report.rows - report.failed_records, "record"));
}

}  // namespace

template <>
std::vector<Command> commands<ConformersRequest>() {
  return {{.name = "conformers",
           .summary = "Generate 3D conformers (ETKDG, MMFF94)",
           .add = runs<ConformersRequest>(run),
           .ending = "3D coordinates in an .sdf are used unchanged. The store caches all conformers for "
                     "later runs.\nExample: molgauge conformers molecules.csv --out molecules.sdf"}};
}

}  // namespace molgauge::cli
