#include "molecules/chem/spellings.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "base/core/hash.h"
#include "base/core/random/numpy_random.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {
namespace {

bool has_chirality_tags(const RDKit::ROMol& molecule) {
  for (const RDKit::Atom* atom : molecule.atoms()) {
    if (atom->getChiralTag() != RDKit::Atom::CHI_UNSPECIFIED) {
      return true;
    }
  }
  return false;
}

std::uint64_t seed_of(const std::string& text) {
  const Hash128 hash = hash128(text);
  std::uint64_t seed = 0;
  std::memcpy(&seed, hash.data(), sizeof(seed));
  return seed;
}

std::string spelled(const RDKit::ROMol& molecule, const std::vector<unsigned>& order) {
  const std::unique_ptr<RDKit::ROMol> renumbered(RDKit::MolOps::renumberAtoms(molecule, order));
  RDKit::SmilesWriteParams parameters;
  parameters.canonical = false;  // follow the order of the atoms
  return RDKit::MolToSmiles(*renumbered, parameters);
}

}  // namespace

bool may_be_chiral(const MoleculeRecord& record) {
  return record.format == RecordFormat::molblock || record.text.find('@') != std::string::npos;
}

std::vector<std::string> other_spellings(const MoleculeRecord& record, std::size_t count) {
  std::vector<std::string> spellings;
  if (!may_be_chiral(record)) {
    return spellings;
  }
  const auto molecule = read_molecule(record);
  if (!has_chirality_tags(*molecule)) {
    return spellings;
  }
  NumpyRandom random(seed_of(record.text));
  std::vector<unsigned> order(molecule->getNumAtoms());
  std::iota(order.begin(), order.end(), 0U);
  while (spellings.size() < count) {
    for (std::size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    }
    spellings.push_back(with_rdkit([&] { return spelled(*molecule, order); }));
  }
  return spellings;
}

}  // namespace molgauge::chem
