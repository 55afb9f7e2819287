#include "molecules/chem/standardize.h"

#include <memory>

#include <GraphMol/Conformer.h>
#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "molecules/chem/identity_form.h"
#include "molecules/chem/isotopes.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"
#include "molecules/chem/standard_form.h"

namespace molgauge::chem {
namespace {

/// Returns the mol block of the standardised molecule. Each atom has its coordinates from `drawn`.
std::string block_in_space(StandardForm& form, const RDKit::ROMol& drawn) {
  auto places = std::make_unique<RDKit::Conformer>(form.molecule->getNumAtoms());
  places->set3D(true);
  for (unsigned atom = 0; atom < form.molecule->getNumAtoms(); ++atom) {
    places->setAtomPos(atom, drawn.getConformer().getAtomPos(form.atoms[atom]));
  }
  form.molecule->clearConformers();
  form.molecule->addConformer(places.release(), true);
  return RDKit::MolToMolBlock(*form.molecule);
}

}  // namespace

bool may_change(const MoleculeRecord& record) {
  return record.format != RecordFormat::smiles || !is_plainly_standard(record.text);
}

MoleculeRecord standardized_record(const MoleculeRecord& record, Standardization standardization) {
  if (standardization.mode == Standardize::none) {
    return record;
  }
  if (standardization.mode == Standardize::parent && record.unreadable.empty() && !may_change(record)) {
    return record;
  }
  const auto molecule = read_molecule(record);
  return with_rdkit([&] {
    const bool loses_isotopes = !standardization.keeps_isotopes && has_isotopes(*molecule);
    if (standardization.mode == Standardize::parent && !loses_isotopes && is_plainly_standard(*molecule)) {
      return record;  // saves the canonical SMILES
    }
    const bool is_in_space = molecule->getNumConformers() > 0 && molecule->getConformer().is3D();
    RDKit::RWMol compared(*molecule);
    bring_to_identity_form(compared);
    StandardForm form = standard_form(compared, RDKit::MolToSmiles(compared), standardization);
    MoleculeRecord result = record;
    if (form.molecule != nullptr) {
      const bool keeps_places = is_in_space && !form.atoms.empty();
      result.text = keeps_places ? block_in_space(form, *molecule) : form.smiles;
      result.format = keeps_places ? RecordFormat::molblock : RecordFormat::smiles;
    }
    return result;
  });
}

}  // namespace molgauge::chem
