#include "molecules/chem/crippen.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include <GraphMol/Bond.h>
#include <GraphMol/Descriptors/Crippen.h>
#include <GraphMol/MolOps.h>

namespace molgauge::chem {
namespace {

/// Finds a small connected pattern that begins at a given atom of a molecule. RDKit's search would return all
/// matches everywhere.
class AnchoredSearch {
 public:
  AnchoredSearch(const RDKit::ROMol& molecule, const RDKit::ROMol& pattern)
      : molecule_(molecule), pattern_(pattern), matched_(pattern.getNumAtoms()) {}

  bool matches_at(const RDKit::Atom* first) {
    if (!pattern_.getAtomWithIdx(0)->Match(first)) {
      return false;
    }
    matched_[0] = first;
    return extends(1);
  }

 private:
  /// Whether the atoms of the pattern from `next` on can be placed. The atoms before `next` are placed. Each
  /// atom of a pattern has a neighbour before it, because SMARTS list atoms along their bonds.
  bool extends(unsigned next) {
    if (next == matched_.size()) {
      return true;
    }
    const RDKit::Atom* const wanted = pattern_.getAtomWithIdx(next);
    const RDKit::Atom* placed = nullptr;
    for (const RDKit::Atom* const neighbour : pattern_.atomNeighbors(wanted)) {
      placed = neighbour->getIdx() < next ? neighbour : placed;
    }
    for (const RDKit::Atom* const atom : molecule_.atomNeighbors(matched_[placed->getIdx()])) {
      if (std::find(matched_.begin(), matched_.begin() + next, atom) == matched_.begin() + next &&
          wanted->Match(atom) && bonds_match(next, atom)) {
        matched_[next] = atom;
        if (extends(next + 1)) {
          return true;
        }
      }
    }
    return false;
  }

  bool bonds_match(unsigned next, const RDKit::Atom* atom) const {
    for (const RDKit::Bond* const wanted : pattern_.atomBonds(pattern_.getAtomWithIdx(next))) {
      const unsigned other = wanted->getOtherAtomIdx(next);
      if (other < next) {
        const RDKit::Bond* const bond =
            molecule_.getBondBetweenAtoms(atom->getIdx(), matched_[other]->getIdx());
        if (bond == nullptr || !wanted->Match(bond)) {
          return false;
        }
      }
    }
    return true;
  }

  const RDKit::ROMol& molecule_;
  const RDKit::ROMol& pattern_;
  std::vector<const RDKit::Atom*> matched_;
};

}  // namespace

double crippen_log_p(const RDKit::ROMol& molecule) {
  const std::unique_ptr<RDKit::ROMol> whole(RDKit::MolOps::addHs(molecule, false, false));
  const auto* const parameters = RDKit::Descriptors::CrippenParamCollection::getParams();
  std::vector<double> contributions(whole->getNumAtoms());
  std::vector<const RDKit::Atom*> left;
  for (const RDKit::Atom* const atom : whole->atoms()) {
    left.push_back(atom);
  }
  for (auto parameter = parameters->begin(); parameter != parameters->end() && !left.empty(); ++parameter) {
    AnchoredSearch search(*whole, *parameter->dp_pattern);
    std::erase_if(left, [&](const RDKit::Atom* atom) {
      const bool matches = search.matches_at(atom);
      if (matches) {
        contributions[atom->getIdx()] = parameter->logp;
      }
      return matches;
    });
  }
  return std::accumulate(contributions.begin(), contributions.end(), 0.0);
}

}  // namespace molgauge::chem
