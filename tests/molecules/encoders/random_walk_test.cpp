#include "molecules/encoders/minimol/random_walk.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "graphs.h"
#include "molecules/encoders/minimol/inputs.h"

namespace molgauge::encoders::minimol {
namespace {

std::vector<float> walk(const chem::Molecule& molecule) {
  return return_probabilities(chem::Neighbours(molecule));
}

float after(const std::vector<float>& probabilities, std::size_t steps, std::size_t atom) {
  return probabilities[atom * kWalkSteps + steps - 1];
}

/// Computes the random-walk features from their definition, with dense matrices.
std::vector<float> dense_walk(const chem::Molecule& molecule) {
  const chem::Neighbours neighbours(molecule);
  const std::size_t atoms = neighbours.atom_count();
  std::vector<float> transition(atoms * atoms), power(atoms * atoms), result(atoms * kWalkSteps);
  for (std::size_t i = 0; i < atoms; ++i) {
    for (const std::uint32_t j : neighbours.of(i)) {
      transition[i * atoms + j] = 1.0F / static_cast<float>(neighbours.degree(i));
    }
  }
  power = transition;
  for (std::size_t step = 0; step < kWalkSteps; ++step) {
    std::vector<float> next(atoms * atoms);
    for (std::size_t i = 0; i < atoms; ++i) {
      result[i * kWalkSteps + step] = power[i * atoms + i];
      for (std::size_t j = 0; j < atoms; ++j) {
        for (std::size_t l = 0; l < atoms; ++l) {
          next[i * atoms + j] =
              std::fma(power[i * atoms + l], transition[l * atoms + j], next[i * atoms + j]);
        }
      }
    }
    power = next;
  }
  return result;
}

TEST(RandomWalk, Path) {
  const std::vector<float> probabilities = walk(test::path(3));
  for (std::size_t steps = 1; steps <= kWalkSteps; ++steps) {
    EXPECT_EQ(after(probabilities, steps, 0), steps % 2 == 0 ? 0.5F : 0.0F);
    EXPECT_EQ(after(probabilities, steps, 1), steps % 2 == 0 ? 1.0F : 0.0F);
  }
}

TEST(RandomWalk, Triangle) {
  const std::vector<float> probabilities = walk(test::ring(3));
  EXPECT_EQ(after(probabilities, 1, 2), 0.0F);
  EXPECT_EQ(after(probabilities, 2, 2), 0.5F);
  EXPECT_EQ(after(probabilities, 3, 2), 0.25F);
}

TEST(RandomWalk, AloneInTheMoleculeIsOneAloneBesideOthersIsZero) {
  EXPECT_EQ(walk(test::path(1)), std::vector<float>(kWalkSteps, 1.0F));
  const std::vector<float> probabilities = walk(test::graph(3, {{0, 2}}));
  for (std::size_t steps = 1; steps <= kWalkSteps; ++steps) {
    EXPECT_EQ(after(probabilities, steps, 1), 0.0F);
  }
}

TEST(RandomWalk, HasTheBitsOfTheDefinition) {
  std::mt19937 generator(3);
  for (std::uint32_t atoms = 2; atoms <= 40; ++atoms) {
    test::Pairs bonds;
    for (std::uint32_t i = 1; i < atoms; ++i) {
      bonds.emplace_back(generator() % i, i);
    }
    if (atoms > 9) {
      bonds.emplace_back(atoms - 1, bonds.back().first == 0 ? 1 : 0);
    }
    const chem::Molecule molecule = test::graph(atoms, bonds);
    EXPECT_EQ(walk(molecule), dense_walk(molecule)) << atoms << " atoms";
  }
}

}  // namespace
}  // namespace molgauge::encoders::minimol
