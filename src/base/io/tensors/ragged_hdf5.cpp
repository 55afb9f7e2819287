#include <fmt/format.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/hdf5_output.h"
#include "base/io/tensors/ragged.h"

namespace molgauge::io {
namespace {

class RaggedWriter {
 public:
  RaggedWriter(const std::filesystem::path& temporary, std::string path)
      : path_(std::move(path)), file_(temporary, path_) {}

  /// Writes a dataset [rows, columns]. `fill` provides the rows.
  void write_rows(const char* name, hsize_t rows, hsize_t columns, const FillRows& fill) {
    const hsize_t shape[] = {rows, columns};
    const Hdf5Handle dataset = file_.make_dataset(name, H5T_IEEE_F32LE, shape);
    hsize_t written = 0;
    fill([&](std::span<const float> some) {
      const hsize_t start[] = {written, 0}, count[] = {some.size() / columns, columns};
      if (some.size() % columns != 0 || count[0] > rows - written) {
        refuse(name, written + count[0], rows);
      }
      if (count[0] == 0) {
        return;
      }
      const Hdf5Handle all(check(H5Dget_space(dataset.get())), H5Sclose);
      check(H5Sselect_hyperslab(all.get(), H5S_SELECT_SET, start, nullptr, count, nullptr));
      const Hdf5Handle part(check(H5Screate_simple(2, count, nullptr)), H5Sclose);
      check(H5Dwrite(dataset.get(), H5T_NATIVE_FLOAT, part.get(), all.get(), H5P_DEFAULT, some.data()));
      written += count[0];
    });
    if (written != rows) {
      refuse(name, written, rows);
    }
  }

  void write_integers(const char* name, std::span<const std::int64_t> numbers) {
    const hsize_t shape[] = {numbers.size()};
    const Hdf5Handle dataset = file_.make_dataset(name, H5T_STD_I64LE, shape);
    check(H5Dwrite(dataset.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()));
  }

  void write_attribute(const std::string& name, const std::string& text) {
    write_text_attribute(file_.handle(), name, text, path_);
  }

  void finish() { file_.finish(); }

 private:
  [[noreturn]] void refuse(const char* name, hsize_t given, hsize_t wanted) const {
    throw Error(fmt::format("{}: {} rows were given for {}, which has {}", path_, given, name, wanted));
  }

  template <typename Result>
  Result check(Result result) const {
    return file_.check(result);
  }

  std::string path_;
  Hdf5Output file_;
};

}  // namespace

void write_ragged_hdf5(const std::filesystem::path& path, const Ragged& ragged, const FillRows& fill) {
  if (ragged.columns == 0 || ragged.offsets.empty()) {
    throw Error(path.string() + ": rows without columns, or offsets without their beginning");
  }
  const Hdf5Silence silence;
  replace_file(path, [&](const std::filesystem::path& temporary) {
    RaggedWriter writer(temporary, path.string());
    writer.write_rows("features", static_cast<hsize_t>(ragged.offsets.back()), ragged.columns, fill);
    writer.write_integers("offsets", ragged.offsets);
    for (const auto& [name, text] : ragged.metadata) {
      writer.write_attribute(name, text);
    }
    writer.finish();
  });
}

}  // namespace molgauge::io
