#include "pockets/force_field/force_field.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::pocket {
namespace {

/// Returns whether a rule matches the atoms in this or the reverse order.
template <std::size_t count, typename Parameters>
bool holds(const TermRule<count, Parameters>& rule, const std::array<const AtomType*, count>& atoms) {
  bool forwards = true, backwards = true;
  for (std::size_t i = 0; i < count; ++i) {
    forwards = forwards && rule.atoms[i].matches(*atoms[i]);
    backwards = backwards && rule.atoms[i].matches(*atoms[count - 1 - i]);
  }
  return forwards || backwards;
}

template <std::size_t count>
Harmonic first_of(const std::vector<TermRule<count, Harmonic>>& rules,
                  const std::array<const AtomType*, count>& atoms, const char* what) {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const auto& rule) { return holds(rule, atoms); });
  if (found == rules.end()) {
    std::string names;
    for (const AtomType* const atom : atoms) {
      names += (names.empty() ? "" : ", ") + atom->name;
    }
    throw InputError(fmt::format("the force field has no {} between atoms of the types {}", what, names));
  }
  return found->parameters;
}

}  // namespace

std::optional<std::int64_t> ResidueTemplate::find(const std::string& atom) const {
  const auto found = std::find_if(atoms.begin(), atoms.end(),
                                  [&](const TemplateAtom& candidate) { return candidate.name == atom; });
  return found == atoms.end() ? std::nullopt : std::optional<std::int64_t>(found - atoms.begin());
}

bool TypePattern::matches(const AtomType& type) const {
  return kind == Kind::any || name == (kind == Kind::type ? type.name : type.atom_class);
}

const AtomType& ForceField::type(const std::string& type_name) const {
  const auto found = types.find(type_name);
  if (found == types.end()) {
    throw InputError("the force field has no atom type " + type_name);
  }
  return found->second;
}

Harmonic ForceField::bond(const AtomType& a, const AtomType& b) const {
  return first_of<2>(bonds, {&a, &b}, "bond");
}

Harmonic ForceField::angle(const AtomType& a, const AtomType& centre, const AtomType& b) const {
  return first_of<3>(angles, {&a, &centre, &b}, "angle");
}

std::vector<TorsionTerm> ForceField::proper(const std::array<const AtomType*, 4>& atoms) const {
  const TermRule<4, std::vector<TorsionTerm>>* found = nullptr;
  for (const auto& rule : propers) {
    const bool is_general = std::any_of(rule.atoms.begin(), rule.atoms.end(), [](const TypePattern& pattern) {
      return pattern.kind == TypePattern::Kind::any;
    });
    if ((found != nullptr && is_general) || !holds(rule, atoms)) {
      continue;
    }
    found = &rule;
    if (!is_general) {
      break;
    }
  }
  return found == nullptr ? std::vector<TorsionTerm>{} : found->parameters;
}

}  // namespace molgauge::pocket
