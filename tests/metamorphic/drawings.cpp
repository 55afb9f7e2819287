#include "drawings.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <set>

#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "molecules/chem/counter_ions.h"
#include "molecules/chem/identity.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"
#include "molecules/chem/standardize.h"

namespace molgauge::test {
namespace {

using Molecule = RDKit::RWMol;
using Wanted = std::function<bool(const RDKit::Atom&)>;

/// Returns RDKit's canonical SMILES, or an empty text for an invalid molecule.
std::string canonical(const std::string& smiles) {
  try {
    return chem::identify(record_of(smiles), false).canonical_smiles;
  } catch (const chem::InvalidMolecule&) {
    return "";
  }
}

std::string in_order(const Molecule& molecule, std::mt19937& random) {
  std::vector<unsigned> order(molecule.getNumAtoms());
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), random);
  const std::unique_ptr<RDKit::ROMol> renumbered(RDKit::MolOps::renumberAtoms(molecule, order));
  RDKit::SmilesWriteParams parameters;
  parameters.canonical = false;
  return RDKit::MolToSmiles(*renumbered, parameters);
}

template <typename Range, typename Holds>
bool any_in(Range range, const Holds& holds) {
  for (const auto* const item : range) {  // RDKit's iterators are not iterators of the standard library
    if (holds(*item)) {
      return true;
    }
  }
  return false;
}

bool is_amine(const RDKit::Atom& atom) {
  if (atom.getAtomicNum() != 7 || atom.getFormalCharge() != 0 || atom.getIsAromatic() ||
      atom.getTotalDegree() != 3) {
    return false;
  }
  const RDKit::ROMol& molecule = atom.getOwningMol();
  return !any_in(molecule.atomNeighbors(&atom), [](const RDKit::Atom& other) {
    return other.getAtomicNum() != 6 || other.getHybridization() != RDKit::Atom::SP3;
  });
}

bool is_pyridine(const RDKit::Atom& atom) {
  return atom.getAtomicNum() == 7 && atom.getFormalCharge() == 0 && atom.getIsAromatic() &&
         atom.getDegree() == 2 && atom.getTotalNumHs() == 0 &&
         atom.getOwningMol().getRingInfo()->isAtomInRingOfSize(atom.getIdx(), 6);
}

/// Whether an atom is the oxygen of OH in a carboxylic acid or in a phenol.
bool is_acid(const RDKit::Atom& atom) {
  if (atom.getAtomicNum() != 8 || atom.getFormalCharge() != 0 || atom.getDegree() != 1 ||
      atom.getTotalNumHs() != 1) {
    return false;
  }
  const RDKit::ROMol& molecule = atom.getOwningMol();
  const RDKit::Atom& carbon = **molecule.atomNeighbors(&atom).begin();
  return carbon.getAtomicNum() == 6 && any_in(molecule.atomBonds(&carbon), [&](const RDKit::Bond& bond) {
           return bond.getIsAromatic() || (bond.getBondType() == RDKit::Bond::DOUBLE &&
                                           bond.getOtherAtom(&carbon)->getAtomicNum() == 8);
         });
}

bool is_methyl(const RDKit::Atom& atom) {
  return atom.getAtomicNum() == 6 && atom.getDegree() == 1 && atom.getTotalNumHs() == 3;
}

/// Adds a proton (charge 1) or removes one (charge -1).
void charge(RDKit::Atom& atom, int added) {
  atom.setNumExplicitHs(static_cast<unsigned>(static_cast<int>(atom.getTotalNumHs()) + added));
  atom.setNoImplicit(true);
  atom.setFormalCharge(atom.getFormalCharge() + added);
  atom.updatePropertyCache(false);
}

/// Charges the wanted atoms. Returns their number.
int charge_atoms(Molecule& molecule, const Wanted& wanted, int added, bool only_first = false) {
  int charged = 0;
  for (RDKit::Atom* const atom : molecule.atoms()) {
    if (wanted(*atom) && (!only_first || charged == 0)) {
      charge(*atom, added);
      ++charged;
    }
  }
  return charged;
}

