#include "chem/standard_form.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <new>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <GraphMol/Conformer.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/MolStandardize/Charge.h>
#include <GraphMol/MolStandardize/Metal.h>
#include <GraphMol/MolStandardize/MolStandardize.h>
#include <GraphMol/MolStandardize/Normalize.h>
#include <GraphMol/MolStandardize/Tautomer.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "chem/counter_ions.h"
#include "chem/identity_form.h"
#include "chem/rdkit_reader.h"

namespace headroom::chem {
namespace {

namespace rules = RDKit::MolStandardize;
using MoleculePointer = std::unique_ptr<RDKit::ROMol>;

/// More than these are not enumerated. RDKit takes some milliseconds for ten.
constexpr int kMostTautomers = 200, kMostTransforms = 500;

constexpr std::array kNonMetals = {1, 5, 6, 7, 8, 9, 14, 15, 16, 17, 34, 35, 53};
constexpr std::array kSaltMetals = {3, 11, 19, 37, 55, 12, 20, 38, 56, 13, 30, 47, 83};
/// Of those, the alkali and alkaline earth metals.
constexpr std::size_t kAlkaliMetals = 9;

template <typename Holds>
bool any_atom(const RDKit::ROMol& molecule, const Holds& holds) {
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    if (holds(*atom)) {
      return true;
    }
  }
  return false;
}

bool is_non_metal(const RDKit::Atom& atom) {
  return std::find(kNonMetals.begin(), kNonMetals.end(), atom.getAtomicNum()) != kNonMetals.end();
}

enum class Metals { none, ions, bonded_to_oxygen, complex };

Metals metal_of(const RDKit::ROMol& molecule, const RDKit::Atom& atom) {
  const auto found = std::find(kSaltMetals.begin(), kSaltMetals.end(), atom.getAtomicNum());
  if (found == kSaltMetals.end()) {
    return Metals::complex;
  }
  if (atom.getDegree() == 0) {
    return Metals::ions;
  }
  if (found - kSaltMetals.begin() >= static_cast<std::ptrdiff_t>(kAlkaliMetals)) {
    return Metals::complex;
  }
  for (const RDKit::Atom* const neighbour : molecule.atomNeighbors(&atom)) {
    if (neighbour->getAtomicNum() != 8 && neighbour->getAtomicNum() != 9) {
      return Metals::complex;
    }
  }
  return Metals::bonded_to_oxygen;
}

Metals metals_of(const RDKit::ROMol& molecule) {
  Metals most = Metals::none;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    if (!is_non_metal(*atom)) {
      most = std::max(most, metal_of(molecule, *atom));
    }
  }
  return most;
}

/// Whether an atom belongs to a nitro group that is drawn with charges: [N+](=O)[O-].
bool is_in_nitro_group(const RDKit::ROMol& molecule, const RDKit::Atom& atom) {
  if (atom.getAtomicNum() == 8 && atom.getDegree() == 1) {
    const RDKit::Atom& neighbour = **molecule.atomNeighbors(&atom).begin();
    return neighbour.getAtomicNum() == 7 && is_in_nitro_group(molecule, neighbour);
  }
  if (atom.getAtomicNum() != 7 || atom.getFormalCharge() != 1 || atom.getDegree() != 3) {
    return false;
  }
  bool has_double = false, has_charged = false;
  for (const RDKit::Bond* const bond : molecule.atomBonds(&atom)) {
    const RDKit::Atom& other = *bond->getOtherAtom(&atom);
    if (other.getAtomicNum() != 8 || other.getDegree() != 1) {
      continue;
    }
    has_double |= bond->getBondType() == RDKit::Bond::DOUBLE && other.getFormalCharge() == 0;
    has_charged |= bond->getBondType() == RDKit::Bond::SINGLE && other.getFormalCharge() == -1;
  }
  return has_double && has_charged;
}

bool has_charge(const RDKit::ROMol& molecule) {
  return any_atom(molecule, [&](const RDKit::Atom& atom) {
    return atom.getFormalCharge() != 0 && !is_in_nitro_group(molecule, atom);
  });
}

bool is_chalcogen(const RDKit::Atom& atom) {
  const int element = atom.getAtomicNum();
  return element == 8 || element == 16 || element == 34 || element == 52;
}

