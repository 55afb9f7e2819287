#include "datasets/benchmark_layout.h"

#include <algorithm>
#include <unordered_set>

#include "datasets/class_labels.h"
#include "datasets/drugood_split.h"
#include "datasets/good_split.h"

namespace headroom::datasets {
namespace {

std::vector<DomainValue> domains_of(const std::vector<LabelledMolecule>& molecules) {
  std::vector<DomainValue> values;
  values.reserve(molecules.size());
  for (const auto& molecule : molecules) {
    values.push_back(molecule.domain);
  }
  return values;
}

std::vector<double> labels_of(const std::vector<LabelledMolecule>& molecules,
                              const std::vector<std::size_t>& rows) {
  std::vector<double> labels;
  labels.reserve(rows.size());
  for (const std::size_t row : rows) {
    labels.push_back(molecules[row].label);
  }
  return labels;
}

/// Test and validation molecules of a split without shift, which GOOD itself does not set aside.
void hold_out_iid(SplitParts& parts, std::uint64_t seed) {
  const std::size_t rows = parts.train.size();
  const auto move_out = [&](std::vector<std::size_t>& part, std::size_t count, std::uint64_t part_seed) {
    const auto positions = PythonRandom(part_seed).sample(parts.train.size(), count);
    for (const std::size_t position : positions) {
      part.push_back(parts.train[position]);
    }
    const std::unordered_set<std::size_t> moved(part.begin(), part.end());
    std::erase_if(parts.train, [&](std::size_t row) { return moved.contains(row); });
  };
  move_out(parts.iid_val, std::min<std::size_t>(rows / 4, 1000), seed);
  move_out(parts.iid_test, std::min<std::size_t>(rows / 10, 500), seed + 2);
}

}  // namespace

BenchmarkLayout lay_out_as_good(const std::vector<LabelledMolecule>& molecules, const GoodLayout& good,
                                bool classes, std::uint64_t seed) {
  BenchmarkLayout layout{
      .domains = domains_by_value(domains_of(molecules)), .parts = {}, .threshold = kClassThreshold};
  PythonRandom random(seed);
  // GOOD's program makes this one first, whatever is wanted of it.
  layout.parts = good_no_shift_split(molecules.size(), random).parts;
  if (good.shifted) {
    const auto order = good.domain == DomainKind::size ? DomainOrder::descending : DomainOrder::ascending;
    layout.parts = good_covariate_split(layout.domains, order, random).parts;
  } else {
    hold_out_iid(layout.parts, seed);
  }
  if (!classes && !layout.parts.train.empty()) {
    layout.threshold = upper_median(labels_of(molecules, layout.parts.train));
  }
  return layout;
}

BenchmarkLayout lay_out_as_drugood(const std::vector<LabelledMolecule>& molecules, bool classes,
                                   std::uint64_t seed) {
  BenchmarkLayout layout{
      .domains = domains_by_appearance(domains_of(molecules)), .parts = {}, .threshold = kClassThreshold};
  std::vector<double> labels;
  std::vector<std::int64_t> keys(layout.domains.count);
  for (std::size_t row = 0; row < molecules.size(); ++row) {
    labels.push_back(molecules[row].label);
    keys[layout.domains.domain_of_row[row]] = static_cast<std::int64_t>(molecules[row].domain.atoms);
  }
  if (!classes) {
    layout.threshold = class_threshold(std::move(labels));
  }
  PythonRandom random(seed);
  layout.parts = drugood_split(layout.domains, keys, random);
  return layout;
}

}  // namespace headroom::datasets
