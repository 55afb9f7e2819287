#include "pockets/force_field/amber_parameters.h"

#include <algorithm>
#include <cmath>

#include "base/core/error.h"
#include "pockets/topology/elements.h"

namespace molgauge::pocket {
namespace {

constexpr const char* kAny = "X";

template <std::size_t count>
AmberParameters::Key<count> smaller_direction(AmberParameters::Key<count> types) {
  AmberParameters::Key<count> reversed = types;
  std::reverse(reversed.begin(), reversed.end());
  return std::min(types, reversed);
}

template <std::size_t count>
std::ptrdiff_t generality(const AmberParameters::Key<count>& types) {
  return std::count(types.begin(), types.end(), kAny);
}

TypePattern pattern(const std::string& type) {
  return type == kAny ? TypePattern{} : TypePattern{TypePattern::Kind::type, type};
}

template <std::size_t count>
std::array<TypePattern, count> patterns(const AmberParameters::Key<count>& types) {
  std::array<TypePattern, count> made;
  std::transform(types.begin(), types.end(), made.begin(), pattern);
  return made;
}

/// Appends rules with fewer "X" first. Rules with equally many "X" are sorted by their types.
template <typename Rules>
void put_by_generality(const Rules& from, std::vector<TermRule<4, std::vector<TorsionTerm>>>& to) {
  for (std::ptrdiff_t any = 0; any <= 4; ++any) {
    for (const auto& [types, given] : from) {
      if (generality(types) == any) {
        to.push_back({patterns(types), given.terms});
      }
    }
  }
}

}  // namespace

void AmberParameters::add_bond(const Key<2>& types, const Harmonic& parameters) {
  bonds_[smaller_direction(types)] = parameters;
}

void AmberParameters::add_angle(const Key<3>& types, const Harmonic& parameters) {
  angles_[smaller_direction(types)] = parameters;
}

void AmberParameters::add_torsion(std::map<Key<4>, Given>& to, const Key<4>& key,
                                  const TorsionTerm& term) const {
  Given& given = to[key];
  if (given.terms.empty() || given.file != file_) {
    given = {{term}, file_};
    return;
  }
  const auto same = std::find_if(given.terms.begin(), given.terms.end(), [&](const TorsionTerm& other) {
    return other.periodicity == term.periodicity;
  });
  if (same == given.terms.end()) {
    given.terms.push_back(term);
  } else {
    *same = term;
  }
}

void AmberParameters::add_proper(const Key<4>& types, const TorsionTerm& term) {
  add_torsion(propers_, smaller_direction(types), term);
}

void AmberParameters::add_improper(const Key<4>& types, const TorsionTerm& term) {
  // The key begins with the central atom, as in the rules. The other types follow: first "X", then names in
  // alphabetical order.
  Key<4> key{types[2], types[0], types[1], types[3]};
  std::sort(key.begin() + 1, key.end(), [](const std::string& a, const std::string& b) {
    return a == kAny || b == kAny ? a == kAny && b != kAny : a < b;
  });
  add_torsion(impropers_, key, term);
}

void AmberParameters::add_lennard_jones(const std::string& type, const LennardJones& parameters) {
  of_this_file_[type] = parameters;
}

void AmberParameters::next_file() {
  ++file_;
  std::map<std::string, LennardJones> taken_over;
  for (const std::vector<std::string>& types : equivalent_) {
    const auto first = of_this_file_.find(types.front());
    for (std::size_t i = 1; first != of_this_file_.end() && i < types.size(); ++i) {
      taken_over[types[i]] = first->second;
    }
  }
  of_this_file_.merge(taken_over);
  for (const auto& [type, parameters] : of_this_file_) {
    lennard_jones_[type] = parameters;
  }
  of_this_file_.clear();
  equivalent_.clear();
}

void AmberParameters::put_into(ForceField& field) const {
  const double to_sigma = 2 / std::pow(2.0, 1.0 / 6);  // converts half the distance of the minimum to sigma
  for (const auto& [name, mass] : masses_) {
    AtomType type{.name = name, .atom_class = name, .element = element_of_mass(mass), .mass = mass};
    if (const auto found = lennard_jones_.find(name); found != lennard_jones_.end()) {
      type.sigma = found->second.radius * to_sigma;
      type.epsilon = found->second.depth;
    }
    field.types.insert_or_assign(name, type);
  }
  for (const auto& [types, parameters] : bonds_) {
    field.bonds.push_back({patterns(types), parameters});
  }
  for (const auto& [types, parameters] : angles_) {
    field.angles.push_back({patterns(types), parameters});
  }
  put_by_generality(propers_, field.propers);
  put_by_generality(impropers_, field.impropers);
}

}  // namespace molgauge::pocket
