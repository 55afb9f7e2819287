#include "molecules/datasets/benchmark_layout.h"

#include "molecules/datasets/class_labels.h"
#include "molecules/datasets/drugood_split.h"
#include "molecules/datasets/good_split.h"

namespace molgauge::datasets {
namespace {

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

}  // namespace

bool labelled_with_classes(const std::vector<LabelledMolecule>& molecules) {
  std::vector<double> known;
  for (const auto& molecule : molecules) {
    for (const auto& label : molecule.labels) {
      known.push_back(label.value_or(0));
    }
  }
  return are_classes(known);
}

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

}  // namespace molgauge::datasets
