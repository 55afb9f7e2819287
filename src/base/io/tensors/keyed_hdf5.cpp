#include "base/io/tensors/keyed_hdf5.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tensors/hdf5.h"
#include "base/io/tensors/hdf5_handle.h"
#include "base/io/tensors/hdf5_input.h"
#include "base/io/tensors/hdf5_output.h"
#include "base/io/tensors/trial_read.h"

namespace molgauge::io {
namespace {

constexpr hsize_t kMaxNumbers = 1'000'000;  ///< maximum numbers of a row
/// Time limit for reading a file. HDF5 never finishes reading some damaged files.
constexpr std::chrono::seconds kPatience{20};
constexpr std::uintmax_t kBytesASecond = std::uintmax_t{1} << 20;

std::vector<std::string> names_in_root(const Hdf5Handle& file, const std::string& path) {
  std::vector<std::string> names;
  const auto visit = [](hid_t, const char* name, const H5L_info_t* link, void* target) -> herr_t {
    if (link->type != H5L_TYPE_HARD) {
      return -1;  // links could lead out of the file
    }
    static_cast<std::vector<std::string>*>(target)->emplace_back(name);
    return 0;
  };
  hdf5_check<InputError>(H5Literate(file.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &names), path,
                         "list its rows, which must lie in the file itself");
  return names;
}

std::vector<float> read_row(const Hdf5Handle& file, const std::string& name, const std::string& path) {
  const auto check = [&](auto result) {
    return hdf5_check<InputError>(result, path, "read the row " + name);
  };
  const Hdf5Handle dataset(check(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT)), H5Dclose);
  const Hdf5Handle type(check(H5Dget_type(dataset.get())), H5Tclose);
  const Hdf5Handle space(check(H5Dget_space(dataset.get())), H5Sclose);
  std::array<hsize_t, 2> shape{1, 1};
  const int axes = check(H5Sget_simple_extent_ndims(space.get()));
  if (axes == 1 || axes == 2) {
    check(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr));
  }
  const hsize_t width = axes == 1 ? shape[0] : shape[1];
  const bool is_row = axes == 1 || (axes == 2 && shape[0] == 1);
  if (!is_row || width > kMaxNumbers || H5Tget_class(type.get()) != H5T_FLOAT) {
    throw InputError(fmt::format("{}: {} is not a row of real numbers, [width] or [1, width]", path, name));
  }
  std::vector<float> numbers(width);
  check(H5Dread(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
  return numbers;
}

std::map<std::string, std::vector<float>> rows_of_features(const std::filesystem::path& path) {
  const Hdf5Features features = read_hdf5_features(path);
  if (features.keys.size() * features.columns != features.numbers.size()) {
    throw InputError(path.string() + ": the rows of the dataset features have no keys");
  }
  std::map<std::string, std::vector<float>> rows;
  for (std::size_t i = 0; i < features.keys.size(); ++i) {
    const float* const row = features.numbers.data() + i * features.columns;
    rows[features.keys[i]].assign(row, row + features.columns);
  }
  return rows;
}

std::map<std::string, std::vector<float>> read_rows(const std::filesystem::path& path) {
  std::map<std::string, std::vector<float>> rows;
  {
    const Hdf5Silence silence;
    const Hdf5Handle file = open_hdf5(path);
    const std::vector<std::string> names = names_in_root(file, path.string());
    if (std::find(names.begin(), names.end(), "features") == names.end()) {
      for (const std::string& name : names) {
        rows[name] = read_row(file, name, path.string());
      }
      return rows;
    }
  }
  return rows_of_features(path);
}

}  // namespace

std::map<std::string, std::vector<float>> read_hdf5_rows(const std::filesystem::path& path) {
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
  const std::chrono::seconds patience = kPatience + std::chrono::seconds(unknown ? 0 : bytes / kBytesASecond);
  const Trial trial = try_in_child(patience, [&] { read_rows(path); });
  if (trial.outcome == Trial::Outcome::refused) {
    // The file is not read again in this process, because HDF5 would then print internal errors when the
    // process ends.
    throw InputError(trial.reason);
  }
  if (trial.outcome != Trial::Outcome::ended) {
    throw InputError(fmt::format(
        "{}: is damaged: the HDF5 library {} when it reads the file. Write the file again, or convert it to "
        ".npz or .safetensors",
        path.string(), trial.outcome == Trial::Outcome::crashed ? "crashes" : "does not come to an end"));
  }
  return read_rows(path);
}

void write_hdf5_rows(const std::filesystem::path& path,
                     const std::map<std::string, std::span<const float>>& rows) {
  const Hdf5Silence silence;
  replace_file(path, [&](const std::filesystem::path& temporary) {
    Hdf5Output file(temporary, path.string());
    for (const auto& [name, numbers] : rows) {
      const hsize_t width = numbers.size();
      const Hdf5Handle dataset = file.make_dataset(name, H5T_IEEE_F32LE, std::span(&width, 1));
      file.check(H5Dwrite(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
    }
    file.finish();
  });
}

}  // namespace molgauge::io
