#include "base/io/tensors/checkpoint_options.h"

#include "base/io/pickle/pickle_lookup.h"
#include "base/io/tensors/checkpoint_archive.h"

namespace molgauge::io {
namespace {

using nlohmann::json;

/// Converts a text, number, boolean or None to JSON. Returns a discarded value for other types.
json scalar(PickleRef value) {
  if (const auto* text = value->as<std::string>()) {
    return *text;
  }
  if (const auto* integer = value->as<std::int64_t>()) {
    return *integer;
  }
  if (const auto* number = value->as<double>()) {
    return *number;
  }
  if (const auto* truth = value->as<bool>()) {
    return *truth;
  }
  return value->as<PickleNone>() != nullptr ? json(nullptr) : json(json::value_t::discarded);
}

json option(PickleRef value) {
  const auto* list = value->as<PickleList>();
  if (list == nullptr) {
    return scalar(value);
  }
  json items = json::array();
  for (const PickleRef item : list->items) {
    json read = scalar(item);
    if (read.is_discarded()) {
      return read;
    }
    items.push_back(std::move(read));
  }
  return items;
}

/// Finds the options in the state of a Namespace, or in the entries of a dict.
const PickleEntries* option_entries(PickleRef arguments) {
  const auto* object = arguments->as<PickleObject>();
  const auto* type = object == nullptr ? nullptr : object->callable->as<PickleGlobal>();
  if (type != nullptr && type->module == "argparse" && type->name == "Namespace" &&
      object->state != nullptr) {
    return dict_entries(object->state);
  }
  return dict_entries(arguments);
}

}  // namespace

json read_checkpoint_options(const std::filesystem::path& path) {
  const CheckpointArchive archive(open_random_access(path));
  const PickleDocument document = archive.structure(kModelLimits);
  json options = json::object();
  const PickleEntries* outermost = dict_entries(document.root());
  const PickleRef arguments = outermost == nullptr ? nullptr : find_entry(*outermost, "args");
  const PickleEntries* entries = arguments == nullptr ? nullptr : option_entries(arguments);
  if (entries == nullptr) {
    return options;
  }
  for (const auto& [key, value] : *entries) {
    const auto* name = key->as<std::string>();
    json read = option(value);
    if (name != nullptr && !read.is_discarded()) {
      options[*name] = std::move(read);
    }
  }
  return options;
}

}  // namespace molgauge::io
