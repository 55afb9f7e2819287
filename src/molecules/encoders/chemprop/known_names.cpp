#include "molecules/encoders/chemprop/known_names.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::encoders::chemprop {
namespace {

using io::PickleRef;

constexpr std::array<std::string_view, 14> kPackages = {"torch",
                                                        "torchmetrics",
                                                        "lightning",
                                                        "lightning_fabric",
                                                        "lightning_utilities",
                                                        "pytorch_lightning",
                                                        "chemprop",
                                                        "numpy",
                                                        "collections",
                                                        "argparse",
                                                        "pathlib",
                                                        "copyreg",
                                                        "copy_reg",
                                                        "_codecs"};
constexpr std::array<std::string_view, 14> kBuiltins = {"set",   "frozenset", "list",    "dict",  "tuple",
                                                        "int",   "float",     "bool",    "str",   "complex",
                                                        "bytes", "bytearray", "getattr", "object"};

bool is_known(const io::PickleGlobal& name) {
  const std::string_view package = std::string_view(name.module).substr(0, name.module.find('.'));
  if (package == "builtins" || package == "__builtin__") {
    return std::find(kBuiltins.begin(), kBuiltins.end(), name.name) != kBuiltins.end();
  }
  return std::find(kPackages.begin(), kPackages.end(), package) != kPackages.end();
}

/// Visits every value once.
class Walk {
 public:
  explicit Walk(std::string file) : file_(std::move(file)) {}

  void visit_all(PickleRef root) {
    add(root);
    while (!waiting_.empty()) {
      const PickleRef value = waiting_.back();
      waiting_.pop_back();
      std::visit([this](const auto& own) { look_at(own); }, value->value);
    }
  }

 private:
  using Entries = std::vector<std::pair<PickleRef, PickleRef>>;

  void add(PickleRef value) {
    if (value != nullptr && seen_.insert(value).second) {
      waiting_.push_back(value);
    }
  }
  void add(const std::vector<PickleRef>& values) {
    std::for_each(values.begin(), values.end(), [this](PickleRef value) { add(value); });
  }
  void add(const Entries& entries) {
    for (const auto& [key, value] : entries) {
      add(key);
      add(value);
    }
  }

  void look_at(const io::PickleList& list) { add(list.items); }
  void look_at(const io::PickleTuple& tuple) { add(tuple.items); }
  void look_at(const io::PickleSet& set) { add(set.items); }
  void look_at(const io::PickleDict& dict) { add(dict.entries); }
  void look_at(const io::PicklePersistent& persistent) { add(persistent.id); }
  void look_at(const io::PickleObject& object) {
    for (const PickleRef part : {object.callable, object.arguments, object.state}) {
      add(part);
    }
    add(object.items);
    add(object.entries);
  }
  void look_at(const io::PickleGlobal& name) {
    if (!is_known(name)) {
      throw InputError(
          fmt::format("{}: names {}.{}, which no model of chemprop needs and which torch.load() would "
                      "execute. Do not load this "
                      "file with torch.load(). Get the model from a source that you trust",
                      file_, name.module.substr(0, 60), name.name.substr(0, 60)));
    }
  }
  template <typename Plain>
  void look_at(const Plain& /*value*/) {}

  std::string file_;
  std::vector<PickleRef> waiting_;
  std::unordered_set<PickleRef> seen_;
};

}  // namespace

void require_known_names(const io::PickleDocument& document, const std::string& file) {
  Walk(file).visit_all(document.root());
}

}  // namespace molgauge::encoders::chemprop