std::string charged(const Molecule& molecule, const Wanted& wanted, int added, bool only_first = false) {
  Molecule copy(molecule);
  return charge_atoms(copy, wanted, added, only_first) == 0 ? "" : RDKit::MolToSmiles(copy);
}

std::string repeated(const std::string& fragment, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += "." + fragment;
  }
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// Whether an atom is the sulfur of a sulfoxide: bonded to one oxygen and two carbon atoms.
bool is_sulfoxide(const RDKit::Atom& atom) {
  unsigned carbons = 0, oxygens = 0;
  for (const RDKit::Atom* const neighbour : atom.getOwningMol().atomNeighbors(&atom)) {
    carbons += neighbour->getAtomicNum() == 6 ? 1 : 0;
    oxygens += neighbour->getAtomicNum() == 8 ? 1 : 0;
  }
  return atom.getAtomicNum() == 16 && carbons == 2 && oxygens == 1;
}

/// Makes the drawings of one molecule. Call it within with_rdkit().
class Drawer {
 public:
  Drawer(const std::string& smiles, const Molecule& molecule, unsigned seed)
      : molecule_(molecule), random_(seed) {
    drawings_.push_back({Change::none, smiles});
  }

  void same_structure(std::size_t orders) {
    for (std::size_t i = 0; i < orders; ++i) {
      add(Change::atom_order, in_order(molecule_, random_));
    }
    add(Change::atom_order, RDKit::MolToSmiles(molecule_));
    add(Change::kekule_form, RDKit::MolToSmiles(molecule_, /*doIsomericSmiles=*/true, /*doKekule=*/true));
    add(Change::explicit_hydrogens,
        RDKit::MolToSmiles(molecule_, true, false, -1, true, false, /*allHsExplicit=*/true));
    const std::unique_ptr<RDKit::ROMol> with_hydrogens(RDKit::MolOps::addHs(molecule_));
    add(Change::explicit_hydrogens, RDKit::MolToSmiles(*with_hydrogens));
    Molecule mapped(molecule_);
    for (RDKit::Atom* const atom : mapped.atoms()) {
      atom->setAtomMapNum(static_cast<int>(atom->getIdx()) + 1);
    }
    add(Change::atom_map, RDKit::MolToSmiles(mapped));
  }

  void functional_groups() {
    const std::string smiles = RDKit::MolToSmiles(molecule_);
    std::string other = replaced(smiles, "[N+](=O)[O-]", "N(=O)=O");
    other = replaced(other, "O=[N+]([O-])", "O=N(=O)");
    other = replaced(other, "N=[N+]=[N-]", "N=N#N");
    if (other != smiles) {
      add(Change::functional_group, other);
    }
    Molecule sulfoxide(molecule_);
    if (redraw_sulfoxides(sulfoxide)) {
      add(Change::functional_group, RDKit::MolToSmiles(sulfoxide));
    }
  }

  void isotopes() {
    const auto label = [&](Molecule molecule, const Wanted& wanted, unsigned isotope, bool only_first) {
      bool is_labelled = false;
      for (RDKit::Atom* const atom : molecule.atoms()) {
        if (wanted(*atom) && !(only_first && is_labelled)) {
          atom->setIsotope(isotope);
          is_labelled = true;
        }
      }
      if (is_labelled) {
        add(Change::isotope, RDKit::MolToSmiles(molecule));
      }
    };
    const Wanted is_carbon = [](const RDKit::Atom& atom) { return atom.getAtomicNum() == 6; };
    const Wanted is_hydrogen = [](const RDKit::Atom& atom) { return atom.getAtomicNum() == 1; };
    label(molecule_, is_carbon, 13, true);
    label(molecule_, is_carbon, 14, false);
    const std::unique_ptr<RDKit::ROMol> all(RDKit::MolOps::addHs(molecule_));
    label(Molecule(*all), is_hydrogen, 2, false);
    for (const RDKit::Atom* const atom : molecule_.atoms()) {
      if (is_methyl(*atom)) {
        const std::vector<unsigned> methyl = {atom->getIdx()};
        const std::unique_ptr<RDKit::ROMol> one(RDKit::MolOps::addHs(molecule_, false, false, &methyl));
        label(Molecule(*one), is_hydrogen, 2, false);
        break;
      }
    }
  }

