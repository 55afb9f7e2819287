#include <fmt/format.h>

#include "core/counted.h"
#include "core/printable.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "headroom/pocket_build.h"
#include "table_options.h"
#include "verb.h"

namespace headroom::cli {
namespace {

constexpr std::size_t kShown = 5;

void print_failed_pockets(const PocketBuildReport& report) {
  for (std::size_t i = 0; i < std::min(kShown, report.failed.size()); ++i) {
    print_error("{}: {}\n", printable(report.failed[i].complex_id), printable(report.failed[i].reason));
  }
  if (report.failed_pockets > kShown) {
    print_error("... and {} more; failed_graph_construction.csv lists all\n", report.failed_pockets - kShown);
  }
}

void build_pockets(const PocketBuildRequest& request) {
  const PocketBuildReport report = load_engine().run(request);
  print_failed_pockets(report);
  print_result("{}: {} built, {} taken over, {} too large, {} failed\n", counted(report.pockets, "pocket"),
               report.built, report.taken_over, report.too_large, report.failed_pockets);
  print_result("{}: {} with {}, {} bonds, {} angles, {} dihedrals, {} pairs\n", report.manifest,
               counted(report.built + report.taken_over, "graph"), counted(report.atoms, "atom"),
               report.bonds, report.angles, report.dihedrals, report.pairs);
}

void add_build(CLI::App& pocket, Verbs& verbs) {
  auto* const command = pocket.add_subcommand(
      "build",
      "Make graphs of RNA binding pockets, from AMBER topologies, structures or the Python project's graphs");
  auto request = std::make_shared<PocketBuildRequest>();
  add_options(*command, *request);
  command->footer(
      "A pocket without a graph is reported in failed_graph_construction.csv, and the others go on.\n"
      "Example: headroom pocket build amber/ --out graphs");
  verbs.push_back({command, [request, command] {
                     refuse_options_without_effect(*command, options::view(*request));
                     build_pockets(*request);
                   }});
}

}  // namespace

void add_pocket(CLI::App& app, Verbs& verbs) {
  auto* const pocket =
      app.add_subcommand("pocket", "RNA binding pockets: their graphs, their encoder, the ligands that fit");
  pocket->require_subcommand(1);
  add_build(*pocket, verbs);
  add_pocket_ligands(*pocket, verbs);
  add_pocket_models(*pocket, verbs);
}

}  // namespace headroom::cli
