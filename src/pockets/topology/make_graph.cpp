#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "pockets/topology/neighbours.h"
#include "pockets/topology/topology.h"

namespace molgauge::pocket {
namespace {

// Scales that bring the numbers of terms close to 1, as in the Python project.
constexpr double kLength = 2.0, kBondForce = 500.0, kAngle = std::numbers::pi, kAngleForce = 200.0,
                 kBarrier = 20.0, kPeriodicity = 6.0, kPhase = 2 * std::numbers::pi;
/// The divisor of phases in the Python project, which converts 2 pi from degrees to radians by mistake.
constexpr double kReferencePhase = 2 * 3.14159 * std::numbers::pi / 180;
constexpr Bond kSelfLoop{{0, 0}, 1.5, 300.0};
constexpr double kOnTop = 0.1;  // in Angstrom: atoms that are closer are an error

/// Writes terms one after another. Each term has `places` atoms and `numbers` attributes.
class TermWriter {
 public:
  TermWriter(std::int64_t places, std::int64_t numbers, std::size_t terms)
      : terms_{ops::Integers{places, static_cast<std::int64_t>(terms)},
               ops::Floats{static_cast<std::int64_t>(terms), numbers}} {}

  template <std::size_t places, std::size_t numbers>
  void add(const AtomNumbers<places>& atoms, const std::array<double, numbers>& attributes) {
    for (std::size_t place = 0; place < places; ++place) {
      terms_.atoms.data()[static_cast<std::int64_t>(place) * terms_.count() + next_] = atoms[place];
    }
    for (std::size_t number = 0; number < numbers; ++number) {
      terms_.attributes
          .data()[next_ * static_cast<std::int64_t>(numbers) + static_cast<std::int64_t>(number)] =
          static_cast<float>(attributes[number]);
    }
    ++next_;
  }

  template <std::size_t numbers>
  void add_both_ways(const AtomNumbers<2>& atoms, const std::array<double, numbers>& attributes) {
    add(atoms, attributes);
    add(AtomNumbers<2>{atoms[1], atoms[0]}, attributes);
  }

  Terms take() { return std::move(terms_); }

 private:
  Terms terms_;
  std::int64_t next_ = 0;
};

/// The terms without hydrogen.
template <typename Term>
std::vector<Term> heavy(const std::vector<Term>& terms, const std::vector<TopologyAtom>& atoms) {
  std::vector<Term> kept;
  std::copy_if(terms.begin(), terms.end(), std::back_inserter(kept), [&](const Term& term) {
    return std::none_of(term.atoms.begin(), term.atoms.end(), [&](std::int64_t atom) {
      return atoms[static_cast<std::size_t>(atom)].element == 1;
    });
  });
  return kept;
}

Terms bonds_of(const Topology& topology) {
  const std::vector<Bond> bonds = heavy(topology.bonds, topology.atoms);
  const auto numbers = [](const Bond& bond) {
    return std::array{bond.length / kLength, bond.force / kBondForce};
  };
  if (bonds.empty()) {
    TermWriter loops(2, 2, topology.atoms.size());
    for (std::int64_t atom = 0; atom < static_cast<std::int64_t>(topology.atoms.size()); ++atom) {
      loops.add(AtomNumbers<2>{atom, atom}, numbers(kSelfLoop));
    }
    return loops.take();
  }
  TermWriter writer(2, 2, 2 * bonds.size());
  for (const Bond& bond : bonds) {
    writer.add_both_ways(bond.atoms, numbers(bond));
  }
  return writer.take();
}

Terms angles_of(const Topology& topology) {
  const std::vector<Angle> angles = heavy(topology.angles, topology.atoms);
  TermWriter writer(3, 2, angles.size());
  for (const Angle& angle : angles) {
    writer.add(angle.atoms, std::array{angle.angle / kAngle, angle.force / kAngleForce});
  }
  return writer.take();
}

Terms dihedrals_of(const Topology& topology, bool reference_phases) {
  const std::vector<Dihedral> dihedrals = heavy(topology.dihedrals, topology.atoms);
  TermWriter writer(4, 3, dihedrals.size());
  for (const Dihedral& term : dihedrals) {
    writer.add(term.atoms, std::array{term.barrier / kBarrier, term.periodicity / kPeriodicity,
                                      term.phase / (reference_phases ? kReferencePhase : kPhase)});
  }
  return writer.take();
}

Terms pairs_of(const Topology& topology, const std::vector<Position>& positions, double cutoff) {
  std::set<std::pair<std::int64_t, std::int64_t>> bonded;
  for (const Bond& bond : topology.bonds) {
    bonded.insert(std::minmax(bond.atoms[0], bond.atoms[1]));
  }
  std::vector<Neighbours> near = find_neighbours(positions, std::max(cutoff, kOnTop), kOnTop);
  std::erase_if(near, [&](const Neighbours& pair) {
    return pair.distance > cutoff || bonded.contains({pair.first, pair.second});
  });
  TermWriter writer(2, 3, 2 * near.size());
  for (const Neighbours& pair : near) {
    const std::size_t entry = topology.atoms[static_cast<std::size_t>(pair.first)].type * topology.types +
                              topology.atoms[static_cast<std::size_t>(pair.second)].type;
    writer.add_both_ways(
        AtomNumbers<2>{pair.first, pair.second},
        std::array{std::log(topology.a[entry] + 1), std::log(topology.b[entry] + 1), pair.distance});
  }
  return writer.take();
}

}  // namespace

Pockets make_graph(const Topology& topology, const std::vector<Position>& positions,
                   const GraphOptions& options) {
  if (topology.atoms.empty()) {
    throw InputError("the pocket is empty: it has no atoms");
  }
  if (positions.size() != topology.atoms.size()) {
    throw InputError(fmt::format("there are coordinates of {} atoms for a topology of {}", positions.size(),
                                 topology.atoms.size()));
  }
  const auto atoms = static_cast<std::int64_t>(topology.atoms.size());
  Pockets pocket;
  pocket.features = ops::Floats{atoms, 3};
  pocket.positions = ops::Floats{atoms, 3};
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    const TopologyAtom& atom = topology.atoms[i];
    const std::array<double, 3> features{atom.charge, static_cast<double>(atom.element), atom.mass};
    for (std::size_t column = 0; column < 3; ++column) {
      pocket.features.data()[3 * i + column] = static_cast<float>(features[column]);
      pocket.positions.data()[3 * i + column] = static_cast<float>(positions[i][column]);
    }
  }
  pocket.bonds = bonds_of(topology);
  pocket.angles = angles_of(topology);
  pocket.dihedrals = dihedrals_of(topology, options.reference_phases);
  pocket.pairs = pairs_of(topology, positions, options.cutoff);
  pocket.sizes = {atoms};
  return pocket;
}

}  // namespace molgauge::pocket
