#include <fmt/format.h>

#include "engine_loader.h"
#include "print.h"
#include "report/text_table.h"
#include "verb.h"

namespace headroom::cli {
namespace {

void run(const SplitRequest& request) {
  const SplitReport report = load_engine().split(request);
  print_failed(report.failed);
  report::TextTable table({"part", "molecules"});
  for (const char* part : {"train", "iid_val", "iid_test", "ood_val", "ood_test"}) {
    table.add_row({part, std::to_string(report.part_sizes.at(part))});
  }
  fmt::print("{}{}: {} records, {} domains; {} refused, {} merged with an equal text, {} without a label",
             table.to_string(), request.out, report.rows, report.domains, report.failed.size(),
             report.duplicates, report.unlabelled);
  fmt::print("{}\n", report.acyclic > 0 ? fmt::format(", {} without a ring left out", report.acyclic) : "");
}

}  // namespace

void add_split(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<SplitRequest>();
  auto* const command =
      app.add_subcommand("split", "Make an out-of-distribution benchmark from labelled molecules");
  add_input_options(*command, request->molecules, request->smiles_column, request->strict);
  command->add_option("--label-column", request->label_column,
                      "Column with the class (0/1) or value [none: labels 0]");
  command->add_option("--domain", request->domain, "What shifts between the parts: scaffold or size")
      ->capture_default_str()
      ->check(CLI::IsMember({"scaffold", "size"}));
  command
      ->add_option("--shift", request->shift, "covariate (parts hold different domains) or none (at random)")
      ->capture_default_str()
      ->check(CLI::IsMember({"covariate", "none"}));
  command->add_option("--algorithm", request->algorithm, "How domains are laid out: good or drugood")
      ->capture_default_str()
      ->check(CLI::IsMember({"good", "drugood"}));
  command->add_flag("--drop-acyclic", request->drop_acyclic,
                    "scaffold: leave out molecules without rings, which have no scaffold");
  command->add_option("--seed", request->seed, "Of the shuffling within parts")->capture_default_str();
  command->add_option("--out", request->out, "Benchmark file (DrugOOD JSON) to write")->required();
  command->add_option("--threads", request->threads, "CPU threads; 0: every processor this process may use")
      ->capture_default_str();
  command->add_flag("--quiet", request->quiet, "Show no progress");
  verbs.push_back({command, [request] { run(*request); }});
}

}  // namespace headroom::cli
