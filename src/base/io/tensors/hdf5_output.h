#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "base/io/tensors/hdf5_handle.h"

namespace molgauge::io {

/// A new HDF5 file that is written through file_calls(), like every other file of Molgauge.
///
/// HDF5 1.10 may crash or lose data if a write fails while it closes an object. Our file driver therefore
/// never reports a failed write to HDF5. It remembers the first failure, and check() and finish() throw it.
/// The file is neither synced nor renamed: replace_file() does that.
class Hdf5Output {
 public:
  /// Creates the file. `shown`: the name of the file in messages. Throws Error if the file cannot be created.
  Hdf5Output(const std::filesystem::path& path, std::string shown);
  /// Closes the file if finish() was not called.
  ~Hdf5Output();
  Hdf5Output(const Hdf5Output&) = delete;
  Hdf5Output& operator=(const Hdf5Output&) = delete;

  const Hdf5Handle& handle() const { return *file_; }

  /// Returns the result of an HDF5 call. Throws Error if the call, or any write so far, has failed.
  template <typename Result>
  Result check(Result result) const {
    throw_failed_write();
    return hdf5_check<Error>(result, shown_, "write");
  }

  /// Creates a dataset in the root. It has no time stamp, because equal content must give equal bytes. Throws
  /// Error as check() does.
  Hdf5Handle make_dataset(const std::string& name, hid_t type, std::span<const hsize_t> shape) const;

  /// Writes everything and closes the file. The caller must close all other handles of the file first. Throws
  /// Error if the close, or any write so far, has failed.
  void finish();

  struct Target;  ///< the file on disk, and the first failed write

 private:
  void throw_failed_write() const;

  std::string shown_;
  std::unique_ptr<Target> target_;
  std::unique_ptr<Hdf5Handle> file_;
};

}  // namespace molgauge::io
