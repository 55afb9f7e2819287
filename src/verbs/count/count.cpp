// `headroom count`.

#include "encoding/session/molecule_input.h"
#include "verbs/verbs.h"

namespace headroom::verbs {

CountReport count(const CountRequest& request) {
  const session::MoleculeList list = session::require_molecules(request.molecules, request.smiles_column);
  return {.records = list.records, .refused = list.refused};
}

}  // namespace headroom::verbs
