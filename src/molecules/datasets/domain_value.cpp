#include "molecules/datasets/domain_value.h"

namespace molgauge::datasets {

DomainValue domain_value(const chem::Identity& identity, std::int64_t assay, DomainKind kind) {
  switch (kind) {
    case DomainKind::scaffold:
      return {.scaffold = identity.scaffold.value().smiles, .atoms = identity.scaffold.value().atoms};
    case DomainKind::size:
      return {.scaffold = {}, .atoms = identity.atoms};
    case DomainKind::assay:
      break;
  }
  return {.scaffold = {}, .atoms = 0, .assay = assay};
}

}  // namespace molgauge::datasets
