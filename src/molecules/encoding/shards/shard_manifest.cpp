#include "molecules/encoding/shards/shard_manifest.h"

#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"

namespace molgauge::pipeline {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "molgauge shard";
constexpr std::size_t kVersion = 1;
constexpr const char* kShardRemedy = "Remove the folder of this shard and encode it again";

io::DataType number_type_of(const std::string& name) {
  for (const io::DataType type : {io::DataType::float16, io::DataType::float32}) {
    if (name == io::to_string(type)) {
      return type;
    }
  }
  throw InputError("the number type '" + name + "' is neither float16 nor float32");
}

Json json_of(const ShardPart& part, std::size_t number) {
  const std::filesystem::path file = part_path({}, number);
  Json json = {
      {"file", file.string()}, {"rows", part.rows}, {"failed", part.failed}, {"xxh128", part.checksum}};
  if (part.failed > 0) {
    json["failures_xxh128"] = part.failures_checksum;
  }
  return json;
}

Json json_of(const ShardManifest& manifest) {
  const ShardWork& work = manifest.work;
  Json json = {{"format", kFormat},
               {"version", kVersion},
               {"shard", work.shard.number},
               {"shards", work.shard.count},
               {"complete", manifest.is_complete},
               {"rows", manifest.rows()},
               {"failed", manifest.failed()},
               {"type", io::to_string(work.number_type)},
               {"width", work.space.width},
               {"part_rows", work.part_rows},
               {"encoder",
                {{"name", work.space.encoder},
                 {"weights_sha256", work.space.weights_sha256},
                 {"options", work.space.options},
                 {"random_weights", work.random_weights}}},
               {"input",
                {{"file", work.input},
                 {"bytes", work.input_bytes},
                 {"xxh128", work.input_checksum},
                 {"smiles_column", work.smiles_column}}},
               {"parts", Json::array()}};
  for (std::size_t part = 0; part < manifest.parts.size(); ++part) {
    json["parts"].push_back(json_of(manifest.parts[part], part));
  }
  return json;
}

template <typename Value>
Value field(const Json& json, const char* name) {
  return checked<Value>(json.at(name));
}

ShardManifest manifest_of(const Json& json) {
  if (field<std::string>(json, "format") != kFormat || field<std::size_t>(json, "version") != kVersion) {
    throw InputError("is not a manifest of this version of Molgauge");
  }
  const Json& encoder = json.at("encoder");
  const Json& input = json.at("input");
  ShardManifest manifest;
  manifest.is_complete = field<bool>(json, "complete");
  manifest.work = {
      .shard = {field<std::size_t>(json, "shard"), field<std::size_t>(json, "shards")},
      .part_rows = field<std::size_t>(json, "part_rows"),
      .number_type = number_type_of(field<std::string>(json, "type")),
      .space = {field<std::string>(encoder, "name"), field<std::string>(encoder, "weights_sha256"),
                field<std::string>(encoder, "options"), field<std::size_t>(json, "width")},
      .random_weights = field<std::string>(encoder, "random_weights"),
      .input = field<std::string>(input, "file"),
      .input_bytes = field<std::uint64_t>(input, "bytes"),
      .input_checksum = field<std::string>(input, "xxh128"),
      .smiles_column = field<std::string>(input, "smiles_column"),
  };
  for (const Json& part : json.at("parts")) {
    const auto failed = field<std::size_t>(part, "failed");
    manifest.parts.push_back({field<std::size_t>(part, "rows"), failed, field<std::string>(part, "xxh128"),
                              failed > 0 ? field<std::string>(part, "failures_xxh128") : ""});
  }
  return manifest;
}

/// Throws InputError if the numbers contradict each other.
void require_consistent(const ShardManifest& manifest) {
  const ShardWork& work = manifest.work;
  bool is_sound = work.shard.number >= 1 && work.shard.number <= work.shard.count &&
                  work.shard.count <= kMaxShards && work.part_rows > 0 && work.space.width > 0 &&
                  work.space.width <= store::kWidestRow;
  for (const ShardPart& part : manifest.parts) {
    is_sound = is_sound && part.rows > 0 && part.rows <= work.part_rows && part.failed <= part.rows;
  }
  if (!is_sound) {
    throw InputError("its numbers contradict each other");
  }
}

}  // namespace

std::string ShardWork::difference(const ShardWork& other) const {
  if (input_bytes != other.input_bytes || input_checksum != other.input_checksum) {
    return fmt::format("the input differs ({} with {} bytes, {} with {} bytes)", input, input_bytes,
                       other.input, other.input_bytes);
  }
  const auto differs = [](const std::string& what, const auto& one, const auto& another) {
    return one == another ? std::string()
                          : fmt::format("{} is not the same ('{}', '{}')", what, one, another);
  };
  for (const std::string& found :
       {differs("the number of shards", shard.count, other.shard.count),
        differs("--smiles-column", smiles_column, other.smiles_column),
        differs("--part-rows", part_rows, other.part_rows),
        differs("--part-type", io::to_string(number_type), io::to_string(other.number_type)),
        differs("the encoder", space.encoder, other.space.encoder),
        differs("the hash of the encoder's weights", space.weights_sha256, other.space.weights_sha256),
        differs("the encoder's options", space.options, other.space.options),
        differs("the encoder's random weights", random_weights, other.random_weights),
        differs("the width of a row", space.width, other.space.width)}) {
    if (!found.empty()) {
      return found;
    }
  }
  return {};
}

std::size_t ShardManifest::rows() const {
  return std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                         [](std::size_t sum, const ShardPart& part) { return sum + part.rows; });
}

std::size_t ShardManifest::failed() const {
  return std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                         [](std::size_t sum, const ShardPart& part) { return sum + part.failed; });
}

std::filesystem::path manifest_path(const std::filesystem::path& shard_folder) {
  return shard_folder / "manifest.json";
}

std::filesystem::path part_path(const std::filesystem::path& shard_folder, std::size_t part) {
  return shard_folder / fmt::format("part-{:06}.npy", part);
}

std::optional<ShardManifest> read_manifest(const std::filesystem::path& shard_folder) {
  const std::filesystem::path path = manifest_path(shard_folder);
  if (!std::filesystem::exists(path)) {
    return std::nullopt;
  }
  require_intact(path, kShardRemedy);
  try {
    ShardManifest manifest = manifest_of(parse_json<Json>(read_file(path)));
    require_consistent(manifest);
    return manifest;
  } catch (const nlohmann::json::exception& problem) {
    throw InputError(fmt::format("{}: {}. {}", path.string(), json_problem(problem), kShardRemedy));
  } catch (const InputError& problem) {
    const std::string text = problem.what();
    throw text.starts_with(path.string())
        ? problem
        : InputError(fmt::format("{}: {}. {}", path.string(), text, kShardRemedy));
  }
}

void write_manifest(const std::filesystem::path& shard_folder, const ShardManifest& manifest) {
  replace_file(manifest_path(shard_folder), json_of(manifest).dump(1) + "\n");
}

}  // namespace molgauge::pipeline
