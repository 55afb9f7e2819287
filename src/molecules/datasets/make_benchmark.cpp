#include "molecules/datasets/make_benchmark.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/datasets/benchmark_file.h"
#include "molecules/datasets/class_labels.h"
#include "molecules/datasets/domain_table.h"
#include "molecules/datasets/drugood_split.h"
#include "molecules/datasets/good_folder.h"
#include "molecules/datasets/good_split.h"
#include "molecules/datasets/labelled_molecules.h"
#include "molecules/datasets/split_parts.h"
#include "molecules/datasets/split_plan.h"

namespace molgauge::datasets {
namespace {

enum class DuplicateCriterion { text, molecule };

/// The distinct molecules, and for each row the index of its molecule.
struct Distinct {
  std::vector<LabelledMolecule> molecules;
  std::vector<std::size_t> position_of_row;
};

Distinct distinct(const std::vector<LabelledMolecule>& rows, DuplicateCriterion same) {
  Distinct result;
  std::unordered_map<std::string, std::size_t> positions;
  for (const auto& row : rows) {
    const auto& key = same == DuplicateCriterion::text ? row.record.text : row.canonical_smiles;
    const auto [entry, is_new] = positions.emplace(key, result.molecules.size());
    if (is_new) {
      result.molecules.push_back(row);
    }
    result.position_of_row.push_back(entry->second);
  }
  return result;
}

/// The remaining record has the labels of the first record.
std::vector<LabelledMolecule> first_of_each(const std::vector<LabelledMolecule>& molecules,
                                            DuplicateCriterion same) {
  return distinct(molecules, same).molecules;
}

/// The remaining record has the mean of the labels (DrugOOD's step 3).
std::vector<LabelledMolecule> mean_of_each(const std::vector<LabelledMolecule>& molecules,
                                           DuplicateCriterion same) {
  Distinct result = distinct(molecules, same);
  std::vector<double> sums(result.molecules.size()), counts(result.molecules.size());
  for (std::size_t row = 0; row < molecules.size(); ++row) {
    sums[result.position_of_row[row]] += molecules[row].label;
    ++counts[result.position_of_row[row]];
  }
  for (std::size_t i = 0; i < result.molecules.size(); ++i) {
    result.molecules[i].label = sums[i] / counts[i];
  }
  return std::move(result.molecules);
}

/// The part of each molecule, and the threshold. A label is class 1 if it is at least the threshold.
struct BenchmarkLayout {
  DomainTable domains;
  SplitParts parts;
  std::vector<std::size_t> train_environment;  ///< for `good`: environment of each row of parts.train
  double threshold = 0;
};

std::vector<DomainValue> domains_of(const std::vector<LabelledMolecule>& molecules) {
  std::vector<DomainValue> values;
  values.reserve(molecules.size());
  for (const auto& molecule : molecules) {
    values.push_back(molecule.domain);
  }
  return values;
}

/// Upper median of the training labels.
double training_median(const std::vector<LabelledMolecule>& molecules, const SplitParts& parts) {
  std::vector<double> labels;
  for (const std::size_t row : parts.train) {
    labels.push_back(molecules[row].label);
  }
  return labels.empty() ? kClassThreshold : upper_median(std::move(labels));
}

std::vector<float> single_precision_labels(const std::vector<LabelledMolecule>& molecules) {
  std::vector<float> labels;
  labels.reserve(molecules.size());
  for (const auto& molecule : molecules) {
    labels.push_back(static_cast<float>(molecule.label));
  }
  return labels;
}

DomainOrder order_of(const SplitPlan& plan, GoodStyle style) {
  return style == GoodStyle::values || plan.domain == DomainKind::size ? DomainOrder::descending
                                                                       : DomainOrder::ascending;
}

/// Whether every label is 0 or 1. An unknown label counts as 0, so the result is true for a table without
/// labels. Call it before molecules are merged, because the mean of contradictory labels is neither 0 nor 1.
bool labelled_with_classes(const std::vector<LabelledMolecule>& molecules) {
  std::vector<double> known;
  for (const auto& molecule : molecules) {
    for (const auto& label : molecule.labels) {
      known.push_back(label.value_or(0));
    }
  }
  return are_classes(known);
}

/// Returns the layout of GOOD's program for a seed. If `classes` is true, the labels are classes and stay as
/// they are, and a merged label of 0.5 counts as 1. If `classes` is false, the threshold is the upper median
/// of the training labels. Throws InputError if there are too few molecules.
BenchmarkLayout lay_out_as_good(const std::vector<LabelledMolecule>& molecules, bool classes,
                                const SplitPlan& plan, std::uint64_t seed) {
  const GoodStyle style = plan.style.value_or(classes ? GoodStyle::classes : GoodStyle::values);
  BenchmarkLayout layout;
  layout.domains = domains_by_value(domains_of(molecules));
  // GOOD's program makes its splits one after another with one generator, so the earlier splits are drawn
  // here, too.
  PythonRandom random(seed);
  GoodSplit split = good_no_shift_split(molecules.size(), random);
  if (plan.shift != Shift::none) {
    split = good_covariate_split(layout.domains, order_of(plan, style), random);
  }
  if (plan.shift == Shift::concept_shift) {
    split = good_concept_split(layout.domains, single_precision_labels(molecules), style, random);
  }
  layout.parts = std::move(split.parts);
  layout.train_environment = std::move(split.train_environment);
  layout.threshold = classes ? kClassThreshold : training_median(molecules, layout.parts);
  return layout;
}

/// Returns the layout of DrugOOD's program for a seed. The arguments are the same as for lay_out_as_good().
/// If `classes` is false, the threshold is class_threshold().
BenchmarkLayout lay_out_as_drugood(const std::vector<LabelledMolecule>& molecules, bool classes,
                                   const SplitPlan& plan, std::uint64_t seed) {
  BenchmarkLayout layout;
  layout.domains = domains_by_appearance(domains_of(molecules));
  std::vector<double> labels;
  std::vector<std::int64_t> keys(layout.domains.count);
  for (std::size_t row = 0; row < molecules.size(); ++row) {
    labels.push_back(molecules[row].label);
    auto& key = keys[layout.domains.domain_of_row[row]];
    key = plan.domain == DomainKind::assay ? key + 1 : static_cast<std::int64_t>(molecules[row].domain.atoms);
  }
  layout.threshold = classes ? kClassThreshold : class_threshold(std::move(labels));
  PythonRandom random(seed);
  layout.parts = drugood_split(layout.domains, keys, random);
  return layout;
}

/// Returns the molecules to split, without duplicates. Sets the counts of left-out and merged records in
/// `report`.
std::vector<LabelledMolecule> distinct_molecules(LabelledMolecules&& input, const SplitRequest& request,
                                                 const SplitPlan& plan, SplitReport& report) {
  auto rows = std::move(input.molecules);
  if (request.drop_acyclic) {
    report.acyclic = std::erase_if(
        rows, [](const LabelledMolecule& molecule) { return molecule.domain.scaffold.empty(); });
  }
  if (plan.drugood) {
    report.bondless =
        std::erase_if(rows, [](const LabelledMolecule& molecule) { return molecule.bonds == 0; });
  }
  if (rows.empty()) {
    throw InputError(request.molecules + ": no molecule is left: " +
                     (request.drop_acyclic ? "none has a ring. Split by size, or without --drop-acyclic"
                                           : "none has a bond, which DrugOOD requires"));
  }
  const auto merge = plan.drugood ? mean_of_each : first_of_each;
  const std::size_t before = rows.size();
  const std::size_t texts = first_of_each(rows, DuplicateCriterion::text).size();
  rows = merge(rows, request.keep_spellings ? DuplicateCriterion::text : DuplicateCriterion::molecule);
  report.duplicates = before - texts;
  report.respelled = texts - rows.size();
  return rows;
}

struct DomainWords {
  std::string kind, value, others;
};

DomainWords describe(const DomainValue& domain, DomainKind kind) {
  switch (kind) {
    case DomainKind::size:
      return {"size", std::to_string(domain.atoms) + " atoms", "scaffold"};
    case DomainKind::assay:
      return {"assay", std::to_string(domain.assay), "scaffold or size"};
    case DomainKind::scaffold:
      break;
  }
  return {"scaffold", domain.scaffold.empty() ? "none: acyclic" : domain.scaffold, "size"};
}

void require_domains(const std::vector<LabelledMolecule>& molecules, const SplitPlan& plan,
                     const std::string& file) {
  const DomainValue& first = molecules.front().domain;
  const auto differs = [&](const LabelledMolecule& molecule) { return molecule.domain != first; };
  if (plan.shift == Shift::none || std::any_of(molecules.begin(), molecules.end(), differs)) {
    return;
  }
  const DomainWords words = describe(first, plan.domain);
  throw InputError(
      fmt::format("{}: all {} molecules have the same {} ({}), so they cannot be split by it. Use --domain "
                  "{}, or give more molecules",
                  file, molecules.size(), words.kind, words.value, words.others));
}

/// Throws InputError if a part has fewer molecules than a loader needs (select_ood_benchmark()).
void require_parts(const SplitParts& parts, const SplitPlan& plan, const std::string& file) {
  constexpr std::size_t kLeastOodVal = 5;
  const auto require = [&](const char* name, std::size_t count, std::size_t least) {
    if (count < least) {
      throw InputError(
          fmt::format("{}: too few molecules or domains for this split: {} would have {}, at least {} are "
                      "needed. Give more molecules, or another --domain or --algorithm",
                      file, name, count, least));
    }
  };
  constexpr std::size_t kLeastToDrawFrom = 4;  // validation and test molecules are drawn from train, too
  require("train", parts.train.size(), plan.shift == Shift::none ? kLeastToDrawFrom : 1);
  require("iid_test", parts.iid_test.size(), plan.shift == Shift::none ? 0 : 1);
  require("ood_val", parts.ood_val.size(), kLeastOodVal);
  require("ood_test", parts.ood_test.size(), 1);
}

std::vector<io::DrugOodItem> items_of(const std::vector<LabelledMolecule>& molecules,
                                      const BenchmarkLayout& layout) {
  std::vector<io::DrugOodItem> items(molecules.size());
  for (std::size_t row = 0; row < items.size(); ++row) {
    const LabelledMolecule& molecule = molecules[row];
    items[row].smiles = molecule.record.text;
    items[row].reg_label = molecule.label;
    items[row].assay_id = molecule.assay_id;
    items[row].cls_label = molecule.label >= layout.threshold ? 1 : 0;
    items[row].domain_id = static_cast<std::int64_t>(layout.domains.domain_of_row[row]);
    if (molecule.labels.size() > 1) {
      items[row].labels = molecule.labels;
    }
  }
  for (std::size_t i = 0; i < layout.train_environment.size(); ++i) {
    items[layout.parts.train[i]].environment = static_cast<std::int64_t>(layout.train_environment[i]);
  }
  return items;
}

nlohmann::ordered_json options_of(const SplitRequest& request, const SplitPlan& plan) {
  nlohmann::ordered_json options = {
      {"molecules", std::filesystem::path(request.molecules).filename().string()},
      {"label_columns", request.label_columns},
      {"domain", to_string(request.domain)},
      {"shift", to_string(request.shift)},
      {"algorithm", plan.drugood ? "drugood" : "good"},
      {"drop_acyclic", request.drop_acyclic},
      {"keep_spellings", request.keep_spellings},
      {"seed", request.seed}};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      options[name] = value;
    }
  };
  add("style", to_string(request.style));
  add("assay_column", request.table.assay_column);
  add("relation_column", request.table.relation_column);
  add("subset", to_string(request.table.subset));
  add("type_column", request.table.type_column);
  add("measurement_type", request.table.measurement_type);
  add("units_column", request.table.units_column);
  add("confidence_column", request.table.confidence_column);
  return options;
}

