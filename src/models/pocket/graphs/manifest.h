#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/pocket/graphs/graph_set.h"

/// manifest.json of a graph set.
namespace headroom::pocket {

struct Manifest {
  GraphSetOrigin origin;
  FeatureNormalization normalization;
  std::int64_t atoms = 0;  ///< of all graphs
  std::vector<GraphEntry> graphs;
};

inline constexpr const char* kManifestFile = "manifest.json";

/// Throws InputError naming the file and the reason: no such file, another format, a later version, a name
/// that is no file name, a graph that stands there twice, numbers that cannot be.
Manifest read_manifest(const std::filesystem::path& file);

/// Replaces the file atomically, unless it has this content already.
void write_manifest(const std::filesystem::path& file, const Manifest& manifest);

/// Whether a name may be that of a graph: letters, digits, and -_.+ after the first character, 200 at most.
bool is_graph_name(const std::string& name);

}  // namespace headroom::pocket
