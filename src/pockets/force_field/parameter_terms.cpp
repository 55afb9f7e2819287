#include "pockets/force_field/parameter_terms.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::pocket {
namespace {

class TermFinder {
 public:
  TermFinder(const ForceField& field, const std::vector<const AtomType*>& types,
             const std::vector<std::vector<std::int64_t>>& bonded, Topology& topology)
      : field_(field), types_(types), bonded_(bonded), topology_(topology) {}

  void find() {
    const auto atoms = static_cast<std::int64_t>(types_.size());
    for (std::int64_t atom = 0; atom < atoms; ++atom) {
      for (const std::int64_t other : bonded(atom)) {
        if (atom < other) {
          add_bond(atom, other);
        }
      }
    }
    for (std::int64_t centre = 0; centre < atoms; ++centre) {
      const auto& around = bonded(centre);
      for (std::size_t i = 0; i < around.size(); ++i) {
        for (std::size_t j = i + 1; j < around.size(); ++j) {
          const Harmonic found = field_.angle(type(around[i]), type(centre), type(around[j]));
          topology_.angles.push_back({{around[i], centre, around[j]}, found.equilibrium, found.force});
        }
      }
    }
    for (std::int64_t second = 0; second < atoms; ++second) {
      for (const std::int64_t third : bonded(second)) {
        if (second < third) {
          add_propers(second, third);
        }
      }
    }
    for (std::int64_t centre = 0; centre < atoms; ++centre) {
      add_impropers(centre);
    }
  }

 private:
  const std::vector<std::int64_t>& bonded(std::int64_t atom) const {
    return bonded_[static_cast<std::size_t>(atom)];
  }
  const AtomType& type(std::int64_t atom) const { return *types_[static_cast<std::size_t>(atom)]; }

  void add_bond(std::int64_t a, std::int64_t b) {
    const Harmonic found = field_.bond(type(a), type(b));
    topology_.bonds.push_back({{a, b}, found.equilibrium, found.force});
  }

  void add_propers(std::int64_t second, std::int64_t third) {
    for (const std::int64_t first : bonded(second)) {
      for (const std::int64_t fourth : bonded(third)) {
        if (first == third || fourth == second || first == fourth) {
          continue;
        }
        const std::vector<TorsionTerm> terms =
            field_.proper({&type(first), &type(second), &type(third), &type(fourth)});
        if (terms.empty()) {
          throw InputError(fmt::format("the force field has no torsion for atoms of the types {}, {}, {}, {}",
                                       type(first).name, type(second).name, type(third).name,
                                       type(fourth).name));
        }
        add(terms, {first, second, third, fourth});
      }
    }
  }

  void add(const std::vector<TorsionTerm>& terms, const AtomNumbers<4>& atoms) {
    for (const TorsionTerm& term : terms) {
      topology_.dihedrals.push_back({atoms, term.barrier, term.periodicity, term.phase});
    }
  }

  /// Adds an improper for each set of three neighbours of the centre.
  void add_impropers(std::int64_t centre) {
    const auto& around = bonded(centre);
    for (std::size_t i = 0; i < around.size(); ++i) {
      for (std::size_t j = i + 1; j < around.size(); ++j) {
        for (std::size_t k = j + 1; k < around.size(); ++k) {
          add_improper(centre, {around[i], around[j], around[k]});
        }
      }
    }
  }

  using Rule = TermRule<4, std::vector<TorsionTerm>>;

  /// Adds an improper with the parameters of a matching rule. The last rule without "any" has priority. If
  /// there is no such rule, uses the first rule with "any".
  void add_improper(std::int64_t centre, const AtomNumbers<3>& around) {
    const Rule* chosen = nullptr;
    AtomNumbers<3> order{};
    for (const Rule& rule : field_.impropers) {
      if ((chosen != nullptr && is_general(rule)) || !rule.atoms[0].matches(type(centre))) {
        continue;
      }
      if (const auto found = assign(rule, around)) {
        chosen = &rule;
        order = *found;
      }
    }
    if (chosen != nullptr) {
      sort_alike(*chosen, order);
      add(chosen->parameters, {order[0], order[1], centre, order[2]});
    }
  }

  static bool is_general(const Rule& rule) {
    return std::any_of(rule.atoms.begin(), rule.atoms.end(),
                       [](const TypePattern& pattern) { return pattern.kind == TypePattern::Kind::any; });
  }

  /// Returns the first permutation of the neighbours that fits the rule.
  std::optional<AtomNumbers<3>> assign(const Rule& rule, const AtomNumbers<3>& around) const {
    std::array<std::size_t, 3> places{0, 1, 2};
    do {
      const AtomNumbers<3> order{around[places[0]], around[places[1]], around[places[2]]};
      if (rule.atoms[1].matches(type(order[0])) && rule.atoms[2].matches(type(order[1])) &&
          rule.atoms[3].matches(type(order[2]))) {
        return order;
      }
    } while (std::next_permutation(places.begin(), places.end()));
    return std::nullopt;
  }

  void sort_alike(const Rule& rule, AtomNumbers<3>& order) const {
    const bool by_element = is_general(rule);
    const auto are_alike = [&](std::int64_t a, std::int64_t b) {
      return by_element ? type(a).element == type(b).element : type(a).name == type(b).name;
    };
    const auto sort = [&](std::size_t a, std::size_t b, bool always) {
      if (order[a] > order[b] && (always || are_alike(order[a], order[b]))) {
        std::swap(order[a], order[b]);
      }
    };
    sort(0, 2, false);
    sort(1, 2, false);
    sort(0, 1, by_element);
  }

  const ForceField& field_;
  const std::vector<const AtomType*>& types_;
  const std::vector<std::vector<std::int64_t>>& bonded_;
  Topology& topology_;
};

/// Computes the Lennard-Jones tables with the Lorentz-Berthelot rules: A = 4 e s^12 and B = 4 e s^6. s is the
/// mean of both sigmas, and e is the geometric mean of both depths.
void add_lennard_jones(const std::vector<const AtomType*>& types, Topology& topology) {
  std::map<std::string, std::size_t> numbers;
  std::vector<const AtomType*> distinct;
  for (std::size_t atom = 0; atom < types.size(); ++atom) {
    const auto [place, is_new] = numbers.emplace(types[atom]->name, distinct.size());
    if (is_new) {
      distinct.push_back(types[atom]);
    }
    topology.atoms[atom].type = place->second;
  }
  topology.types = distinct.size();
  for (const AtomType* const a : distinct) {
    for (const AtomType* const b : distinct) {
      const double sigma = (a->sigma.value_or(0) + b->sigma.value_or(0)) / 2;
      const double epsilon = std::sqrt(a->epsilon.value_or(0) * b->epsilon.value_or(0));
      topology.a.push_back(4 * epsilon * std::pow(sigma, 12));
      topology.b.push_back(4 * epsilon * std::pow(sigma, 6));
    }
  }
}

}  // namespace

void add_terms(const ForceField& field, const std::vector<const AtomType*>& types,
               const std::vector<std::vector<std::int64_t>>& bonded, Topology& topology) {
  TermFinder(field, types, bonded, topology).find();
  add_lennard_jones(types, topology);
}

}  // namespace molgauge::pocket
