#include "molecules/chem/depict.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/chem/properties.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {

std::string depict(const DepictRequest& request) {
  for (const int size : {request.width, request.height}) {
    if (size < 16 || size > 2000) {
      throw UsageError(fmt::format("a drawing of {} x {}: both must be within 16 and 2,000", request.width,
                                   request.height));
    }
  }
  const chem::MoleculeRecord record{.text = request.smiles, .line = 1, .file = "molecules"};
  std::vector<std::size_t> atoms = request.atoms;
  if (!request.alert.empty()) {
    const std::vector<std::size_t> of_alert = chem::alert_atoms(record, request.alert);
    if (of_alert.empty()) {
      throw UsageError(fmt::format("{}: has no structural alert '{}'", request.smiles, request.alert));
    }
    atoms.insert(atoms.end(), of_alert.begin(), of_alert.end());
  }
  return request.as_mol_block ? chem::flat_mol_block(record)
                              : chem::depict(record, request.width, request.height, atoms);
}

}  // namespace molgauge::verbs
