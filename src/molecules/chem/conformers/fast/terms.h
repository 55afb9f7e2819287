#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "molecules/chem/conformers/fast/kernels.h"

namespace molgauge::chem::fast {

/// Allocates memory on cache lines, because vectors that cross them are slow.
template <typename T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  CacheLineAllocator() = default;
  template <typename U>
  explicit CacheLineAllocator(const CacheLineAllocator<U>& /*other*/) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
  void deallocate(T* numbers, std::size_t /*count*/) { ::operator delete(numbers, kLine); }
  bool operator==(const CacheLineAllocator&) const = default;
};
template <typename T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

/// A list of terms with `atom_count` atoms and `number_count` parameters each, as a structure of arrays.
template <std::size_t atom_count, std::size_t number_count>
class TermList {
 public:
  void add(const std::array<std::int32_t, atom_count>& atoms,
           const std::array<double, number_count>& numbers) {
    for (std::size_t k = 0; k < atom_count; ++k) {
      atoms_[k].push_back(atoms[k]);
    }
    for (std::size_t k = 0; k < number_count; ++k) {
      numbers_[k].push_back(numbers[k]);
    }
  }

  /// Fills the arrays to a multiple of kLanes with copies of the last term. Their numbers are zero.
  void pad() {
    for (auto& list : atoms_) {
      list.resize(padded(list.size()), list.empty() ? 0 : list.back());
    }
    for (auto& list : numbers_) {
      list.resize(padded(list.size()), 0);
    }
  }

  std::size_t size() const { return atoms_[0].size(); }
  const std::int32_t* atoms(std::size_t k) const { return atoms_[k].data(); }
  const double* numbers(std::size_t k) const { return numbers_[k].data(); }

 private:
  std::array<AlignedVector<std::int32_t>, atom_count> atoms_;
  std::array<AlignedVector<double>, number_count> numbers_;
};

/// RDKit counts atoms with unsigned numbers.
inline std::int32_t atom_index(unsigned index) { return static_cast<std::int32_t>(index); }

/// The neighbours of a centre. The signed volume (x0 - x3) . ((x1 - x3) x (x2 - x3)) of the neighbours must
/// be in an interval. `neighbours[3]` is the centre itself if it has three neighbours.
struct ChiralSet {
  std::int32_t centre = 0;
  std::array<std::int32_t, 4> neighbours{};
  double least_volume = 0, greatest_volume = 0;  ///< cubic angstrom
  bool has_four() const { return neighbours[3] != centre; }
};

/// A double bond b-c with a and d on the same side, or on opposite sides.
struct DoubleBond {
  std::int32_t a = 0, b = 0, c = 0, d = 0;
  bool is_cis = false;
};

/// The knowledge about one connected molecule that distance geometry needs.
struct EmbeddingTerms {
  std::size_t atoms = 0;
  AlignedVector<double> lower, upper;  ///< smoothed limits of distances, angstrom, symmetric, [atoms, square]
  std::vector<ChiralSet> chiral;       ///< centres with known chirality
  std::vector<ChiralSet> tetrahedral;  ///< other ring atoms with four neighbours
  std::vector<DoubleBond> double_bonds;
  std::vector<std::array<std::int32_t, 2>> bonds;
  std::vector<std::array<std::int32_t, 3>> angles;
  std::vector<std::array<std::int32_t, 3>> straight_angles;  ///< around triple bonds and allenes
  std::size_t planar_centres = 0;
  TermList<4, 1> inversions;  ///< three terms for each planar centre. Force constant in kcal/mol
  TermList<4, 7> torsions;    ///< experimental torsion preferences as polynomials of the cosine
};

/// The terms of MMFF94 of a whole molecule.
struct ForceFieldTerms {
  std::size_t atoms = 0;
  TermList<2, 2> bonds;     ///< r0, kb
  TermList<3, 7> angles;    ///< theta0, ka, is linear, r0 i-j, r0 k-j, kba i-j, kba k-j
  TermList<4, 1> planes;    ///< koop in kcal/mol/rad^2
  TermList<4, 4> torsions;  ///< coefficients of the powers of the cosine
  AlignedVector<float> inverse_radius, depth, charges;  ///< NonbondedPairs
};

}  // namespace molgauge::chem::fast
