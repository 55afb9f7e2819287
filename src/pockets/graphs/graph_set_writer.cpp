#include "pockets/graphs/graph_set_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/hash.h"
#include "base/core/text/hexadecimal.h"
#include "base/io/bytes/random_access.h"
#include "base/io/tensors/safetensors.h"
#include "pockets/graphs/graph_file.h"
#include "pockets/graphs/manifest.h"

namespace molgauge::pocket {
namespace {

/// Description of how a graph file was built. A file with another description must be built again.
std::string text_of(const GraphSetOrigin& origin) {
  return nlohmann::ordered_json{{"version", 1},
                                {"source", origin.source},
                                {"force_field", origin.force_field},
                                {"cutoff", origin.cutoff},
                                {"pocket_cutoff", origin.pocket_cutoff},
                                {"reference_phases", origin.reference_phases}}
      .dump();
}

GraphEntry entry_of(const std::filesystem::path& file, const std::string& name, const std::string& made_from,
                    const Pockets& pocket) {
  const auto on_disk = io::open_random_access(file);
  const std::vector<std::byte> bytes = on_disk->read(0, on_disk->size());
  return {.name = name,
          .complex = complex_of(name),
          .made_from = made_from,
          .counts = counts_of(pocket),
          .bytes = bytes.size(),
          .checksum = to_hexadecimal(hash128({reinterpret_cast<const char*>(bytes.data()), bytes.size()}))};
}

void remove_graph(const std::filesystem::path& file) {
  std::error_code failure;
  std::filesystem::remove(file, failure);
  if (failure) {
    throw system_error(file.string(), "remove", failure.value());
  }
}

}  // namespace

GraphSetWriter::GraphSetWriter(const std::filesystem::path& folder, const GraphSetOrigin& origin)
    : folder_(folder), origin_(origin) {
  const auto manifest = folder / kManifestFile;
  if (std::filesystem::exists(manifest) && read_manifest(manifest).origin != origin) {
    throw InputError(folder.string() +
                     ": contains a graph set with other options. Choose another folder, or remove it");
  }
  make_folder(folder / "graphs");
  lock_ = std::make_unique<FolderLock>(folder);
}

std::optional<GraphEntry> GraphSetWriter::take_over(const std::string& name, const std::string& made_from) {
  if (!is_graph_name(name)) {
    return std::nullopt;
  }
  const auto file = graph_file(folder_, name);
  if (!std::filesystem::exists(file)) {
    return std::nullopt;
  }
  try {
    const io::SafetensorsFile content = io::read_safetensors(file);
    const auto made = content.metadata.find("made_from"), how = content.metadata.find("origin");
    if (made == content.metadata.end() || how == content.metadata.end() || made->second != made_from ||
        how->second != text_of(origin_)) {
      return std::nullopt;
    }
    const Pockets pocket = from_tensors(content.tensors, file.string());
    GraphEntry entry = entry_of(file, name, made_from, pocket);
    keep({entry, FeatureMoments::of(pocket.features)});
    return entry;
  } catch (const InputError&) {
    return std::nullopt;  // a damaged file is built again
  }
}

GraphEntry GraphSetWriter::add(const std::string& name, const std::string& made_from, const Pockets& pocket) {
  if (!is_graph_name(name)) {
    throw InputError(fmt::format(
        "'{}' cannot be the name of a graph. Use letters and digits, and -_.+ after the first character",
        name));
  }
  const auto file = graph_file(folder_, name);
  require_sound(pocket, name);
  io::write_safetensors(file, to_tensors(pocket), {{"made_from", made_from}, {"origin", text_of(origin_)}});
  GraphEntry entry = entry_of(file, name, made_from, pocket);
  keep({entry, FeatureMoments::of(pocket.features)});
  return entry;
}

void GraphSetWriter::keep(Finished finished) {
  const std::lock_guard lock(mutex_);
  const std::string name = finished.entry.name;
  if (!finished_.emplace(name, std::move(finished)).second) {
    throw InputError(fmt::format("two graphs have the name {}", name));
  }
}

void GraphSetWriter::drop(const std::string& name) {
  const std::lock_guard lock(mutex_);
  finished_.erase(name);
}

void GraphSetWriter::commit() {
  const std::lock_guard lock(mutex_);
  Manifest manifest{.origin = origin_, .normalization = {}, .atoms = 0, .graphs = {}};
  FeatureMoments moments;
  for (const auto& [name, finished] : finished_) {
    manifest.graphs.push_back(finished.entry);
    moments.add(finished.moments);
  }
  manifest.normalization = moments.normalization();
  manifest.atoms = moments.atoms;
  write_manifest(folder_ / kManifestFile, manifest);
  for (const auto& file : std::filesystem::directory_iterator(folder_ / "graphs")) {
    if (file.path().extension() == ".safetensors" && !finished_.contains(file.path().stem().string())) {
      remove_graph(file.path());
    }
  }
}

std::size_t GraphSetWriter::size() const {
  const std::lock_guard lock(mutex_);
  return finished_.size();
}

}  // namespace molgauge::pocket
