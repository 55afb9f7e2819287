#include "analogues.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "drawings.h"
#include "molecules/chem/perception.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::test {
namespace {

using Molecule = RDKit::RWMol;
using Counts = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Returns the canonical SMILES, or an empty text if RDKit refuses the molecule.
std::string finished(Molecule& molecule) {
  try {
    RDKit::MolOps::sanitizeMol(molecule);
    return RDKit::MolToSmiles(molecule);
  } catch (const RDKit::MolSanitizeException&) {
    return "";
  }
}

/// Replaces a hydrogen of an atom by a chain of single bonds. `elements`: atomic numbers along the chain.
std::string substituted(const Molecule& molecule, unsigned position, const std::vector<int>& elements) {
  Molecule copy(molecule);
  RDKit::Atom* const atom = copy.getAtomWithIdx(position);
  if (atom->getNumExplicitHs() > 0) {
    atom->setNumExplicitHs(atom->getNumExplicitHs() - 1);
  }
  unsigned end = position;
  for (const int element : elements) {
    RDKit::Atom added(element);
    const unsigned next = copy.addAtom(&added);
    copy.addBond(end, next, RDKit::Bond::SINGLE);
    end = next;
  }
  return finished(copy);
}

std::string without_methyl(const Molecule& molecule, unsigned methyl) {
  Molecule copy(molecule);
  RDKit::Atom* const neighbour = *copy.atomNeighbors(copy.getAtomWithIdx(methyl)).begin();
  if (neighbour->getNoImplicit() || neighbour->getIsAromatic()) {
    neighbour->setNumExplicitHs(neighbour->getNumExplicitHs() + 1);
  }
  copy.removeAtom(methyl);
  return finished(copy);
}

double tanimoto(const Counts& one, const Counts& other) {
  std::uint64_t common = 0, all = 0;
  auto a = one.begin(), b = other.begin();
  while (a != one.end() || b != other.end()) {
    if (b == other.end() || (a != one.end() && a->first < b->first)) {
      all += (a++)->second;
    } else if (a == one.end() || b->first < a->first) {
      all += (b++)->second;
    } else {
      common += std::min(a->second, b->second);
      all += std::max((a++)->second, (b++)->second);
    }
  }
  return all == 0 ? 1 : static_cast<double>(common) / static_cast<double>(all);
}

/// Side chains by the one-letter code of the amino acid. Glycine and proline are written separately.
const std::map<char, std::string>& side_chains() {
  static const std::map<char, std::string> chains = {{'A', "C"},
                                                     {'R', "CCCNC(=N)N"},
                                                     {'N', "CC(N)=O"},
                                                     {'D', "CC(=O)O"},
                                                     {'C', "CS"},
                                                     {'Q', "CCC(N)=O"},
                                                     {'E', "CCC(=O)O"},
                                                     {'H', "Cc1c[nH]cn1"},
                                                     {'I', "[C@@H](C)CC"},
                                                     {'L', "CC(C)C"},
                                                     {'K', "CCCCN"},
                                                     {'M', "CCSC"},
                                                     {'F', "Cc1ccccc1"},
                                                     {'S', "CO"},
                                                     {'T', "[C@@H](C)O"},
                                                     {'W', "Cc1c[nH]c2ccccc12"},
                                                     {'Y', "Cc1ccc(O)cc1"},
                                                     {'V', "C(C)C"}};
  return chains;
}

}  // namespace

std::vector<std::string> one_step_analogues(const std::string& smiles) {
  const auto molecule = chem::read_molecule(record_of(smiles));
  return chem::with_rdkit([&] {
    std::set<std::string> known = {"", RDKit::MolToSmiles(*molecule)};
    std::vector<std::string> analogues;
    const auto add = [&](const std::string& analogue) {
      if (known.insert(analogue).second) {
        analogues.push_back(analogue);
      }
    };
    for (const RDKit::Atom* const atom : molecule->atoms()) {
      if (atom->getAtomicNum() != 6) {
        continue;
      }
      if (atom->getTotalNumHs() > 0) {
        for (const std::vector<int>& elements :
             std::vector<std::vector<int>>{{6}, {6, 6}, {9}, {17}, {8}, {8, 6}}) {
          add(substituted(*molecule, atom->getIdx(), elements));
        }
      }
      if (atom->getDegree() == 1 && atom->getTotalNumHs() == 3) {
        add(without_methyl(*molecule, atom->getIdx()));
      }
    }
    return analogues;
  });
}

std::vector<std::size_t> most_isolated(const std::vector<std::string>& smiles, std::size_t count) {
  std::vector<Counts> counts;
  chem::Perception folded;
  folded.graph = false;
  folded.morgan = true;
  for (const std::string& one : smiles) {
    counts.push_back(chem::perceive(record_of(one), folded).morgan);
  }
  std::vector<double> similarity(smiles.size(), 0);
  for (std::size_t i = 0; i < smiles.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double found = tanimoto(counts[i], counts[j]);
      similarity[i] = std::max(similarity[i], found);
      similarity[j] = std::max(similarity[j], found);
    }
  }
  std::vector<std::size_t> order(smiles.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t one, std::size_t other) { return similarity[one] < similarity[other]; });
  order.resize(std::min(count, order.size()));
  return order;
}

std::string peptide(const std::string& sequence) {
  std::string smiles;
  for (const char residue : sequence) {
    if (residue == 'G') {
      smiles += "NCC(=O)";
    } else if (residue == 'P') {
      smiles += "N1CCC[C@H]1C(=O)";
    } else {
      smiles += "N[C@@H](" + side_chains().at(residue) + ")C(=O)";
    }
  }
  return smiles + "O";
}

std::string formula_of(const std::string& smiles) {
  const auto molecule = chem::read_molecule(record_of(smiles));
  return RDKit::Descriptors::calcMolFormula(*molecule);
}

std::size_t heavy_atoms_of(const std::string& smiles) {
  return chem::read_molecule(record_of(smiles))->getNumHeavyAtoms();
}

}  // namespace molgauge::test
