#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pockets/graphs/graph_set.h"

/// manifest.json of a graph set.
namespace molgauge::pocket {

struct Manifest {
  GraphSetOrigin origin;
  FeatureNormalization normalization;
  std::int64_t atoms = 0;  ///< number of atoms of all graphs
  std::vector<GraphEntry> graphs;
};

inline constexpr const char* kManifestFile = "manifest.json";

/// Reads a manifest. Throws InputError with the file and the reason if the file is missing, has another
/// format or a later version, or contains an invalid file name, a duplicate graph or impossible numbers.
Manifest read_manifest(const std::filesystem::path& file);

/// Replaces the file atomically, unless it has this content already.
void write_manifest(const std::filesystem::path& file, const Manifest& manifest);

/// Returns whether a name is a valid graph name. It may contain letters, digits and, after the first
/// character, -_.+ as well. It may have at most 200 characters.
bool is_graph_name(const std::string& name);

}  // namespace molgauge::pocket
