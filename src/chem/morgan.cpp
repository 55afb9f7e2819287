#include "chem/morgan.h"

#include <map>
#include <memory>

#include <GraphMol/Fingerprints/MorganGenerator.h>

namespace headroom::chem {

std::vector<std::pair<std::uint32_t, std::uint32_t>> morgan_counts(const RDKit::ROMol& molecule,
                                                                   unsigned radius, unsigned width) {
  const std::unique_ptr<RDKit::FingerprintGenerator<std::uint32_t>> generator(
      RDKit::MorganFingerprint::getMorganGenerator<std::uint32_t>(radius));
  const std::unique_ptr<RDKit::SparseIntVect<std::uint32_t>> environments(
      generator->getSparseCountFingerprint(molecule));
  std::map<std::uint32_t, std::uint32_t> folded;
  for (const auto& [identifier, count] : environments->getNonzeroElements()) {
    folded[identifier % width] += static_cast<std::uint32_t>(count);
  }
  return {folded.begin(), folded.end()};
}

}  // namespace headroom::chem
