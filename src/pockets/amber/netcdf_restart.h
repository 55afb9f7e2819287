#pragma once

#include <vector>

#include "base/io/bytes/random_access.h"
#include "pockets/topology/topology.h"

namespace molgauge::pocket {

/// Whether a file begins like the classic NetCDF format with 32 or 64 bits.
bool is_netcdf(const io::RandomAccess& file);

/// Reads the variable `coordinates`, double [atom, spatial], of an AMBER restart file
/// (ambermd.org/netcdf/nctraj.xhtml) in classic NetCDF format (docs.unidata.ucar.edu, "NetCDF Classic Format
/// Specification"). Throws InputError with the file and the reason.
std::vector<Position> read_netcdf_restart(const io::RandomAccess& file);

}  // namespace molgauge::pocket
