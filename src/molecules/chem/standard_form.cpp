#include "molecules/chem/standard_form.h"

#include <limits>
#include <mutex>
#include <new>
#include <utility>

#include <GraphMol/MolStandardize/Charge.h>
#include <GraphMol/MolStandardize/Metal.h>
#include <GraphMol/MolStandardize/MolStandardize.h>
#include <GraphMol/MolStandardize/Normalize.h>
#include <GraphMol/MolStandardize/Tautomer.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "molecules/chem/atom_numbers.h"
#include "molecules/chem/components.h"
#include "molecules/chem/form_cache.h"
#include "molecules/chem/identity_form.h"
#include "molecules/chem/isotopes.h"
#include "molecules/chem/perception.h"
#include "molecules/chem/rdkit_reader.h"
#include "molecules/chem/standard_rules.h"
#include "molecules/chem/tautomer.h"

namespace molgauge::chem {
namespace {

namespace rules = RDKit::MolStandardize;
using MoleculePointer = std::unique_ptr<RDKit::ROMol>;

/// Limits of the enumeration. RDKit needs some milliseconds for ten tautomers.
constexpr int kMaxTautomers = 200, kMaxTransforms = 500;

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
    molecule = joined(main_components(*molecule, tools.uncharger));
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
  const MoleculePointer tautomer = canonical_tautomer(*parent, tools.tautomers);
  if (tautomer == nullptr) {
    return {};
  }
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

StandardForm form_without_isotopes(const RDKit::ROMol& drawn, const std::string& drawn_smiles,
                                   Standardize mode);

/// `mode` is not `none`.
StandardForm find_form(const RDKit::ROMol& drawn, const std::string& drawn_smiles,
                       Standardization standardization) {
  const Standardize mode = standardization.mode;
  if (!standardization.keeps_isotopes && has_isotopes(drawn)) {
    return form_without_isotopes(drawn, drawn_smiles, mode);
  }
  StandardForm form{nullptr, drawn_smiles, drawn_smiles, {}};
  const bool is_plain = is_plainly_standard(drawn);
  if (is_plain && mode == Standardize::parent) {
    return form;
  }
  const ToolBox::Loan loan = tool_box().lend();
  Tools& tools = loan.tools();
  if (!is_plain) {
    take(cached_parents().get(drawn_smiles, [&] { return find_parent(drawn, drawn_smiles, tools); }), drawn,
         drawn_smiles, form);
    form.parent_smiles = form.smiles;
  }
  if (mode == Standardize::tautomer) {
    take(cached_tautomers().get(form.smiles, [&] { return find_tautomer(form.smiles, tools); }), drawn,
         drawn_smiles, form);
  }
  return form;
}

/// Standardises the molecule without its isotope labels.
StandardForm form_without_isotopes(const RDKit::ROMol& drawn, const std::string& drawn_smiles,
                                   Standardize mode) {
  RDKit::RWMol unlabelled(*in_canonical_order(drawn));
  remove_isotopes(unlabelled);
  StandardForm form{nullptr, drawn_smiles, drawn_smiles, {}};
  take(derived_form(read_again(unlabelled)), drawn, drawn_smiles, form);
  if (form.molecule == nullptr) {
    return {nullptr, drawn_smiles, drawn_smiles, {}};
  }
  form.parent_smiles = form.smiles;
  // RDKit stores the order of the atoms when it writes the SMILES.
  const std::string smiles = RDKit::MolToSmiles(*form.molecule);
  StandardForm further = find_form(*form.molecule, smiles, mode);
  if (further.molecule == nullptr) {
    return form;
  }
  if (form.atoms.empty()) {
    further.atoms.clear();
  }
  for (std::uint32_t& atom : further.atoms) {
    atom = form.atoms.at(atom);
  }
  return further;
}

}  // namespace

StandardForm standard_form(const RDKit::ROMol& drawn, const std::string& drawn_smiles,
                           Standardization standardization) {
  if (standardization.mode == Standardize::none) {
    return {nullptr, drawn_smiles, drawn_smiles, {}};
  }
  try {
    return find_form(drawn, drawn_smiles, standardization);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return {nullptr, drawn_smiles, drawn_smiles, {}};
  }
}

}  // namespace molgauge::chem
