#include "molecules/chem/perception.h"

#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <GraphMol/Atom.h>
#include <GraphMol/Bond.h>
#include <GraphMol/Fingerprints/MorganGenerator.h>
#include <GraphMol/ROMol.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/new_canon.h>

#include "molecules/chem/input_conformer.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"
#include "molecules/chem/record.h"

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

/// Returns the position of each atom of `molecule` among the atoms of the text of `record`. read_molecule()
/// must have made `molecule` from `record`. RDKit loses the positions when it merges explicit hydrogens into
/// their neighbours. Such texts are therefore read twice.
std::vector<std::uint32_t> text_order(const RDKit::ROMol& molecule, const MoleculeRecord& record) {
  if (may_name_hydrogens(record)) {
    return Tracing(molecule, *read_molecule(record, Preparation::as_written)).places();
  }
  std::vector<std::uint32_t> places(molecule.getNumAtoms());
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

BondType type_of(const RDKit::Bond& bond) {
  switch (bond.getBondType()) {
    case RDKit::Bond::SINGLE:
      return BondType::single;
    case RDKit::Bond::DOUBLE:
      return BondType::double_;
    case RDKit::Bond::TRIPLE:
      return BondType::triple;
    case RDKit::Bond::AROMATIC:
      return BondType::aromatic;
    default:
      return BondType::other;
  }
}

BondStereo stereo_of(const RDKit::Bond& bond) {
  switch (bond.getStereo()) {
    case RDKit::Bond::STEREONONE:
      return BondStereo::none;
    case RDKit::Bond::STEREOANY:
      return BondStereo::any;
    case RDKit::Bond::STEREOZ:
      return BondStereo::z;
    case RDKit::Bond::STEREOE:
      return BondStereo::e;
    case RDKit::Bond::STEREOCIS:
      return BondStereo::cis;
    case RDKit::Bond::STEREOTRANS:
      return BondStereo::trans;
    default:
      return BondStereo::other;
  }
}

Atom atom_of(const RDKit::Atom& atom, const RDKit::RingInfo& rings) {
  Atom result;
  result.atomic_number = static_cast<std::uint8_t>(atom.getAtomicNum());
  result.formal_charge = static_cast<std::int8_t>(atom.getFormalCharge());
  result.radical_electrons = static_cast<std::uint8_t>(atom.getNumRadicalElectrons());
  result.total_degree = static_cast<std::uint16_t>(atom.getTotalDegree());
  result.total_valence = static_cast<std::uint16_t>(atom.getTotalValence());
  result.aromatic = atom.getIsAromatic();
  result.in_ring = rings.numAtomRings(atom.getIdx()) != 0;
  return result;
}

Hybridization hybridization_of(const RDKit::Atom& atom) {
  switch (atom.getHybridization()) {
    case RDKit::Atom::UNSPECIFIED:
      return Hybridization::none;
    case RDKit::Atom::S:
      return Hybridization::s;
    case RDKit::Atom::SP:
      return Hybridization::sp;
    case RDKit::Atom::SP2:
      return Hybridization::sp2;
    case RDKit::Atom::SP3:
      return Hybridization::sp3;
    case RDKit::Atom::SP2D:
      return Hybridization::sp2d;
    case RDKit::Atom::SP3D:
      return Hybridization::sp3d;
    case RDKit::Atom::SP3D2:
      return Hybridization::sp3d2;
    default:
      return Hybridization::other;
  }
}

AtomDetails details_of(const RDKit::Atom& atom) {
  return {.chirality = static_cast<std::uint8_t>(atom.getChiralTag()),
          .hydrogens = static_cast<std::uint8_t>(atom.getTotalNumHs()),
          .hybridization = hybridization_of(atom),
          .mass = atom.getMass()};
}

Bond bond_of(const RDKit::Bond& bond, const RDKit::RingInfo& rings) {
  return {.begin = bond.getBeginAtomIdx(),
          .end = bond.getEndAtomIdx(),
          .type = type_of(bond),
          .stereo = stereo_of(bond),
          .in_ring = rings.numBondRings(bond.getIdx()) != 0,
          .conjugated = bond.getIsConjugated()};
}

/// Copies atoms and bonds with their details in the order of RDKit.
void copy_details(const RDKit::ROMol& molecule, Molecule& result) {
  const RDKit::RingInfo& rings = *molecule.getRingInfo();
  for (const RDKit::Atom* atom : molecule.atoms()) {
    result.atoms.push_back(atom_of(*atom, rings));
    result.details.push_back(details_of(*atom));
  }
  for (const RDKit::Bond* bond : molecule.bonds()) {
    result.bonds.push_back(bond_of(*bond, rings));
  }
}

/// Returns the new index of each atom: its canonical rank in RDKit. Ranks consider chirality and isotopes. No
/// two atoms have the same rank.
std::vector<unsigned> canonical_ranks(const RDKit::ROMol& molecule) {
  std::vector<unsigned> ranks;
  RDKit::Canon::rankMolAtoms(molecule, ranks);
  return ranks;
}

/// Copies the atoms in canonical order. Bonds keep their order and direction. The atoms are renumbered during
/// the copy, because renumberAtoms() of RDKit would copy the whole molecule. The published featuriser also
/// removes hydrogens at the end. This is not necessary, because the parser has already removed them. It had
/// no effect on 50,007 molecules of MoleculeNet.
void copy_graph(const RDKit::ROMol& molecule, const std::vector<std::uint32_t>& places, Molecule& result) {
  const auto ranks = canonical_ranks(molecule);
  const RDKit::RingInfo& rings = *molecule.getRingInfo();
  result.atoms.resize(molecule.getNumAtoms());
  for (const RDKit::Atom* atom : molecule.atoms()) {
    Atom& copy = result.atoms[ranks[atom->getIdx()]];
    copy = atom_of(*atom, rings);
    copy.text_index = places[atom->getIdx()];
  }
  result.bonds.reserve(molecule.getNumBonds());
  for (const RDKit::Bond* bond : molecule.bonds()) {
    Bond copy = bond_of(*bond, rings);
    copy.begin = ranks[copy.begin];
    copy.end = ranks[copy.end];
    result.bonds.push_back(copy);
  }
}

/// Counts the circular environments of up to `radius` bonds (Rogers and Hahn 2010, DOI 10.1021/ci100050t; the
/// Morgan fingerprint of RDKit without chirality). The 32-bit identifiers are taken modulo `width`. Returns
/// pairs (index, count) in ascending order of the index.
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

}  // namespace

Molecule perceive(const MoleculeRecord& record, const Perception& wanted) {
  const auto molecule = read_molecule(record);
  Molecule result;
  if (wanted.details) {
    with_rdkit([&] { copy_details(*molecule, result); });
  } else if (wanted.graph) {
    const auto places = text_order(*molecule, record);
    with_rdkit([&] { copy_graph(*molecule, places, result); });
  }
  if (wanted.morgan) {
    result.morgan =
        with_rdkit([&] { return morgan_counts(*molecule, wanted.morgan_radius, wanted.morgan_width); });
  }
  if (wanted.coordinates != Coordinates::none) {
    result.conformer = input_conformer(record, wanted.coordinates);
  }
  return result;
}

}  // namespace molgauge::chem
