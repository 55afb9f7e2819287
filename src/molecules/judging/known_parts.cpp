#include "molecules/judging/known_parts.h"

#include <algorithm>

#include <fmt/format.h>

namespace molgauge::domain {
namespace {

void widen(Range& range, double value, bool first) {
  range.low = first ? value : std::min(range.low, value);
  range.high = first ? value : std::max(range.high, value);
}

bool is_outside(const Range& range, double value) { return value < range.low || value > range.high; }

}  // namespace

void KnownParts::add(const chem::Description& molecule) {
  const bool first = molecules++ == 0;
  elements.insert(molecule.elements.begin(), molecule.elements.end());
  rings.insert(molecule.rings.begin(), molecule.rings.end());
  scaffolds.insert(molecule.scaffold);
  widen(heavy_atoms, static_cast<double>(molecule.heavy_atoms), first);
  widen(log_p, molecule.log_p, first);
  widen(charge, molecule.charge, first);
}

void KnownParts::add_environments(const EnvironmentLists& environments) {
  for (std::size_t i = 0; i < environments.size(); ++i) {
    for (const Environment& environment : environments.of(i)) {
      environments_.insert(environment.identifier);
    }
  }
}

ForeignParts KnownParts::foreign(const chem::Description& molecule) const {
  ForeignParts foreign;
  for (const auto& [atom, environment] : molecule.atom_environments) {
    if (!environments_.contains(environment)) {
      foreign.atoms.push_back(atom);
    }
  }
  std::ranges::sort(foreign.atoms);
  for (const std::uint8_t element : molecule.elements) {
    if (!elements.contains(element)) {
      foreign.elements.push_back(chem::element_symbol(element));
    }
  }
  for (const std::string& ring : molecule.rings) {
    if (!rings.contains(ring)) {
      foreign.rings.push_back(ring);
    }
  }
  if (is_outside(heavy_atoms, static_cast<double>(molecule.heavy_atoms))) {
    foreign.size = fmt::format("{} heavy atoms (training: {} to {})", molecule.heavy_atoms, heavy_atoms.low,
                               heavy_atoms.high);
  }
  if (is_outside(log_p, molecule.log_p)) {
    foreign.log_p =
        fmt::format("logP {:.1f} (training: {:.1f} to {:.1f})", molecule.log_p, log_p.low, log_p.high);
  }
  if (is_outside(charge, molecule.charge)) {
    foreign.charge = fmt::format("charge {} (training: {} to {})", molecule.charge, charge.low, charge.high);
  }
  foreign.scaffold_seen = scaffolds.contains(molecule.scaffold);
  return foreign;
}

}  // namespace molgauge::domain
