#pragma once

#include <filesystem>

#include "base/io/bytes/random_access.h"
#include "base/io/tensors/hdf5_handle.h"

namespace molgauge::io {

/// Opens an HDF5 file for reading. Throws InputError naming the file if it is missing, is not a regular file,
/// or is not an HDF5 file.
inline Hdf5Handle open_hdf5(const std::filesystem::path& path) {
  open_random_access(path);  // throws with the reason if the file cannot be read. HDF5 would wait for the
                             // writer of a pipe
  if (H5Fis_hdf5(path.c_str()) == 0) {
    throw InputError(path.string() + ": is not an HDF5 file");
  }
  return {hdf5_check<InputError>(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), path.string(),
                                 "read the file as HDF5"),
          H5Fclose};
}

}  // namespace molgauge::io
