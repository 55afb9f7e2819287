#include "base/io/tensors/hdf5.h"

#include <array>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/hdf5_handle.h"
#include "base/io/tensors/hdf5_input.h"
#include "base/io/tensors/hdf5_output.h"

namespace molgauge::io {
namespace {

constexpr char kFeatures[] = "features";

class FeaturesWriter {
 public:
  FeaturesWriter(const std::filesystem::path& temporary, std::string path)
      : path_(std::move(path)), file_(temporary, path_) {}

  void write(const char* name, std::span<const hsize_t> shape, hid_t stored, hid_t given,
             const void* values) {
    const Hdf5Handle dataset = file_.make_dataset(name, stored, shape);
    check(H5Dwrite(dataset.get(), given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  }

  void write_attribute(const std::string& name, const std::string& text) {
    write_text_attribute(file_.handle(), name, text, path_);
  }

  void finish() { file_.finish(); }

 private:
  template <typename Result>
  Result check(Result result) const {
    return file_.check(result);
  }

  std::string path_;
  Hdf5Output file_;
};

class FeaturesReader {
 public:
  explicit FeaturesReader(std::string path) : path_(std::move(path)), file_(open_hdf5(path_)) {}

  void read_numbers(Hdf5Features& features) const {
    const Hdf5Handle dataset(
        check(H5Dopen2(file_.get(), kFeatures, H5P_DEFAULT), "read the dataset features"), H5Dclose);
    const Hdf5Handle type(check(H5Dget_type(dataset.get()), "read its type"), H5Tclose);
    const auto shape = extents<2>(dataset);
    if (H5Tget_class(type.get()) != H5T_FLOAT) {
      throw InputError(path_ + ": the dataset features does not hold real numbers");
    }
    features.columns = shape[1];
    features.numbers.resize(shape[0] * shape[1]);
    check(H5Dread(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, features.numbers.data()),
          "read the dataset features");
  }

  void read_keys(const std::string& name, Hdf5Features& features) const {
    if (H5Lexists(file_.get(), name.c_str(), H5P_DEFAULT) <= 0) {
      return;
    }
    const std::string attempt = "read the dataset " + name;
    const Hdf5Handle dataset(check(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), attempt), H5Dclose);
    const Hdf5Handle space(check(H5Dget_space(dataset.get()), attempt), H5Sclose);
    const Hdf5Handle type = text_type();
    std::vector<char*> texts(extents<1>(dataset)[0], nullptr);
    check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()), attempt);
    for (const char* text : texts) {
      features.keys.emplace_back(text == nullptr ? "" : text);
    }
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, texts.data());
  }

  void read_metadata(Hdf5Features& features) const {
    constexpr std::size_t kLongestName = 256;
    const Hdf5Handle root(check(H5Gopen2(file_.get(), "/", H5P_DEFAULT), "open the root"), H5Gclose);
    const int count = check(H5Aget_num_attrs(root.get()), "count the attributes");
    for (int i = 0; i < count; ++i) {
      const Hdf5Handle attribute(check(H5Aopen_by_idx(root.get(), ".", H5_INDEX_NAME, H5_ITER_INC,
                                                      static_cast<hsize_t>(i), H5P_DEFAULT, H5P_DEFAULT),
                                       "open an attribute"),
                                 H5Aclose);
      const Hdf5Handle stored(check(H5Aget_type(attribute.get()), "read its type"), H5Tclose);
      const Hdf5Handle space(check(H5Aget_space(attribute.get()), "read its shape"), H5Sclose);
      if (H5Tis_variable_str(stored.get()) <= 0 || H5Sget_simple_extent_npoints(space.get()) != 1) {
        continue;
      }
      std::array<char, kLongestName> name{};
      check(H5Aget_name(attribute.get(), name.size(), name.data()), "read its name");
      const Hdf5Handle type = text_type();
      char* text = nullptr;
      check(H5Aread(attribute.get(), type.get(), static_cast<void*>(&text)), "read an attribute");
      features.metadata.emplace(name.data(), text == nullptr ? "" : text);
      H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, static_cast<void*>(&text));
    }
  }

 private:
  template <std::size_t kDimensions>
  std::array<hsize_t, kDimensions> extents(const Hdf5Handle& dataset) const {
    const Hdf5Handle space(check(H5Dget_space(dataset.get()), "read a shape"), H5Sclose);
    std::array<hsize_t, kDimensions> shape{};
    if (H5Sget_simple_extent_ndims(space.get()) != static_cast<int>(kDimensions)) {
      throw InputError(path_ + ": a dataset has another number of dimensions than expected");
    }
    H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
    // A dataset without values on disk may claim any size. The size is therefore limited by the stored bytes.
    constexpr hsize_t kSmallestElement = 2;
    hsize_t elements = 1;
    for (const hsize_t extent : shape) {
      if (__builtin_mul_overflow(elements, extent, &elements)) {
        throw InputError(path_ + ": a dataset is too large. The file is damaged");
      }
    }
    if (elements / 1024 > H5Dget_storage_size(dataset.get()) / kSmallestElement) {
      throw InputError(path_ + ": a dataset has fewer numbers than its shape says. The file is damaged");
    }
    return shape;
  }

  template <typename Result>
  Result check(Result result, const std::string& attempt) const {
    return hdf5_check<InputError>(result, path_, attempt);
  }

  std::string path_;
  Hdf5Handle file_;
};

}  // namespace

void write_hdf5_features(const std::filesystem::path& path, std::size_t columns,
                         std::span<const float> numbers, const std::vector<std::string>& keys,
                         const std::string& keys_name, const std::map<std::string, std::string>& metadata) {
  if (columns == 0 || numbers.size() % columns != 0 ||
      (!keys.empty() && keys.size() != numbers.size() / columns)) {
    throw Error(path.string() + ": the numbers are not whole rows, or rows and keys differ in number");
  }
  const Hdf5Silence silence;
  replace_file(path, [&](const std::filesystem::path& temporary) {
    FeaturesWriter writer(temporary, path.string());
    const hsize_t shape[] = {numbers.size() / columns, columns};
    writer.write(kFeatures, shape, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, numbers.data());
    if (!keys.empty()) {
      std::vector<const char*> texts;
      texts.reserve(keys.size());
      for (const std::string& key : keys) {
        texts.push_back(key.c_str());
      }
      const Hdf5Handle type = text_type();
      writer.write(keys_name.c_str(), std::span(shape).first(1), type.get(), type.get(), texts.data());
    }
    for (const auto& [name, text] : metadata) {
      writer.write_attribute(name, text);
    }
    writer.finish();
  });
}

Hdf5Features read_hdf5_features(const std::filesystem::path& path, const std::string& keys_name) {
  const Hdf5Silence silence;
  const FeaturesReader reader(path.string());
  Hdf5Features features;
  reader.read_numbers(features);
  reader.read_keys(keys_name, features);
  reader.read_metadata(features);
  if (!features.keys.empty() && features.columns != 0 &&
      features.keys.size() != features.numbers.size() / features.columns) {
    throw InputError(path.string() + ": features and " + keys_name + " differ in their number of rows");
  }
  return features;
}

}  // namespace molgauge::io