void count_parts(const io::DrugOodFile& file, SplitReport& report) {
  for (const auto part : io::kDrugOodParts) {
    report.part_sizes[to_string(part)] = file[part].size();
  }
}

SplitReport take_good_folder(const SplitRequest& request) {
  const io::DrugOodFile file = read_good_folder(request);
  io::write_drugood_json(request.out, file);
  SplitReport report;
  std::set<std::int64_t> domains;
  for (const auto& part : file.parts) {
    report.rows += part.size();
    for (const auto& item : part) {
      domains.insert(item.domain_id);
    }
  }
  report.domains = domains.size();
  count_parts(file, report);
  return report;
}

}  // namespace

SplitReport make_benchmark(const SplitRequest& request) {
  if (std::filesystem::is_directory(request.molecules)) {
    return take_good_folder(request);
  }
  const SplitPlan plan = plan_split(request);
  LabelledMolecules input = read_labelled_molecules(request, plan.domain);
  SplitReport report;
  report.rows = input.rows;
  report.unlabelled = input.unlabelled;
  report.filtered = input.filtered;
  report.failed = std::move(input.failed);
  const bool classes = labelled_with_classes(input.molecules);
  const auto molecules = distinct_molecules(std::move(input), request, plan, report);
  require_domains(molecules, plan, request.molecules);
  const auto lay_out = plan.drugood ? lay_out_as_drugood : lay_out_as_good;
  const BenchmarkLayout layout = lay_out(molecules, classes, plan, request.seed);
  require_parts(layout.parts, plan, request.molecules);

  io::DrugOodFile file = benchmark_file(items_of(molecules, layout), layout.parts, layout.threshold);
  file.cfg = options_of(request, plan);
  io::write_drugood_json(request.out, file);
  report.domains = layout.domains.count;
  count_parts(file, report);
  return report;
}

}  // namespace molgauge::datasets
