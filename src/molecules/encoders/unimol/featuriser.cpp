#include "molecules/encoders/unimol/featuriser.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/core/random/numpy_random.h"

namespace molgauge::encoders::unimol {
namespace {

using Place = std::array<float, 3>;

/// Atomic numbers of the tokens, starting with the first element: C N O S H Cl F Br I Si P B Na K Al Ca Sn As
/// Hg Fe Zn Cr Se Gd Au Li.
constexpr std::array<std::uint8_t, 26> kElements = {6,  7,  8,  16, 1,  17, 9,  35, 53, 14, 15, 5,  11,
                                                    19, 13, 20, 50, 33, 80, 26, 30, 24, 34, 64, 79, 3};
constexpr std::int64_t kFirstElement = 4;
static_assert(kFirstElement + kElements.size() + 1 == kTokens, "the last token is the mask");

std::int64_t token_of(std::uint8_t element) {
  for (std::size_t i = 0; i < kElements.size(); ++i) {
    if (kElements[i] == element) {
      return kFirstElement + static_cast<std::int64_t>(i);
    }
  }
  return kUnknown;
}

/// Adds the positions one after the other in float32, like NumPy.
Place centroid_of(const std::vector<Place>& places) {
  Place sum = {};
  for (const Place& place : places) {
    for (std::size_t axis = 0; axis < sum.size(); ++axis) {
      sum[axis] += place[axis];
    }
  }
  for (float& coordinate : sum) {
    coordinate /= static_cast<float>(places.size());
  }
  return sum;
}

float distance(const Place& a, const Place& b) {
  double squared = 0;
  for (std::size_t axis = 0; axis < a.size(); ++axis) {
    const double difference = double{a[axis]} - double{b[axis]};
    squared += difference * difference;
  }
  return static_cast<float>(std::sqrt(squared));
}

chem::Conformer crop(const chem::Conformer& conformer, std::size_t most_atoms) {
  std::vector<std::size_t> taken = NumpyRandom(kCropSeed).choose(conformer.elements.size(), most_atoms);
  std::sort(taken.begin(), taken.end());
  chem::Conformer cropped;
  for (const std::size_t atom : taken) {
    cropped.elements.push_back(conformer.elements[atom]);
    cropped.positions.push_back(conformer.positions[atom]);
  }
  return cropped;
}

}  // namespace

std::unique_ptr<Inputs> featurise(const chem::Conformer& conformer, std::size_t most_atoms) {
  const std::size_t atoms = conformer.elements.size();
  if (atoms > most_atoms) {
    auto inputs = featurise(crop(conformer, most_atoms), most_atoms);
    inputs->left_out = atoms - most_atoms;
    return inputs;
  }
  std::vector<Place> places(atoms + 2);  // the class token and the separator are at the origin
  auto inputs = std::make_unique<Inputs>();
  inputs->tokens.assign(atoms + 2, kClass);
  inputs->tokens.back() = kSeparator;
  if (atoms > 0) {
    const Place centroid = centroid_of(conformer.positions);
    for (std::size_t i = 0; i < atoms; ++i) {
      inputs->tokens[i + 1] = token_of(conformer.elements[i]);
      for (std::size_t axis = 0; axis < centroid.size(); ++axis) {
        places[i + 1][axis] = conformer.positions[i][axis] - centroid[axis];
      }
    }
  }
  inputs->distances.resize(places.size() * places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const float apart = distance(places[i], places[j]);
      inputs->distances[i * places.size() + j] = inputs->distances[j * places.size() + i] = apart;
    }
  }
  return inputs;
}

}  // namespace molgauge::encoders::unimol
