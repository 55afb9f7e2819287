#include "base/io/pickle/pickle_lookup.h"

#include <algorithm>

namespace molgauge::io {

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
  const auto last =
      std::find_if(entries.rbegin(), entries.rend(), [&](const PickleEntries::value_type& entry) {
        const auto* text = entry.first->as<std::string>();
        return text != nullptr && *text == key;
      });
  return last == entries.rend() ? nullptr : last->second;
}

}  // namespace molgauge::io
