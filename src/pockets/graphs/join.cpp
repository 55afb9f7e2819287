#include "pockets/graphs/join.h"

#include <algorithm>

namespace molgauge::pocket {
namespace {

ops::Floats join_rows(std::span<const Pockets> pockets, const auto& rows_of, std::int64_t width) {
  std::int64_t rows = 0;
  for (const Pockets& pocket : pockets) {
    rows += rows_of(pocket).size(0);
  }
  ops::Floats joined{rows, width};
  float* next = joined.data();
  for (const Pockets& pocket : pockets) {
    const ops::Floats& part = rows_of(pocket);
    next = std::copy_n(part.data(), part.count(), next);
  }
  return joined;
}

Terms join_terms(std::span<const Pockets> pockets, Terms Pockets::*kind) {
  const Terms& first = pockets.front().*kind;
  const std::int64_t places = first.atoms.size(0);
  Terms joined;
  joined.attributes = join_rows(
      pockets, [&](const Pockets& pocket) -> const ops::Floats& { return (pocket.*kind).attributes; },
      first.attributes.size(1));
  const std::int64_t terms = joined.attributes.size(0);
  joined.atoms = ops::Integers{places, terms};
  std::int64_t done = 0, atoms = 0;
  for (const Pockets& pocket : pockets) {
    const Terms& part = pocket.*kind;
    for (std::int64_t place = 0; place < places; ++place) {
      const std::int64_t* const from = part.atoms.data() + place * part.count();
      std::transform(from, from + part.count(), joined.atoms.data() + place * terms + done,
                     [&](std::int64_t atom) { return atom + atoms; });
    }
    done += part.count();
    atoms += pocket.features.size(0);
  }
  return joined;
}

}  // namespace

Pockets join(std::span<const Pockets> pockets) {
  Pockets joined;
  if (pockets.empty()) {
    return joined;
  }
  joined.features = join_rows(
      pockets, [](const Pockets& pocket) -> const ops::Floats& { return pocket.features; }, 3);
  joined.positions = join_rows(
      pockets, [](const Pockets& pocket) -> const ops::Floats& { return pocket.positions; }, 3);
  joined.bonds = join_terms(pockets, &Pockets::bonds);
  joined.angles = join_terms(pockets, &Pockets::angles);
  joined.dihedrals = join_terms(pockets, &Pockets::dihedrals);
  joined.pairs = join_terms(pockets, &Pockets::pairs);
  for (const Pockets& pocket : pockets) {
    joined.sizes.insert(joined.sizes.end(), pocket.sizes.begin(), pocket.sizes.end());
  }
  return joined;
}

}  // namespace molgauge::pocket
