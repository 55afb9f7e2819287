#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/io/tables/csv_reader.h"
#include "molecules/chem/perception.h"
#include "molecules/chem/rdkit_2d/descriptors.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"
#include "records.h"
#include "support/fixtures.h"

namespace molgauge::chem::rdkit_2d {
namespace {

/// Descriptors that RDKit for Python recorded (tests/fixtures/molecules/record_rdkit_2d.py).
struct Recorded {
  std::vector<std::string> names;
  std::vector<std::string> smiles;
  std::vector<std::vector<double>> values;
};

Recorded recorded(Set set) {
  const std::string file = fmt::format("molecules/rdkit_2d_{}.csv", names(set).size());
  io::CsvReader reader(test::own_data(file).string(), ',');
  Recorded table;
  const auto header = reader.next()->fields;
  table.names.assign(header.begin() + 1, header.end());
  while (const auto row = reader.next()) {
    table.smiles.push_back(row->fields.front());
    std::vector<double>& values = table.values.emplace_back();
    for (std::size_t i = 1; i < row->fields.size(); ++i) {
      values.push_back(std::stod(row->fields[i]));
    }
  }
  return table;
}

/// Expects the recorded numbers, except for the names in `changed`.
void expect_recorded(Set set, const std::vector<std::string>& changed) {
  const Recorded table = recorded(set);
  ASSERT_EQ(table.names, names(set));
  ASSERT_GT(table.smiles.size(), 50U);
  for (std::size_t row = 0; row < table.smiles.size(); ++row) {
    const std::vector<double> own = descriptors_of(test::smiles_record(table.smiles[row]), set);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (std::find(changed.begin(), changed.end(), table.names[i]) == changed.end()) {
        const double expected = table.values[row][i];
        EXPECT_NEAR(own[i], expected, 1e-6 * std::max(1.0, std::abs(expected)))
            << table.names[i] << " of " << table.smiles[row];
      }
    }
  }
}

TEST(Rdkit2dTest, EqualsRdkitForPython) { expect_recorded(Set::rdkit_2022_09, {}); }

TEST(Rdkit2dTest, EqualsDescriptastorus) { expect_recorded(Set::descriptastorus, {}); }

TEST(Rdkit2dTest, EqualsLaterVersionsOfRdkit) {
  expect_recorded(Set::rdkit_2023_03, {});
  // The spacial score has another value for some molecules (docs/results/properties.md).
  expect_recorded(Set::rdkit_2023_09, {"SPS"});
  expect_recorded(Set::rdkit_2024_09, {"SPS"});
}

/// Writes the atoms of the molecule in the opposite order.
std::string respelled(const std::string& smiles) {
  const auto molecule = read_molecule(test::smiles_record(smiles));
  return with_rdkit([&] {
    std::vector<unsigned> order(molecule->getNumAtoms());
    std::iota(order.rbegin(), order.rend(), 0U);
    const std::unique_ptr<RDKit::ROMol> reversed(RDKit::MolOps::renumberAtoms(*molecule, order));
    constexpr bool isomeric = true, kekule = false, canonical = false;
    constexpr int no_root = -1;
    return RDKit::MolToSmiles(*reversed, isomeric, kekule, no_root, canonical);
  });
}

TEST(Rdkit2dTest, DoesNotDependOnTheSpelling) {
  std::size_t respelled_rows = 0;
  for (const std::string& smiles : recorded(Set::rdkit_2024_09).smiles) {
    const std::string other = respelled(smiles);
    respelled_rows += other != smiles ? 1 : 0;
    for (const Set set : {Set::descriptastorus, Set::rdkit_2024_09}) {
      const std::vector<double> own = descriptors_of(test::smiles_record(smiles), set);
      const std::vector<double> again = descriptors_of(test::smiles_record(other), set);
      for (std::size_t i = 0; i < own.size(); ++i) {
        EXPECT_NEAR(own[i], again[i], 1e-6 * std::max(1.0, std::abs(own[i])))
            << names(set)[i] << " of " << smiles << " and " << other;
      }
    }
  }
  EXPECT_GT(respelled_rows, 40U);
}

TEST(Rdkit2dTest, RefusesWhatIsNotAMolecule) {
  EXPECT_THROW(descriptors_of(test::smiles_record("CC("), Set::rdkit_2024_09), InvalidMolecule);
}

}  // namespace
}  // namespace molgauge::chem::rdkit_2d
