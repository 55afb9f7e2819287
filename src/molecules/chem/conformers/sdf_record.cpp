#include "molecules/chem/conformers/sdf_record.h"

#include <cstddef>
#include <memory>

#include <GraphMol/Conformer.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>

#include "base/core/text/sdf_field.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {
namespace {

constexpr const char* kEndOfRecord = "$$$$\n";

const char* name_of(Refinement refinement) {
  switch (refinement) {
    case Refinement::converged:
      return "converged";
    case Refinement::not_converged:
      return "not converged";
    case Refinement::no_parameters:
      return "no parameters";
    case Refinement::failed:
      return "failed";
    case Refinement::none:
      break;
  }
  return "none";
}

void place_atoms(RDKit::RWMol& molecule, const MadeConformer& made) {
  const Conformer& places = made.conformer;
  auto conformer = std::make_unique<RDKit::Conformer>(molecule.getNumAtoms());
  conformer->set3D(made.embedding == Embedding::three_dimensional);
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    const auto index = atom->getIdx();
    if (places.elements[index] != atom->getAtomicNum()) {
      throw InvalidMolecule("its 3D coordinates belong to another molecule");
    }
    const auto& [x, y, z] = places.positions[index];
    conformer->setAtomPos(index, RDGeom::Point3D(x, y, z));
  }
  molecule.addConformer(conformer.release(), /*assignId=*/true);
}

}  // namespace

std::string sdf_record(const MoleculeRecord& record, const MadeConformer& made) {
  const auto molecule = read_molecule(record);
  const std::string block = with_rdkit([&] {
    molecule->clearConformers();
    RDKit::MolOps::addHs(*molecule);
    if (molecule->getNumAtoms() != made.conformer.elements.size()) {
      throw InvalidMolecule("its 3D coordinates belong to another molecule");
    }
    place_atoms(*molecule, made);
    return RDKit::MolToMolBlock(*molecule);
  });
  std::string text = block;
  if (record.format == RecordFormat::smiles) {
    text += sdf_field("input", record.text);
  }
  text += sdf_field("places", made.embedding == Embedding::flat ? "2d" : "3d");
  text += sdf_field("mmff", name_of(made.refinement));
  if (made.made_by != MadeBy::exact) {
    text += sdf_field("engine", made.made_by == MadeBy::fast ? "fast" : "exact, because fast failed");
  }
  return text + kEndOfRecord;
}

std::string sdf_record(const MoleculeRecord& record) {
  return record.text + (record.text.ends_with('\n') ? "" : "\n") + kEndOfRecord;
}

}  // namespace molgauge::chem