/// Whether a bond may belong to a group that RDKit's Normalizer changes: N#N of an azide or a diazo group, or
/// N=O, S=O and the like. Double bonds of rings are not in such groups.
bool may_be_in_changed_group(const RDKit::ROMol& molecule, const RDKit::Bond& bond) {
  const RDKit::Atom &one = *bond.getBeginAtom(), &other = *bond.getEndAtom();
  if (one.getAtomicNum() == 6 || other.getAtomicNum() == 6) {
    return false;
  }
  switch (bond.getBondType()) {
    case RDKit::Bond::SINGLE:
    case RDKit::Bond::AROMATIC:
      return false;
    case RDKit::Bond::DOUBLE: {
      const RDKit::RingInfo& rings = *molecule.getRingInfo();
      const bool is_in_ring = rings.isInitialized() && rings.numBondRings(bond.getIdx()) > 0;
      return !is_in_ring && (is_chalcogen(one) || is_chalcogen(other)) &&
             !(is_in_nitro_group(molecule, one) && is_in_nitro_group(molecule, other));
    }
    default:
      return true;
  }
}

/// Whether a rule of RDKit's Normalizer may match: all of them ask for a charge or for such a bond.
bool may_be_normalised(const RDKit::ROMol& molecule) {
  if (has_charge(molecule)) {
    return true;
  }
  for (const RDKit::Bond* const bond : molecule.bonds()) {
    if (may_be_in_changed_group(molecule, *bond)) {
      return true;
    }
  }
  return false;
}

bool is_connected(const RDKit::ROMol& molecule) {
  std::vector<int> fragment_of;
  return RDKit::MolOps::getMolFrags(molecule, fragment_of) <= 1;
}

/// The index of an atom is the x coordinate of a conformer: RDKit's reactions keep coordinates, but lose
/// properties of atoms.
void number_atoms(RDKit::ROMol& molecule) {
  molecule.clearConformers();
  auto numbers = std::make_unique<RDKit::Conformer>(molecule.getNumAtoms());
  for (unsigned atom = 0; atom < molecule.getNumAtoms(); ++atom) {
    numbers->setAtomPos(atom, {static_cast<double>(atom), 0, 0});
  }
  molecule.addConformer(numbers.release(), true);
}

/// The atoms in the order in which RDKit has last written the SMILES of the molecule. Empty if it has not.
std::vector<unsigned> smiles_order(const RDKit::ROMol& molecule) {
  std::vector<unsigned> order;
  molecule.getPropIfPresent(RDKit::common_properties::_smilesAtomOutputOrder, order);
  return order;
}

/// The numbers of number_atoms() in that order. Empty if they are lost.
std::vector<std::uint32_t> numbers_in_smiles_order(const RDKit::ROMol& molecule) {
  const std::vector<unsigned> order = smiles_order(molecule);
  if (molecule.getNumConformers() == 0 || order.size() != molecule.getNumAtoms()) {
    return {};
  }
  std::vector<std::uint32_t> numbers;
  numbers.reserve(order.size());
  for (const unsigned atom : order) {
    numbers.push_back(static_cast<std::uint32_t>(std::lround(molecule.getConformer().getAtomPos(atom).x)));
  }
  return numbers;
}

/// RDKit's objects, whose construction takes milliseconds.
struct Tools {
  Tools()
      : tautomers([] {
          rules::CleanupParameters limits;
          limits.maxTautomers = kMostTautomers;
          limits.maxTransforms = kMostTransforms;
          return limits;
        }()) {}
  rules::Normalizer normalizer;
  rules::Reionizer reionizer;
  rules::Uncharger uncharger;
  rules::MetalDisconnector disconnector;
  rules::TautomerEnumerator tautomers;
};

/// Gives each caller separate tools, because RDKit does not say that several threads may share them.
class ToolBox {
 public:
  class Loan {
   public:
    Loan(ToolBox& box, std::unique_ptr<Tools> tools) : box_(box), tools_(std::move(tools)) {}
    ~Loan() {
      const std::lock_guard lock(box_.mutex_);
      box_.idle_.push_back(std::move(tools_));
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Tools& tools() const { return *tools_; }

   private:
    ToolBox& box_;
    std::unique_ptr<Tools> tools_;
  };

  Loan lend() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Tools> tools = std::move(idle_.back());
        idle_.pop_back();
        return {*this, std::move(tools)};
      }
    }
    return {*this, std::make_unique<Tools>()};
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Tools>> idle_;
};

ToolBox& tool_box() {
  static ToolBox box;
  return box;
}

/// A fragment that may be the parent. Smaller ones are preferred by choose_parent().
struct Fragment {
  MoleculePointer molecule;
  std::string smiles;  ///< of the neutral form, without stereochemistry and isotopes
  FragmentRole role = FragmentRole::inorganic;
};

