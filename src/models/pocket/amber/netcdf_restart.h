#pragma once

#include <vector>

#include "data/io/bytes/random_access.h"
#include "models/pocket/topology/topology.h"

namespace headroom::pocket {

/// Whether a file begins as NetCDF's classic format does, of 32 or 64 bits.
bool is_netcdf(const io::RandomAccess& file);

/// The variable `coordinates`, double [atom, spatial], of an AMBER restart (ambermd.org/netcdf/nctraj.xhtml)
/// in NetCDF's classic format (docs.unidata.ucar.edu, "NetCDF Classic Format Specification"). Throws
/// InputError naming the file and the reason.
std::vector<Position> read_netcdf_restart(const io::RandomAccess& file);

}  // namespace headroom::pocket
