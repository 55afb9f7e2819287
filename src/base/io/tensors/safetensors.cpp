#include "base/io/tensors/safetensors.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/core/error.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/io/bytes/little_endian.h"
#include "base/io/bytes/staged_file.h"
#include "base/io/tensors/tensor_size.h"

namespace molgauge::io {
namespace {

/// Parses JSON and refuses objects with duplicate keys, because the library would silently keep the last
/// value of such a key. The text of the InputError starts with `what`.
nlohmann::json parse_json_with_unique_keys(std::string_view text, const std::string& what) {
  using Event = nlohmann::json::parse_event_t;
  std::vector<std::set<std::string>> open_objects;
  const auto watch_keys = [&](int, Event event, nlohmann::json& value) {
    if (event == Event::object_start) {
      open_objects.emplace_back();
    } else if (event == Event::object_end) {
      open_objects.pop_back();
    } else if (event == Event::key && !open_objects.back().insert(value.get<std::string>()).second) {
      throw InputError(what + ": has the key \"" + value.get<std::string>() +
                       "\" twice. The file is damaged");
    }
    return true;
  };
  try {
    require_shallow_json(text);
    return nlohmann::json::parse(text, watch_keys);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(what + ": " + json_problem(error));
  }
}

constexpr std::uint64_t kLengthBytes = 8;
// Maximum size of a header. It is sufficient for about 100,000 tensors. The reference implementation allows
// 100 MB, but parsing such a header would take gigabytes.
constexpr std::uint64_t kLargestHeader = std::uint64_t{16} << 20;
constexpr char kMetadata[] = "__metadata__";

constexpr std::pair<const char*, DataType> kTypeNames[] = {
    {"F16", DataType::float16},  {"BF16", DataType::bfloat16}, {"F32", DataType::float32},
    {"F64", DataType::float64},  {"I8", DataType::int8},       {"U8", DataType::uint8},
    {"I16", DataType::int16},    {"I32", DataType::int32},     {"I64", DataType::int64},
    {"BOOL", DataType::boolean},
};

struct Place {
  std::uint64_t begin, end;
  std::string name;
};

DataType type_from_name(const std::string& name, const std::string& what) {
  for (const auto& [known, type] : kTypeNames) {
    if (name == known) {
      return type;
    }
  }
  throw InputError(what + ": has the type " + name +
                   ", which is not supported. Convert the tensor to float32");
}

std::string name_of_type(DataType type) {
  return std::ranges::find(kTypeNames, type, [](const auto& entry) { return entry.second; })->first;
}

std::uint64_t read_header_length(const RandomAccess& file) {
  std::array<std::byte, kLengthBytes> bytes;
  file.read(0, bytes);
  const auto length = load_little_endian<std::uint64_t>(bytes.data());
  if (length > kLargestHeader || length > file.size() - kLengthBytes) {
    throw InputError(file.name() + ": is not a safetensors file, or is truncated (its header would have " +
                     std::to_string(length) + " bytes)");
  }
  return length;
}

std::map<std::string, std::string> parse_metadata(const nlohmann::json& metadata, const std::string& file) {
  std::map<std::string, std::string> texts;
  for (const auto& [key, value] : metadata.items()) {
    if (!metadata.is_object() || !value.is_string()) {
      throw InputError(file + ": its metadata are not texts by name. The file is damaged");
    }
    texts[key] = value.get<std::string>();
  }
  return texts;
}

// Type and shape of one tensor. Adds its byte range to `places`.
TensorData parse_entry(const std::string& name, const nlohmann::json& entry, const std::string& file,
                       std::vector<Place>& places) {
  const std::string what = file + ": tensor " + name;
  try {
    const nlohmann::json& range = entry.at("data_offsets");
    const std::array offsets = {checked<std::uint64_t>(range.at(0)), checked<std::uint64_t>(range.at(1))};
    if (range.size() != 2 || offsets[0] > offsets[1]) {
      throw InputError(what + ": its data_offsets are not a range. The file is damaged");
    }
    TensorData tensor{type_from_name(entry.at("dtype").get<std::string>(), what), {}, {}};
    for (const nlohmann::json& extent : entry.at("shape")) {
      if (!extent.is_number_integer()) {
        throw InputError(what + ": its shape is not a list of integers. The file is damaged");
      }
      tensor.shape.push_back(checked<std::int64_t>(extent));
    }
    const std::uint64_t size = checked_byte_size(tensor.type, tensor.shape, what);
    if (offsets[1] - offsets[0] != size) {
      throw InputError(what + ": the shape " + format_shape(tensor.shape) + " of " + to_string(tensor.type) +
                       " takes " + std::to_string(size) + " bytes, the file has " +
                       std::to_string(offsets[1] - offsets[0]) + ". It is damaged");
    }
    places.push_back({offsets[0], offsets[1], name});
    return tensor;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(what + ": its entry in the header is not as it must be (" + json_problem(error) + ")");
  }
}

void require_gapless(std::vector<Place>& places, std::uint64_t data_bytes, const std::string& file) {
  std::ranges::sort(places, {}, [](const Place& place) { return std::pair(place.begin, place.end); });
  std::uint64_t expected = 0;
  for (const Place& place : places) {
    if (place.begin != expected) {
      throw InputError(file + ": tensor " + place.name +
                       (place.begin < expected ? ": overlaps" : ": leaves a hole after") +
                       " the one before it. The file is damaged");
    }
    expected = place.end;
  }
  if (expected != data_bytes) {
    throw InputError(file + ": the tensors take " + std::to_string(expected) + " bytes, the file has " +
                     std::to_string(data_bytes) + ". It is truncated or damaged");
  }
}

}  // namespace

SafetensorsFile read_safetensors(const RandomAccess& file) {
  const std::uint64_t header_bytes = read_header_length(file);
  const auto header = file.read(kLengthBytes, header_bytes);
  const auto json = parse_json_with_unique_keys({reinterpret_cast<const char*>(header.data()), header.size()},
                                                file.name() + ": the safetensors header");
  if (!json.is_object()) {
    throw InputError(file.name() + ": the safetensors header is not a JSON object. The file is damaged");
  }
  SafetensorsFile content;
  std::vector<Place> places;
  for (const auto& [name, entry] : json.items()) {
    if (name == kMetadata) {
      content.metadata = parse_metadata(entry, file.name());
    } else {
      content.tensors.emplace(name, parse_entry(name, entry, file.name(), places));
    }
  }
  const std::uint64_t data_offset = kLengthBytes + header_bytes;
  require_gapless(places, file.size() - data_offset, file.name());
  for (const Place& place : places) {
    content.tensors.at(place.name).bytes = file.read(data_offset + place.begin, place.end - place.begin);
  }
  return content;
}

SafetensorsFile read_safetensors(const std::filesystem::path& path) {
  return read_safetensors(*open_random_access(path));
}

void write_safetensors(const std::filesystem::path& path, const TensorMap& tensors,
                       const std::map<std::string, std::string>& metadata) {
  std::vector<const TensorMap::value_type*> order;
  for (const auto& entry : tensors) {
    order.push_back(&entry);
  }
  std::ranges::stable_sort(order, std::greater<>(),
                           [](const auto* entry) { return element_size(entry->second.type); });

  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) {
    header[kMetadata] = metadata;
  }
  std::uint64_t offset = 0;
  for (const auto* entry : order) {
    const auto& [name, tensor] = *entry;
    if (checked_byte_size(tensor.type, tensor.shape, path.string() + ": tensor " + name) !=
        tensor.bytes.size()) {
      throw Error(path.string() + ": tensor " + name + ": its bytes do not fit its shape");
    }
    const std::uint64_t end = offset + tensor.bytes.size();
    header[name] = {
        {"dtype", name_of_type(tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = json_line(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::array<std::byte, kLengthBytes> length;
  store_little_endian<std::uint64_t>(length.data(), text.size());

  StagedFile file(path);
  file.append(length);
  file.append(text);
  for (const auto* entry : order) {
    file.append(entry->second.bytes);
  }
  file.commit();
}

}  // namespace molgauge::io
