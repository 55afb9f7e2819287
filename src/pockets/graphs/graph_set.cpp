#include "pockets/graphs/graph_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/hash.h"
#include "base/core/text/hexadecimal.h"
#include "base/io/bytes/random_access.h"
#include "base/io/tensors/safetensors.h"
#include "pockets/graphs/graph_file.h"
#include "pockets/graphs/manifest.h"

namespace molgauge::pocket {

GraphCounts counts_of(const Pockets& pocket) {
  return {.atoms = pocket.features.size(0),
          .bonds = pocket.bonds.count(),
          .angles = pocket.angles.count(),
          .dihedrals = pocket.dihedrals.count(),
          .pairs = pocket.pairs.count()};
}

std::string complex_of(const std::string& name) {
  const std::size_t model = name.rfind("_model");
  const bool has_number = model != std::string::npos && model > 0 && model + 6 < name.size() &&
                          std::all_of(name.begin() + static_cast<std::ptrdiff_t>(model) + 6, name.end(),
                                      [](char letter) { return letter >= '0' && letter <= '9'; });
  return has_number ? name.substr(0, model) : name;
}

std::filesystem::path graph_file(const std::filesystem::path& folder, const std::string& name) {
  return folder / "graphs" / (name + ".safetensors");
}

GraphSet GraphSet::open(const std::filesystem::path& folder) {
  Manifest manifest = read_manifest(folder / kManifestFile);
  GraphSet set;
  set.folder_ = folder;
  set.origin_ = std::move(manifest.origin);
  set.normalization_ = manifest.normalization;
  set.graphs_ = std::move(manifest.graphs);
  for (std::size_t i = 0; i < set.graphs_.size(); ++i) {
    const GraphEntry& graph = set.graphs_[i];
    set.by_name_.emplace(graph.name, i);
    const auto file = graph_file(folder, graph.name);
    std::error_code failure;
    const std::uintmax_t bytes = std::filesystem::file_size(file, failure);
    if (failure || bytes != graph.bytes) {
      throw InputError(fmt::format(
          "{}: {}. Build the set again with molgauge pocket build", file.string(),
          failure ? "this file of the graph set is missing or cannot be read"
                  : fmt::format("has {} bytes, but {} according to the manifest", bytes, graph.bytes)));
    }
  }
  return set;
}

std::optional<std::size_t> GraphSet::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

Pockets GraphSet::load(std::size_t graph, const FeatureNormalization& normalization) const {
  Pockets pocket = load_measured(graph);
  normalization.apply(pocket.features);
  return pocket;
}

Pockets GraphSet::load_measured(std::size_t graph) const {
  const GraphEntry& entry = graphs_.at(graph);
  const std::string file = graph_file(folder_, entry.name).string();
  const auto on_disk = io::open_random_access(file);
  std::vector<std::byte> bytes = on_disk->read(0, on_disk->size());
  if (to_hexadecimal(hash128({reinterpret_cast<const char*>(bytes.data()), bytes.size()})) !=
      entry.checksum) {
    throw InputError(file + ": has changed since the graph set was built. Build it again");
  }
  const auto content = io::random_access_in_memory(file, std::move(bytes));
  Pockets pocket = from_tensors(io::read_safetensors(*content).tensors, file);
  if (counts_of(pocket) != entry.counts) {
    throw InputError(file + ": the numbers of atoms and terms differ from the manifest. Build the set again");
  }
  return pocket;
}

}  // namespace molgauge::pocket
