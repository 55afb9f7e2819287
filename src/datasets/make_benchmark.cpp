#include "datasets/make_benchmark.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/error.h"
#include "datasets/benchmark_file.h"
#include "datasets/benchmark_layout.h"
#include "datasets/class_labels.h"
#include "datasets/distinct_molecules.h"
#include "datasets/labelled_molecules.h"

namespace headroom::datasets {
namespace {

/// A request whose words have been understood.
struct Plan {
  DomainKind domain;
  bool drugood, shifted;
};

bool choose(const std::string& option, const std::string& given, const char* yes, const char* no) {
  if (given != yes && given != no) {
    throw UsageError(fmt::format("{} {}: choose {} or {}", option, given, yes, no));
  }
  return given == yes;
}

Plan plan_of(const SplitRequest& request) {
  const Plan plan{.domain = choose("--domain", request.domain, "size", "scaffold") ? DomainKind::size
                                                                                   : DomainKind::scaffold,
                  .drugood = choose("--algorithm", request.algorithm, "drugood", "good"),
                  .shifted = choose("--shift", request.shift, "covariate", "none")};
  if (plan.drugood && !plan.shifted) {
    throw UsageError("--algorithm drugood always shifts the domains; for --shift none take --algorithm good");
  }
  if (request.drop_acyclic && plan.domain != DomainKind::scaffold) {
    throw UsageError("--drop-acyclic has no effect with --domain size; it belongs to --domain scaffold");
  }
  if (request.out.empty()) {
    throw UsageError("--out: name the benchmark file to write (.json)");
  }
  return plan;
}

bool labelled_with_classes(const std::vector<LabelledMolecule>& molecules) {
  std::vector<double> labels;
  for (const auto& molecule : molecules) {
    labels.push_back(molecule.label);
  }
  return are_classes(labels);
}

/// Removes molecules without a scaffold; returns their number.
std::size_t drop_acyclic(std::vector<LabelledMolecule>& molecules, const std::string& file) {
  const std::size_t dropped = std::erase_if(
      molecules, [](const LabelledMolecule& molecule) { return molecule.domain.scaffold.empty(); });
  if (molecules.empty()) {
    throw InputError(file + ": no molecule has a ring; split by size, or without --drop-acyclic");
  }
  return dropped;
}

void require_domains(const std::vector<LabelledMolecule>& molecules, const Plan& plan,
                     const std::string& file) {
  const DomainValue& first = molecules.front().domain;
  const auto differs = [&](const LabelledMolecule& molecule) { return molecule.domain != first; };
  if (!plan.shifted || std::any_of(molecules.begin(), molecules.end(), differs)) {
    return;
  }
  const bool by_size = plan.domain == DomainKind::size;
  throw InputError(fmt::format(
      "{}: all {} molecules are of one {} ({}), so nothing can shift; try --domain {} or give more molecules",
      file, molecules.size(), by_size ? "size" : "scaffold",
      by_size                  ? std::to_string(first.atoms) + " atoms"
      : first.scaffold.empty() ? "none: acyclic"
                               : first.scaffold,
      by_size ? "scaffold" : "size"));
}

/// A loader finds everything it needs (select_ood_benchmark()).
void require_parts(const SplitParts& parts, const std::string& file) {
  constexpr std::size_t kLeastOodVal = 5;
  const auto require = [&](const char* name, std::size_t count, std::size_t least) {
    if (count < least) {
      throw InputError(
          fmt::format("{}: too few molecules or domains for this split: {} would hold {}, at least {} are "
                      "needed; give more molecules, or another --domain or --algorithm",
                      file, name, count, least));
    }
  };
  require("train", parts.train.size(), 1);
  require("iid_test", parts.iid_test.size(), 1);
  require("ood_val", parts.ood_val.size(), kLeastOodVal);
  require("ood_test", parts.ood_test.size(), 1);
}

std::vector<io::DrugOodItem> items_of(const std::vector<LabelledMolecule>& molecules,
                                      const BenchmarkLayout& layout) {
  std::vector<io::DrugOodItem> items(molecules.size());
  for (std::size_t row = 0; row < items.size(); ++row) {
    items[row].smiles = molecules[row].record.text;
    items[row].reg_label = molecules[row].label;
    items[row].cls_label = molecules[row].label >= layout.threshold ? 1 : 0;
    items[row].domain_id = static_cast<std::int64_t>(layout.domains.domain_of_row[row]);
  }
  return items;
}

SplitReport report_of(LabelledMolecules&& input, const BenchmarkLayout& layout, const io::DrugOodFile& file,
                      std::size_t distinct) {
  SplitReport report;
  report.rows = input.rows;
  report.domains = layout.domains.count;
  report.unlabelled = input.unlabelled;
  report.duplicates = input.molecules.size() - distinct;
  report.failed = std::move(input.failed);
  for (const auto part : io::kDrugOodParts) {
    report.part_sizes[to_string(part)] = file[part].size();
  }
  return report;
}

}  // namespace

SplitReport make_benchmark(const SplitRequest& request) {
  const Plan plan = plan_of(request);
  LabelledMolecules input = read_labelled_molecules(request, plan.domain);
  const std::size_t acyclic = request.drop_acyclic ? drop_acyclic(input.molecules, request.molecules) : 0;
  const bool classes = labelled_with_classes(input.molecules);
  const auto molecules =
      plan.drugood ? mean_of_each_text(input.molecules) : first_of_each_text(input.molecules);
  require_domains(molecules, plan, request.molecules);
  const GoodLayout good{.domain = plan.domain, .shifted = plan.shifted};
  const BenchmarkLayout layout = plan.drugood ? lay_out_as_drugood(molecules, classes, request.seed)
                                              : lay_out_as_good(molecules, good, classes, request.seed);
  require_parts(layout.parts, request.molecules);

  io::DrugOodFile file = benchmark_file(items_of(molecules, layout), layout.parts, layout.threshold);
  file.cfg = {{"molecules", std::filesystem::path(request.molecules).filename().string()},
              {"label_column", request.label_column},
              {"domain", request.domain},
              {"shift", request.shift},
              {"algorithm", request.algorithm},
              {"drop_acyclic", request.drop_acyclic},
              {"seed", request.seed}};
  io::write_drugood_json(request.out, file);
  SplitReport report = report_of(std::move(input), layout, file, molecules.size());
  report.acyclic = acyclic;
  return report;
}

}  // namespace headroom::datasets
