#include "molecules/chem/conformers/fast/distance_geometry.h"

#include <algorithm>
#include <cmath>

#include "molecules/chem/conformers/fast/checks.h"
#include "molecules/chem/conformers/fast/quasi_newton.h"

namespace molgauge::chem::fast {
namespace {

// The constants have the values of RDKit.
constexpr double kLeastEigenvalue = 1e-3, kEigenvalueTolerance = 1e-3, kTinyEigenvalue = 1e-10;
constexpr int kPowerIterations = 1000;
constexpr double kBasin = 5, kAnyBasin = 1e8;  ///< angstrom
constexpr double kFlat = 1e-3, kSatisfied = 1e-5;
constexpr double kGreatestEnergyPerAtom = 0.05, kGreatestEnergyOfTerm = 0.2;
constexpr double kPlanarity = 0.7;  ///< kcal/mol for each planar centre
constexpr double kBox = 10;         ///< angstrom
constexpr std::size_t kAttemptsPerAtom = 10;
constexpr std::size_t kAttemptsFromDistances = 10;    ///< before random coordinates are tried
constexpr std::size_t kAttemptsWithPreferences = 10;  ///< after them, preferences that fail are ignored
constexpr std::size_t kPasses = 10;                   ///< RDKit has no limit

/// The largest eigenvalue of a symmetric matrix, and its eigenvector, by power iteration. Returns false if
/// the iteration did not converge.
bool largest_eigenvalue(PairShape shape, const std::vector<double>& matrix, std::uint32_t seed, double& value,
                        std::vector<double>& vector) {
  RandomNumbers random(seed);
  vector.assign(shape.square, 0);
  for (std::size_t i = 0; i < shape.atoms; ++i) {
    vector[i] = random.next();
  }
  std::vector<double> product(shape.square);
  value = -1e10;
  bool is_converged = false;
  for (int iteration = 0; iteration < kPowerIterations && !is_converged; ++iteration) {
    kernels().multiply(shape, matrix.data(), vector.data(), product.data());
    const double before = value;
    value = *std::max_element(product.begin(), product.begin() + static_cast<std::ptrdiff_t>(shape.atoms),
                              [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    if (std::fabs(value) < kTinyEigenvalue) {
      return false;
    }
    for (std::size_t i = 0; i < shape.atoms; ++i) {
      vector[i] = product[i] / value;
    }
    is_converged = std::fabs(value - before) < kEigenvalueTolerance;
  }
  const double length = std::sqrt(kernels().dot(shape.square, vector.data(), vector.data()));
  for (double& number : vector) {
    number /= length;
  }
  return is_converged;
}

void remove_eigenvector(PairShape shape, double value, const std::vector<double>& vector,
                        std::vector<double>& matrix) {
  for (std::size_t i = 0; i < shape.atoms; ++i) {
    double* const row = &matrix[i * shape.square];
    kernels().step(shape.square, row, -value * vector[i], vector.data(), row);
  }
}

/// Random squared distances between the limits, [atoms, axis].
std::vector<double> random_squares(const EmbeddingTerms& terms, PairShape shape, RandomNumbers& random) {
  std::vector<double> squares(shape.atoms * shape.square);
  for (std::size_t i = 1; i < shape.atoms; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double lower = terms.lower[i * shape.square + j], upper = terms.upper[i * shape.square + j];
      const double distance = lower + random.next() * (upper - lower);
      squares[i * shape.square + j] = squares[j * shape.square + i] = distance * distance;
    }
  }
  return squares;
}

/// Coordinates from the metric matrix of random distances (Crippen and Havel 1988).
bool place_by_distances(const EmbeddingTerms& terms, std::size_t dimensions, RandomNumbers& random,
                        std::vector<double>& positions) {
  const PairShape shape(terms.atoms);
  const std::size_t n = shape.atoms;
  std::vector<double> metric = random_squares(terms, shape, random);
  double mean = 0;
  std::vector<double> from_centre(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      from_centre[i] += metric[i * shape.square + j];
      mean += j < i ? metric[i * shape.square + j] : 0;
    }
  }
  mean /= static_cast<double>(n * n);
  for (double& square : from_centre) {
    square = square / static_cast<double>(n) - mean;
    if (square < kLeastEigenvalue && n > 3) {
      return false;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double& own = metric[i * shape.square + j];
      own = 0.5 * (from_centre[i] + from_centre[j] - own);
    }
  }
  std::vector<double> vector;
  auto seed = static_cast<std::uint32_t>(std::clamp(mean * static_cast<double>(n), 1.0, 2e9));
  bool goes_on = true;
  for (std::size_t d = 0; d < dimensions; ++d) {
    double value = 0;
    seed += static_cast<std::uint32_t>(d);
    goes_on = goes_on && d < n && largest_eigenvalue(shape, metric, seed, value, vector);
    if (!goes_on || std::fabs(value) < kLeastEigenvalue) {
      if (n > 3) {
        return false;
      }
      value = 0;
      vector.assign(shape.square, 0);
    }
    double* const axis = &positions[d * shape.axis];
    for (std::size_t i = 0; i < n; ++i) {
      axis[i] = value >= 0 ? std::sqrt(value) * vector[i] : 1 - 2 * random.next();
    }
    remove_eigenvector(shape, value, vector, metric);
  }
  return true;
}

void place_in_box(PairShape shape, std::size_t dimensions, RandomNumbers& random,
                  std::vector<double>& positions) {
  for (std::size_t i = 0; i < shape.atoms; ++i) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      positions[d * shape.axis + i] = kBox * (random.next() - 0.5);
    }
  }
}

