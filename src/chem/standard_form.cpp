#include "chem/standard_form.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <new>
#include <tuple>
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
#include "chem/form_cache.h"
#include "chem/identity_form.h"
#include "chem/perception.h"
#include "chem/rdkit_reader.h"
#include "chem/standard_rules.h"

namespace headroom::chem {
namespace {

namespace rules = RDKit::MolStandardize;
using MoleculePointer = std::unique_ptr<RDKit::ROMol>;

/// Limits of the enumeration. RDKit needs some milliseconds for ten tautomers.
constexpr int kMaxTautomers = 200, kMaxTransforms = 500;

/// Stores the index of each atom as the x coordinate of a conformer, because reactions of RDKit keep
/// coordinates but lose atom properties.
void number_atoms(RDKit::ROMol& molecule) {
  molecule.clearConformers();
  auto numbers = std::make_unique<RDKit::Conformer>(molecule.getNumAtoms());
  for (unsigned atom = 0; atom < molecule.getNumAtoms(); ++atom) {
    numbers->setAtomPos(atom, {static_cast<double>(atom), 0, 0});
  }
  molecule.addConformer(numbers.release(), true);
}

/// Returns the atoms in the order of the last SMILES that RDKit has written for the molecule. Returns an
/// empty list if RDKit has not written a SMILES.
std::vector<unsigned> smiles_order(const RDKit::ROMol& molecule) {
  std::vector<unsigned> order;
  molecule.getPropIfPresent(RDKit::common_properties::_smilesAtomOutputOrder, order);
  return order;
}

/// Returns the numbers from number_atoms() in the order of the last SMILES, or an empty list if they are
/// lost.
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

/// RDKit objects that take milliseconds to construct.
struct Tools {
  Tools()
      : tautomers([] {
          rules::CleanupParameters limits;
          limits.maxTautomers = kMaxTautomers;
          limits.maxTransforms = kMaxTransforms;
          return limits;
        }()) {}
  rules::Normalizer normalizer;
  rules::Reionizer reionizer;
  rules::Uncharger uncharger;
  rules::MetalDisconnector disconnector;
  rules::TautomerEnumerator tautomers;
};

/// Gives each caller its own tools, because RDKit does not document that threads may share them.
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

/// A candidate for the parent. choose_parent() defines the order of preference.
struct Fragment {
  MoleculePointer molecule;
  std::string smiles;  ///< SMILES of the neutral form, without stereochemistry and isotopes
  FragmentRole role = FragmentRole::inorganic;
};

double weight_of(const RDKit::ROMol& molecule) {
  double sum = 0;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    sum += atom->getMass();
  }
  return sum;
}

/// Returns the parent fragment of the molecule, or null if the molecule has no organic fragment.
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

/// Returns a copy with the atoms in the order of the canonical SMILES and numbered by number_atoms(). Results
/// therefore do not depend on the spelling. If RDKit does not know the order, returns a copy without numbers.
MoleculePointer in_canonical_order(const RDKit::ROMol& drawn) {
  const std::vector<unsigned> order = smiles_order(drawn);
  if (order.size() != drawn.getNumAtoms()) {
    auto copy = std::make_unique<RDKit::ROMol>(drawn);
    copy->clearConformers();
    return copy;
  }
  MoleculePointer molecule(RDKit::MolOps::renumberAtoms(drawn, order));
  number_atoms(*molecule);
  return molecule;
}

/// Returns the parent of a molecule, or null if the parent is the drawn molecule itself.
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

/// A molecule after a round trip through its canonical SMILES, as every encoder reads it.
struct Reading {
  std::string smiles;
  std::unique_ptr<RDKit::RWMol> molecule;  ///< null if RDKit cannot parse the SMILES that it has written
  std::vector<std::uint32_t> atoms;  ///< numbers of the atoms (see number_atoms()). Empty if they are lost
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
  if (reading.smiles != smiles) {  // RDKit needs a second round trip to get the canonical SMILES
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

static_assert(kMaxAtoms <= std::numeric_limits<std::uint16_t>::max());

DerivedForm derived_form(Reading reading) {
  return {std::move(reading.smiles), {reading.atoms.begin(), reading.atoms.end()}};
}

/// `drawn_smiles`: the canonical SMILES of `drawn`. No other SMILES may have been written from `drawn` since.
DerivedForm find_parent(const RDKit::ROMol& drawn, const std::string& drawn_smiles, Tools& tools) {
  const MoleculePointer parent = parent_of(drawn, tools);
  if (parent == nullptr) {
    return {};
  }
  Reading reading = read_again(*parent);
  const bool is_new = reading.molecule != nullptr && reading.smiles != drawn_smiles;
  return is_new ? derived_form(std::move(reading)) : DerivedForm{};
}

DerivedForm find_tautomer(const std::string& parent_smiles, Tools& tools) {
  const std::unique_ptr<RDKit::RWMol> parent = parse_smiles(parent_smiles);
  if (parent == nullptr || parent->getNumHeavyAtoms() > kMaxTautomerAtoms || !has_carbon(*parent) ||
      metals_of(*parent) != Metals::none || !is_connected(*parent)) {
    return {};
  }
  number_atoms(*parent);
  const MoleculePointer tautomer(tools.tautomers.canonicalize(*parent));
  Reading reading = read_again(*tautomer);
  const bool is_new = reading.molecule != nullptr && reading.smiles != parent_smiles;
  return is_new ? derived_form(std::move(reading)) : DerivedForm{};
}

FormCache& cached_parents() {
  static FormCache cache;
  return cache;
}

FormCache& cached_tautomers() {
  static FormCache cache;
  return cache;
}

/// Replaces the content of `form` by the derived form, if there is one.
void take(const DerivedForm& derived, const RDKit::ROMol& drawn, const std::string& drawn_smiles,
          StandardForm& form) {
  if (derived.smiles.empty()) {
    return;
  }
  std::vector<std::uint32_t> known_atoms = std::move(form.atoms);  // elements are in the order of form.smiles
  if (form.molecule == nullptr) {
    const std::vector<unsigned> order = smiles_order(drawn);
    known_atoms.assign(order.begin(), order.end());
  }
  form.smiles = derived.smiles;
  form.atoms.clear();
  form.molecule.reset();
  if (form.smiles == drawn_smiles) {
    return;
  }
  form.molecule = parse_smiles(form.smiles);
  for (const std::uint16_t position : derived.positions) {
    if (position < known_atoms.size()) {
      form.atoms.push_back(known_atoms[position]);
    }
  }
  if (form.molecule == nullptr || form.atoms.size() != form.molecule->getNumAtoms()) {
    form.atoms.clear();
  }
}

}  // namespace

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
      take(cached_parents().get(drawn_smiles, [&] { return find_parent(drawn, drawn_smiles, tools); }), drawn,
           drawn_smiles, form);
      form.parent_smiles = form.smiles;
    }
    if (mode == Standardize::tautomer) {
      take(cached_tautomers().get(form.smiles, [&] { return find_tautomer(form.smiles, tools); }), drawn,
           drawn_smiles, form);
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return {nullptr, drawn_smiles, drawn_smiles, {}};
  }
  return form;
}

}  // namespace headroom::chem
