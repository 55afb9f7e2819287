#include "base/io/tensors/good_processed.h"

#include <cmath>

#include "base/core/error.h"
#include "base/io/pickle/pickle_lookup.h"
#include "base/io/tensors/checkpoint_archive.h"
#include "base/io/tensors/checkpoint_tensor.h"
#include "base/io/tensors/geometric_data.h"

namespace molgauge::io {
namespace {

class ProcessedFile {
 public:
  explicit ProcessedFile(const std::filesystem::path& path)
      : archive_(open_random_access(path)),
        document_(archive_.structure()),
        attributes_(attributes_of(document_.root())) {}

  GoodProcessed read() const {
    GoodProcessed read;
    read.smiles = texts("smiles");
    const TensorData labels = tensor(require("y"), "y");
    const auto rows = static_cast<std::int64_t>(read.smiles.size());
    if (labels.shape.empty() || labels.shape[0] != rows) {
      fail("y has another number of rows than smiles");
    }
    read.labels = labels.to_float32();
    read.tasks = read.smiles.empty() ? 1 : read.labels.size() / read.smiles.size();
    read.domain_id = integers("domain_id", read.smiles.size());
    read.environment = integers("env_id", read.smiles.size());
    return read;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(archive_.file_name() + ": not a processed file of GOOD: " + reason +
                     ". Make the benchmark from the CSV of its molecules with molgauge split");
  }

  const PickleEntries& attributes_of(PickleRef root) const {
    const auto* pair = root == nullptr ? nullptr : root->as<PickleTuple>();
    if (pair == nullptr || pair->items.empty()) {
      fail("it holds no pair of data and slices");
    }
    const PickleEntries* entries = geometric_attributes(pair->items[0]);
    if (entries == nullptr) {
      fail("its data have no attributes");
    }
    return *entries;
  }

  PickleRef require(const char* name) const {
    const PickleRef value = find_entry(attributes_, name);
    if (value == nullptr) {
      fail(std::string("its data have no ") + name);
    }
    return value;
  }

  std::vector<std::string> texts(const char* name) const {
    const auto* list = require(name)->as<PickleList>();
    if (list == nullptr) {
      fail(std::string(name) + " is not a list");
    }
    std::vector<std::string> texts;
    for (const PickleRef item : list->items) {
      const auto* text = item->as<std::string>();
      if (text == nullptr) {
        fail(std::string(name) + " holds something that is not a text");
      }
      texts.push_back(*text);
    }
    return texts;
  }

  TensorData tensor(PickleRef value, const char* name) const {
    const std::string what = archive_.file_name() + ": " + name;
    const auto view = describe_tensor(value, what);
    if (!view) {
      fail(std::string(name) + " is not a tensor");
    }
    return gather(*view, archive_.read("data/" + view->storage), what);
  }

  /// Returns whole numbers, one for each molecule. The list is empty if the attribute is absent.
  std::vector<std::int64_t> integers(const char* name, std::size_t count) const {
    const PickleRef value = find_entry(attributes_, name);
    if (value == nullptr || value->as<PickleNone>() != nullptr) {
      return {};
    }
    std::vector<std::int64_t> numbers;
    for (const float number : tensor(value, name).to_float32()) {
      numbers.push_back(std::lround(number));
    }
    if (numbers.size() != count) {
      fail(std::string(name) + " has another number of rows than smiles");
    }
    return numbers;
  }

  CheckpointArchive archive_;
  PickleDocument document_;
  const PickleEntries& attributes_;
};

}  // namespace

GoodProcessed read_good_processed(const std::filesystem::path& path) { return ProcessedFile(path).read(); }

}  // namespace molgauge::io
