#include "encoders/minimol/random_walk.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "encoders/minimol/inputs.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HEADROOM_HAS_FMA_VARIANT 1
#endif

namespace headroom::encoders::minimol {
namespace {

/// A power of P, transposed: row j holds, for every atom a walk may have started from, the probability that
/// it is at atom j now. So the loop over starts is dense, whatever the molecule looks like.
using Whereabouts = std::vector<float>;

/// Adds probability * from[i] to to[i] for all starts i, with one rounding.
[[gnu::always_inline]] inline void add_arrivals(float probability, const float* from, float* to,
                                                std::size_t starts) {
  for (std::size_t i = 0; i < starts; ++i) {
    to[i] = std::fma(probability, from[i], to[i]);
  }
}

/// One step of all walks. Terms of atoms that are no neighbours are zero and change no sum, so the sum over
/// the neighbours, ascending, has the bits of the sum over all atoms.
[[gnu::always_inline]] inline void step(const chem::Neighbours& neighbours, const Whereabouts& now,
                                        Whereabouts& next) {
  const std::size_t atoms = neighbours.atom_count();
  for (std::size_t atom = 0; atom < atoms; ++atom) {
    float* arrivals = next.data() + atom * atoms;
    std::fill_n(arrivals, atoms, 0.0F);
    for (const std::uint32_t neighbour : neighbours.of(atom)) {
      const float probability = 1.0F / static_cast<float>(neighbours.degree(neighbour));
      add_arrivals(probability, now.data() + neighbour * atoms, arrivals, atoms);
    }
  }
}

using Step = void (*)(const chem::Neighbours&, const Whereabouts&, Whereabouts&);

/// Without the instruction, std::fma is a call into the C library: the same bits, many times slower.
void step_anywhere(const chem::Neighbours& neighbours, const Whereabouts& now, Whereabouts& next) {
  step(neighbours, now, next);
}

#ifdef HEADROOM_HAS_FMA_VARIANT
[[gnu::target("avx2,fma")]] void step_with_fma(const chem::Neighbours& neighbours, const Whereabouts& now,
                                               Whereabouts& next) {
  step(neighbours, now, next);
}
#endif

Step fastest_step() {
#ifdef HEADROOM_HAS_FMA_VARIANT
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return step_with_fma;
  }
#endif
  return step_anywhere;
}

/// Before the first step every walk is where it started.
Whereabouts at_the_start(std::size_t atoms) {
  Whereabouts identity(atoms * atoms);
  for (std::size_t atom = 0; atom < atoms; ++atom) {
    identity[atom * atoms + atom] = 1.0F;
  }
  return identity;
}

}  // namespace

std::vector<float> return_probabilities(const chem::Neighbours& neighbours) {
  static const Step walk = fastest_step();
  const std::size_t atoms = neighbours.atom_count();
  if (atoms == 1) {
    return std::vector<float>(kWalkSteps, 1.0F);
  }
  std::vector<float> probabilities(atoms * kWalkSteps);
  Whereabouts now = at_the_start(atoms), next(atoms * atoms);
  for (std::size_t taken = 0; taken < kWalkSteps; ++taken) {
    walk(neighbours, now, next);
    std::swap(now, next);
    for (std::size_t atom = 0; atom < atoms; ++atom) {
      probabilities[atom * kWalkSteps + taken] = now[atom * atoms + atom];
    }
  }
  return probabilities;
}

}  // namespace headroom::encoders::minimol
