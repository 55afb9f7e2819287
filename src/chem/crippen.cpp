#include "chem/crippen.h"

#include <memory>
#include <numeric>
#include <vector>

#include <GraphMol/Descriptors/Crippen.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/QueryAtom.h>
#include <GraphMol/Substruct/SubstructMatch.h>

namespace headroom::chem {

double crippen_log_p(const RDKit::ROMol& molecule) {
  const std::unique_ptr<RDKit::ROMol> whole(RDKit::MolOps::addHs(molecule, false, false));
  const auto* const parameters = RDKit::Descriptors::CrippenParamCollection::getParams();
  std::vector<double> contributions(whole->getNumAtoms());
  std::vector<bool> is_needed(whole->getNumAtoms(), true);
  std::size_t needed = whole->getNumAtoms();
  for (auto parameter = parameters->begin(); parameter != parameters->end() && needed > 0; ++parameter) {
    const RDKit::ROMol& pattern = *parameter->dp_pattern;
    const RDKit::Atom* const first = pattern.getAtomWithIdx(0);
    bool may_match = false;
    for (unsigned atom = 0; atom < whole->getNumAtoms() && !may_match; ++atom) {
      may_match = is_needed[atom] && first->Match(whole->getAtomWithIdx(atom));
    }
    if (!may_match) {
      continue;
    }
    std::vector<RDKit::MatchVectType> matches;
    RDKit::SubstructMatch(*whole, pattern, matches, /*uniquify=*/false, /*recursionPossible=*/true);
    for (const RDKit::MatchVectType& match : matches) {
      const auto atom = static_cast<std::size_t>(match[0].second);
      if (is_needed[atom]) {
        is_needed[atom] = false;
        contributions[atom] = parameter->logp;
        --needed;
      }
    }
  }
  return std::accumulate(contributions.begin(), contributions.end(), 0.0);
}

}  // namespace headroom::chem
