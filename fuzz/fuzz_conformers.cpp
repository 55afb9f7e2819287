#include <GraphMol/MolOps.h>

#include "fuzzed.h"
#include "molecules/chem/conformers/fast/engine.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

// RDKit's reader of mol blocks leaks memory when it refuses a block. It runs in a separate process in
// Molgauge.
extern "C" const char* __lsan_default_suppressions() { return "leak:libRDKit\n"; }

// The fast conformer engine with small molecules. The first byte selects SMILES or a mol block.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kLongest = 2000;
  constexpr unsigned kMostAtoms = 24;  // with hydrogens
  if (size == 0 || size > kLongest) {
    return 0;
  }
  return molgauge::fuzz::allow_input_errors([&] {
    using namespace molgauge::chem;
    MoleculeRecord record;
    record.format = data[0] % 2 == 0 ? RecordFormat::smiles : RecordFormat::molblock;
    record.text.assign(reinterpret_cast<const char*>(data + 1), size - 1);
    const auto molecule = read_molecule(record);
    with_rdkit([&] {
      RDKit::MolOps::addHs(*molecule);
      if (molecule->getNumAtoms() <= kMostAtoms) {
        fast::add_conformer(*molecule);
      }
    });
  });
}
