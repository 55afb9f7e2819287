#include "molecules/chem/conformers/embedding.h"

#include <cmath>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/ForceFieldHelpers/MMFF/MMFF.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <fmt/format.h>

#include "molecules/chem/conformers/fast/engine.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {
namespace {

constexpr int kSeed = 42, kSteps = 200;
constexpr double kFarthestNonBonded = 100;  ///< angstrom; default of the Python functions of RDKit

/// Reads a molecule, and refuses molecules that are invalid or too large, with our error messages. Call it
/// before drawn_molecule(), because RDKit would take longer to parse such molecules.
std::unique_ptr<RDKit::RWMol> read_small_molecule(const MoleculeRecord& record, std::size_t most_atoms) {
  auto molecule = read_molecule(record);
  std::size_t atoms = molecule->getNumAtoms();
  for (const RDKit::Atom* const atom : molecule->atoms()) {
    atoms += atom->getTotalNumHs();
  }
  if (atoms > most_atoms) {
    throw InvalidMolecule(fmt::format(
        "has {} atoms with its hydrogens, more than the maximum of {} for a conformer", atoms, most_atoms));
  }
  return molecule;
}

/// Parses a record with the RDKit functions that other programs use. The coordinates are therefore identical
/// to theirs.
std::unique_ptr<RDKit::RWMol> drawn_molecule(const MoleculeRecord& record) {
  std::unique_ptr<RDKit::RWMol> molecule(record.format == RecordFormat::molblock
                                             ? RDKit::MolBlockToMol(record.text)
                                             : RDKit::SmilesToMol(record.text));
  if (!molecule) {
    throw InvalidMolecule("RDKit's own reader refuses it");
  }
  return molecule;
}

/// The atoms of another molecule that are the atoms of this one.
using Numbers = std::vector<unsigned>;

/// A molecule in the atom order of its canonical SMILES, which all its drawings share.
struct CanonicalMolecule {
  std::unique_ptr<RDKit::RWMol> molecule;
  Numbers drawn;  ///< the atom of the drawing for each atom
};

/// Returns nothing if RDKit reads its canonical SMILES as another molecule. `drawn`: without added hydrogens.
std::optional<CanonicalMolecule> in_canonical_order(const RDKit::ROMol& drawn) {
  const std::string smiles = RDKit::MolToSmiles(drawn);
  CanonicalMolecule made{std::unique_ptr<RDKit::RWMol>(RDKit::SmilesToMol(smiles)), {}};
  if (!made.molecule || made.molecule->getNumAtoms() != drawn.getNumAtoms() ||
      RDKit::MolToSmiles(*made.molecule) != smiles) {
    return std::nullopt;
  }
  drawn.getProp(RDKit::common_properties::_smilesAtomOutputOrder, made.drawn);
  return made;
}

/// The hydrogens that MolOps::addHs() has appended to the first `atoms` atoms, for each of these atoms.
std::vector<Numbers> added_hydrogens(const RDKit::ROMol& molecule, std::size_t atoms) {
  std::vector<Numbers> hydrogens(atoms);
  for (unsigned h = static_cast<unsigned>(atoms); h < molecule.getNumAtoms(); ++h) {
    const RDKit::Atom* const heavy = *molecule.atomNeighbors(molecule.getAtomWithIdx(h)).begin();
    hydrogens[heavy->getIdx()].push_back(h);
  }
  return hydrogens;
}

/// Adds hydrogens to the canonical molecule and numbers them as in the drawing, which has its hydrogens.
/// Returns false if the numbers of hydrogens differ.
bool add_hydrogens(CanonicalMolecule& canonical, const RDKit::ROMol& drawn) {
  const std::size_t atoms = canonical.drawn.size();
  RDKit::MolOps::addHs(*canonical.molecule);
  const auto own = added_hydrogens(*canonical.molecule, atoms), drawn_ones = added_hydrogens(drawn, atoms);
  canonical.drawn.resize(canonical.molecule->getNumAtoms());
  for (std::size_t atom = 0; atom < atoms; ++atom) {
    const Numbers& there = drawn_ones[canonical.drawn[atom]];
    if (own[atom].size() != there.size()) {
      return false;
    }
    for (std::size_t i = 0; i < there.size(); ++i) {
      canonical.drawn[own[atom][i]] = there[i];
    }
  }
  return true;
}

/// Returns whether a conformer was found.
bool embed(RDKit::ROMol& molecule) {
  RDKit::DGeomHelpers::EmbedParameters parameters;
  parameters.randomSeed = kSeed;
  parameters.useExpTorsionAnglePrefs = true;
  parameters.useBasicKnowledge = true;
  return RDKit::DGeomHelpers::EmbedMolecule(molecule, parameters) >= 0;
}

Refinement refine(RDKit::ROMol& molecule) {
  try {
    switch (RDKit::MMFF::MMFFOptimizeMolecule(molecule, kSteps, "MMFF94", kFarthestNonBonded).first) {
      case 0:
        return Refinement::converged;
      case -1:
        return Refinement::no_parameters;
      default:
        return Refinement::not_converged;
    }
  } catch (const std::exception&) {
    return Refinement::failed;
  }
}

Conformer places_of(const RDKit::ROMol& molecule) {
  Conformer conformer;
  const RDKit::Conformer& places = molecule.getConformer();
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    const RDGeom::Point3D& place = places.getAtomPos(atom->getIdx());
    conformer.elements.push_back(static_cast<std::uint8_t>(atom->getAtomicNum()));
    conformer.positions.push_back(
        {static_cast<float>(place.x), static_cast<float>(place.y), static_cast<float>(place.z)});
    for (const float coordinate : conformer.positions.back()) {
      if (!std::isfinite(coordinate)) {
        throw InvalidMolecule("an atom has no coordinates");
      }
    }
  }
  return conformer;
}

