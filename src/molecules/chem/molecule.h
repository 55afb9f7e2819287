#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// Plain structs for molecules. Code that includes this header does not need RDKit.
namespace molgauge::chem {

struct Atom {
  std::uint8_t atomic_number = 0;  ///< 0 for a dummy atom
  std::int8_t formal_charge = 0;
  std::uint8_t radical_electrons = 0;
  std::uint16_t total_degree = 0;   ///< number of neighbours, including all hydrogens
  std::uint16_t total_valence = 0;  ///< explicit plus implicit valence
  bool aromatic = false;
  bool in_ring = false;
  std::uint32_t text_index = 0;  ///< position among the atoms of the text, including explicit hydrogens
};

enum class BondType : std::uint8_t { single, double_, triple, aromatic, other };
enum class BondStereo : std::uint8_t { none, any, z, e, cis, trans, other };

struct Bond {
  std::uint32_t begin = 0, end = 0;  ///< atom numbers
  BondType type = BondType::single;
  BondStereo stereo = BondStereo::none;
  bool in_ring = false;
  bool conjugated = false;
};

enum class Hybridization : std::uint8_t { none, s, sp, sp2, sp3, sp2d, sp3d, sp3d2, other };

/// Further properties of an atom. The chirality depends on the order of the atoms in the text.
struct AtomDetails {
  std::uint8_t chirality = 0;  ///< 0 none, 1 clockwise, 2 counter-clockwise, 3 or more for other classes
  std::uint8_t hydrogens = 0;  ///< number of explicit and implicit hydrogens
  Hybridization hybridization = Hybridization::none;
  double mass = 0;  ///< mass in daltons. If the text names an isotope, the mass of the isotope
};

/// 3D coordinates of the atoms, in the order of the text. Hydrogens that the text leaves out come last.
struct Conformer {
  std::vector<std::uint8_t> elements;           ///< atomic numbers
  std::vector<std::array<float, 3>> positions;  ///< finite x, y, z of each atom in angstrom
  bool operator==(const Conformer&) const = default;
};

/// A molecule after sanitisation, with implicit hydrogens. The atoms are in canonical order, or in the order
/// of RDKit if Perception::details is set. Two atoms share at most one bond, and no bond joins an atom to
/// itself.
struct Molecule {
  std::vector<Atom> atoms;
  std::vector<Bond> bonds;
  /// One element for each atom. Empty if Perception::details is not set.
  std::vector<AtomDetails> details;
  /// Morgan environments (folded index, count), ascending by index. Filled only if requested
  /// (Perception::morgan).
  std::vector<std::pair<std::uint32_t, std::uint32_t>> morgan;
  /// The coordinates of the record, if it has them and they are requested (Perception::coordinates).
  std::optional<Conformer> conformer;
};

}  // namespace molgauge::chem
