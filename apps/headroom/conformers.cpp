#include "headroom/conformers.h"

#include <fmt/format.h>

#include "core/counted.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "print.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void tell_count(std::size_t count, const char* what) {
  if (count > 0) {
    tell("{}: {}\n", counted(count, "molecule"), what);
  }
}

void run(const ConformersRequest& request) {
  const ConformersReport report = load_engine().make_conformers(request);
  print_failed(report.failed, report.failed_records);
  const std::string rate =
      report.made > 0 && report.seconds > 0
          ? fmt::format(" ({:.1f} molecules/s)", static_cast<double>(report.made) / report.seconds)
          : "";
  print_result("{}: {} placed now{}, {} found in the store, {} with places of their own, {} failed\n",
               counted(report.rows, "record"), report.made, rate, report.from_store, report.own,
               report.failed_records);
  tell_count(report.flat, "cannot be embedded in three dimensions, the places of a drawing are used");
  tell_count(report.not_converged, "the force field has not come to rest after 200 steps");
  tell_count(report.unrefined, "the force field does not know all atoms, the places are as embedded");
  if (report.processes_replaced > 0) {
    tell("{} replaced\n", counted(report.processes_replaced, "process"));
  }
  print_result("{}: {}\n", request.out, counted(report.rows - report.failed_records, "record"));
}

}  // namespace

void add_conformers(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<ConformersRequest>();
  auto* const command = app.add_subcommand(
      "conformers",
      "Place the atoms of molecules in space (ETKDG, MMFF94), and keep the places in the store");
  add_input_options(*command, request->molecules, request->smiles_column, request->strict);
  command
      ->add_option("--out", request->out, "The .sdf to write: hydrogens included, in the order of the input")
      ->required();
  command
      ->add_option(
          "--conformer-fallback", request->options.fallback,
          "A molecule that cannot be embedded: 2d takes the places of its drawing, fail leaves it out")
      ->check(CLI::IsMember({"2d", "fail"}))
      ->capture_default_str();
  command
      ->add_option("--conformer-deadline", request->options.deadline_seconds,
                   "Seconds that a molecule may take; one that takes longer fails alone")
      ->capture_default_str();
  command
      ->add_option("--max-atoms", request->options.max_atoms,
                   "Atoms that a molecule may have, hydrogens counted; a larger one fails")
      ->capture_default_str();
  add_store_option(*command, request->store);
  add_threads_option(*command, request->threads);
  command->footer(
      "Molecules of an .sdf that are three-dimensional are taken as they are. A second run takes all places "
      "from "
      "the store.\nExample: headroom conformers molecules.csv --out molecules.sdf");
  verbs.push_back({command, [request] { run(*request); }});
}

}  // namespace headroom::cli
