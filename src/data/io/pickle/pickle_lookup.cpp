#include "data/io/pickle/pickle_lookup.h"

namespace headroom::io {

const PickleEntries* dict_entries(PickleRef value) {
  if (const auto* dict = value->as<PickleDict>()) {
    return &dict->entries;
  }
  const auto* object = value->as<PickleObject>();
  const auto* type = object == nullptr ? nullptr : object->callable->as<PickleGlobal>();
  const bool is_dict = type != nullptr && type->module == "collections" &&
                       (type->name == "OrderedDict" || type->name == "defaultdict");
  return is_dict ? &object->entries : nullptr;
}

PickleRef find_entry(const PickleEntries& entries, std::string_view key) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const auto* text = entry->first->as<std::string>();
    if (text != nullptr && *text == key) {
      return entry->second;
    }
  }
  return nullptr;
}

}  // namespace headroom::io