Points points_of(PairShape shape, const std::vector<double>& positions) {
  return {positions.data(), positions.data() + shape.axis, positions.data() + 2 * shape.axis};
}

}  // namespace

struct Embedder::Tools {
  Tools(const EmbeddingTerms& terms, std::size_t dimensions)
      : violations(terms, dimensions, kBasin),
        preferences(terms),
        minimiser(violations.width(), Hessian::limited),
        flat_minimiser(preferences.width(), Hessian::limited) {}

  /// The energy for random coordinates, in four dimensions.
  ViolationEnergy& all_violations(const EmbeddingTerms& terms) {
    if (!every_pair) {
      every_pair = std::make_unique<ViolationEnergy>(terms, 4, kAnyBasin);
      wide_minimiser = std::make_unique<QuasiNewtonMinimiser>(every_pair->width(), Hessian::limited);
    }
    return *every_pair;
  }

  ViolationEnergy violations;
  PreferenceEnergy preferences;
  QuasiNewtonMinimiser minimiser, flat_minimiser;
  std::unique_ptr<ViolationEnergy> every_pair;
  std::unique_ptr<QuasiNewtonMinimiser> wide_minimiser;
};

Embedder::Embedder(const EmbeddingTerms& terms, std::uint32_t seed, bool is_refined)
    : terms_(terms),
      random_(seed),
      is_refined_(is_refined),
      tools_(std::make_unique<Tools>(terms, terms.chiral.empty() ? 3 : 4)) {}

Embedder::~Embedder() = default;

std::optional<std::vector<double>> Embedder::next() {
  std::vector<double> positions;
  while (attempts_ < kAttemptsPerAtom * terms_.atoms) {
    ++attempts_;
    const bool is_random = attempts_ > kAttemptsFromDistances && attempts_ % 2 == 0;
    if (attempt(is_random, positions)) {
      return positions;
    }
  }
  return std::nullopt;
}

namespace {

void minimise_violations(ViolationEnergy& energy, QuasiNewtonMinimiser& minimiser, std::size_t most_steps,
                         std::vector<double>& positions) {
  std::vector<double> slopes(energy.width());
  if (energy.evaluate(positions.data(), slopes.data()) > kSatisfied) {
    for (std::size_t pass = 0; pass < kPasses && !minimiser.minimise(energy, most_steps, kFlat, positions);
         ++pass) {
    }
  }
}

/// Whether all limits are nearly satisfied.
bool is_satisfied(ViolationEnergy& energy, const std::vector<double>& positions) {
  std::vector<double> slopes(energy.width());
  const double total = energy.evaluate(positions.data(), slopes.data());
  return total < kGreatestEnergyPerAtom * static_cast<double>(energy.shape().atoms) &&
         energy.largest() <= kGreatestEnergyOfTerm;
}

}  // namespace

bool Embedder::attempt(bool is_random, std::vector<double>& positions) {
  const PairShape shape(terms_.atoms);
  ViolationEnergy& violations = is_random ? tools_->all_violations(terms_) : tools_->violations;
  QuasiNewtonMinimiser& minimiser = is_random ? *tools_->wide_minimiser : tools_->minimiser;
  const std::size_t dimensions = violations.dimensions();
  positions.assign(violations.width(), 0);
  if (is_random) {
    place_in_box(shape, dimensions, random_, positions);
  } else if (!place_by_distances(terms_, dimensions, random_, positions)) {
    return false;
  }
  violations.set_weights(1, 0.1);
  minimise_violations(violations, minimiser, 400, positions);
  if (!is_satisfied(violations, positions) || !are_tetrahedral(terms_, points_of(shape, positions)) ||
      !have_chiral_volumes(terms_, points_of(shape, positions))) {
    return false;
  }
  if (dimensions == 4) {
    violations.set_weights(0.2, 1);
    minimise_violations(violations, minimiser, 200, positions);
  }
  PreferenceEnergy& preferences = tools_->preferences;
  positions.resize(preferences.width());
  std::fill(positions.begin() + static_cast<std::ptrdiff_t>(3 * shape.axis), positions.end(), 0.0);
  preferences.keep_distances(positions.data());
  const std::vector<double> before = positions;
  tools_->flat_minimiser.minimise(preferences, 300, kFlat, positions);
  const double bent = preferences.inversion_energy(positions.data());
  if (bent > kPlanarity * static_cast<double>(terms_.planar_centres) ||
      !are_angles_bent(terms_, points_of(shape, before), points_of(shape, positions))) {
    // The preferences of some molecules, such as acyl ureas, contradict each other. MMFF94 then refines the
    // coordinates that satisfy the distance limits.
    if (!is_refined_ || attempts_ <= kAttemptsWithPreferences) {
      return false;
    }
    positions = before;
  }
  return are_chiral_centres_sound(terms_, points_of(shape, positions)) &&
         is_stereo_right(terms_.chiral, terms_.double_bonds, points_of(shape, positions));
}

}  // namespace molgauge::chem::fast
