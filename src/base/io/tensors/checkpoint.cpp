#include "base/io/tensors/checkpoint.h"

#include <optional>
#include <string>
#include <utility>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/io/pickle/pickle_lookup.h"
#include "base/io/tensors/checkpoint_archive.h"
#include "base/io/tensors/checkpoint_tensor.h"
#include "base/io/tensors/tensor_size.h"

namespace molgauge::io {
namespace {

constexpr std::size_t kDeepest = 64;           // maximum depth of nested dicts and lists
constexpr std::size_t kMaxVisits = 1'000'000;  // a small pickle can describe a value with an enormous number
                                               // of parts
constexpr std::uint64_t kMaxNames = std::uint64_t{32}
                                    << 20;  // maximum bytes of the names of all visited values
constexpr std::uint64_t kMaxSharing = 16;   // maximum number of copied bytes for each byte of the file
constexpr std::uint64_t kMaxKept = 4;       // maximum number of bytes of tensors for each byte of the file

const std::vector<PickleRef>* sequence_items(PickleRef value) {
  if (const auto* list = value->as<PickleList>()) {
    return &list->items;
  }
  const auto* tuple = value->as<PickleTuple>();
  return tuple == nullptr ? nullptr : &tuple->items;
}

std::optional<std::string> key_name(PickleRef key) {
  if (const auto* text = key->as<std::string>()) {
    return *text;
  }
  if (const auto* number = key->as<std::int64_t>()) {
    return std::to_string(*number);
  }
  return std::nullopt;
}

// The part of the outermost value that belongs to the model.
PickleRef model_part(PickleRef root) {
  if (const PickleEntries* entries = dict_entries(root)) {
    for (const char* wrapper : {"model_state_dict", "state_dict", "model"}) {
      for (const auto& [key, value] : *entries) {
        if (key_name(key) == wrapper && dict_entries(value) != nullptr) {
          return value;
        }
      }
    }
  }
  return root;
}

class CheckpointReader {
 public:
  CheckpointReader(const CheckpointArchive& archive, const CheckpointLimits& limits)
      : archive_(archive), limits_(limits) {}

  TensorMap read(const PickleDocument& structure) {
    require_little_endian();
    walk(model_part(structure.root()), "", 0);
    if (tensors_.empty()) {
      fail("holds no tensors that could be read. Save the weights with torch.save(model.state_dict(), path)");
    }
    return std::move(tensors_);
  }

 private:
  void require_little_endian() const {
    if (!archive_.contains("byteorder")) {
      return;  // PyTorch before 2.1 has no such entry
    }
    const auto order = archive_.read("byteorder");
    if (std::string_view(reinterpret_cast<const char*>(order.data()), order.size()) != "little") {
      fail("was saved on a big-endian machine. Load and save it again on a little-endian one");
    }
  }

  void walk(PickleRef value, const std::string& name, std::size_t depth) {
    named_ += name.size();
    if (depth > kDeepest || ++visits_ > kMaxVisits || named_ > kMaxNames) {
      fail("is nested too deeply or has too many values, at " + name.substr(0, 100));
    }
    if (visits_ % 1024 == 0) {
      throw_if_cancelled();
    }
    if (const auto view = describe_tensor(value, tensor_name(name))) {
      add(name, *view);
    } else if (const PickleEntries* entries = dict_entries(value)) {
      for (const auto& [key, item] : *entries) {
        if (const auto part = key_name(key)) {
          walk(item, name.empty() ? *part : name + "." + *part, depth + 1);
        }
      }
    } else if (const auto* items = sequence_items(value)) {
      for (std::size_t i = 0; i < items->size(); ++i) {
        walk((*items)[i], name.empty() ? std::to_string(i) : name + "." + std::to_string(i), depth + 1);
      }
    }
  }

  void add(const std::string& name, const TensorView& view) {
    throw_if_cancelled();
    const std::string what = tensor_name(name);
    if ((bytes_ + checked_byte_size(view.type, view.shape, what)) / kMaxKept > archive_.file_size()) {
      fail("has too many tensors that share storages. Save clones of them");
    }
    TensorData tensor = gather(view, storage(view.storage), what);
    bytes_ += tensor.bytes.size();
    if (tensors_.size() >= limits_.tensors || bytes_ > limits_.tensor_bytes) {
      fail("has more or larger tensors than are allowed");
    }
    require_proportion(tensor.bytes.size());
    if (!tensors_.emplace(name, std::move(tensor)).second) {
      fail("has two tensors named " + name);
    }
  }

  // Caches the last storage, because views of the same storage are usually adjacent.
  const std::vector<std::byte>& storage(const std::string& key) {
    if (!storage_key_ || *storage_key_ != key) {
      require_proportion(archive_.size("data/" + key));
      storage_ = archive_.read("data/" + key);
      storage_key_ = key;
    }
    return storage_;
  }

  // Throws if a small file would cause too much copying.
  void require_proportion(std::uint64_t copied) {
    copied_ += copied;
    if (copied_ / kMaxSharing > archive_.file_size()) {
      fail("has too many tensors that share storages. Save clones of them");
    }
  }

  std::string tensor_name(const std::string& name) const { return archive_.file_name() + ": tensor " + name; }
  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(archive_.file_name() + ": " + reason);
  }

  const CheckpointArchive& archive_;
  const CheckpointLimits& limits_;
  TensorMap tensors_;
  std::uint64_t bytes_ = 0, copied_ = 0, named_ = 0;
  std::size_t visits_ = 0;
  std::optional<std::string> storage_key_;
  std::vector<std::byte> storage_;
};

}  // namespace

TensorMap read_checkpoint(const std::filesystem::path& path, const CheckpointLimits& limits) {
  return read_checkpoint(open_random_access(path), limits);
}

TensorMap read_checkpoint(std::unique_ptr<RandomAccess> file, const CheckpointLimits& limits) {
  const CheckpointArchive archive(std::move(file));
  return read_checkpoint(archive, archive.structure(kModelLimits), limits);
}

TensorMap read_checkpoint(const CheckpointArchive& archive, const PickleDocument& structure,
                          const CheckpointLimits& limits) {
  return CheckpointReader(archive, limits).read(structure);
}

}  // namespace molgauge::io
