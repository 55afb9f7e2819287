#include "molecules/datasets/molecule_lists.h"

#include <unordered_set>

namespace molgauge::datasets {

Molecules slice(const Molecules& molecules, std::size_t begin, std::size_t end) {
  return {molecules.begin() + static_cast<std::ptrdiff_t>(begin),
          molecules.begin() + static_cast<std::ptrdiff_t>(end)};
}

Molecules at_positions(const Molecules& molecules, const std::vector<std::size_t>& positions) {
  Molecules result;
  result.reserve(positions.size());
  for (const std::size_t position : positions) {
    result.push_back(molecules[position]);
  }
  return result;
}

void cut(Molecules& molecules, std::size_t most, PythonRandom& random) {
  if (most > 0 && molecules.size() > most) {
    molecules = at_positions(molecules, random.sample(molecules.size(), most));
  }
}

Molecules take(Molecules& molecules, const std::vector<std::size_t>& positions) {
  Molecules taken = at_positions(molecules, positions);
  const std::unordered_set<std::size_t> gone(positions.begin(), positions.end());
  Molecules rest;
  for (std::size_t position = 0; position < molecules.size(); ++position) {
    if (!gone.contains(position)) {
      rest.push_back(std::move(molecules[position]));
    }
  }
  molecules = std::move(rest);
  return taken;
}

Molecules take_half(Molecules& molecules, PythonRandom& random) {
  random.shuffle(molecules);
  const std::size_t half = molecules.size() / 2;
  Molecules first = slice(molecules, 0, half);
  molecules = slice(molecules, half, molecules.size());
  return first;
}

}  // namespace molgauge::datasets
