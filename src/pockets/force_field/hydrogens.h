#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pockets/topology/topology.h"

namespace molgauge::pocket {

/// The data that place_hydrogens() needs: the bonds of the atoms, bond lengths, angles and atom names.
struct HydrogenFrame {
  std::vector<std::vector<std::int64_t>> bonded;  ///< the atoms that each atom is bonded to
  std::function<double(std::int64_t atom, std::int64_t hydrogen)> length;  ///< length of a bond, Angstrom
  /// The angle between the bonds of `centre` in radians.
  std::function<double(std::int64_t atom, std::int64_t centre, std::int64_t hydrogen)> angle;
  std::function<std::string(std::int64_t atom)> name;  ///< name of an atom, for messages
};

/// Computes the coordinates of hydrogens that have none. The geometry depends on the number of bonds of the
/// heavy atom (four: tetrahedral, three: planar, two: bent). Lengths and angles come from the force field. If
/// a group can rotate, such as a hydroxyl group, three staggered positions are compared. The hydrogen takes
/// the position that is farthest from other atoms. Throws InputError with the atom if these rules do not
/// apply to its hydrogens.
std::vector<Position> place_hydrogens(std::vector<std::optional<Position>> known, const HydrogenFrame& frame);

}  // namespace molgauge::pocket
