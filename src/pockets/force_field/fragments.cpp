#include "pockets/force_field/fragments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"

namespace molgauge::pocket {
namespace {

/// Maximum lengths of the bond from O3' to P and of a bond to hydrogen, in Angstrom. In structures of low
/// resolution, the bond from O3' to P can be longer than the usual 1.6 A.
constexpr double kLongestBond = 2.2, kLongestToHydrogen = 1.3;

constexpr std::array kOtherNames =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"ADE", "A"},
                                                                  {"RA", "A"},
                                                                  {"CYT", "C"},
                                                                  {"RC", "C"},
                                                                  {"GUA", "G"},
                                                                  {"RG", "G"},
                                                                  {"URA", "U"},
                                                                  {"URI", "U"},
                                                                  {"RU", "U"}});
constexpr std::array kBases = std::to_array<std::string_view>({"A", "C", "G", "U"});
constexpr std::array kPhosphate = std::to_array<std::string_view>({"P", "OP1", "OP2", "OP3"});

/// Returns "A" for ADE, A5, RA3 and similar names. Other names are unchanged.
std::string base_name(std::string name) {
  const bool has_end = name.size() > 1 && (name.back() == '5' || name.back() == '3' || name.back() == 'N');
  const std::string stem = has_end ? name.substr(0, name.size() - 1) : name;
  for (const std::string& candidate : {name, stem}) {
    for (const auto& [other, base] : kOtherNames) {
      if (candidate == other) {
        return std::string(base);
      }
    }
    if (std::find(kBases.begin(), kBases.end(), candidate) != kBases.end()) {
      return candidate;
    }
  }
  return name;
}

double distance(const Position& a, const Position& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

bool are_bonded(const StructureResidue& first, const StructureResidue& second) {
  const StructureAtom* const oxygen = first.find("O3'");
  const StructureAtom* const phosphorus = second.find("P");
  return first.chain == second.chain && oxygen != nullptr && phosphorus != nullptr &&
         distance(oxygen->position, phosphorus->position) <= kLongestBond;
}

const ResidueTemplate& template_of(const StructureResidue& residue, bool is_first, bool is_last,
                                   const ForceField& field) {
  const char* const end = is_first && is_last ? "N" : is_first ? "5" : is_last ? "3" : "";
  const std::string name = base_name(residue.name) + end;
  const auto found = field.residues.find(name);
  if (found == field.residues.end()) {
    const bool is_standard = std::find(kBases.begin(), kBases.end(), base_name(residue.name)) != kBases.end();
    throw InputError(fmt::format("{} {}. The force field has no template {}", residue.label(),
                                 is_standard ? "cannot be parameterised" : "is a modified residue", name));
  }
  return found->second;
}

/// Programs name hydrogens differently. If a hydrogen is far from the atom that it should be bonded to, its
/// name means another hydrogen, so its position is removed.
void forget_misnamed_hydrogens(TemplatedResidue& fitted, const ForceField& field) {
  const auto is_hydrogen = [&](std::int64_t atom) {
    return field.type(fitted.shape->atoms[static_cast<std::size_t>(atom)].type).element == 1;
  };
  for (const AtomNumbers<2>& bond : fitted.shape->bonds) {
    const std::int64_t hydrogen = is_hydrogen(bond[0]) ? bond[0] : bond[1];
    auto& place = fitted.positions[static_cast<std::size_t>(hydrogen)];
    const auto& carrier = fitted.positions[static_cast<std::size_t>(hydrogen == bond[0] ? bond[1] : bond[0])];
    if (is_hydrogen(hydrogen) && place && carrier && distance(*place, *carrier) > kLongestToHydrogen) {
      place.reset();
    }
  }
}

TemplatedResidue fit(const StructureResidue& residue, bool is_first, bool is_last, const ForceField& field) {
  TemplatedResidue fitted{&residue, &template_of(residue, is_first, is_last, field), {}};
  fitted.positions.resize(fitted.shape->atoms.size());
  for (const StructureAtom& atom : residue.atoms) {
    const bool is_trimmed =
        is_first && std::find(kPhosphate.begin(), kPhosphate.end(), atom.name) != kPhosphate.end();
    if (const auto place = fitted.shape->find(atom.name)) {
      fitted.positions[static_cast<std::size_t>(*place)] = atom.position;
    } else if (atom.element != 1 && !is_trimmed) {
      throw InputError(
          fmt::format("{} has an atom {} that is not in the template {}. The residue is modified, or bonded "
                      "to something else",
                      residue.label(), atom.name, fitted.shape->name));
    }
  }
  forget_misnamed_hydrogens(fitted, field);
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < fitted.positions.size(); ++i) {
    const TemplateAtom& atom = fitted.shape->atoms[i];
    if (!fitted.positions[i] && field.type(atom.type).element != 1) {
      missing.push_back(atom.name);
    }
  }
  if (!missing.empty()) {
    throw InputError(fmt::format("{} lacks {}", residue.label(), fmt::join(missing, ", ")));
  }
  return fitted;
}

}  // namespace

std::vector<Fragment> find_fragments(const std::vector<const StructureResidue*>& residues,
                                     const ForceField& field) {
  std::vector<Fragment> fragments;
  bool is_first = true;
  for (std::size_t i = 0; i < residues.size(); ++i) {
    const bool is_last = i + 1 == residues.size() || !are_bonded(*residues[i], *residues[i + 1]);
    if (is_first) {
      fragments.emplace_back();
    }
    fragments.back().push_back(fit(*residues[i], is_first, is_last, field));
    is_first = is_last;
  }
  return fragments;
}

}  // namespace molgauge::pocket
