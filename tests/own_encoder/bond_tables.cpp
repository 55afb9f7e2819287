#include "bond_tables.h"

#include <algorithm>
#include <vector>

#include "base/numerics/ops/array.h"

namespace molgauge::test {
namespace {

constexpr std::size_t kHeads = 16;

struct BondTable : encoders::FeaturisedMolecule {
  explicit BondTable(std::size_t count) : atoms(count), is_bonded(count * count) {}
  memory::ItemSize size() const override { return {.tokens = atoms, .pairs = atoms * atoms}; }

  std::size_t atoms;
  std::vector<float> is_bonded;  ///< [atoms, atoms]: 1 if there is a bond
};

std::int64_t as_signed(std::size_t size) { return static_cast<std::int64_t>(size); }

}  // namespace

std::unique_ptr<encoders::FeaturisedMolecule> BondTables::featurise(const chem::Molecule& molecule) const {
  auto table = std::make_unique<BondTable>(molecule.atoms.size());
  for (const chem::Bond& bond : molecule.bonds) {
    table->is_bonded[bond.begin * table->atoms + bond.end] = 1;
    table->is_bonded[bond.end * table->atoms + bond.begin] = 1;
  }
  return table;
}

memory::ItemSize BondTables::estimate(const encoders::MoleculeSize& molecule) const {
  return {.tokens = molecule.atoms, .pairs = molecule.atoms * molecule.atoms};
}

std::uint64_t BondTables::featurised_bytes(const memory::ItemSize& size) const {
  return sizeof(BondTable) + size.pairs * sizeof(float);
}

std::unique_ptr<encoders::FeaturisedMolecule> BondTables::stand_in(const memory::ItemSize& size) const {
  return std::make_unique<BondTable>(size.tokens);
}

void BondTables::encode(std::span<const encoders::FeaturisedMolecule* const> batch,
                        std::span<float> rows) const {
  std::size_t longest = 0;
  for (const encoders::FeaturisedMolecule* const molecule : batch) {
    longest = std::max(longest, dynamic_cast<const BondTable&>(*molecule).atoms);
  }
  const std::int64_t items = as_signed(batch.size()), places = as_signed(longest);
  auto pairs = ops::Floats::zeros({items, places, places, as_signed(kHeads)});
  auto degrees = ops::Floats::zeros({items, places});
  for (std::size_t item = 0; item < batch.size(); ++item) {
    const auto& table = dynamic_cast<const BondTable&>(*batch[item]);
    float* const degree = degrees.data() + item * longest;
    float bonds = 0;
    for (std::size_t i = 0; i < table.atoms; ++i) {
      for (std::size_t j = 0; j < table.atoms; ++j) {
        float& pair = pairs.data()[((item * longest + i) * longest + j) * kHeads];
        pair = table.is_bonded[i * table.atoms + j];
        degree[i] += pair;
      }
      bonds += degree[i] / 2;
    }
    float* const row = rows.data() + item * kWidth;
    row[0] = static_cast<float>(table.atoms);
    row[1] = bonds;
    row[2] = *std::max_element(degree, degree + longest);
  }
}

}  // namespace molgauge::test