bool has_carbon(const RDKit::ROMol& molecule) {
  return any_atom(molecule, [](const RDKit::Atom& atom) { return atom.getAtomicNum() == 6; });
}

double weight_of(const RDKit::ROMol& molecule) {
  double sum = 0;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    sum += atom->getMass();
  }
  return sum;
}

/// The organic fragment that is compared; null if there is none.
MoleculePointer choose_parent(const RDKit::ROMol& molecule, Tools& tools) {
  std::vector<Fragment> fragments;
  for (const auto& shared : RDKit::MolOps::getMolFrags(molecule)) {
    if (!has_carbon(*shared)) {
      continue;
    }
    Fragment fragment;
    fragment.molecule = std::make_unique<RDKit::ROMol>(*shared);
    const MoleculePointer neutral(tools.uncharger.uncharge(*shared));
    fragment.smiles = RDKit::MolToSmiles(*neutral, /*doIsomericSmiles=*/false);
    fragment.role = role_of(fragment.smiles);
    if (fragment.role != FragmentRole::inorganic) {
      fragments.push_back(std::move(fragment));
    }
  }
  const auto rank = [](const Fragment& fragment) {
    return std::tuple(-static_cast<int>(fragment.role),
                      -static_cast<int>(fragment.molecule->getNumHeavyAtoms()),
                      -std::lround(weight_of(*fragment.molecule) * 100), fragment.smiles,
                      RDKit::MolToSmiles(*fragment.molecule));
  };
  const auto parent = fragments.size() < 2
                          ? fragments.begin()
                          : std::min_element(fragments.begin(), fragments.end(),
                                             [&](const Fragment& one, const Fragment& other) {
                                               return rank(one) < rank(other);
                                             });
  return parent == fragments.end() ? nullptr : std::move(parent->molecule);
}

/// The atoms in the order of the canonical SMILES, so that results do not depend on the spelling.
MoleculePointer in_canonical_order(const RDKit::ROMol& drawn) {
  RDKit::ROMol copy(drawn);
  number_atoms(copy);
  const std::vector<unsigned> order = smiles_order(drawn);
  return order.size() == copy.getNumAtoms() ? MoleculePointer(RDKit::MolOps::renumberAtoms(copy, order))
                                            : std::make_unique<RDKit::ROMol>(copy);
}

/// The parent of a molecule, null if that is the drawn molecule.
MoleculePointer parent_of(const RDKit::ROMol& drawn, Tools& tools) {
  const Metals metals = metals_of(drawn);
  if (metals == Metals::complex || !has_carbon(drawn)) {
    return nullptr;
  }
  MoleculePointer molecule = in_canonical_order(drawn);
  if (metals == Metals::bonded_to_oxygen) {
    molecule.reset(tools.disconnector.disconnect(*molecule));
  }
  if (!is_connected(*molecule)) {
    molecule = choose_parent(*molecule, tools);
    if (molecule == nullptr) {
      return nullptr;
    }
  }
  if (may_be_normalised(*molecule)) {
    molecule.reset(tools.normalizer.normalize(*molecule));
  }
  if (has_charge(*molecule)) {
    molecule.reset(tools.reionizer.reionize(*molecule));
    molecule.reset(tools.uncharger.uncharge(*molecule));
  }
  return molecule;
}

/// A molecule as every encoder reads it: from its canonical SMILES.
struct Reading {
  std::string smiles;
  std::unique_ptr<RDKit::RWMol> molecule;  ///< null if RDKit cannot read its own SMILES
  std::vector<std::uint32_t> atoms;        ///< numbers (number_atoms()) of the atoms; empty if they are lost
};

Reading read_again(const RDKit::ROMol& molecule) {
  Reading reading;
  const std::string smiles = RDKit::MolToSmiles(molecule);
  reading.atoms = numbers_in_smiles_order(molecule);
  reading.molecule = parse_smiles(smiles);
  if (reading.molecule == nullptr) {
    return reading;
  }
  bring_to_identity_form(*reading.molecule);
  reading.smiles = RDKit::MolToSmiles(*reading.molecule);
  if (reading.smiles != smiles) {  // canonical only in its second writing
    const std::vector<unsigned> order = smiles_order(*reading.molecule);
    std::vector<std::uint32_t> atoms;
    for (const unsigned atom : order) {
      if (atom < reading.atoms.size()) {
        atoms.push_back(reading.atoms[atom]);
      }
    }
    reading.atoms = std::move(atoms);
    reading.molecule = parse_smiles(reading.smiles);
  }
  if (reading.molecule != nullptr && reading.molecule->getNumAtoms() != reading.atoms.size()) {
    reading.atoms.clear();
  }
  return reading;
}

