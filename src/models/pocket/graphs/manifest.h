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
  std::int64_t atoms = 0;  ///< number of atoms of all graphs
  std::vector<GraphEntry> graphs;
};

inline constexpr const char* kManifestFile = "manifest.json";

/// Throws InputError with the file and the reason: a missing file, another format, a later version, an
/// invalid file name, a duplicate graph, or impossible numbers.
Manifest read_manifest(const std::filesystem::path& file);

/// Replaces the file atomically, unless it has this content already.
void write_manifest(const std::filesystem::path& file, const Manifest& manifest);

/// Returns whether a name is valid for a graph: letters, digits, and -_.+ after the first character, 200
/// characters at most.
bool is_graph_name(const std::string& name);

}  // namespace headroom::pocket
