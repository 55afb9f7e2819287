#include "base/io/tensors/hdf5_output.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/core/files/output_file.h"

namespace molgauge::io {

struct Hdf5Output::Target {
  Target(const std::filesystem::path& path, const std::string& shown)
      : file(path, shown), readable(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (readable < 0) {
      throw system_error(shown, "write", errno);
    }
  }
  ~Target() { close(readable); }
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  void write(std::uint64_t offset, std::span<const std::byte> bytes) noexcept {
    if (failure) {
      return;
    }
    try {
      file.overwrite(offset, bytes);
      end = std::max<haddr_t>(end, offset + bytes.size());
    } catch (...) {
      failure = std::current_exception();
    }
  }

  /// Bytes that were never written are zero.
  void read(std::uint64_t offset, std::span<std::byte> bytes) noexcept {
    while (!bytes.empty()) {
      const ssize_t count = pread(readable, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count <= 0) {
        std::ranges::fill(bytes, std::byte{0});
        return;
      }
      offset += static_cast<std::uint64_t>(count);
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
  }

  OutputFile file;
  int readable;
  haddr_t end = 0;  ///< size of the file in bytes
  std::exception_ptr failure;
};

namespace {

/// The object of an open file in the virtual file layer of HDF5. HDF5 fills the first member.
struct DriverFile {
  H5FD_t common;
  Hdf5Output::Target* target;
  haddr_t allocated_end;
};

DriverFile& driver_file(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& driver_file(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* open_driver(const char* /*name*/, unsigned /*flags*/, hid_t properties, haddr_t /*most*/) {
  const auto* const target = static_cast<Hdf5Output::Target* const*>(H5Pget_driver_info(properties));
  return target == nullptr ? nullptr : &(new DriverFile{{}, *target, 0})->common;
}

herr_t close_driver(H5FD_t* file) {
  delete &driver_file(file);
  return 0;
}

// Sets the feature flags of the default file driver of HDF5, because they determine the layout of the file.
herr_t query_driver(const H5FD_t* /*file*/, unsigned long* features) {
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
              H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t allocated_end(const H5FD_t* file, H5FD_mem_t /*type*/) { return driver_file(file).allocated_end; }

herr_t set_allocated_end(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  driver_file(file).allocated_end = end;
  return 0;
}

haddr_t file_end(const H5FD_t* file, H5FD_mem_t /*type*/) { return driver_file(file).target->end; }

herr_t read_driver(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*properties*/, haddr_t offset, std::size_t size,
                   void* bytes) {
  driver_file(file).target->read(offset, {static_cast<std::byte*>(bytes), size});
  return 0;
}

herr_t write_driver(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*properties*/, haddr_t offset, std::size_t size,
                    const void* bytes) {
  driver_file(file).target->write(offset, {static_cast<const std::byte*>(bytes), size});
  return 0;
}

/// Extends the file to its full length, because readers refuse a file that is shorter than the size in its
/// superblock.
herr_t extend_driver(H5FD_t* file, hid_t /*properties*/, hbool_t /*closing*/) {
  const DriverFile& driver = driver_file(file);
  if (driver.allocated_end > driver.target->end) {
    constexpr std::byte kZero{0};
    driver.target->write(driver.allocated_end - 1, {&kZero, 1});
  }
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 14, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_MAX - 1);
#endif
  driver.name = "molgauge";
  driver.maxaddr = (haddr_t{1} << 62) - 1;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(Hdf5Output::Target*);
  driver.open = open_driver;
  driver.close = close_driver;
  driver.query = query_driver;
  driver.get_eoa = allocated_end;
  driver.set_eoa = set_allocated_end;
  driver.get_eof = file_end;
  driver.read = read_driver;
  driver.write = write_driver;
  driver.truncate = extend_driver;
  constexpr H5FD_mem_t kMap[] = H5FD_FLMAP_DICHOTOMY;
  std::ranges::copy(kMap, driver.fl_map);
  return driver;
}

hid_t our_driver() {
  static const H5FD_class_t driver = driver_class();
  static const hid_t number = H5FDregister(&driver);
  return number;
}

}  // namespace

Hdf5Output::Hdf5Output(const std::filesystem::path& path, std::string shown)
    : shown_(std::move(shown)), target_(std::make_unique<Target>(path, shown_)) {
  const Hdf5Handle properties(check(H5Pcreate(H5P_FILE_ACCESS)), H5Pclose);
  const Target* const target = target_.get();
  check(H5Pset_driver(properties.get(), our_driver(), static_cast<const void*>(&target)));
  file_ = std::make_unique<Hdf5Handle>(
      check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, properties.get())), H5Fclose);
}

Hdf5Output::~Hdf5Output() = default;

Hdf5Handle Hdf5Output::make_dataset(const std::string& name, hid_t type,
                                    std::span<const hsize_t> shape) const {
  const Hdf5Handle space(check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr)),
                         H5Sclose);
  const Hdf5Handle properties(check(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  check(H5Pset_obj_track_times(properties.get(), false));
  return {check(H5Dcreate2(file_->get(), name.c_str(), type, space.get(), H5P_DEFAULT, properties.get(),
                           H5P_DEFAULT)),
          H5Dclose};
}

void Hdf5Output::finish() {
  check(H5Fflush(file_->get(), H5F_SCOPE_GLOBAL));
  check(file_->close());
  target_->file.finish();
}

void Hdf5Output::throw_failed_write() const {
  if (target_->failure) {
    std::rethrow_exception(target_->failure);
  }
}

}  // namespace molgauge::io