/// The canonical tautomer of a molecule.
struct Tautomer {
  std::string smiles;
  /// For each of its atoms in the order of `smiles`: the place of the atom in the SMILES of the parent.
  std::vector<std::uint32_t> atoms;
};

/// Depends only on the text, so that results can be cached and do not depend on a limit of the enumeration.
Tautomer find_tautomer(const std::string& parent_smiles, Tools& tools) {
  const std::unique_ptr<RDKit::RWMol> parent = parse_smiles(parent_smiles);
  if (parent == nullptr || parent->getNumHeavyAtoms() > kMostTautomerAtoms || !has_carbon(*parent) ||
      metals_of(*parent) != Metals::none || !is_connected(*parent)) {
    return {parent_smiles, {}};
  }
  number_atoms(*parent);
  const MoleculePointer tautomer(tools.tautomers.canonicalize(*parent));
  Reading reading = read_again(*tautomer);
  return reading.molecule == nullptr ? Tautomer{parent_smiles, {}}
                                     : Tautomer{std::move(reading.smiles), std::move(reading.atoms)};
}

/// Keeps the last tautomers: `headroom domain` asks for each twice, to encode and to describe the molecule.
class TautomerCache {
 public:
  Tautomer find(const std::string& parent_smiles, Tools& tools) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = known_.find(parent_smiles); known != known_.end()) {
        return known->second;
      }
    }
    Tautomer tautomer = find_tautomer(parent_smiles, tools);
    const std::lock_guard lock(mutex_);
    if (known_.size() == kMost) {
      known_.clear();
    }
    known_.emplace(parent_smiles, tautomer);
    return tautomer;
  }

 private:
  static constexpr std::size_t kMost = 32768;
  std::mutex mutex_;
  std::unordered_map<std::string, Tautomer> known_;
};

TautomerCache& tautomer_cache() {
  static TautomerCache cache;
  return cache;
}

void take_canonical_tautomer(const RDKit::ROMol& drawn, const std::string& drawn_smiles, Tools& tools,
                             StandardForm& form) {
  const Tautomer tautomer = tautomer_cache().find(form.smiles, tools);
  if (tautomer.smiles == form.smiles) {
    return;
  }
  std::vector<std::uint32_t> parent_atoms;  // indices in `drawn`, in the order of the SMILES of the parent
  if (form.molecule == nullptr) {
    const std::vector<unsigned> order = smiles_order(drawn);
    parent_atoms.assign(order.begin(), order.end());
  } else {  // it was read from this SMILES
    parent_atoms = form.atoms;
  }
  form.smiles = tautomer.smiles;
  form.atoms.clear();
  form.molecule.reset();
  if (tautomer.smiles == drawn_smiles) {
    return;
  }
  form.molecule = parse_smiles(tautomer.smiles);
  for (const std::uint32_t place : tautomer.atoms) {
    if (place < parent_atoms.size()) {
      form.atoms.push_back(parent_atoms[place]);
    }
  }
  if (form.atoms.size() != form.molecule->getNumAtoms()) {
    form.atoms.clear();
  }
}

}  // namespace

bool is_plainly_standard(const RDKit::ROMol& molecule) {
  return metals_of(molecule) == Metals::none && !may_be_normalised(molecule) && is_connected(molecule);
}

StandardForm standard_form(const RDKit::ROMol& drawn, const std::string& drawn_smiles, Standardize mode) {
  StandardForm form{nullptr, drawn_smiles, drawn_smiles, {}};
  const bool is_plain = mode == Standardize::none || is_plainly_standard(drawn);
  if (mode == Standardize::none || (is_plain && mode == Standardize::parent)) {
    return form;
  }
  const ToolBox::Loan loan = tool_box().lend();
  Tools& tools = loan.tools();
  try {
    if (!is_plain) {
      if (const MoleculePointer parent = parent_of(drawn, tools)) {
        Reading reading = read_again(*parent);
        if (reading.molecule != nullptr && reading.smiles != drawn_smiles) {
          form = {std::move(reading.molecule), reading.smiles, reading.smiles, std::move(reading.atoms)};
        }
      }
    }
    if (mode == Standardize::tautomer) {
      take_canonical_tautomer(drawn, drawn_smiles, tools, form);
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return {nullptr, drawn_smiles, drawn_smiles, {}};
  }
  return form;
}

}  // namespace headroom::chem