  void salts() {
    const std::string neutral = RDKit::MolToSmiles(molecule_);
    Molecule cation(molecule_), anion(molecule_);
    const auto amines = static_cast<std::size_t>(charge_atoms(cation, is_amine, 1));
    const auto acids = static_cast<std::size_t>(charge_atoms(anion, is_acid, -1));
    add(Change::solvate, neutral + ".O");
    add(Change::solvate, "O.O." + neutral);
    if (const std::string protonated = charged(molecule_, is_pyridine, 1, true); !protonated.empty()) {
      add(Change::charge_state, protonated);
      add(Change::hydrochloride, protonated + ".[Cl-]");
    }
    if (amines > 0) {
      const std::string protonated = RDKit::MolToSmiles(cation);
      add(Change::charge_state, protonated);
      add(Change::charge_state, charged(molecule_, is_amine, 1, true));
      add(Change::hydrochloride, neutral + ".Cl");
      add(Change::hydrochloride, protonated + repeated("[Cl-]", amines));
      add(Change::hydrochloride, "[Cl-]." + charged(molecule_, is_amine, 1, true));
      add(Change::organic_salt, protonated + repeated("[O-]C(=O)C(F)(F)F", amines));
      add(Change::organic_salt, neutral + ".OC(=O)C(F)(F)F");
      combined_ = protonated + repeated("[Br-]", amines) + ".O";
    }
    if (acids > 0) {
      const std::string deprotonated = RDKit::MolToSmiles(anion);
      add(Change::charge_state, deprotonated);
      add(Change::sodium_salt, deprotonated + repeated("[Na+]", acids));
      add(Change::sodium_salt, "[Ca+2]." + deprotonated + "." + deprotonated);
      combined_ = deprotonated + repeated("[K+]", acids) + ".O.O";
    }
    if (amines > 0 && acids > 0) {
      Molecule zwitterion(molecule_);
      charge_atoms(zwitterion, is_amine, 1, true);
      charge_atoms(zwitterion, is_acid, -1, true);
      add(Change::charge_state, RDKit::MolToSmiles(zwitterion));
    }
    all_at_once();
  }

  DrawnMolecule result() { return {std::move(drawings_), misperceived_, false, false}; }

 private:
  void add(Change change, const std::string& smiles) {
    if (smiles.empty()) {
      return;
    }
    drawings_.push_back({change, smiles});
  }

  /// Adds a salt with isotope labels, atom-map numbers and a random order of atoms.
  void all_at_once() {
    const std::unique_ptr<Molecule> salt = chem::parse_smiles(combined_);
    if (salt == nullptr) {
      return;
    }
    for (RDKit::Atom* const atom : salt->atoms()) {
      atom->setAtomMapNum(static_cast<int>(atom->getIdx()) + 1);
      if (atom->getAtomicNum() == 6 && atom->getIdx() % 3 == 0) {
        atom->setIsotope(13);
      }
    }
    add(Change::combined, in_order(*salt, random_));
  }

  /// Draws sulfoxides with charges, or without charges if they have them.
  static bool redraw_sulfoxides(Molecule& molecule) {
    bool is_changed = false;
    for (RDKit::Bond* const bond : molecule.bonds()) {
      RDKit::Atom* sulfur = bond->getBeginAtom();
      RDKit::Atom* oxygen = bond->getEndAtom();
      if (sulfur->getAtomicNum() == 8) {
        std::swap(sulfur, oxygen);
      }
      if (!is_sulfoxide(*sulfur) || oxygen->getAtomicNum() != 8 || oxygen->getDegree() != 1) {
        continue;
      }
      const bool is_charged = sulfur->getFormalCharge() == 1 && oxygen->getFormalCharge() == -1;
      if (!is_charged && bond->getBondType() != RDKit::Bond::DOUBLE) {
        continue;
      }
      sulfur->setFormalCharge(is_charged ? 0 : 1);
      oxygen->setFormalCharge(is_charged ? 0 : -1);
      bond->setBondType(is_charged ? RDKit::Bond::DOUBLE : RDKit::Bond::SINGLE);
      is_changed = true;
    }
    molecule.updatePropertyCache(false);
    return is_changed;
  }

