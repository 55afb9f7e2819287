#include <fmt/format.h>

#include "core/counted.h"
#include "core/standard_streams.h"
#include "engine_loader.h"
#include "page/text_table.h"
#include "print.h"
#include "verb.h"

namespace headroom::cli {
namespace {

/// Why records are not rows of the benchmark, as far as there are any.
std::string left_out(const SplitReport& report) {
  std::string text =
      fmt::format("{} refused, {} merged with an equal text, {} with another spelling, {} without a label",
                  report.failed.size(), report.duplicates, report.respelled, report.unlabelled);
  const auto add = [&](std::size_t count, const char* reason) {
    text += count > 0 ? fmt::format(", {} {}", count, reason) : "";
  };
  add(report.filtered, "filtered out");
  add(report.bondless, "without a bond left out");
  add(report.acyclic, "without a ring left out");
  return text;
}

void run(const SplitRequest& request) {
  const SplitReport report = load_engine().split(request);
  print_failed(report.failed);
  page::TextTable table({"part", "molecules"});
  for (const char* part : {"train", "iid_val", "iid_test", "ood_val", "ood_test"}) {
    table.add_row({part, std::to_string(report.part_sizes.at(part))});
  }
  print_result("{}{}: {}, {}; {}\n", table.to_string(), request.out, counted(report.rows, "record"),
               counted(report.domains, "domain"), left_out(report));
}

void add_layout_options(CLI::App& command, SplitRequest& request) {
  command.add_option("--domain", request.domain, "What shifts between the parts: scaffold, size or assay")
      ->capture_default_str()
      ->check(CLI::IsMember({"scaffold", "size", "assay"}));
  command
      .add_option("--shift", request.shift,
                  "covariate (parts hold different domains), concept (labels go with domains in another way) "
                  "or none (at random)")
      ->capture_default_str()
      ->check(CLI::IsMember({"covariate", "concept", "none"}));
  command
      .add_option("--algorithm", request.algorithm,
                  "How domains are laid out: good or drugood [drugood for --domain assay, else good]")
      ->check(CLI::IsMember({"good", "drugood"}));
  command
      .add_option("--style", request.style,
                  "good: the rules for classes (GOOD-HIV, GOOD-PCBA) or values (GOOD-ZINC) [by the labels]")
      ->check(CLI::IsMember({"classes", "values"}));
  command.add_flag("--drop-acyclic", request.drop_acyclic,
                   "scaffold: leave out molecules without rings, which have no scaffold");
  command.add_flag("--keep-spellings", request.keep_spellings,
                   "Leave different spellings of one molecule apart, as the Python programs do; train "
                   "refuses a benchmark with one molecule in two parts");
}

void add_measurement_options(CLI::App& command, MeasurementTable& table) {
  command.add_option("--assay-column", table.assay_column, "Column with the number of the assay [none: 0]");
  command.add_option("--relation-column", table.relation_column,
                     "drugood: column with = ~ < <= > >=, by which values are shifted [none: =]");
  command
      .add_option(
          "--subset", table.subset,
          "drugood: keep assays as DrugOOD does: core (50 to 3000 molecules), refined (32 to 5000) or "
          "general (10 to 5000) [every row]")
      ->check(CLI::IsMember({"core", "refined", "general"}));
  command.add_option("--type-column", table.type_column, "subset: column with the type of measurement");
  command.add_option("--measurement-type", table.measurement_type, "subset: the type to keep, say EC50");
  command.add_option("--units-column", table.units_column,
                     "subset: column with the units; nM and uM are kept");
  command.add_option("--confidence-column", table.confidence_column,
                     "subset: column with ChEMBL's confidence; core keeps 9 and more, refined 3 and more");
}

}  // namespace

void add_split(CLI::App& app, Verbs& verbs) {
  auto request = std::make_shared<SplitRequest>();
  auto* const command = app.add_subcommand(
      "split",
      "Make an out-of-distribution benchmark from labelled molecules, or of the split in a folder of GOOD's "
      "processed files");
  add_input_options(*command, request->molecules, request->smiles_column, request->strict);
  command
      ->add_option("--label-column", request->label_columns,
                   "Column with the class (0/1) or value; several times for several tasks, whose empty "
                   "fields are unknown labels [none: labels 0]")
      ->allow_extra_args(false);
  add_layout_options(*command, *request);
  add_measurement_options(*command, request->table);
  command->add_option("--seed", request->seed, "Of the shuffling within parts")->capture_default_str();
  command->add_option("--out", request->out, "Benchmark file (DrugOOD JSON) to write")->required();
  add_threads_option(*command, request->threads);
  verbs.push_back({command, [request] { run(*request); }});
}

}  // namespace headroom::cli
