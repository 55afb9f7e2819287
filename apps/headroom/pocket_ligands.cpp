#include "headroom/pocket_ligands.h"

#include "core/counted.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "print.h"
#include "table_options.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void make_ligands(const PocketLigandsRequest& request) {
  const PocketLigandsReport report = load_engine().run(request);
  print_failed(report.failed, report.failed_records);
  print_phases(report.phases);
  if (report.missing_complexes > 0) {
    print_info("{} without a row, the first {}\n", counted(report.missing_complexes, "key"),
               report.missing.front());
  }
  print_result("{}: {} of {} numbers, from {}\n", request.out, counted(report.keys, "row"), report.width,
               counted(report.compounds, "compound"));
}

}  // namespace

void add_pocket_ligands(CLI::App& pocket, Verbs& verbs) {
  auto* const command = pocket.add_subcommand(
      "ligands", "Make the rows that pockets are trained towards, of the ligands' SMILES");
  auto request = std::make_shared<PocketLigandsRequest>();
  add_options(*command, *request);
  end_with_encoders(*command, "Example: headroom pocket ligands compounds.csv --out ligands.h5");
  verbs.push_back({command, [request] { make_ligands(*request); }});
}

}  // namespace headroom::cli