Refinement name(fast::Refined refined) {
  switch (refined) {
    case fast::Refined::converged:
      return Refinement::converged;
    case fast::Refined::not_converged:
      return Refinement::not_converged;
    case fast::Refined::no_parameters:
      break;
  }
  return Refinement::no_parameters;
}

/// Adds a conformer of the fast engine. Returns nothing if the engine fails.
std::optional<Refinement> place_fast(RDKit::ROMol& molecule) {
  try {
    const auto refined = fast::add_conformer(molecule);
    return refined ? std::optional(name(*refined)) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// Adds a conformer of RDKit, or its 2D layout.
void place_exactly(RDKit::ROMol& molecule, MadeConformer& made) {
  if (embed(molecule)) {
    made.refinement = refine(molecule);
    return;
  }
  constexpr bool canonical_orientation = true;
  RDDepict::compute2DCoords(molecule, nullptr, canonical_orientation);
  made.embedding = Embedding::flat;
  made.refinement = Refinement::none;
}

/// Generates a conformer with the fast engine, or with RDKit if this engine fails.
MadeConformer place_fast_or_exactly(RDKit::ROMol& molecule) {
  MadeConformer made;
  if (const auto refinement = place_fast(molecule)) {
    made.refinement = *refinement;
    made.made_by = MadeBy::fast;
  } else {
    place_exactly(molecule, made);
    made.made_by = MadeBy::exact_after_fast;
  }
  made.conformer = places_of(molecule);
  return made;
}

/// Gives the atoms of a conformer other numbers.
Conformer renumbered(const Conformer& conformer, const Numbers& numbers) {
  Conformer other = conformer;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    other.elements[numbers[i]] = conformer.elements[i];
    other.positions[numbers[i]] = conformer.positions[i];
  }
  return other;
}

}  // namespace

MadeConformer make_conformer(const MoleculeRecord& record, std::size_t most_atoms, ConformerEngine engine) {
  auto molecule = read_small_molecule(record, most_atoms);
  return with_rdkit([&] {
    if (engine == ConformerEngine::exact) {
      molecule = drawn_molecule(record);
      RDKit::MolOps::addHs(*molecule);
      MadeConformer made;
      place_exactly(*molecule, made);
      made.conformer = places_of(*molecule);
      return made;
    }
    auto canonical = in_canonical_order(*molecule);
    RDKit::MolOps::addHs(*molecule);
    if (!canonical || !add_hydrogens(*canonical, *molecule)) {
      return place_fast_or_exactly(*molecule);
    }
    MadeConformer made = place_fast_or_exactly(*canonical->molecule);
    made.conformer = renumbered(made.conformer, canonical->drawn);
    return made;
  });
}

}  // namespace molgauge::chem
