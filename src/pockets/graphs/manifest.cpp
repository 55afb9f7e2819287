#include "pockets/graphs/manifest.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/sealed_json.h"
#include "base/core/session/log.h"

namespace molgauge::pocket {
namespace {

constexpr const char* kFormat = "molgauge pocket graphs";
constexpr int kVersion = 2;
/// Version of manifests without a checksum of their content.

nlohmann::ordered_json to_json(const GraphEntry& graph) {
  return {
      {"name", graph.name},          {"complex", graph.complex},      {"atoms", graph.counts.atoms},
      {"bonds", graph.counts.bonds}, {"angles", graph.counts.angles}, {"dihedrals", graph.counts.dihedrals},
      {"pairs", graph.counts.pairs}, {"bytes", graph.bytes},          {"checksum", graph.checksum},
      {"made_from", graph.made_from}};
}

nlohmann::ordered_json to_json(const Manifest& manifest) {
  nlohmann::ordered_json graphs = nlohmann::ordered_json::array();
  for (const GraphEntry& graph : manifest.graphs) {
    graphs.push_back(to_json(graph));
  }
  return {{"format", kFormat},
          {"version", kVersion},
          {"origin",
           {{"source", manifest.origin.source},
            {"force_field", manifest.origin.force_field},
            {"cutoff", manifest.origin.cutoff},
            {"pocket_cutoff", manifest.origin.pocket_cutoff},
            {"reference_phases", manifest.origin.reference_phases}}},
          {"normalization",
           {{"features", {"charge", "atomic_number", "mass"}},
            {"mean", manifest.normalization.mean},
            {"deviation", manifest.normalization.deviation},
            {"atoms", manifest.atoms}}},
          {"graphs", std::move(graphs)}};
}

GraphEntry read_graph(const nlohmann::json& json) {
  GraphEntry graph;
  json.at("name").get_to(graph.name);
  json.at("complex").get_to(graph.complex);
  get_checked(json.at("atoms"), graph.counts.atoms);
  get_checked(json.at("bonds"), graph.counts.bonds);
  get_checked(json.at("angles"), graph.counts.angles);
  get_checked(json.at("dihedrals"), graph.counts.dihedrals);
  get_checked(json.at("pairs"), graph.counts.pairs);
  get_checked(json.at("bytes"), graph.bytes);
  json.at("checksum").get_to(graph.checksum);
  json.at("made_from").get_to(graph.made_from);
  return graph;
}

void require_numbers(const FeatureNormalization& normalization) {
  for (std::size_t column = 0; column < 3; ++column) {
    if (!std::isfinite(normalization.mean[column]) || !std::isfinite(normalization.deviation[column]) ||
        normalization.deviation[column] <= 0) {
      throw InputError(
          "its normalisation has a number that is not finite or a deviation that is not positive");
    }
  }
}

void require_graphs(const std::vector<GraphEntry>& graphs) {
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const GraphEntry& graph = graphs[i];
    if (!is_graph_name(graph.name)) {
      throw InputError("a graph has a name that is not a file name");
    }
    if (i > 0 && graphs[i - 1].name >= graph.name) {
      throw InputError(fmt::format("graph {} is listed twice, or out of order", graph.name));
    }
    const GraphCounts& counts = graph.counts;
    constexpr std::int64_t kMaxAtoms = 1'000'000'000;
    if (counts.atoms < 1 || counts.atoms > kMaxAtoms ||
        std::min({counts.bonds, counts.angles, counts.dihedrals, counts.pairs}) < 0) {
      throw InputError(fmt::format("graph {} has an impossible count", graph.name));
    }
  }
}

void require_seal(const nlohmann::json& json) {
  constexpr const char* kManifestRemedy =
      ". Remove it and run the same molgauge pocket build again, which keeps the graphs";
  try {
    check_seal(json);
  } catch (const InputError& damage) {
    throw InputError(std::string(damage.what()) + kManifestRemedy);
  }
}

Manifest parse(const std::string& text) {
  const auto json = parse_json(text);
  if (!json.is_object() || json.value("format", "") != kFormat) {
    throw InputError("not the manifest of a graph set. Build a graph set with molgauge pocket build");
  }
  const int version = checked<int>(json.at("version"));
  if (version != kVersion) {
    throw InputError(
        fmt::format("is a graph set of version {}, but this program reads version {}", version, kVersion));
  }
  require_seal(json);
  Manifest manifest;
  const auto& origin = json.at("origin");
  origin.at("source").get_to(manifest.origin.source);
  origin.at("force_field").get_to(manifest.origin.force_field);
  origin.at("cutoff").get_to(manifest.origin.cutoff);
  origin.at("pocket_cutoff").get_to(manifest.origin.pocket_cutoff);
  origin.at("reference_phases").get_to(manifest.origin.reference_phases);
  const auto& normalization = json.at("normalization");
  normalization.at("mean").get_to(manifest.normalization.mean);
  normalization.at("deviation").get_to(manifest.normalization.deviation);
  get_checked(normalization.at("atoms"), manifest.atoms);
  require_numbers(manifest.normalization);
  for (const auto& graph : json.at("graphs")) {
    manifest.graphs.push_back(read_graph(graph));
  }
  require_graphs(manifest.graphs);
  const std::int64_t atoms =
      std::accumulate(manifest.graphs.begin(), manifest.graphs.end(), std::int64_t{0},
                      [](std::int64_t sum, const GraphEntry& graph) { return sum + graph.counts.atoms; });
  if (atoms != manifest.atoms) {
    throw InputError(fmt::format("its graphs have {} atoms, but its normalisation was computed from {}",
                                 atoms, manifest.atoms));
  }
  return manifest;
}

}  // namespace

Manifest read_manifest(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) {
    throw InputError(file.string() +
                     ": no such file, so the folder is not a finished graph set. Create it, or resume an "
                     "interrupted build, with molgauge pocket build");
  }
  try {
    return parse(read_file(file));
  } catch (const nlohmann::json::exception& failure) {
    throw InputError(file.string() + ": not the manifest of a graph set: " + json_problem(failure));
  } catch (const InputError& failure) {
    const std::string reason = failure.what();
    throw InputError(reason.starts_with(file.string()) ? reason : file.string() + ": " + reason);
  }
}

void write_manifest(const std::filesystem::path& file, const Manifest& manifest) {
  const std::string text = sealed(to_json(manifest)).dump(1) + "\n";
  if (!std::filesystem::exists(file) || read_file(file) != text) {
    replace_file(file, text);
  }
}

bool is_graph_name(const std::string& name) {
  const auto may_stand = [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_' || letter == '.' || letter == '+';
  };
  return !name.empty() && name.size() <= 200 && std::isalnum(static_cast<unsigned char>(name.front())) != 0 &&
         std::all_of(name.begin(), name.end(), may_stand);
}

}  // namespace molgauge::pocket
