#include "io/checkpoint.h"

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "io/checkpoint_tensor.h"
#include "io/pickle_reader.h"
#include "io/zip.h"

namespace headroom::io {
namespace {

constexpr std::size_t kDeepest = 64;  // nested dicts and lists
constexpr std::size_t kMostVisits =
    5'000'000;                              // a small pickle can describe a value that takes forever to walk
constexpr std::uint64_t kMostSharing = 64;  // bytes that are copied for each byte of the file
// Python's pickle of the number 0x1950a86a20f9469cfc6c, with which torch.save began before 1.6.
constexpr std::string_view kLegacyMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14);

using Entries = std::vector<std::pair<PickleRef, PickleRef>>;

// The entries of a dict or of something that is filled like one (OrderedDict), else null.
const Entries* dict_entries(PickleRef value) {
  if (const auto* dict = value->as<PickleDict>()) {
    return &dict->entries;
  }
  const auto* object = value->as<PickleObject>();
  const auto* type = object == nullptr ? nullptr : object->callable->as<PickleGlobal>();
  const bool is_dict = type != nullptr && type->module == "collections" &&
                       (type->name == "OrderedDict" || type->name == "defaultdict");
  return is_dict ? &object->entries : nullptr;
}

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

// What of the outermost value is the model's.
PickleRef model_part(PickleRef root) {
  if (const Entries* entries = dict_entries(root)) {
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
  CheckpointReader(const ZipArchive& archive, std::string folder, const CheckpointLimits& limits)
      : archive_(archive), folder_(std::move(folder)), limits_(limits) {}

  TensorMap read() {
    require_little_endian();
    const std::string entry = folder_ + "data.pkl";
    const auto pickle = random_access_in_memory(archive_.file_name() + ": " + entry, archive_.read(entry));
    const PickleDocument document = read_pickle(*pickle);
    walk(model_part(document.root()), "", 0);
    if (tensors_.empty()) {
      fail("holds no tensors that could be read; save the weights with torch.save(model.state_dict(), path)");
    }
    return std::move(tensors_);
  }

 private:
  void require_little_endian() const {
    const std::string entry = folder_ + "byteorder";
    if (!archive_.contains(entry)) {
      return;  // before PyTorch 2.1 there was none
    }
    const auto order = archive_.read(entry);
    if (std::string_view(reinterpret_cast<const char*>(order.data()), order.size()) != "little") {
      fail("was saved on a big-endian machine; load and save it again on a little-endian one");
    }
  }

  void walk(PickleRef value, const std::string& name, std::size_t depth) {
    if (depth > kDeepest || ++visits_ > kMostVisits) {
      fail("is nested too deeply or has too many values, at " + name.substr(0, 100));
    }
    if (const auto view = describe_tensor(value, tensor_name(name))) {
      add(name, *view);
    } else if (const Entries* entries = dict_entries(value)) {
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
    const std::string what = tensor_name(name);
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

  // The last storage is kept: views of one storage stand together as a rule.
  const std::vector<std::byte>& storage(const std::string& key) {
    if (!storage_key_ || *storage_key_ != key) {
      require_proportion(archive_.size(folder_ + "data/" + key));
      storage_ = archive_.read(folder_ + "data/" + key);
      storage_key_ = key;
    }
    return storage_;
  }

  // A small file may not cause much copying.
  void require_proportion(std::uint64_t copied) {
    copied_ += copied;
    if (copied_ / kMostSharing > archive_.file_size()) {
      fail("has too many tensors that share storages; save clones of them");
    }
  }

  std::string tensor_name(const std::string& name) const { return archive_.file_name() + ": tensor " + name; }
  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(archive_.file_name() + ": " + reason);
  }

  const ZipArchive& archive_;
  std::string folder_;  ///< with "/", or empty
  const CheckpointLimits& limits_;
  TensorMap tensors_;
  std::uint64_t bytes_ = 0, copied_ = 0;
  std::size_t visits_ = 0;
  std::optional<std::string> storage_key_;
  std::vector<std::byte> storage_;
};

void require_zip(const RandomAccess& file) {
  std::array<std::byte, kLegacyMagic.size()> start{};
  if (file.size() < start.size()) {
    throw InputError(file.name() + ": is too short for a PyTorch checkpoint; it is truncated, get it again");
  }
  file.read(0, start);
  if (std::memcmp(start.data(), kLegacyMagic.data(), kLegacyMagic.size()) == 0) {
    throw InputError(file.name() +
                     ": is in the format of PyTorch before 1.6; convert it where you trust it: python -c "
                     "\"import torch; torch.save(torch.load('old.pth', map_location='cpu'), 'new.pth')\"");
  }
  if (std::memcmp(start.data(), "PK\x03\x04", 4) != 0) {
    throw InputError(file.name() + ": is no PyTorch checkpoint (it does not start as torch.save's files do)");
  }
}

// Everything lies in one folder of the archive, named by whoever saved it.
std::string find_folder(const ZipArchive& archive) {
  constexpr std::string_view kPickle = "data.pkl";
  std::optional<std::string> folder;
  for (const std::string& name : archive.names()) {
    const bool in_folder = name.ends_with("/" + std::string(kPickle));
    if (name == kPickle || in_folder) {
      if (folder) {
        throw InputError(archive.file_name() + ": has two pickles, " + *folder + "data.pkl and " + name);
      }
      folder = name.substr(0, name.size() - kPickle.size());
    }
  }
  if (!folder) {
    throw InputError(archive.file_name() + ": is a zip archive without data.pkl, so no PyTorch checkpoint");
  }
  if (archive.contains(*folder + "constants.pkl")) {
    throw InputError(archive.file_name() +
                     ": is a TorchScript program; save its weights with "
                     "torch.save(torch.jit.load(path).state_dict(), 'weights.pth')");
  }
  return *folder;
}

}  // namespace

TensorMap read_checkpoint(const std::filesystem::path& path, const CheckpointLimits& limits) {
  return read_checkpoint(open_random_access(path), limits);
}

TensorMap read_checkpoint(std::unique_ptr<RandomAccess> file, const CheckpointLimits& limits) {
  require_zip(*file);
  const ZipArchive archive(std::move(file));
  return CheckpointReader(archive, find_folder(archive), limits).read();
}

}  // namespace headroom::io
