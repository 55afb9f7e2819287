#include "molecules/encoders/minimol/random_walk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "molecules/encoders/minimol/inputs.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define MOLGAUGE_HAS_FMA_VARIANT 1
#endif

namespace molgauge::encoders::minimol {
namespace {

/// The number of start atoms whose walks are computed together. Walks from different start atoms are
/// independent. With a fixed number of walks at a time, memory grows with the number of atoms and not with
/// its square.
constexpr std::size_t kTogether = 32;

/// Element [j][i] is the probability that the walk from start atom i is at atom j now. The inner loops over
/// start atoms therefore have a fixed length and contiguous memory for every molecule.
using Whereabouts = std::vector<std::array<float, kTogether>>;

/// Adds probability * from[i] to to[i] for all starts i, with one rounding.
[[gnu::always_inline]] inline void add_arrivals(float probability, const std::array<float, kTogether>& from,
                                                std::array<float, kTogether>& to) {
  for (std::size_t i = 0; i < kTogether; ++i) {
    to[i] = std::fma(probability, from[i], to[i]);
  }
}

/// Computes one step of all walks.
[[gnu::always_inline]] inline void step(const chem::Neighbours& neighbours, const Whereabouts& now,
                                        Whereabouts& next) {
  for (std::size_t atom = 0; atom < next.size(); ++atom) {
    std::array<float, kTogether> arrivals{};
    for (const std::uint32_t neighbour : neighbours.of(atom)) {
      const float probability = 1.0F / static_cast<float>(neighbours.degree(neighbour));
      add_arrivals(probability, now[neighbour], arrivals);
    }
    next[atom] = arrivals;
  }
}

using Step = void (*)(const chem::Neighbours&, const Whereabouts&, Whereabouts&);

/// The variant for CPUs without fma instruction. It calls std::fma of the C library, which is many times
/// slower but bit-identical.
void step_anywhere(const chem::Neighbours& neighbours, const Whereabouts& now, Whereabouts& next) {
  step(neighbours, now, next);
}

#ifdef MOLGAUGE_HAS_FMA_VARIANT
[[gnu::target("avx2,fma")]] void step_with_fma(const chem::Neighbours& neighbours, const Whereabouts& now,
                                               Whereabouts& next) {
  step(neighbours, now, next);
}
#endif

Step fastest_step() {
#ifdef MOLGAUGE_HAS_FMA_VARIANT
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return step_with_fma;
  }
#endif
  return step_anywhere;
}

/// Before the first step, every walk is at its start.
void start_at(std::size_t first, std::size_t count, Whereabouts& now) {
  std::fill(now.begin(), now.end(), std::array<float, kTogether>{});
  for (std::size_t i = 0; i < count; ++i) {
    now[first + i][i] = 1.0F;
  }
}

}  // namespace

std::vector<float> return_probabilities(const chem::Neighbours& neighbours) {
  static const Step walk = fastest_step();
  const std::size_t atoms = neighbours.atom_count();
  if (atoms == 1) {
    return std::vector<float>(kWalkSteps, 1.0F);
  }
  std::vector<float> probabilities(atoms * kWalkSteps);
  Whereabouts now(atoms), next(atoms);
  for (std::size_t first = 0; first < atoms; first += kTogether) {
    const std::size_t count = std::min(kTogether, atoms - first);
    start_at(first, count, now);
    for (std::size_t taken = 0; taken < kWalkSteps; ++taken) {
      walk(neighbours, now, next);
      std::swap(now, next);
      for (std::size_t i = 0; i < count; ++i) {
        probabilities[(first + i) * kWalkSteps + taken] = now[first + i][i];
      }
    }
  }
  return probabilities;
}

std::uint64_t return_probability_bytes(std::size_t atoms) {
  return 2 * atoms * sizeof(Whereabouts::value_type);
}

}  // namespace molgauge::encoders::minimol
