#include "base/io/tensors/geometric_data.h"

#include "base/core/error.h"
#include "base/io/tensors/checkpoint_archive.h"
#include "base/io/tensors/checkpoint_tensor.h"

namespace molgauge::io {
namespace {

/// Maximum bytes of tensors for each byte of the file. Without this limit, many views of one storage could
/// fill the memory.
constexpr std::uint64_t kMaxCopied = 64;

}  // namespace

const PickleEntries* geometric_attributes(PickleRef data) {
  for (const char* layer : {"_store", "_mapping"}) {
    const auto* object = data->as<PickleObject>();
    const PickleEntries* state =
        object == nullptr || object->state == nullptr ? nullptr : dict_entries(object->state);
    if (const PickleRef inner = state == nullptr ? nullptr : find_entry(*state, layer)) {
      data = inner;
    }
  }
  return dict_entries(data);
}

TensorMap read_geometric_data(const std::filesystem::path& path) {
  const CheckpointArchive archive(open_random_access(path));
  const PickleDocument document = archive.structure();
  const PickleEntries* attributes =
      document.root() == nullptr ? nullptr : geometric_attributes(document.root());
  if (attributes == nullptr) {
    throw InputError(archive.file_name() + ": holds no graph of PyTorch Geometric");
  }
  TensorMap tensors;
  std::uint64_t bytes = 0;
  for (const auto& [key, value] : *attributes) {
    const auto* name = key->as<std::string>();
    if (name == nullptr) {
      continue;
    }
    const std::string what = archive.file_name() + ": tensor " + *name;
    if (const auto view = describe_tensor(value, what)) {
      const std::vector<std::byte> storage = archive.read("data/" + view->storage);
      bytes += storage.size();
      if (bytes / kMaxCopied > archive.file_size()) {
        throw InputError(archive.file_name() +
                         ": has too many tensors that share storages. Save clones of them");
      }
      tensors.insert_or_assign(*name, gather(*view, storage, what));
    }
  }
  return tensors;
}

}  // namespace molgauge::io
