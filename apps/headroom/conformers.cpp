#include "headroom/conformers.h"

#include <fmt/format.h>

#include "core/counted.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "print.h"
#include "table_options.h"
#include "verb.h"

namespace headroom::cli {
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
  print_result("{}: {} placed now{}, {} found in the store, {} with places of their own, {} failed\n",
               counted(report.rows, "record"), report.made, rate, report.from_store, report.own,
               report.failed_records);
  print_count(report.flat, "cannot be embedded in three dimensions, the places of a drawing are used");
  print_count(report.not_converged, "the force field has not come to rest after 200 steps");
  print_count(report.unrefined, "the force field does not know all atoms, the places are as embedded");
  if (report.processes_replaced > 0) {
    print_info("{} replaced\n", counted(report.processes_replaced, "process"));
  }
  print_result("{}: {}\n", request.out, counted(report.rows - report.failed_records, "record"));
}

}  // namespace

void add_conformers(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<ConformersRequest>();
  auto* const command = app.add_subcommand(
      "conformers",
      "Place the atoms of molecules in space (ETKDG, MMFF94), and keep the places in the store");
  add_options(*command, *request);
  command->footer(
      "Molecules of an .sdf that are three-dimensional are taken as they are. A second run takes all places "
      "from "
      "the store.\nExample: headroom conformers molecules.csv --out molecules.sdf");
  verbs.push_back({command, [request] { run(*request); }});
}

}  // namespace headroom::cli
