#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/pocket/topology/topology.h"

namespace headroom::pocket {

/// What the placing of hydrogens has to know of the atoms around them.
struct HydrogenFrame {
  std::vector<std::vector<std::int64_t>> bonded;  ///< the atoms that each atom is bonded to
  std::function<double(std::int64_t atom, std::int64_t hydrogen)> length;  ///< of a bond, Angstrom
  /// Between the bonds of `centre`, radians.
  std::function<double(std::int64_t atom, std::int64_t centre, std::int64_t hydrogen)> angle;
  std::function<std::string(std::int64_t atom)> name;  ///< for messages
};

/// Gives places to the atoms without one, which are hydrogens: by the number of bonds of the atom that
/// carries them (four: tetrahedral, three: in a plane, two: bent) with the lengths and angles of the force
/// field. Where a turn is free, as of a hydroxyl group, the one of three staggered places that is farthest
/// from other atoms is taken. Throws InputError naming the atom whose hydrogens have no place by these rules.
std::vector<Position> place_hydrogens(std::vector<std::optional<Position>> known, const HydrogenFrame& frame);

}  // namespace headroom::pocket
