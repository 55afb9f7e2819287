#pragma once

#include <cstddef>
#include <cstdint>

/// The loops of the fast conformer engine. The files in levels/ are compiled once for each instruction set.
///
/// Coordinates are structures of arrays: all x, then all y, then all z, then all numbers of a fourth
/// dimension. Parameters of pairs are symmetric matrices [atoms, square]. They are zero on the diagonal and
/// in the padding.
namespace molgauge::chem::fast {

/// Rows and strides are multiples of this number of elements, because a vector of AVX-512 has 16 floats.
inline constexpr std::size_t kLanes = 16;
constexpr std::size_t padded(std::size_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

/// The shape of the arrays for a number of atoms.
struct PairShape {
  explicit PairShape(std::size_t atoms_ = 0) : atoms(atoms_), axis(atoms_), square(padded(atoms_)) {}

  std::size_t atoms;
  std::size_t axis;    ///< numbers of an axis in a vector of positions
  std::size_t square;  ///< columns of a matrix of all pairs, with padding
};

/// Energy of all pairs, and the largest energy of a pair.
struct PairEnergy {
  double total = 0;
  float largest = 0;
};

/// The distance limits of pairs in distance geometry: (d^2 / upper^2 - 1)^2 above the upper limit, and
/// (2 lower^2 / (lower^2 + d^2) - 1)^2 below the lower limit. Padding has zeros.
struct LimitPairs {
  PairShape shape;
  const float* inverse_upper_squared;  ///< [atoms, square]. Zero if there is no upper limit
  const float* lower_squared;          ///< [atoms, square]. Zero if there is no lower limit
};

/// Springs that keep distances in an interval: k/2 (d - lower)^2 below it and k/2 (d - upper)^2 above it.
struct SpringPairs {
  PairShape shape;
  const float* lower;      ///< [atoms, square], angstrom
  const float* upper;      ///< [atoms, square], angstrom
  const float* stiffness;  ///< k, [atoms, square]. Zero in padding
};

/// The van der Waals (buffered 14-7) and electrostatic terms of MMFF94 (Halgren 1996, DOI
/// 10.1002/(SICI)1096-987X(199604)17:5/6<490::AID-JCC1>3.0.CO;2-P).
struct NonbondedPairs {
  PairShape shape;
  const float* inverse_radius;  ///< 1 / R*, [atoms, square], 1/angstrom
  const float* depth;           ///< epsilon, [atoms, square], kcal/mol. Zero in padding
  const float* charges;         ///< 332.0716 qi qj (0.75 for 1-4 pairs), [atoms, square]. Zero in padding
};

/// Arrays of the same length for terms of up to four atoms. `count` is a multiple of kLanes. Padding has the
/// atoms of the last term and force constants of zero.
struct BondTerms {
  std::size_t count;
  const std::int32_t *i, *j;
  const double *length, *stiffness;  ///< r0 in angstrom and kb in md/angstrom
};

/// Angle i-j-k with its stretch-bend terms.
struct AngleTerms {
  std::size_t count;
  const std::int32_t *i, *j, *k;
  const double *angle, *stiffness;        ///< theta0 in degrees and ka in md angstrom/rad^2
  const double* linear;                   ///< 1 if the angle is linear in MMFF, otherwise 0
  const double *length_ij, *length_kj;    ///< r0 of the bonds
  const double *stretch_ij, *stretch_kj;  ///< kba of the stretch-bend terms
};

/// Out-of-plane terms of the atom j, bonded to i, k and l. The angle chi is between the bond j-l and the
/// plane i-j-k.
struct PlaneTerms {
  std::size_t count;
  const std::int32_t *i, *j, *k, *l;
  const double* stiffness;
};

/// Torsions i-j-k-l with the energy sum over m of coefficient[m] cos(phi)^m.
struct TorsionTerms {
  std::size_t count;
  const std::int32_t *i, *j, *k, *l;
  const double* coefficients[7];
  int degree;  ///< 3 or 6
};

/// x, y and z of the atoms.
struct Points {
  const double *x, *y, *z;
};
struct Slopes {
  double *x, *y, *z;
};

/// The symmetric matrix of BFGS, [width, width] float32.
struct QuasiNewton {
  std::size_t width;  ///< a multiple of kLanes
  float* matrix;
};

/// A symmetric rank-2 change: matrix += a s s' + b (s p' + p s').
struct RankTwo {
  const float *s, *p;
  float a, b;
};

/// Functions of one instruction set. The functions of pairs write float32 slopes [dimensions, square]. The
/// others add to slopes.
struct Kernels {
  /// Copies positions [dimensions, axis] to float32 [dimensions, square], and their rounding errors to
  /// `rest`.
  void (*spread)(PairShape shape, std::size_t dimensions, const double* positions, float* to, float* rest);
  /// Adds float32 [dimensions, square] to slopes [dimensions, axis].
  void (*gather)(PairShape shape, std::size_t dimensions, const float* from, double* slopes);

  PairEnergy (*limits_3d)(LimitPairs pairs, const float* points, float* slopes);
  PairEnergy (*limits_4d)(LimitPairs pairs, const float* points, float* slopes);
  double (*springs)(SpringPairs pairs, const float* points, float* slopes);
  /// Each coordinate is the sum of numbers in `points` and `rest`, because energies of close atoms need
  /// accurate distances.
  double (*nonbonded)(NonbondedPairs pairs, const float* points, const float* rest, float* slopes);

  // `work` has space for 12 count numbers.
  double (*bonds)(BondTerms terms, Points points, Slopes slopes, double* work);
  double (*angles)(AngleTerms terms, Points points, Slopes slopes, double* work);
  /// 0.5 k chi^2, k in kcal/mol/rad^2.
  double (*planes)(PlaneTerms terms, Points points, Slopes slopes, double* work);
  /// k (1 - cos(chi)).
  double (*inversions)(PlaneTerms terms, Points points, Slopes slopes, double* work);
  double (*torsions)(TorsionTerms terms, Points points, Slopes slopes, double* work);

  /// Applies the change, and computes product = matrix * vector. Returns nothing else.
  void (*change_and_multiply)(QuasiNewton matrix, RankTwo change, const float* vector, float* product);
  double (*dot)(std::size_t count, const double* one, const double* other);
  /// to[i] = from[i] + factor * step[i]
  void (*step)(std::size_t count, const double* from, double factor, const double* step, double* to);
  /// The largest |one[i]| max(|other[i]|, 1), and the largest |one[i]| / max(|other[i]|, 1).
  double (*largest_product)(std::size_t count, const double* one, const double* other);
  double (*largest_ratio)(std::size_t count, const double* one, const double* other);

  /// Triangle inequalities of distance limits (Crippen and Havel 1988). Both matrices are symmetric, [atoms,
  /// square].
  void (*smooth)(PairShape shape, double* lower, double* upper);
  /// product = matrix * vector. `matrix` is [atoms, square]. The padding of the vector is zero.
  void (*multiply)(PairShape shape, const double* matrix, const double* vector, double* product);
};

/// Instruction sets with kernels.
enum class VectorLevel {
  generic,  ///< runs on every supported CPU
  avx2,     ///< AVX2 and FMA
  avx512,   ///< also AVX-512 F, BW, DQ and VL
};

/// The kernels of the fastest level of this CPU. $MOLGAUGE_CPU_LEVEL can choose a lower level.
const Kernels& kernels();
/// Whether the level is compiled in and supported by this CPU.
bool is_supported(VectorLevel level);
/// The kernels of a supported level.
const Kernels& kernels_of(VectorLevel level);

}  // namespace molgauge::chem::fast
