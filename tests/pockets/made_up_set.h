#pragma once

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "base/core/random/numpy_random.h"
#include "base/io/tensors/keyed_rows.h"
#include "pockets/graphs/graph_set_writer.h"

namespace molgauge::test {

/// A folded chain of atoms with all kinds of terms. Equal arguments give equal pockets. `bend` in [0, 1]: how
/// much the chain is bent. `charge`: the mean charge of its atoms.
inline pocket::Pockets made_up_pocket(std::int64_t atoms, double bend, double charge, std::uint64_t seed) {
  NumpyRandom random(seed);
  const auto uniform = [&] { return static_cast<double>(random.below(1U << 20U)) / (1U << 20U); };
  pocket::Pockets pocket;
  pocket.sizes = {atoms};
  pocket.features = ops::Floats{atoms, 3};
  pocket.positions = ops::Floats{atoms, 3};
  constexpr double kElements[][2] = {{6, 12.01}, {7, 14.01}, {8, 16.0}};
  for (std::int64_t i = 0; i < atoms; ++i) {
    const double* const element = kElements[random.below(3)];
    float* const x = pocket.features.data() + 3 * i;
    x[0] = static_cast<float>(charge + 0.2 * (uniform() - 0.5));
    x[1] = static_cast<float>(element[0]);
    x[2] = static_cast<float>(element[1]);
    const double angle = (0.4 + 1.2 * bend) * static_cast<double>(i), rise = 1.5 - 1.1 * bend;
    float* const at = pocket.positions.data() + 3 * i;
    at[0] = static_cast<float>(2 * std::cos(angle) + 0.1 * uniform());
    at[1] = static_cast<float>(2 * std::sin(angle) + 0.1 * uniform());
    at[2] = static_cast<float>(rise * static_cast<double>(i) + 0.1 * uniform());
  }
  const auto terms = [](std::int64_t places, std::int64_t count, std::vector<float> attributes) {
    pocket::Terms made{ops::Integers{places, count},
                       ops::Floats{count, static_cast<std::int64_t>(attributes.size())}};
    for (std::int64_t term = 0; term < count; ++term) {
      std::copy(attributes.begin(), attributes.end(),
                made.attributes.data() + term * made.attributes.width());
      for (std::int64_t place = 0; place < places; ++place) {
        made.atoms.data()[place * count + term] = term + place;
      }
    }
    return made;
  };
  const auto both_ways = [](const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs,
                            auto attributes) {
    const auto count = static_cast<std::int64_t>(2 * pairs.size());
    pocket::Terms made{ops::Integers{2, count}, {}};
    std::vector<float> numbers;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto [a, b] = pairs[static_cast<std::size_t>(i / 2)];
      made.atoms.data()[i] = i % 2 == 0 ? a : b;
      made.atoms.data()[count + i] = i % 2 == 0 ? b : a;
      const std::vector<float> own = attributes(a, b);
      numbers.insert(numbers.end(), own.begin(), own.end());
    }
    made.attributes = ops::Floats{count, static_cast<std::int64_t>(attributes(0, 1).size())};
    std::copy(numbers.begin(), numbers.end(), made.attributes.data());
    return made;
  };
  std::vector<std::pair<std::int64_t, std::int64_t>> bonds, near;
  const auto distance = [&](std::int64_t a, std::int64_t b) {
    const float *const p = pocket.positions.data() + 3 * a, *const q = pocket.positions.data() + 3 * b;
    return std::sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                     (p[2] - q[2]) * (p[2] - q[2]));
  };
  for (std::int64_t a = 0; a < atoms; ++a) {
    for (std::int64_t b = a + 1; b < atoms; ++b) {
      if (b == a + 1) {
        bonds.emplace_back(a, b);
      } else if (distance(a, b) < 4) {
        near.emplace_back(a, b);
      }
    }
  }
  pocket.bonds = both_ways(bonds, [](auto, auto) { return std::vector<float>{0.75F, 0.6F}; });
  pocket.pairs = both_ways(near, [&](auto a, auto b) {
    return std::vector<float>{10.0F, 6.0F, distance(a, b)};
  });
  pocket.angles = terms(3, atoms - 2, {0.6F, 0.3F});
  pocket.dihedrals = terms(4, atoms - 3, {0.05F, 0.5F, 0.5F});
  return pocket;
}

/// Writes a graph set and returns rows of its ligands. The set has `complexes` complexes, each with `models`
/// models. The rows depend on the shapes and charges of the pockets, and rotations do not change the rows.
inline io::KeyedRows make_up_set(const std::filesystem::path& folder, int complexes, int models,
                                 std::int64_t least_atoms, std::int64_t most_atoms, std::int64_t width) {
  pocket::GraphSetWriter writer(folder, {.source = "amber", .force_field = "topology"});
  io::KeyedRows rows;
  rows.width = width;
  NumpyRandom random(7);
  for (int c = 0; c < complexes; ++c) {
    const double bend = random.below(1000) / 1000.0, charge = random.below(1000) / 1000.0 - 0.5;
    const std::string complex = "p" + std::to_string(1000 + c) + "_l" + std::to_string(1000 + c);
    for (int m = 0; m < models; ++m) {
      const std::int64_t atoms =
          least_atoms +
          static_cast<std::int64_t>(random.below(static_cast<std::uint32_t>(most_atoms - least_atoms + 1)));
      const std::string name = complex + "_model" + std::to_string(m);
      writer.add(name, "made up", made_up_pocket(atoms, bend, charge, random.next64()));
    }
    rows.keys.push_back(complex);
    for (std::int64_t k = 0; k < width; ++k) {
      const double phase = static_cast<double>(k);
      rows.numbers.push_back(
          static_cast<float>(std::sin(3 * bend * (1 + k % 3) + phase) + 2 * charge * std::cos(phase)));
    }
  }
  writer.commit();
  return rows;
}

}  // namespace molgauge::test
