#include "molecules/chem/input_conformer.h"

#include <cmath>

#include <GraphMol/Conformer.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>

#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {
namespace {

constexpr double kFarthest = 1e4;

bool is_near(const RDGeom::Point3D& place) {
  return std::abs(place.x) <= kFarthest && std::abs(place.y) <= kFarthest && std::abs(place.z) <= kFarthest;
}

}  // namespace

std::optional<Conformer> input_conformer(const MoleculeRecord& record, Coordinates wanted) {
  if (record.format != RecordFormat::molblock) {
    return std::nullopt;
  }
  const auto molecule = read_molecule(record, Preparation::with_hydrogens);
  if (molecule->getNumConformers() == 0 || !molecule->getConformer().is3D()) {
    return std::nullopt;
  }
  if (wanted == Coordinates::all) {
    with_rdkit([&] {
      constexpr bool explicit_only = false, add_coordinates = true;
      RDKit::MolOps::addHs(*molecule, explicit_only, add_coordinates);
    });
  }
  const RDKit::Conformer& places = molecule->getConformer();
  Conformer conformer;
  for (const RDKit::Atom* const atom : molecule->atoms()) {
    if (wanted == Coordinates::heavy && atom->getAtomicNum() == 1) {
      continue;
    }
    const RDGeom::Point3D& place = places.getAtomPos(atom->getIdx());
    if (!is_near(place)) {
      throw InvalidMolecule("an atom is more than 10,000 angstrom from the origin, or has no coordinates");
    }
    conformer.elements.push_back(static_cast<std::uint8_t>(atom->getAtomicNum()));
    conformer.positions.push_back(
        {static_cast<float>(place.x), static_cast<float>(place.y), static_cast<float>(place.z)});
  }
  return conformer;
}

}  // namespace molgauge::chem
