#include "molecules/chem/text_order.h"

#include <numeric>
#include <stdexcept>
#include <string_view>

#include <GraphMol/Atom.h>
#include <GraphMol/Bond.h>

#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {
namespace {

/// Whether the text may contain explicit hydrogen atoms: "[H" or "[2H" in a SMILES, the symbol H in a mol
/// block.
bool may_name_hydrogens(const MoleculeRecord& record) {
  const std::string_view text = record.text;
  if (record.format == RecordFormat::molblock) {
    return text.find(" H ") != std::string_view::npos;
  }
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    const std::size_t symbol = text.find_first_not_of("0123456789", at + 1);
    if (symbol != std::string_view::npos && text[symbol] == 'H') {
      return true;
    }
  }
  return false;
}

bool is_hydrogen(const RDKit::Atom& atom) { return atom.getAtomicNum() == 1; }

/// Maps the atoms of a molecule to the atoms of its text. Both lists are in the order of the text, and RDKit
/// never merges heavy atoms. The k-th heavy atom of the molecule is therefore the k-th heavy atom of the
/// text. A hydrogen that RDKit kept corresponds to the next hydrogen on the same neighbour.
class Tracing {
 public:
  Tracing(const RDKit::ROMol& molecule, const RDKit::ROMol& written)
      : molecule_(molecule), written_(written), places_(molecule.getNumAtoms()) {}

  std::vector<std::uint32_t> places() {
    trace([](const RDKit::Atom& kept,
             const RDKit::Atom& candidate) { return is_hydrogen(kept) == is_hydrogen(candidate); },
          false);
    trace(
        [this](const RDKit::Atom& kept, const RDKit::Atom& candidate) {
          return is_hydrogen(candidate) && same_hydrogen(kept, candidate);
        },
        true);
    return std::move(places_);
  }

 private:
  template <typename Same>
  void trace(const Same& same, bool hydrogens) {
    unsigned next = 0;
    for (const RDKit::Atom* kept : molecule_.atoms()) {
      if (is_hydrogen(*kept) != hydrogens) {
        continue;
      }
      while (next < written_.getNumAtoms() && !same(*kept, *written_.getAtomWithIdx(next))) {
        ++next;
      }
      if (next == written_.getNumAtoms()) {
        throw std::logic_error("an atom that the text does not name");
      }
      places_[kept->getIdx()] = next++;
    }
  }

  bool same_hydrogen(const RDKit::Atom& kept, const RDKit::Atom& candidate) const {
    return kept.getIsotope() == candidate.getIsotope() &&
           kept.getFormalCharge() == candidate.getFormalCharge() &&
           kept.getDegree() == candidate.getDegree() && same_neighbour(kept, candidate);
  }

  bool same_neighbour(const RDKit::Atom& kept, const RDKit::Atom& candidate) const {
    if (kept.getDegree() != 1) {
      return true;
    }
    const RDKit::Atom& neighbour = *(*molecule_.atomNeighbors(&kept).begin());
    const RDKit::Atom& candidate_neighbour = *(*written_.atomNeighbors(&candidate).begin());
    return is_hydrogen(neighbour) ? is_hydrogen(candidate_neighbour)
                                  : places_[neighbour.getIdx()] == candidate_neighbour.getIdx();
  }

  const RDKit::ROMol& molecule_;
  const RDKit::ROMol& written_;
  std::vector<std::uint32_t> places_;
};

}  // namespace

std::vector<std::uint32_t> text_order(const RDKit::ROMol& molecule, const MoleculeRecord& record) {
  if (may_name_hydrogens(record)) {
    return Tracing(molecule, *read_molecule(record, Preparation::as_written)).places();
  }
  std::vector<std::uint32_t> places(molecule.getNumAtoms());
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

}  // namespace molgauge::chem
