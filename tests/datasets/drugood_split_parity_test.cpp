#include <cstdlib>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "chem/scaffold.h"
#include "core/atomic_file.h"
#include "datasets/benchmark_file.h"
#include "datasets/drugood_split.h"
#include "reference_tables.h"
#include "support/fixtures.h"

namespace headroom::datasets {
namespace {

std::vector<Measurement> reference_measurements() {
  auto lines = test::read_plain_csv(test::reference_data("ood/drugood_measurements.csv"));
  lines.erase(lines.begin());
  std::vector<Measurement> measurements;
  for (const auto& fields : lines) {
    measurements.push_back(
        {fields.at(0), std::atof(fields.at(1).c_str()), std::atoll(fields.at(2).c_str()), fields.at(3)});
  }
  return measurements;
}

struct Curation {
  std::vector<MeasuredMolecule> molecules = merge_measurements(reference_measurements());
  DomainTable domains;
  std::vector<std::int64_t> keys;
};

/// Domains and their keys from one function of a molecule that gives (domain value, key).
template <typename Describe>
Curation curate(Describe describe) {
  Curation curation;
  std::vector<decltype(describe(curation.molecules[0]).first)> values;
  std::vector<std::int64_t> keys;
  for (const auto& molecule : curation.molecules) {
    const auto [value, key] = describe(molecule);
    values.push_back(value);
    keys.push_back(key);
  }
  curation.domains = domains_by_appearance(values);
  curation.keys.resize(curation.domains.count);
  for (std::size_t row = 0; row < keys.size(); ++row) {
    curation.keys[curation.domains.domain_of_row[row]] = keys[row];
  }
  return curation;
}

chem::MoleculeRecord record_of(const MeasuredMolecule& molecule) {
  chem::MoleculeRecord record;
  record.text = molecule.smiles;
  return record;
}

void expect_reference(const std::string& domain, const Curation& curation) {
  const auto reference =
      nlohmann::json::parse(read_file(test::reference_data("ood/lbap_general_ec50_" + domain + ".json")));
  std::vector<double> values;
  for (const auto& molecule : curation.molecules) {
    values.push_back(molecule.value);
  }
  const double threshold = class_threshold(values);
  EXPECT_EQ(threshold, reference["statistics"]["thr_for_cls"].get<double>());

  PythonRandom random(20240);
  const SplitParts parts = drugood_split(curation.domains, curation.keys, random);
  std::vector<io::DrugOodItem> items;
  for (std::size_t row = 0; row < curation.molecules.size(); ++row) {
    const auto& molecule = curation.molecules[row];
    io::DrugOodItem& item = items.emplace_back();
    item.smiles = molecule.smiles;
    item.reg_label = molecule.value;
    item.assay_id = molecule.assay_id;
    item.cls_label = molecule.value >= threshold ? 1 : 0;
    item.domain_id = static_cast<std::int64_t>(curation.domains.domain_of_row[row]);
  }
  const test::TemporaryFolder folder;
  io::write_drugood_json(folder / "bench.json", benchmark_file(items, parts, threshold));
  const auto written = nlohmann::json::parse(read_file(folder / "bench.json"));
  EXPECT_EQ(written["split"], reference["split"]);
  EXPECT_EQ(written["statistics"], reference["statistics"]);
}

TEST(DrugoodSplitParity, AssayEqualsTheReferenceItemForItem) {
  REQUIRE_REFERENCE("ood/drugood_measurements.csv");
  std::map<std::int64_t, std::int64_t> molecules_of_assay;
  for (const auto& molecule : merge_measurements(reference_measurements())) {
    ++molecules_of_assay[molecule.assay_id];
  }
  expect_reference("assay", curate([&](const MeasuredMolecule& molecule) {
                     return std::pair(molecule.assay_id, molecules_of_assay.at(molecule.assay_id));
                   }));
}

TEST(DrugoodSplitParity, ScaffoldEqualsTheReferenceItemForItem) {
  REQUIRE_REFERENCE("ood/drugood_measurements.csv");
  expect_reference("scaffold", curate([](const MeasuredMolecule& molecule) {
                     const chem::Scaffold scaffold = chem::murcko_scaffold(record_of(molecule));
                     return std::pair(scaffold.smiles, static_cast<std::int64_t>(scaffold.atoms));
                   }));
}

TEST(DrugoodSplitParity, SizeEqualsTheReferenceItemForItem) {
  REQUIRE_REFERENCE("ood/drugood_measurements.csv");
  expect_reference("size", curate([](const MeasuredMolecule& molecule) {
                     const auto size = static_cast<std::int64_t>(chem::heavy_atom_count(record_of(molecule)));
                     return std::pair(size, size);
                   }));
}

}  // namespace
}  // namespace headroom::datasets
