// `molgauge store export`.

#include <cstring>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/text/hexadecimal.h"
#include "base/io/tensors/hdf5.h"
#include "base/io/tensors/npy.h"
#include "base/io/tensors/safetensors.h"
#include "base/options/verb.h"
#include "base/runtime/folders.h"
#include "molecules/store/blobs/blob_store.h"
#include "molecules/store/features/feature_store.h"
#include "molecules/verbs/shared_fields.h"

namespace molgauge::verbs {
namespace {

/// Returns the table `name`. If `name` is empty, returns the only table of the store.
store::FeatureTable choose_table(const store::FeatureStore& features, const std::string& name) {
  if (!name.empty()) {
    return features.table(name);
  }
  const auto report = features.report();
  if (report.tables.size() == 1) {
    return features.table(report.tables.front().name);
  }
  if (report.tables.empty()) {
    throw InputError(report.folder.string() + ": the store is empty. Fill it with: molgauge encode");
  }
  std::string names;
  for (const auto& table : report.tables) {
    names += "\n  " + table.name;
  }
  throw UsageError("the store holds several databases. Choose one with --database:" + names);
}

struct Rows {
  std::vector<std::string> keys;  ///< each key has 32 hexadecimal digits
  std::vector<float> numbers;     ///< row-major [keys.size(), width]
};

Rows read_rows(const store::FeatureTable& table) {
  Rows rows;
  table.for_each([&](const Hash128& key, std::span<const float> row) {
    rows.keys.push_back(to_hexadecimal(key));
    rows.numbers.insert(rows.numbers.end(), row.begin(), row.end());
  });
  return rows;
}

/// Exports values of varying size as three tensors. `values` uint8 [bytes] holds the concatenated values.
/// `ends` int64 [n] holds the offset in `values` at which each value ends. `keys` uint8 [n, 16] holds the
/// keys.
std::size_t export_blobs(const store::BlobTable& table, const std::filesystem::path& out) {
  if (out.extension() != ".safetensors") {
    throw UsageError(out.string() + ": values of varying size cannot be exported to '" +
                     out.extension().string() + "'. Choose .safetensors");
  }
  io::TensorData values, ends, keys;
  values.type = keys.type = io::DataType::uint8;
  ends.type = io::DataType::int64;
  table.for_each([&](const Hash128& key, std::span<const std::byte> blob) {
    values.bytes.insert(values.bytes.end(), blob.begin(), blob.end());
    const auto end = static_cast<std::int64_t>(values.bytes.size());
    const auto end_bytes = std::as_bytes(std::span(&end, 1));
    const auto key_bytes = std::as_bytes(std::span(key));
    ends.bytes.insert(ends.bytes.end(), end_bytes.begin(), end_bytes.end());
    keys.bytes.insert(keys.bytes.end(), key_bytes.begin(), key_bytes.end());
  });
  const std::size_t count = ends.bytes.size() / sizeof(std::int64_t);
  values.shape = {static_cast<std::int64_t>(values.bytes.size())};
  ends.shape = {static_cast<std::int64_t>(count)};
  keys.shape = {static_cast<std::int64_t>(count), static_cast<std::int64_t>(sizeof(Hash128))};
  io::write_safetensors(out, {{"values", values}, {"ends", ends}, {"keys", keys}},
                        {{"space", store::to_json(table.space())}});
  return count;
}

/// Returns the keys as a uint8 tensor [rows, 16], because safetensors has no strings.
io::TensorData key_bytes(const std::vector<std::string>& keys) {
  io::TensorData tensor;
  tensor.type = io::DataType::uint8;
  tensor.shape = {static_cast<std::int64_t>(keys.size()), 16};
  for (const auto& key : keys) {
    for (std::size_t i = 0; i < key.size(); i += 2) {
      tensor.bytes.push_back(static_cast<std::byte>(std::stoi(key.substr(i, 2), nullptr, 16)));
    }
  }
  return tensor;
}

void write_npy_and_keys(const std::filesystem::path& out, const Rows& rows, std::size_t width) {
  std::string keys;
  for (const auto& key : rows.keys) {
    keys += key + "\n";
  }
  replace_file(std::filesystem::path(out).replace_extension(".keys.txt"), keys);
  io::write_npy(out, width, rows.numbers);
}

StoreRows store_export(const ExportStoreRequest& request) {
  const std::string& database = request.database;
  const std::string& out = request.out;
  const auto folder = runtime::store_folder(request.store);
  const std::filesystem::path path = out;
  const std::string extension = path.extension().string();
  if (extension != ".npy" && extension != ".safetensors" && extension != ".h5") {
    throw UsageError(out + ": cannot export to '" + extension + "'. Choose .npy, .safetensors or .h5");
  }
  const auto features = store::FeatureStore::open(folder, store::Access::read);
  if (const auto blobs = store::BlobStore::open(folder, store::Access::read).find(database)) {
    return {export_blobs(*blobs, path)};
  }
  const auto table = choose_table(features, database);
  const std::size_t width = table.space().width;
  const Rows rows = read_rows(table);
  if (extension == ".npy") {
    write_npy_and_keys(path, rows, width);
  } else if (extension == ".h5") {
    io::write_hdf5_features(path, width, rows.numbers, rows.keys);
  } else {
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(rows.keys.size()),
                                             static_cast<std::int64_t>(width)};
    io::write_safetensors(path,
                          {{"features", io::TensorData::from_float32(shape, rows.numbers.data())},
                           {"keys", key_bytes(rows.keys)}},
                          {{"space", store::to_json(table.space())}});
  }
  return {rows.keys.size()};
}

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

template <>
verbs::Verb verbs::verb<ExportStoreRequest>() {
  return row<ExportStoreRequest>("store_export", store_export);
}

}  // namespace molgauge