  const Molecule& molecule_;
  std::mt19937 random_;
  std::string combined_;
  std::vector<Drawing> drawings_;
  std::size_t misperceived_ = 0;
};

/// Whether RDKit must read the same molecule from the drawing, because the graph is the same.
bool keeps_graph(Change change) {
  return change == Change::atom_order || change == Change::kekule_form ||
         change == Change::explicit_hydrogens || change == Change::atom_map;
}

/// Whether the drawing does not say which of its fragments is the molecule: the molecule is itself a common
/// counter-ion or solvent.
bool is_counter_ion(const Molecule& molecule) {
  return chem::role_of(RDKit::MolToSmiles(molecule, /*doIsomericSmiles=*/false)) != chem::FragmentRole::main;
}

bool has_charges(const Molecule& molecule) {
  return any_in(molecule.atoms(), [](const RDKit::Atom& atom) { return atom.getFormalCharge() != 0; });
}

/// Whether Molgauge keeps the drawing, because the molecule has a metal or no carbon.
bool is_inorganic(const Molecule& molecule) {
  static const std::set<int> organic = {1, 5, 6, 7, 8, 9, 14, 15, 16, 17, 34, 35, 53};
  const auto is_metal = [](const RDKit::Atom& atom) { return !organic.contains(atom.getAtomicNum()); };
  const auto is_carbon = [](const RDKit::Atom& atom) { return atom.getAtomicNum() == 6; };
  return any_in(molecule.atoms(), is_metal) || !any_in(molecule.atoms(), is_carbon);
}

}  // namespace

chem::MoleculeRecord record_of(const std::string& smiles) {
  chem::MoleculeRecord record;
  record.text = smiles;
  return record;
}

DrawnMolecule draw(const std::string& smiles, unsigned seed, std::size_t orders) {
  const auto molecule = chem::read_molecule(record_of(smiles));
  DrawnMolecule drawn = chem::with_rdkit([&] {
    Drawer drawer(smiles, *molecule, seed);
    drawer.same_structure(orders);
    drawer.functional_groups();
    drawer.isotopes();
    // A neutral molecule of one fragment gets counter-ions.
    if (smiles.find('.') == std::string::npos && !has_charges(*molecule) && !is_inorganic(*molecule) &&
        !is_counter_ion(*molecule)) {
      drawer.salts();
    }
    return drawer.result();
  });
  const std::string expected = canonical(smiles);
  const auto is_misperceived = [&](const Drawing& drawing) {
    const std::string found = canonical(drawing.smiles);
    return found.empty() || (keeps_graph(drawing.change) && found != expected);
  };
  drawn.misperceived = std::erase_if(drawn.drawings, is_misperceived);
  drawn.has_chirality_tags = any_in(molecule->atoms(), [](const RDKit::Atom& atom) {
    return atom.getChiralTag() != RDKit::Atom::CHI_UNSPECIFIED;
  });
  drawn.is_standard = chem::standardized_record(record_of(smiles), Standardize::parent).text == smiles;
  return drawn;
}

std::string parent_of(const std::string& smiles) {
  try {
    return canonical(chem::standardized_record(record_of(smiles), Standardize::parent).text);
  } catch (const chem::InvalidMolecule&) {
    return "";
  }
}

std::string sdf_record(const std::string& smiles, const std::string& id) {
  const auto molecule = chem::read_molecule(record_of(smiles));
  const std::string block = chem::with_rdkit([&] {
    RDDepict::compute2DCoords(*molecule);
    return RDKit::MolToMolBlock(*molecule);
  });
  chem::MoleculeRecord record = record_of(block);
  record.format = chem::RecordFormat::molblock;
  if (chem::identify(record, false).canonical_smiles != canonical(smiles)) {
    return "";
  }
  return id + block.substr(block.find('\n')) + "$$$$\n";
}

}  // namespace molgauge::test
