#include "molecules/chem/conformers/embedding.h"

#include <cmath>
#include <exception>
#include <memory>
#include <optional>

#include <GraphMol/Depictor/RDDepictor.h>
#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/ForceFieldHelpers/MMFF/MMFF.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <fmt/format.h>

#include "molecules/chem/conformers/fast/engine.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {
namespace {

constexpr int kSeed = 42, kSteps = 200;
constexpr double kFarthestNonBonded = 100;  ///< angstrom; default of the Python functions of RDKit

/// Refuses molecules that are invalid or too large, with our error messages. Call it before
/// molecule_with_hydrogens(), because RDKit would take longer to parse such molecules.
void require_molecule(const MoleculeRecord& record, std::size_t most_atoms) {
  const auto molecule = read_molecule(record);
  std::size_t atoms = molecule->getNumAtoms();
  for (const RDKit::Atom* const atom : molecule->atoms()) {
    atoms += atom->getTotalNumHs();
  }
  if (atoms > most_atoms) {
    throw InvalidMolecule(fmt::format(
        "has {} atoms with its hydrogens, more than the maximum of {} for a conformer", atoms, most_atoms));
  }
}

/// Parses a record with the RDKit functions that other programs use. The coordinates are therefore identical
/// to theirs.
std::unique_ptr<RDKit::RWMol> molecule_with_hydrogens(const MoleculeRecord& record) {
  std::unique_ptr<RDKit::RWMol> molecule(record.format == RecordFormat::molblock
                                             ? RDKit::MolBlockToMol(record.text)
                                             : RDKit::SmilesToMol(record.text));
  if (!molecule) {
    throw InvalidMolecule("RDKit's own reader refuses it");
  }
  RDKit::MolOps::addHs(*molecule);
  return molecule;
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

}  // namespace

MadeConformer make_conformer(const MoleculeRecord& record, std::size_t most_atoms, ConformerEngine engine) {
  require_molecule(record, most_atoms);
  return with_rdkit([&] {
    const auto molecule = molecule_with_hydrogens(record);
    MadeConformer made;
    const auto refinement = engine == ConformerEngine::fast ? place_fast(*molecule) : std::nullopt;
    if (refinement) {
      made.refinement = *refinement;
      made.made_by = MadeBy::fast;
    } else {
      place_exactly(*molecule, made);
      made.made_by = engine == ConformerEngine::fast ? MadeBy::exact_after_fast : MadeBy::exact;
    }
    made.conformer = places_of(*molecule);
    return made;
  });
}

}  // namespace molgauge::chem
