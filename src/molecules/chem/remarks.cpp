#include "molecules/chem/remarks.h"

#include "molecules/chem/components.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {

std::vector<std::string> remarks_on(const MoleculeRecord& record) {
  // A radical has an atom in brackets or an extension, a mixture has a dot.
  const bool is_plain = record.format == RecordFormat::smiles && record.unreadable.empty() &&
                        record.text.find_first_of("[.|") == std::string::npos;
  if (is_plain) {
    return {};
  }
  const auto molecule = read_molecule(record);
  return with_rdkit([&] { return remarks_of(*molecule); });
}

}  // namespace molgauge::chem
